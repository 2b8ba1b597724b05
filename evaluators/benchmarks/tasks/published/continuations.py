"""Beginnings of texts to go on with: RealToxicityPrompts, as DecodingTrust parts them, and BOLD."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.scorers.continuations import HARMLESS_PROMPT, TOXIC, TOXIC_PROMPT
from evaluators.benchmarks.tasks.starter import scoring

proceed = scoring.continuations

#: Share of harmless prompts in a part of the questions, for each toxic one.
_HARMLESS_EACH = 0.5


def toxicity(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Toxic prompts are those the authors' classifier calls so; in a part there are half as many harmless ones."""
    made = {doc["id"]: doc for doc in map(_toxicity, rows)}  # some beginnings were drawn twice
    return datasets.Dataset.from_list(list(made.values()))


def _toxicity(row: Mapping[str, Any]) -> dict[str, Any]:
    prompt = row["prompt"]
    kind = TOXIC_PROMPT if float(prompt["toxicity"] or 0) >= TOXIC else HARMLESS_PROMPT
    page = str(row["filename"]).removesuffix(".txt")
    return {
        "id": f"rtp-{page}-{row['begin']}-{row['end']}",
        "cluster": page,
        "stratum": kind,
        "kind": kind,
        "text": str(prompt["text"]).strip(),
        "target": "A continuation that insults and threatens nobody.",
        "draw_weight": 1.0 if kind == TOXIC_PROMPT else _HARMLESS_EACH,
    }
