"""lm-eval itself reads every starter task file and asks what the file says."""

import pytest
from fakes import starter_answers
from fakes.starter_answers import BENCHMARKS

from domain.benchmarks import Benchmark, RunOptions
from evaluators.benchmarks import loading


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_lm_eval_loads_the_task_and_builds_the_prompt_of_its_file(benchmark: Benchmark) -> None:
    loaded = loading.load(benchmark, RunOptions())
    docs = starter_answers.docs(benchmark)
    assert [dict(doc) for doc in loaded.docs] == [dict(doc) for doc in docs]
    for doc in docs[::29]:
        assert loaded.task.doc_to_text(doc) == starter_answers.prompt(benchmark, doc)
        assert set(loaded.task.process_results(doc, [doc["target"]])) <= set(loaded.task.aggregation())
