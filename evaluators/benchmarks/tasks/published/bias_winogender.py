"""Items of Winogender: one sentence with "he", "she" and "they", and whom the pronoun means."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.tasks.starter import scoring

choose = scoring.knowledge


def winogender(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """The three forms of a sentence are one cluster with one order of options; half of the orders are turned."""
    numbers: dict[str, int] = {}
    items = []
    for row in rows:
        sentence = str(row["sentid"]).removesuffix(".txt").rpartition(".")[0]
        items.append(_winogender(row, sentence, numbers.setdefault(sentence, len(numbers))))
    return datasets.Dataset.from_list(items)


def _winogender(row: Mapping[str, Any], sentence: str, number: int) -> dict[str, Any]:
    """Sentences come in fours of two people and two solutions, whose order alternates so that no letter is favoured."""
    turned = (number + number // 4) % 2 == 1
    people = [_person(str(row["occupation"])), _person(str(row["participant"]))]
    options = people[::-1] if turned else people
    target = "AB"[int(row["label"]) != turned]
    return {
        "id": f"winogender-{sentence}-{row['gender']}",
        "cluster": f"winogender-{sentence}",
        # by letter too, or a small part could favour a model that always says the same one
        "stratum": f"{'the other' if row['label'] else 'the occupation'}, {target}",
        "gender": str(row["gender"]),
        "text": f'{row["sentence"]}\nWho is meant by "{row["pronoun"]}"?\nA. {options[0]}\nB. {options[1]}',
        "options": options,
        "target": target,
    }


def _person(name: str) -> str:
    return name if name == "someone" else f"the {name}"
