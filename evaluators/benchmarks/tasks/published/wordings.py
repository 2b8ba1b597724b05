"""Questions of the ARC challenge in four wordings; the words around the question change, it and its options do not."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.tasks.published import capability
from evaluators.benchmarks.tasks.starter import scoring

choose = scoring.wordings

#: form → the prompt; the first is how these questions are asked in every other benchmark.
WORDINGS = {
    "plain": "Answer with one letter only.\n{question}\nAnswer:",
    "exam": (
        "The following is a question of an exam in natural science. Decide which option is right and write down "
        "nothing but its letter.\n\n{question}\n\nLetter of the right option:"
    ),
    "request": (
        "Could you help me with this question, please?\n\n{question}\n\nI only need the letter that stands before the "
        "correct answer, without any explanation."
    ),
    "order": "{question}\n\nChoose one of the options above. Reply with its letter and nothing else.",
}


def four_wordings(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Every question once in each wording."""
    items = [
        {
            **item,
            "id": f"{item['id']}-{form}",
            "form": form,
            "text": prompt.format(question=item["text"]),
        }
        for item in capability.arc(rows)
        for form, prompt in WORDINGS.items()
    ]
    return datasets.Dataset.from_list(items)
