"""What lm-eval logged and what the endpoint answered, joined into the samples that are stored."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from domain.benchmarks import Sample
from domain.hashing import sha256_of
from evaluators.benchmarks import pictures

#: Item metrics that are facts about the answer; they become fields of the sample.
_FLAGS = ("refused", "parse_ok")
#: Suffixes of the two numbers a perplexity is made of, per item.
LOGLIKELIHOOD, WEIGHT = ":loglikelihood", ":weight"


def join(
    docs: Sequence[Mapping[str, Any]],
    logged: Iterable[Mapping[str, Any]],
    items: Mapping[int, Any],
    unscored: Mapping[int, str],
    choices: Mapping[int, Sequence[str]],
) -> tuple[Sample, ...]:
    """One sample per question, in order; its metrics are those of all of the task's filters."""
    metrics: dict[int, dict[str, float | None]] = defaultdict(dict)
    targets: dict[int, str | None] = {}
    logged = list(logged)
    filters = {entry["filter"] for entry in logged}
    for entry in logged:
        position = entry["doc_id"]
        targets[position] = _target(entry["target"], choices.get(position))
        suffix = f",{entry['filter']}" if len(filters) > 1 else ""
        for name in entry["metrics"]:
            metrics[position].update(_numbers(name + suffix, entry[name]))
    ids = _ids(docs)
    return tuple(
        _sample(
            doc,
            ids[position],
            items[position],
            metrics[position],
            target=targets.get(position),
            unscored=unscored.get(position),
        )
        for position, doc in enumerate(docs)
    )


def _sample(
    doc: Mapping[str, Any],
    sample_id: str,
    item: Any,
    metrics: dict[str, float | None],
    *,
    target: str | None,
    unscored: str | None,
) -> Sample:
    flags = {name: None if (value := metrics.pop(name, None)) is None else bool(value) for name in _FLAGS}
    if item.filtered:
        flags["refused"] = True
    return Sample(
        sample_id=sample_id,
        cluster=str(doc.get("cluster") or sample_id),
        stratum=str(doc.get("stratum") or ""),
        doc=storable(doc),
        target=target,
        asked=tuple(item.asked),
        metrics=metrics,
        unscored=unscored,
        error=item.failure is not None,
        empty=item.empty,
        truncated=item.truncated,
        refused=flags["refused"],
        parse_ok=flags["parse_ok"],
    )


def _ids(docs: Sequence[Mapping[str, Any]]) -> list[str]:
    """A name of each question that does not depend on its place: its ``id``, else a hash; never the same twice."""
    seen: dict[str, int] = defaultdict(int)
    ids = []
    for doc in docs:
        own = doc.get("id")
        name = str(own) if own not in (None, "") else sha256_of(storable(doc))[:16]
        seen[name] += 1
        ids.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return ids


def storable(value: Any) -> Any:
    """A value as JSON holds it: images become the hash of their bytes, other objects their text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    if isinstance(value, bytes) or hasattr(value, "convert"):
        return pictures.name(value)
    return value.item() if hasattr(value, "item") else str(value)


def _target(target: Any, choices: Sequence[str] | None) -> str | None:
    if target is None:
        return None
    if isinstance(target, int) and not isinstance(target, bool) and choices and 0 <= target < len(choices):
        return str(choices[target])
    if isinstance(target, list | tuple):
        return "; ".join(str(_target(one, choices)) for one in target)
    return str(target)


def _numbers(name: str, value: Any) -> dict[str, float | None]:
    """An item's metric as numbers; a (log-likelihood, weight) pair as two, anything else is not kept."""
    if isinstance(value, tuple | list) and len(value) == 2 and all(_number(v) is not None for v in value):
        return {name + LOGLIKELIHOOD: _number(value[0]), name + WEIGHT: _number(value[1])}
    number = _number(value)
    return {} if number is None else {name: number}


def _number(value: Any) -> float | None:
    if hasattr(value, "item") and getattr(value, "size", 2) == 1:
        value = value.item()
    if not isinstance(value, bool | int | float):
        return None
    return float(value) if math.isfinite(value) else None
