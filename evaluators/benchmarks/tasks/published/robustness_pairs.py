"""Items of the IMDb contrast set: a review of a film, and the same changed so that it says the opposite."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from domain.errors import InvalidTask
from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.sentiment_pairs

_NAME = re.compile(r"(?P<part>\w+)_(?P<kind>original|contrast)\.")


def imdb_contrast(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Line n of a part's file of originals and of its file of contrasts are a pair, where they say the opposite."""
    files: dict[str, dict[str, list[Mapping[str, Any]]]] = defaultdict(lambda: {"original": [], "contrast": []})
    for row in rows:
        name = _NAME.match(str(row["file"]))
        if name is None:
            raise InvalidTask(f"{row['file']} is neither a PART_original nor a PART_contrast file of the IMDb pairs.")
        files[name["part"]][name["kind"]].append(row)
    items = [item for part in sorted(files) for item in _pairs(part, **files[part])]
    return datasets.Dataset.from_list(items)


def _pairs(part: str, original: list[Mapping[str, Any]], contrast: list[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    if len(original) != len(contrast):
        raise InvalidTask(
            f"The IMDb part {part} has {len(original)} originals and {len(contrast)} contrasts; they must be pairs."
        )
    for number, (a, b) in enumerate(zip(original, contrast, strict=True), start=1):
        name = f"imdb-{part}-{number:03d}"
        if a["Sentiment"] != b["Sentiment"]:
            yield _item(f"{name}-a", name, part, a)
            yield _item(f"{name}-b", name, part, b)


def _item(name: str, cluster: str, part: str, row: Mapping[str, Any]) -> dict[str, Any]:
    text = " ".join(re.sub(r"<br\s*/?>", " ", str(row["Text"])).split())
    target = str(row["Sentiment"]).strip().lower()
    return {"id": name, "cluster": cluster, "stratum": part, "text": text, "target": target}
