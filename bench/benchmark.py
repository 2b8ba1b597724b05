"""How long whole benchmarks take, from enqueuing to stored scores, beside lm-eval's command line on the same server.

1,000 one-letter generations and 1,000 four-choice questions by log-likelihood (4,000 requests), 32 in flight, against a
server of 50 ms service time; then the memory of all processes of a worker while it runs 10,000 items. Both programs get
the same task file and must come to the same accuracy. Prints seconds and ratios; exit code 1 when a target is missed.

``python bench/benchmark.py [--items N] [--only ours|letters|likelihood|memory]``, from the root of the repository.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psutil
from served import MODEL, served

from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.runs import Run
from domain.settings import Settings
from jobs import plans, runs
from jobs.context import Context, open_context
from jobs.worker import Worker

IN_FLIGHT = 32
SERVICE_S = 0.05
MOST_OF_LM_EVAL, MOST_TO_FIRST_S, MOST_AFTER_LAST_S, MOST_MEMORY_MB = 0.3, 1.5, 1.0, 700
CAPABILITIES = (Capability.CHAT, Capability.COMPLETIONS, Capability.ECHO_LOGPROBS)
LETTERS = """\
task: bench_letters
dataset_path: json
dataset_kwargs: {data_files: {test: ITEMS}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}\\nAnswer with the letter only."
doc_to_target: "{{['A', 'B', 'C', 'D'][gold]}}"
generation_kwargs: {until: [], max_gen_toks: 1, do_sample: false, temperature: 0}
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
metadata: {version: 1}
"""
LIKELIHOOD = """\
task: bench_likelihood
dataset_path: json
dataset_kwargs: {data_files: {test: ITEMS}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{question}}\\nAnswer:"
doc_to_target: gold
doc_to_choice: options
metric_list:
  - {metric: acc, aggregation: mean, higher_is_better: true}
metadata: {version: 1}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds of one benchmark, and what came out."""

    all_s: float
    to_first_s: float
    after_last_s: float
    requests: int
    score: float


def write_task(folder: Path, definition: str, items: int) -> Path:
    folder.mkdir(parents=True)
    rows = [
        {"id": f"q{i}", "question": f"Question {i}: which of these has the number {i}?", "gold": i % 4,
         "options": [f"item {i + k} of the list" for k in range(4)]}
        for i in range(items)
    ]  # fmt: skip
    (folder / "items.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    path = folder / "task.yaml"
    path.write_text(definition.replace("ITEMS", str(folder / "items.jsonl")))
    return path


def stats(server: str, path: str = "/stats") -> dict[str, Any]:
    with urllib.request.urlopen(f"{server}{path}") as response:  # noqa: S310 - our own server on loopback
        found: dict[str, Any] = json.load(response)
        return found


def timing(server: str, started: float, score: float) -> Timing:
    ended, seen = time.monotonic(), stats(server)
    return Timing(
        all_s=ended - started,
        to_first_s=seen["first_at"] - started,
        after_last_s=ended - seen["last_at"],
        requests=seen["count"],
        score=score,
    )


# --- ours -------------------------------------------------------------------------------------------------------------


def new_context(home: Path, server: str) -> Context:
    context = open_context(Settings(home=home))
    findings = tuple(Finding(capability=c, available=True, asked="", answered="", reason="") for c in CAPABILITIES)
    now = datetime.now(UTC)
    context.store.add_endpoint(
        Endpoint(
            id="bench", name="bench", base_url=f"{server}/v1", model=MODEL, max_in_flight=IN_FLIGHT, created_at=now
        )
    )
    context.store.save_capabilities(Capabilities(endpoint_id="bench", probed_at=now, findings=findings))
    return context


@contextmanager
def warm_worker(context: Context, task: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process of its own that has already run something."""
    worker = subprocess.Popen([sys.executable, __file__, "--worker", str(context.settings.home)])
    try:
        finished(context, task)
        yield worker
    finally:
        worker.terminate()
        worker.wait()


def work(home: Path) -> None:
    with Worker(open_context(Settings(home=home)), parallel=1) as worker:
        signal.signal(signal.SIGTERM, lambda *_: worker.stop())
        worker.wait()


def finished(context: Context, task: Path) -> Run:
    plan = plans.plan_run(context, model="bench", tasks=[str(task)])
    run = runs.start_run(context, plan, created_by="bench")
    while not run.state.is_final:
        time.sleep(0.02)
        run = context.store.run(run.id)
    if run.benchmarks[0].state != "done":
        raise SystemExit(f"the run ended as {run.state}: {run.benchmarks[0].reason or run.reason}")
    return run


def ours(context: Context, server: str, task: Path) -> Timing:
    stats(server, "/reset")
    started = time.monotonic()
    run = finished(context, task)
    score = context.store.measurements(run.id)[run.benchmarks[0].benchmark][0].value
    return timing(server, started, float(score or 0.0))


# --- lm-eval ----------------------------------------------------------------------------------------------------------


def theirs(server: str, task: Path, *, chat: bool, home: Path) -> Timing:
    model, route = ("local-chat-completions", "chat/completions") if chat else ("local-completions", "completions")
    arguments = f"base_url={server}/v1/{route},model={MODEL},num_concurrent={IN_FLIGHT},max_retries=3"
    arguments += "" if chat else ",tokenizer_backend=remote"
    out = home / f"lm-eval-{route.replace('/', '-')}"
    command = [
        str(Path(sys.executable).with_name("lm_eval")), "run", "--model", model, "--model_args", arguments,
        "--tasks", f"bench_{'letters' if chat else 'likelihood'}", "--include_path", str(task.parent),
        "--output_path", str(out), "--log_samples", *(["--apply_chat_template"] if chat else []),
    ]  # fmt: skip
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(home / "hf"), "OPENAI_API_KEY": "none"}
    stats(server, "/reset")
    started = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-1500:])
    results = json.loads(next(out.rglob("results_*.json")).read_text())["results"]
    scores = next(iter(results.values()))
    return timing(server, started, scores["exact_match,none" if chat else "acc,none"])


# --- memory -----------------------------------------------------------------------------------------------------------


class Memory(threading.Thread):
    """The most memory a process and all below it had together; pages they share are counted once."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root = psutil.Process(pid)
        self._over = threading.Event()
        self.most_mb = 0.0

    def run(self) -> None:  # noqa: D102 - see threading.Thread
        while not self._over.wait(0.2):
            self.most_mb = max(self.most_mb, sum(map(_pss_mb, [self._root, *self._root.children(recursive=True)])))

    def stop(self) -> float:
        """End watching; megabytes."""
        self._over.set()
        self.join()
        return self.most_mb


def _pss_mb(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().pss) / 2**20
    except psutil.Error:
        return 0.0


# --- comparison -------------------------------------------------------------------------------------------------------


def compare(name: str, own: Timing, other: Timing | None) -> bool:
    met = own.to_first_s <= MOST_TO_FIRST_S and own.after_last_s <= MOST_AFTER_LAST_S
    print(
        f"{name}: ours {own.all_s:.2f} s for {own.requests} requests, first after {own.to_first_s:.2f} s (target "
        f"{MOST_TO_FIRST_S}), {own.after_last_s:.2f} s after the last answer (target {MOST_AFTER_LAST_S})"
    )
    if other is not None:
        ratio = own.all_s / other.all_s
        met = met and ratio <= MOST_OF_LM_EVAL and abs(own.score - other.score) < 1e-9
        print(
            f"{name}: lm-eval {other.all_s:.2f} s for {other.requests} requests, first after {other.to_first_s:.2f} s; "
            f"ours takes {ratio:.3f} of it (target {MOST_OF_LM_EVAL}); scores {own.score:.4f} and {other.score:.4f}"
        )
    print(f"{name}: {'met' if met else 'MISSED'}", flush=True)
    return met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--only", choices=("ours", "letters", "likelihood", "memory"))
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work(arguments.worker)
        return
    with tempfile.TemporaryDirectory() as folder:
        raise SystemExit(0 if all(list(measured(Path(folder), arguments))) else 1)


def measured(folder: Path, arguments: argparse.Namespace) -> Iterator[bool]:
    with served(SERVICE_S) as server:
        context = new_context(folder / "home", server)
        with warm_worker(context, write_task(folder / "warm", LETTERS, 8)) as worker:
            for name, definition in (("letters", LETTERS), ("likelihood", LIKELIHOOD)):
                if arguments.only in {None, "ours", name}:
                    task = write_task(folder / name, definition, arguments.items)
                    own = ours(context, server, task)
                    lm_eval = arguments.only != "ours"
                    yield compare(
                        name, own, theirs(server, task, chat=name == "letters", home=folder) if lm_eval else None
                    )
            if arguments.only in {None, "memory"}:
                yield memory(folder, worker.pid, context)


def memory(folder: Path, pid: int, context: Context) -> bool:
    met = True
    for name, definition in (("letters", LETTERS), ("likelihood", LIKELIHOOD)):
        task = write_task(folder / f"many-{name}", definition, 10_000)
        watched = Memory(pid)
        watched.start()
        started = time.monotonic()
        finished(context, task)
        most_mb = watched.stop()
        met = met and most_mb <= MOST_MEMORY_MB
        print(
            f"memory: {most_mb:.0f} MB at most in all processes of the worker for 10,000 {name} items in "
            f"{time.monotonic() - started:.0f} s (target {MOST_MEMORY_MB}): {'met' if met else 'MISSED'}"
        )
    return met


if __name__ == "__main__":
    main()
