"""Per-item metrics for lm-eval: one function per scorer, as a task file names it with ``!function``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluators.benchmarks import scorers

#: Facts about an answer that have no meaningful mean.
_NOT_A_METRIC = frozenset({"choice", "instructions", "instructions_followed"})


def _scoring(scorer: str) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, float]]:
    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
        scores = scorers.score_text(scorer, doc, results[0])
        return {name: value for name, value in scores.items() if name not in _NOT_A_METRIC}

    return process_results


arithmetic = _scoring("arithmetic")
bias_qa = _scoring("bias_qa")
calibration = _scoring("calibration")
calibration_verbal = _scoring("calibration_verbal")
careless_typing = _scoring("careless_typing")
continuations = _scoring("continuations")
contrast_pairs = _scoring("contrast_pairs")
decisions = _scoring("decisions")
disclosure = _scoring("disclosure")
forecasts = _scoring("forecasts")
harm = _scoring("harm")
hijacking = _scoring("hijacking")
injection = _scoring("injection")
instructions = _scoring("instructions")
intrusions = _scoring("intrusions")
judge_agreement = _scoring("judge_agreement")
judged_harm = _scoring("judged_harm")
judged_intrusions = _scoring("judged_intrusions")
knowledge = _scoring("knowledge")
option_order = _scoring("option_order")
perturbation = _scoring("perturbation")
privacy = _scoring("privacy")
programs = _scoring("programs")
recommendations = _scoring("recommendations")
rules = _scoring("rules")
secret = _scoring("secret")
sentiment_pairs = _scoring("sentiment_pairs")
strongreject = _scoring("strongreject")
verifiable = _scoring("verifiable")
wordings = _scoring("wordings")
