"""What an answer to MMLU says of the model's certainty."""

from evaluators.benchmarks.tasks.starter import scoring

weigh = scoring.calibration
state = scoring.calibration_verbal
