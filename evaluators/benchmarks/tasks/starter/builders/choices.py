"""Items with lettered options."""

import random

from evaluators.benchmarks.tasks.starter.builders.forms import Item, balanced, letter, lettered, mistyped, placed
from evaluators.benchmarks.tasks.starter.sources import bias, guesswork, knowledge

#: Subjects whose questions keep their sense in capitals and with typing errors.
_PERTURBED = frozenset({"nature", "geography", "science", "daily life"})


def knowledge_items() -> list[Item]:
    """Four-option questions; over the file each letter is right equally often."""
    places = balanced(len(knowledge.QUESTIONS), 4, seed=11)
    rows = []
    for number, (row, place) in enumerate(zip(knowledge.QUESTIONS, places, strict=True), start=1):
        subject, question, right, *wrong = row
        rows.append(_choice(f"knowledge-{number:03d}", subject, question, placed(right, wrong, place), place))
    return rows


def _choice(name: str, stratum: str, question: str, options: list[str], place: int) -> Item:
    return {
        "id": name,
        "cluster": name,
        "stratum": stratum,
        "text": lettered(question, options),
        "options": options,
        "target": letter(place),
    }


def calibration_items() -> list[Item]:
    """Facts most models know, sums many can do, and products nobody can do at a glance."""
    facts = [
        {"stratum": "facts", "question": q, "right": right, "wrong": list(wrong)}
        for _, q, right, *wrong in knowledge.QUESTIONS[:128]
    ]
    sources = [*facts, *guesswork.items()]
    places = [place for kind in ("facts", "medium", "hard") for place in _places(sources, kind)]
    return [
        _choice(
            f"calibration-{number:03d}",
            row["stratum"],
            row["question"],
            placed(row["right"], row["wrong"], place),
            place,
        )
        for number, (row, place) in enumerate(zip(sources, places, strict=True), start=1)
    ]


def _places(sources: list[Item], stratum: str) -> list[int]:
    return balanced(sum(row["stratum"] == stratum for row in sources), 4, seed=13)


def perturbation_items() -> list[Item]:
    """Each question as it is, with its options in other places, with typing errors and in capitals."""
    chosen = [q for q in knowledge.QUESTIONS if q[0] in _PERTURBED][:64]
    rng = random.Random(17)  # noqa: S311 - items, not secrets
    places = balanced(len(chosen), 4, seed=19)
    turns = [1 + turn for turn in balanced(len(chosen), 3, seed=29)]
    rows: list[Item] = []
    for number, (source, place, turn) in enumerate(zip(chosen, places, turns, strict=True), start=1):
        _, question, right, *wrong = source
        options = placed(right, wrong, place)
        forms = [
            ("clean", question, options, [0, 1, 2, 3]),
            # every option moves, so that always naming one letter never names one option
            ("reordered", question, options[turn:] + options[:turn], [(i + turn) % 4 for i in range(4)]),
            ("typos", mistyped(question, rng), options, [0, 1, 2, 3]),
            ("capitals", question.upper(), [option.upper() for option in options], [0, 1, 2, 3]),
        ]
        rows.extend(
            {
                "id": f"perturbation-{number:03d}-{form}",
                "cluster": f"perturbation-{number:03d}",
                "stratum": source[0],
                "form": form,
                "text": lettered(asked, shown),
                "options": shown,
                "option_ids": ids,
                "target": letter(ids.index(place)),
            }
            for form, asked, shown, ids in forms
        )
    return rows


def bias_items() -> list[Item]:
    """Four items of each situation: left open or settled, asked with the prejudice or against it.

    Half of the settled texts of a category agree with the prejudice. Over each kind of item the unknown option and the
    two people stand equally often at each letter.
    """
    rows: list[Item] = []
    for number, situation in enumerate(bias.SITUATIONS):
        fits = number % 2 == 0
        for kind, (condition, polarity) in enumerate(
            (c, p) for c in ("ambiguous", "disambiguated") for p in ("negative", "non-negative")
        ):
            rows.append(_bias_item(number, situation, condition, polarity, fits=fits, turn=number // 2 + kind))
    return rows


def _bias_item(number: int, situation: bias.Situation, condition: str, polarity: str, *, fits: bool, turn: int) -> Item:
    a, b = situation.a, situation.b
    first, second = (a, b) if (number // 2) % 2 else (b, a)
    text = situation.open_text.format(A=_capital(first), b=second)
    if condition == "disambiguated":
        x, y = (a, b) if fits else (b, a)
        text += " " + situation.settled.format(X=_capital(x), y=y)
    question = situation.blamed if polarity == "negative" else situation.praised
    unknown = bias.UNKNOWN[number % len(bias.UNKNOWN)]
    base = [a, b, unknown] if number % 4 < 2 else [b, a, unknown]
    options = base[turn % 3 :] + base[: turn % 3]
    biased = a if polarity == "negative" else b
    right = unknown if condition == "ambiguous" else biased if fits else (b if biased == a else a)
    return {
        "id": f"bias-{number + 1:02d}-{condition[:3]}-{polarity[:3]}",
        "cluster": f"bias-{number + 1:02d}",
        "stratum": f"{situation.category}, {'fits' if fits else 'contradicts'}",
        "category": situation.category,
        "condition": condition,
        "polarity": polarity,
        "fits": fits,
        "text": lettered(f"{text} {question}", options),
        "options": options,
        "target": letter(options.index(right)),
        "unknown": letter(options.index(unknown)),
        "biased": letter(options.index(biased)),
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
