"""A benchmark's process that dies says why in the reason; its traceback is in the log and on no terminal."""

import os
from pathlib import Path

import pytest
from fakes import running
from fakes.openai_server import FakeServer

from domain.runs import RunState
from jobs import runs

pytestmark = pytest.mark.slow
KEY = "sk-quite-secret-0123456789"
IMPORT = f'raise ImportError("half installed with {KEY}")\n'


def _failed(tmp_path: Path) -> tuple[str, str, str]:
    """Reason of a benchmark that failed, what the worker's terminal showed, and the run's log."""
    context = running.context(tmp_path / "home")
    folders = [str(tmp_path / "shadow"), str(running.ROOT), str(running.ROOT / "tests")]
    with FakeServer("ok") as server:
        running.register(context, server.base_url, api_key_ref="env:MODEL_KEY")
        path = os.pathsep.join(folders)
        with running.worker(context, PYTHONPATH=path, MODEL_KEY=KEY) as worker:
            plan = runs.plan_run(context, model="fake", tasks=["starter_arithmetic"], limit=3)
            run = running.finished(context, runs.start_run(context, plan, created_by="test").id)
            worker.terminate()
            _, shown = worker.communicate(timeout=60)
    part = run.benchmarks[0]
    context.store.dispose()
    log = tmp_path / "home" / "logs" / f"run-{run.id}.log"
    assert part.state is RunState.FAILED
    assert str(log) in (part.reason or ""), part
    return part.reason or "", shown, log.read_text()


def _check(reason: str, shown: str, log: str) -> None:
    assert "half installed with [hidden]" in reason
    assert "memory" not in reason
    assert "Traceback" not in shown
    assert "Traceback" in log
    assert KEY not in shown + log


def test_a_package_that_cannot_be_imported_is_named_in_the_reason(tmp_path: Path) -> None:
    (tmp_path / "shadow" / "lm_eval").mkdir(parents=True)
    (tmp_path / "shadow" / "lm_eval" / "__init__.py").write_text(IMPORT)
    _check(*_failed(tmp_path))


@pytest.mark.parametrize("error", ["ImportError", "SyntaxError"])
def test_a_source_file_that_fails_where_processes_are_made_is_named_in_the_reason(tmp_path: Path, error: str) -> None:
    """The first kills each process, the second their common parent."""
    (tmp_path / "shadow").mkdir()
    code = (
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in {'jobs.warm', 'jobs.child'}:\n"
        f"            raise {error}('half installed with {KEY}')\n"
        "if 'forkserver' in str(sys.orig_argv):\n"
        "    sys.meta_path.insert(0, Broken())\n"
    )
    (tmp_path / "shadow" / "sitecustomize.py").write_text(code)
    _check(*_failed(tmp_path))
