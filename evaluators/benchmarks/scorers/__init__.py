"""Pure scorers: answers become item metrics, item metrics become measurements; stored runs can be scored again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.answers import Answer, Outcome
from domain.benchmarks import Benchmark, Sample
from domain.errors import UnknownBenchmark
from domain.measurements import Measurement
from evaluators.benchmarks.classifiers.protocol import Classifier, checked_scores, classification_of
from evaluators.benchmarks.scorers import (
    agreement,
    bbq,
    bias,
    calibration,
    changed_forms,
    continuations,
    disclosure,
    fairness,
    forecasts,
    group_sentiment,
    incomes,
    instructions,
    intrusions,
    judged,
    judged_intrusions,
    letters,
    numbers,
    passages,
    perturbation,
    privacy,
    programs,
    pronouns,
    recommendations,
    refusals,
    rules,
    secrets,
    sentiments,
    stereotypes,
    verifiable,
    wordings,
    yes_no,
)
from evaluators.benchmarks.scorers.items import Scored, Scorer, answer_of

SCORERS: Mapping[str, Scorer] = {
    "arithmetic": numbers.ARITHMETIC,
    "bbq": bbq.BBQ,
    "bias_qa": bias.BIAS_QA,
    "calibration": calibration.CALIBRATION,
    "calibration_verbal": calibration.CALIBRATION_VERBAL,
    "careless_typing": changed_forms.CARELESS_TYPING,
    "continuations": continuations.CONTINUATIONS,
    "contrast_pairs": yes_no.CONTRAST_PAIRS,
    "decisions": fairness.DECISIONS,
    "disclosure": disclosure.DISCLOSURE,
    "forecasts": forecasts.FORECASTS,
    "group_sentiment": group_sentiment.GROUP_SENTIMENT,
    "harm": refusals.HARM,
    "hijacking": secrets.HIJACKING,
    "incomes": incomes.INCOMES,
    "injection": secrets.INJECTION,
    "instructions": instructions.INSTRUCTIONS,
    "intrusions": intrusions.INTRUSIONS,
    "judge_agreement": agreement.JUDGE_AGREEMENT,
    "judged_harm": judged.JUDGED_HARM,
    "judged_intrusions": judged_intrusions.JUDGED_INTRUSIONS,
    "knowledge": letters.KNOWLEDGE,
    "option_order": changed_forms.OPTION_ORDER,
    "passages": passages.PASSAGES,
    "perturbation": perturbation.PERTURBATION,
    "privacy": privacy.PRIVACY,
    "programs": programs.PROGRAMS,
    "pronouns": pronouns.PRONOUNS,
    "recommendations": recommendations.RECOMMENDATIONS,
    "rules": rules.RULES,
    "secret": secrets.SECRET,
    "sentiment_pairs": sentiments.SENTIMENT_PAIRS,
    "stereotypes": stereotypes.STEREOTYPES,
    "strongreject": judged.STRONGREJECT,
    "verifiable": verifiable.VERIFIABLE,
    "wordings": wordings.WORDINGS,
}
#: Version of the rules of each scorer; part of the identity of every score.
VERSION: Mapping[str, str] = {name: scorer.version for name, scorer in SCORERS.items()}


def _scorer(name: str) -> Scorer:
    if name not in SCORERS:
        raise UnknownBenchmark(f"There is no scorer {name!r}; there are {', '.join(sorted(SCORERS))}.")
    return SCORERS[name]


def score_item(scorer: str, sample: Sample) -> Sample:
    """The item with its metrics, ``parse_ok`` and ``refused`` made anew from its answers."""
    rules = _scorer(scorer)
    answer = answer_of(sample)
    if answer is None:
        why = sample.unscored or (sample.asked[-1].answer.error if sample.asked else None) or "It got no answer."
        return replace(sample, metrics={}, parse_ok=None, refused=None, unscored=why)
    score = _score(rules, sample, answer)
    # what the adapter knows of a content filter stays where the scorer does not look for refusals
    refused = sample.refused if score.refused is None else score.refused
    return replace(sample, metrics=dict(score.metrics), parse_ok=score.parse_ok, refused=refused, unscored=None)


def version_made_anew(scorer: str, stored: str | None) -> str | None:
    """The version behind metrics that are made anew of stored answers.

    The present one; the stored one where by its rules questions were asked, or answers shown to a classifier, a judge
    or a sandbox, as well, which is not done again.
    """
    rules = _scorer(scorer)
    asks = rules.is_of_questions or rules.shown_to_classifier or rules.shown_to_judge or rules.program
    return stored if asks else rules.version


def _score(rules: Scorer, sample: Sample, answer: Answer) -> Scored:
    if rules.score_sample:
        return rules.score_sample(sample)
    return rules.score_answer(sample.doc, answer) if rules.score_answer else rules.score_text(sample.doc, answer.text)


def wants_classifier(scorer: str) -> bool:
    """Whether its answers are shown to a classifier before they are scored."""
    return _scorer(scorer).shown_to_classifier is not None


def classified(scorer: str, samples: Sequence[Sample], classifier: Classifier) -> tuple[Sample, ...]:
    """The samples with the classifier's opinion of what the scorer shows it; equal texts are shown once."""
    shown = _scorer(scorer).shown_to_classifier
    if shown is None:
        return tuple(samples)
    texts = [shown(s.doc, answer.text) if (answer := answer_of(s)) else "" for s in samples]
    different = [text for text in dict.fromkeys(texts) if text]
    scores = dict(zip(different, checked_scores(classifier, different), strict=True))
    found = {text: classification_of(classifier, score) for text, score in scores.items()}
    return tuple(replace(s, classification=found.get(text)) for s, text in zip(samples, texts, strict=True))


def shown_to_judge(scorer: str, sample: Sample) -> str | None:
    """What a judge is sent about an item's answer; None where it is to see none: an error, an empty answer."""
    shown, answer = _scorer(scorer).shown_to_judge, answer_of(sample)
    if shown is None or answer is None or answer.outcome is Outcome.FILTERED or not answer.text.strip():
        return None
    return shown(sample.doc, answer.text)


def program_of(scorer: str, sample: Sample) -> str | None:
    """The program an item's answer makes, with its tests; None where there is nothing to run."""
    program, answer = _scorer(scorer).program, answer_of(sample)
    return None if program is None or answer is None else program(sample.doc, answer.text)


def score_text(scorer: str, doc: Mapping[str, Any], text: str) -> dict[str, float]:
    """What a task's ``process_results`` returns: the item's metrics, ``empty`` and, where they apply, two flags."""
    score = _scorer(scorer).score_text(doc, text)
    return {**score.metrics, **_flags(score), "empty": float(not text.strip())}


def _flags(score: Scored) -> dict[str, float]:
    flags = {"parse_ok": score.parse_ok, "refused": score.refused}
    return {name: float(flag) for name, flag in flags.items() if flag is not None}


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """The measurements of a benchmark from its scored items, headline first."""
    return _scorer(benchmark.scorer).measure(benchmark, samples)
