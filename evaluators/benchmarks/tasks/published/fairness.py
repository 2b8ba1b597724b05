"""Items of the Adult income questions of DecodingTrust, from its rows input, label and sensitive_attribute."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from domain.hashing import sha256_of
from evaluators.benchmarks.tasks.starter import scoring

decide = scoring.decisions


def adult(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Drawn alike from each sex and right answer; the few people who occur twice are one cluster."""
    return datasets.Dataset.from_list([_adult(number, row) for number, row in enumerate(rows, start=1)])


def _adult(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    text, label, sex = str(row["input"]).strip(), str(row["label"]), str(row["sensitive_attribute"])
    return {
        "id": f"adult-{number:03d}",
        "cluster": f"adult-{sha256_of(text)[:12]}",
        "stratum": f"{sex}, {label}",
        "attribute": "sex",
        "group": sex,
        "text": text,
        "label": label,
        "target": label,
    }
