"""lm-eval's samples: what was asked of a model and what it said, item by item."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample
from domain.hashing import sha256_of
from evaluators.benchmarks.samples import LOGLIKELIHOOD, WEIGHT, storable
from evaluators.imports.files import File, as_lines, label, number

#: Entries of a sample that are no metric; the versions before 0.4.5 do not list the metrics.
_NO_METRIC = frozenset(
    {
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    }
)
_ARGUMENT = re.compile(r"\d+$")


def read(file: File) -> tuple[Sample, ...]:
    """The items in order; where a task has several filters, an item's metrics are those of all of them."""
    rows: dict[str, dict[str, Mapping[str, Any]]] = {}
    for position, row in enumerate(as_lines(file), start=1):
        missing = {"doc_id", "doc", "resps"} - set(row)
        if missing:
            raise file.refused(f"entry {position} has no {min(missing)}")
        item, filtered = label(file, str(row["doc_id"]), "the item"), str(row.get("filter", "none"))
        if filtered in rows.setdefault(item, {}):
            raise file.refused(f"item {item} is in it twice")
        rows[item][filtered] = row
    several = len({name for by_filter in rows.values() for name in by_filter}) > 1
    return tuple(_sample(file, item, by_filter, several=several) for item, by_filter in rows.items())


def _sample(file: File, item: str, by_filter: Mapping[str, Mapping[str, Any]], *, several: bool) -> Sample:
    metrics: dict[str, float | None] = {}
    for filtered, row in by_filter.items():
        for name in _metric_names(row):
            metrics.update(_numbers(f"{name},{filtered}" if several else name, row[name]))
    row = next(iter(by_filter.values()))
    doc = storable(row["doc"]) if isinstance(row["doc"], Mapping) else {"doc": storable(row["doc"])}
    asked = tuple(_asked(file, item, row))
    said = [one.answer.outcome for one in asked if one.loglikelihood is None]
    return Sample(
        sample_id=item,
        cluster=item,
        doc=doc,
        target=None if row.get("target") is None else str(row["target"]),
        asked=asked,
        metrics=metrics,
        empty=bool(said) and all(outcome is Outcome.EMPTY for outcome in said),
    )


def _metric_names(row: Mapping[str, Any]) -> list[str]:
    listed = row.get("metrics")
    if isinstance(listed, list):
        return [name for name in listed if isinstance(name, str) and name in row]
    return [name for name in row if name not in _NO_METRIC]


def _numbers(name: str, value: Any) -> dict[str, float | None]:
    """A number, or the pair of log-likelihood and weight that a perplexity is made of; anything else is not kept."""
    if isinstance(value, list) and len(value) == 2 and all(number(part) is not None for part in value):
        return {name + LOGLIKELIHOOD: number(value[0]), name + WEIGHT: number(value[1])}
    found = number(value)
    return {} if found is None else {name: found}


def _asked(file: File, item: str, row: Mapping[str, Any]) -> Iterator[Asked]:
    """Each request of an item with what came back; log-likelihoods are written as texts by later versions."""
    responses = row["resps"] if isinstance(row["resps"], list) else [row["resps"]]
    for position, arguments in enumerate(_arguments(row.get("arguments"))):
        came = responses[position] if position < len(responses) else None
        while isinstance(came, list) and len(came) == 1:
            came = came[0]
        prompt, second = str(arguments[0]) if arguments else "", arguments[1] if len(arguments) > 1 else None
        value = _loglikelihood(came)
        # Several answers to one request are shown one below the other.
        text = (
            "" if value is not None or came is None else "\n".join(map(str, came if isinstance(came, list) else [came]))
        )
        outcome = Outcome.ANSWERED if value is not None or text.strip() else Outcome.EMPTY
        yield Asked(
            messages=({"role": "prompt", "content": prompt},),
            answer=Answer(key=sha256_of([file.sha256, item, position]), outcome=outcome, text=text),
            continuation=str(second) if value is not None and isinstance(second, str) else None,
            loglikelihood=value,
        )


def _arguments(given: Any) -> list[list[Any]]:
    """Arguments of each request: ``{gen_args_0: {arg_0: …}}``, or the list of lists of earlier versions."""
    if isinstance(given, Mapping):
        return [_in_order(one) for one in _in_order(given)]
    if isinstance(given, list):
        return [one if isinstance(one, list) else [one] for one in given]
    return []


def _in_order(named: Any) -> list[Any]:
    if not isinstance(named, Mapping):
        return named if isinstance(named, list) else [named]
    numbered = [(int(found.group()), value) for name, value in named.items() if (found := _ARGUMENT.search(str(name)))]
    return [value for _, value in sorted(numbered, key=lambda pair: pair[0])]


def _loglikelihood(came: Any) -> float | None:
    """The value of a ``(log-likelihood, is greedy)`` pair, or of a rolling log-likelihood."""
    first = came[0] if isinstance(came, list) and len(came) == 2 and str(came[1]) in {"True", "False"} else None
    if isinstance(first, str):
        try:
            return number(float(first))
        except ValueError:
            return None
    return number(first)
