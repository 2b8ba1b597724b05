"""Finding a task by its name, reading its file, and saying in one sentence what is wrong with it."""

import subprocess
import sys
from pathlib import Path

import pytest

import evaluators
from domain.endpoints import Capability
from domain.errors import InvalidTask, UnknownBenchmark
from evaluators.benchmarks import catalogue, task_files

GOOD = """\
task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: items.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: answer
metadata:
  version: 2.0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.yaml").write_text(GOOD.format(name="one"))
    return tmp_path


def test_a_task_named_like_its_folder_is_found_there() -> None:
    path = task_files.find_public("truthfulqa_mc2")

    assert path is not None
    assert path.name == "truthfulqa_mc2.yaml"


def test_a_task_whose_file_has_another_name_is_found_too() -> None:
    path = task_files.find_public("boolq")

    assert path is not None
    assert task_files.read_definition(path)["task"] == "boolq"


def test_includes_are_read_and_the_file_s_own_keys_win() -> None:
    path = task_files.find_public("truthfulqa_mc2")
    assert path is not None

    definition = task_files.read_definition(path)

    assert definition["output_type"] == "multiple_choice"
    assert definition["process_results"] == "!function utils.process_results_mc2"


def test_a_group_is_refused_with_its_members() -> None:
    with pytest.raises(UnknownBenchmark, match=r"mmlu is a group of lm-eval tasks.*mmlu_humanities"):
        evaluators.find("mmlu")


def test_a_tag_is_refused_with_some_of_its_tasks() -> None:
    with pytest.raises(UnknownBenchmark, match=r"mmlu_stem_tasks is a tag of lm-eval tasks.*mmlu_abstract_algebra"):
        evaluators.find("lm_eval:mmlu_stem_tasks")


def test_an_unknown_key_names_the_nearest_ones() -> None:
    with pytest.raises(UnknownBenchmark, match="starter_knowledge"):
        evaluators.find("starter_knowlege")


def test_an_unknown_task_of_lm_eval_says_which_version_lacks_it() -> None:
    with pytest.raises(UnknownBenchmark, match="has no task 'no_such_task'"):
        evaluators.find("lm_eval:no_such_task")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "", "a b"])
def test_a_name_that_is_a_path_finds_nothing(name: str) -> None:
    assert task_files.find_public(name) is None


def test_a_bare_public_name_and_the_prefixed_one_are_the_same_benchmark() -> None:
    assert evaluators.find("winogrande")[1] == evaluators.find("lm_eval:winogrande")[1]


def test_a_likelihood_task_needs_echo_or_forced_tokens() -> None:
    benchmark = evaluators.find("arc_challenge")[1]

    assert set(benchmark.needs) == {
        frozenset({Capability.ECHO_LOGPROBS}),
        frozenset({Capability.FORCED_LOGPROBS}),
    }


def test_a_task_whose_answers_are_letters_can_also_be_ranked_on_a_chat_route() -> None:
    benchmark = evaluators.find("mmlu_anatomy")[1]

    assert frozenset({Capability.CHAT, Capability.TOP_LOGPROBS}) in benchmark.needs


def test_a_task_that_runs_the_model_s_code_is_listed_with_the_reason_it_cannot_run() -> None:
    assert "runs code written by the model" in str(evaluators.find("humaneval")[1].unavailable)


def test_listing_and_finding_benchmarks_does_not_import_lm_eval() -> None:
    code = (
        "import sys, evaluators; evaluators.benchmarks(); evaluators.find('gsm8k'); evaluators.find('winogrande');"
        "sys.exit(bool({'lm_eval', 'datasets', 'pandas', 'pyarrow'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_tasks_of_a_folder_are_listed_under_their_paths(folder: Path) -> None:
    (folder / "_shared.yaml").write_text("output_type: generate_until\n")

    (benchmark,) = evaluators.discover_tasks(folder)

    assert (benchmark.title, benchmark.version, benchmark.source) == ("one", "2.0", "own")
    assert evaluators.find(benchmark.key)[1] == benchmark


def test_a_tasks_folder_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidTask, match=r"nowhere does not exist"):
        catalogue.discover_tasks(tmp_path / "nowhere")


def test_two_files_with_one_task_name_are_refused(folder: Path) -> None:
    (folder / "two.yaml").write_text(GOOD.format(name="one"))

    with pytest.raises(InvalidTask, match=r"one is defined twice: in .*one\.yaml and in .*two\.yaml"):
        catalogue.discover_tasks(folder)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("task: [one\n", r"bad\.yaml is not valid YAML: line 2, column 1"),
        ("- task: one\n", r"bad\.yaml holds list instead of keys"),
        ("include: bad.yaml\ntask: x\n", r"bad\.yaml includes itself"),
        ("include: missing.yaml\ntask: x\n", r"missing\.yaml cannot be read: No such file"),
        ("task: x\noutput_type: guess\n", r"bad\.yaml has output_type 'guess'"),
        ("task: x\ntest_split: test\n", r"bad\.yaml names no data"),
        ("task: x\ndataset_path: json\n", r"bad\.yaml lacks `test_split: test`"),
        (
            "task: x\ndataset_path: json\ntest_split: test\nprocess_results: !function scoring.points\n",
            r"bad\.yaml needs scoring\.py beside it for `process_results`",
        ),
    ],
)
def test_an_invalid_task_file_is_named_with_its_cause(tmp_path: Path, content: str, cause: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(content)

    with pytest.raises(InvalidTask, match=cause) as caught:
        catalogue.own_benchmark(path)

    assert "\n" not in caught.value.sentence
