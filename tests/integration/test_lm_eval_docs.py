"""The worked example of docs/benchmarks.md, carried out word for word."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import RunOptions
from domain.endpoints import Capabilities, Capability, Endpoint, Finding

DOCS = Path(__file__).parent.parent.parent / "docs" / "benchmarks.md"
FILES = {"triage.jsonl": "json", "triage.yaml": "yaml", "triage_scoring.py": "python"}


def blocks() -> list[tuple[str, str]]:
    return re.findall(r"```(\w+)\n(.*?)```", DOCS.read_text(), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, language in FILES.items():
        (tmp_path / name).write_text(next(text for kind, text in blocks() if kind == language))
    return tmp_path


def urgent(prompt: str, _system: str) -> str:
    return "Urgent." if re.search("fire|pouring|paint", prompt) else "calm"


def test_the_example_runs_as_it_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    code = [text for kind, text in blocks() if kind == "python"][-1]
    finding = Finding(capability=Capability.CHAT, available=True, asked="", answered="", reason="")
    now = datetime.now(UTC)
    with FakeServer("ok", answerer=urgent) as server:
        names = {
            "endpoint": Endpoint(id="e", name="m", base_url=server.base_url, model="m", created_at=now),
            "capabilities": Capabilities(endpoint_id="e", probed_at=now, findings=(finding,)),
            "RunOptions": RunOptions,
            "MemoryAnswers": MemoryAnswers,
        }
        exec(code, names)  # noqa: S102 - the code of our own documentation

    printed = capsys.readouterr().out
    assert printed.startswith("triage 1.0 None\n")
    assert "correct 0.75 Interval(low=" in printed
    assert "parse_ok=1.0" in printed


def test_the_name_of_a_task_in_the_tasks_folder_is_enough(folder: Path) -> None:
    by_name = evaluators.find("triage", tasks_dir=folder)

    assert by_name == evaluators.find(str(folder / "triage.yaml"))
    assert by_name == evaluators.find(by_name[1].key)
