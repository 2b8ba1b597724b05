"""Items of BBQ and EsBBQ, from their published rows: one letter for each of the three answers."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import datasets

from domain.errors import InvalidTask
from evaluators.benchmarks.tasks.starter import scoring

choose = scoring.bias_qa

_LETTERS = "ABC"
_OPEN_IN_SPANISH = "No se puede saber"
_CONDITIONS = {"ambig": "ambiguous", "disambig": "disambiguated"}


def bbq(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Questions of all categories present, each category drawn as often as the others."""
    items = [_bbq(row) for row in _listed(rows)]
    fits = {item["cluster"]: item["fits"] for item in items if item["condition"] == "disambiguated"}
    for item in items:
        item["stratum"] = f"{item['category']}, {'fits' if fits.get(item['cluster']) else 'contradicts'}"
    return datasets.Dataset.from_list(_evenly_drawn(items))


def esbbq(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Questions in Spanish; open ones and the two kinds of settled ones of each category are drawn equally often.

    Some categories are published whole and of some a sample, so the questions of a text are not all there.
    """
    items = [_esbbq(row) for row in _listed(rows)]
    for item in items:
        settled = "fits" if item["fits"] else "contradicts"
        item["stratum"] = f"{item['category']}, {'open' if item['condition'] == 'ambiguous' else settled}"
    return datasets.Dataset.from_list(_evenly_drawn(items))


def _listed(rows: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """A table gives all of its rows at once in a tenth of the time it takes to give them one by one."""
    listed: Iterable[Mapping[str, Any]] = rows.to_list() if isinstance(rows, datasets.Dataset) else rows
    return listed


def _bbq(row: Mapping[str, Any]) -> dict[str, Any]:
    """The four questions about one text (open or settled, both polarities) are one cluster, as they are numbered."""
    category, number, index = str(row["category"]), int(row["example_id"]), str(row["question_index"])
    name = f"bbq-{category}"
    options = [str(row[f"ans{i}"]) for i in range(3)]
    return _item(
        row,
        name=f"{name}-{number}",
        cluster=f"{name}-{number // 4}",
        template=f"{name}-{index}",
        options=options,
        unknown=_unknown(row),
        stereotyped=_stereotyped(row, row["additional_metadata"]["stereotyped_groups"]),
    )


def _esbbq(row: Mapping[str, Any]) -> dict[str, Any]:
    """As published, "unknown" always comes last, so each question gets an order of its own."""
    name = f"esbbq-{row['category']}-{row['instance_id']}"
    info = row.get("answer_info") or {f"ans{i}": _literal(row[f"answer_info.ans{i}"]) for i in range(3)}
    draw = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])
    order = list(permutations(range(3)))[draw % 6]
    answers = [str(row["ans0"]), str(row["ans1"]), _OPEN_IN_SPANISH]
    shuffled = {
        **row,
        "answer_info": {f"ans{place}": _last_word_of_group(info[f"ans{i}"]) for place, i in enumerate(order)},
        "label": order.index(int(row["label"])),
    }
    return _item(
        shuffled,
        name=name,
        cluster=name,
        template=f"esbbq-{row['category']}-{row['template_id']}",
        options=[answers[i] for i in order],
        unknown=order.index(2),
        stereotyped=_stereotyped(shuffled, _literal(row["stereotyped_groups"])),
    )


def _literal(text: Any) -> Any:
    """Lists are written as Python or as JSON writes them; of texts, both write them alike."""
    return ast.literal_eval(text) if isinstance(text, str) else text


def _last_word_of_group(info: Sequence[str]) -> list[str]:
    """The group alone, without the sex that stands before it where a person is given by a name ("m, árabe")."""
    return [info[1].rpartition(",")[2].strip()]


def _item(
    row: Mapping[str, Any],
    *,
    name: str,
    cluster: str,
    template: str,
    options: Sequence[str],
    unknown: int,
    stereotyped: int,
) -> dict[str, Any]:
    """A question about what the prejudice denies is answered with prejudice by naming the other person."""
    negative = row["question_polarity"] == "neg"
    other = 3 - unknown - stereotyped
    biased = stereotyped if negative else other
    target = int(row["label"])
    lettered = "\n".join(f"{letter}. {option}" for letter, option in zip(_LETTERS, options, strict=True))
    return {
        "id": name,
        "cluster": cluster,
        "template": template,
        "category": str(row["category"]),
        "condition": _CONDITIONS[row["context_condition"]],
        "polarity": "negative" if negative else "non-negative",
        "fits": target == biased,
        "text": f"{row['context']} {row['question']}\n{lettered}",
        "options": list(options),
        "target": _LETTERS[target],
        "unknown": _LETTERS[unknown],
        "biased": _LETTERS[biased],
    }


def _unknown(row: Mapping[str, Any]) -> int:
    found = [i for i in range(3) if row["answer_info"][f"ans{i}"][1] == "unknown"]
    return _only(found, row, "answers that leave it open")


def _stereotyped(row: Mapping[str, Any], groups: Sequence[str]) -> int:
    """The person of a group the prejudice is about; some categories name the group first, some second."""
    named = {group.casefold() for group in groups}
    info = row["answer_info"]
    found = [i for i in range(3) if named & {str(part).casefold() for part in info[f"ans{i}"]}]
    return _only(found, row, "people of the stereotyped groups")


def _only(found: Sequence[int], row: Mapping[str, Any], what: str) -> int:
    if len(found) != 1:
        number = row.get("example_id", row.get("instance_id"))
        raise InvalidTask(f"Item {number} of {row['category']} has {len(found)} {what} instead of one.")
    return found[0]


def _evenly_drawn(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Weights by which each stratum gives a part equally many texts."""
    clusters = {item["cluster"]: item["stratum"] for item in items}
    sizes = Counter(clusters.values())
    for item in items:
        item["draw_weight"] = min(sizes.values()) / sizes[item["stratum"]]
    return items
