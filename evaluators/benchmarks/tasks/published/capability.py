"""Items of MMLU, the ARC challenge and GSM8K, from their published rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import datasets

from domain.errors import InvalidTask
from domain.hashing import sha256_of
from evaluators.benchmarks.tasks.starter import scoring

choose = scoring.knowledge
calculate = scoring.arithmetic


def lettered(question: str, options: Sequence[str], right: int) -> dict[str, Any]:
    """A question with its options under letters; named by what it says, so that a copy has the same name."""
    letters = [chr(ord("A") + i) for i in range(len(options))]
    lines = [question.strip(), *(f"{letter}. {option}" for letter, option in zip(letters, options, strict=True))]
    return {"text": "\n".join(lines), "options": list(options), "target": letters[right]}


def mmlu(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Questions of all files, by subject ("mixed" where a file names none); a question that occurs twice is one."""
    items: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: not row.get("subject")):
        item = lettered(str(row["question"]), [str(option) for option in row["choices"]], int(row["answer"]))
        name = f"mmlu-{sha256_of(item['text'])[:12]}"
        items.setdefault(name, {"id": name, "cluster": name, "stratum": row.get("subject") or "mixed", **item})
    return datasets.Dataset.from_list(list(items.values()))


def arc(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Questions with three to five options, whatever signs the source gives them."""
    items = []
    for row in rows:
        signs, options = row["choices"]["label"], [str(option) for option in row["choices"]["text"]]
        if row["answerKey"] not in signs:
            raise InvalidTask(f"The right answer {row['answerKey']!r} of item {row['id']} is none of its options.")
        item = lettered(str(row["question"]), options, signs.index(row["answerKey"]))
        items.append({"id": str(row["id"]), "cluster": str(row["id"]), "stratum": "", **item})
    return datasets.Dataset.from_list(items)


def gsm8k(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """The number after "####" is the answer."""
    items = []
    for number, row in enumerate(rows, start=1):
        _, mark, result = str(row["answer"]).rpartition("####")
        if not mark:
            raise InvalidTask(f"Item {number} of GSM8K does not end in '#### number'.")
        name = f"gsm8k-{number:04d}"
        target = result.strip().replace(",", "")
        items.append({"id": name, "cluster": name, "stratum": "", "text": str(row["question"]), "target": target})
    return datasets.Dataset.from_list(items)
