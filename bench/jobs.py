"""Durable jobs measured: what kills cost, what workers add, how long the queue takes. Exits with 1 on a missed target.

Real worker processes, a real SQLite file and a real PostgreSQL server, and a fake model server in a process of its own:

- ``kills``: SIGKILL of a worker or of a benchmark's process at random moments. No stored answer may be lost, no sample
  stored twice, and at most the requests in flight asked again.
- ``workers``: four runs of four models whose answers take 200 ms, on one worker and on four of one run each. One run
  of a model goes on at a time whatever the number of workers, so that workers add up over models.
- ``latency``: from the call that queues a run to its first request at the model, with an idle warm worker.
- ``queue``: 1,000 runs queued one by one, and what the page of runs reads while they wait.

``python bench/jobs.py [kills|workers|latency|queue …] [--kills N] [--rounds N] [--runs N] [--sqlite|--postgres]``
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psutil
from fakes import postgres_server, running

from app.components import run_tables
from domain.runs import Run, RunState
from jobs import queue, runs
from jobs.context import Context
from jobs.workers import live_workers

ROOT = Path(__file__).resolve().parent.parent
TASKS = ("starter_arithmetic", "starter_knowledge")
IN_FLIGHT = 4
LEAST_RATIO, MOST_ENQUEUE_S, MOST_PAGE_S = 3.5, 5.0, 0.3
MOST_LATENCY_S = {"sqlite": 1.5, "postgres": 1.0}
Judge = Callable[[bool, str], None]


@contextmanager
def model_server(delay_s: float) -> Iterator[str]:
    """Base URL of the fake server in a process of its own."""
    command = [sys.executable, "-m", "fakes.openai_server", "--delay", str(delay_s)]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.kill()
        process.communicate()


def stats(base_url: str) -> dict[str, Any]:
    with urllib.request.urlopen(base_url.removesuffix("/v1") + "/stats", timeout=30) as answer:  # noqa: S310
        found: dict[str, Any] = json.loads(answer.read())
    return found


@contextmanager
def opened(database: str) -> Iterator[Context]:
    """A context with a new home, on a new database of that kind."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="vera-bench-"))
        url = stack.enter_context(postgres_server.serving()) if database == "postgres" else None
        context = running.context(Path(folder) / "home", database_url=url)
        try:
            yield context
        finally:
            queue.close()
            context.store.dispose()


def start(context: Context, model: str, *, limit: int, seed: int, tasks: tuple[str, ...] = TASKS) -> Run:
    """A run of its own questions: the seed is part of each request."""
    plan = runs.plan_run(context, model=model, tasks=tasks, limit=limit, seed=seed)
    return runs.start_run(context, plan, created_by="bench", fresh=True)


def kills(database: str, judge: Judge, *, wanted: int, rng: random.Random) -> None:
    with opened(database) as context, model_server(0.1) as url:
        running.register(context, url, in_flight=IN_FLIGHT)
        started = [start(context, "fake", limit=40, seed=0)]
        lost = killed = 0
        while killed < wanted:
            with running.worker(context) as worker:
                while killed < wanted and worker.poll() is None:
                    if context.store.run(started[-1].id).state.is_final:
                        started.append(start(context, "fake", limit=40, seed=len(started)))
                    run_id, before = started[-1].id, _asked(url)
                    running.wait_for(lambda: _asked(url) > before + 2 or context.store.run(run_id).state.is_final)  # noqa: B023 - called here
                    time.sleep(rng.uniform(0.0, 1.5))
                    if context.store.run(run_id).state.is_final:
                        continue
                    stored = context.store.answer_count(run_id)
                    _kill(worker, rng)
                    killed += 1
                    lost += max(0, stored - context.store.answer_count(run_id))
        with running.worker(context):
            over = [running.finished(context, run.id) for run in started]
        seen, totals = stats(url), sum(run.total for run in over)
        answers = sum(context.store.answer_count(run.id) for run in over)
        samples = [context.store.samples(r.id, b.benchmark)[1] for r in over for b in r.benchmarks]
        failed = [run.id for run in over if run.state is not RunState.DONE]
    print(f"{database}: {killed} kills over {len(over)} runs, {totals} requests, {seen['repeated']} asked again")
    judge(not failed, f"every run ended as done (not: {failed})")
    judge(lost == 0 and answers == totals == seen["unique"], f"no answer lost ({answers} stored, {lost} vanished)")
    judge(set(samples) == {40}, "every benchmark holds each of its 40 samples once")
    judge(seen["repeated"] <= killed * IN_FLIGHT, f"at most {IN_FLIGHT} requests asked again per kill")


def _asked(url: str) -> int:
    return int(stats(url)["total"])


def _kill(worker: "subprocess.Popen[str]", rng: random.Random) -> None:
    """SIGKILL of the worker, or now and then of the process of its benchmark only."""
    leaders = [p for p in psutil.Process(worker.pid).children(recursive=True) if _leads(p)]
    if leaders and rng.random() < 0.3:
        leaders[0].kill()
    else:
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()


def _leads(process: psutil.Process) -> bool:
    try:
        return os.getsid(process.pid) == process.pid
    except ProcessLookupError:
        return False


def workers(judge: Judge, *, items: int) -> None:
    took = {}
    for count in (1, 4):
        with opened("postgres") as context, model_server(0.2) as url, ExitStack() as stack:
            for number in range(4):
                running.register(context, url, name=f"m{number}", in_flight=2)
            for _ in range(count):
                stack.enter_context(running.worker(context, "--parallel", "1"))
            time.sleep(5)  # their warm parents import on after they have signed on
            begun = time.perf_counter()
            started = [start(context, f"m{n}", limit=items, seed=n) for n in range(4)]
            over = [running.finished(context, run.id) for run in started]
            took[count] = time.perf_counter() - begun
            judge(all(run.state is RunState.DONE for run in over), f"every run ended as done on {count} worker(s)")
            print(
                f"postgres: {count} worker(s): {sum(r.total for r in over)} requests of 200 ms in {took[count]:.1f} s"
            )
    ratio = took[1] / took[4]
    judge(ratio >= LEAST_RATIO, f"four workers are {ratio:.2f} times as fast as one (at least {LEAST_RATIO})")


def latency(database: str, judge: Judge, *, rounds: int) -> None:
    from fakes.openai_server import FakeServer  # noqa: PLC0415 - in this process, to share its clock

    with opened(database) as context, FakeServer("ok") as server, running.worker(context):
        running.register(context, server.base_url, in_flight=IN_FLIGHT)
        running.finished(context, start(context, "fake", limit=2, seed=0, tasks=TASKS[:1]).id)
        found = []
        for number in range(1, rounds + 1):
            time.sleep(1.0)
            asked, begun = len(server.arrived), time.monotonic()
            run = start(context, "fake", limit=2, seed=number, tasks=TASKS[:1])
            running.wait_for(lambda asked=asked: len(server.arrived) > asked)
            found.append(server.arrived[asked] - begun)
            running.finished(context, run.id)
    median, most = statistics.median(found), MOST_LATENCY_S[database]
    judge(median <= most, f"{database}: queued to first request {median:.2f} s (median of {rounds}, at most {most})")


def queued(database: str, judge: Judge, *, count: int) -> None:
    with opened(database) as context:
        for number in range(10):
            running.register(context, "http://127.0.0.1:9/v1", name=f"m{number}")
        plans = [runs.plan_run(context, model=f"m{n}", tasks=TASKS, limit=40) for n in range(10)]
        start(context, "m0", limit=1, seed=1)
        begun = time.perf_counter()
        for number in range(count):
            runs.start_run(context, plans[number % 10], created_by="bench", fresh=True)
        took = (time.perf_counter() - begun) * 1000 / count
        reads = []
        for _ in range(5):
            begun = time.perf_counter()
            models = {endpoint.id: endpoint.name for endpoint in context.store.endpoints()}
            live_workers(context)
            run_tables.runs(context.store.runs(limit=50), models, now=datetime.now(UTC))
            reads.append(time.perf_counter() - begun)
    page = statistics.median(reads)
    judge(took <= MOST_ENQUEUE_S, f"{database}: 1,000 runs queued in {took:.2f} s (at most {MOST_ENQUEUE_S:.0f})")
    judge(page <= MOST_PAGE_S, f"{database}: the page of runs reads in {page * 1000:.0f} ms (at most 300)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=["kills", "workers", "latency", "queue", []], default=[])
    parser.add_argument("--kills", type=int, default=20, help="of each database")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--sqlite", action="store_true", help="only SQLite")
    parser.add_argument("--postgres", action="store_true", help="only PostgreSQL")
    given = parser.parse_args()
    only = [name for name in ("sqlite", "postgres") if getattr(given, name)] or ["sqlite", "postgres"]
    parts = given.parts or ["queue", "latency", "workers", "kills"]
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**6)
    missed = []

    def judge(holds: bool, what: str) -> None:  # noqa: FBT001 - a verdict and its words
        print(f"  {'✔' if holds else '✖'} {what}", flush=True)
        if not holds:
            missed.append(what)

    for part in parts:
        print(f"{part} (seed {seed})", flush=True)
        if part == "workers":
            workers(judge, items=given.items)
        for database in only if part != "workers" else ():
            if part == "kills":
                kills(database, judge, wanted=given.kills, rng=random.Random(seed))
            elif part == "latency":
                latency(database, judge, rounds=given.rounds)
            else:
                queued(database, judge, count=given.runs)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
