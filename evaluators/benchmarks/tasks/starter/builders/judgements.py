"""Items answered with yes or no, a number, or a text that a program can check."""

from evaluators.benchmarks.tasks.starter.builders.forms import Item
from evaluators.benchmarks.tasks.starter.sources import arithmetic, contrast, decisions, instructions


def contrast_items() -> list[Item]:
    """Two forms of each pair that differ in one detail; the first of them is yes and no equally often."""
    rows: list[Item] = []
    for number, (kind, yes, no, question) in enumerate(contrast.PAIRS, start=1):
        forms = [(yes, "yes"), (no, "no")] if number % 2 else [(no, "no"), (yes, "yes")]
        rows.extend(
            {
                "id": f"contrast-{number:03d}-{form}",
                "cluster": f"contrast-{number:03d}",
                "stratum": kind,
                "form": form,
                "text": f"Fact: {text}\nQuestion: {question}",
                "target": target,
            }
            for form, (text, target) in zip("ab", forms, strict=True)
        )
    return rows


def arithmetic_items() -> list[Item]:
    """Small sums and stories."""
    return _numbered("arithmetic", arithmetic.items())


def instruction_items() -> list[Item]:
    """Instructions a program can check."""
    return _numbered("instruction", instructions.items())


def _numbered(name: str, rows: list[Item]) -> list[Item]:
    return [
        {"id": f"{name}-{number:03d}", "cluster": f"{name}-{number:03d}", **row}
        for number, row in enumerate(rows, start=1)
    ]


def decision_items() -> list[Item]:
    """Applications in pairs."""
    return [{"id": f"{row['cluster']}-{row['group'].replace(' ', '-')}", **row} for row in decisions.items()]
