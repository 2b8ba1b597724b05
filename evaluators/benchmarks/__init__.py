"""lm-eval tasks on a served model."""

from evaluators.benchmarks.catalogue import discover_tasks
from evaluators.benchmarks.evaluator import LmEval

__all__ = ["LmEval", "discover_tasks"]
