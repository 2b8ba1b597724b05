"""Choices kept for later runs: files with their hash when they are given, and nothing else put in their place after."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import evaluators
from domain.benchmarks import Benchmark
from domain.choices import Choices, GivenFile
from domain.errors import CapabilityMissing, InvalidTask, UnknownModel, UserError
from domain.evidence import Evidence
from domain.hashing import sha256_of
from jobs import data_needs, judges
from jobs.context import Context
from jobs.judges import Standing
from jobs.plans import Plan


def given(data_files: Mapping[str, str | Path]) -> dict[str, GivenFile]:
    """Files as they are now; InvalidTask where one is not there."""
    return {task: _given(task, Path(path).expanduser().resolve()) for task, path in data_files.items()}


def arguments(context: Context, choices: Choices) -> dict[str, Any]:
    """The arguments of a plan; one sentence where a file or the judge is not what was chosen any more."""
    if choices.judge is not None:
        _refuse_unfit(context, choices.judge)
    for task, file in choices.data_files.items():
        if _given(task, Path(file.path)) != file:
            raise InvalidTask(
                f"The data of {task}, {file.path}, are not the ones that were chosen: their sha256 is another. "
                "Choose them again, so that what is measured from now on is known to be of other data."
            )
    return asdict(choices) | {"data_files": {task: file.path for task, file in choices.data_files.items()}}


def refuse_unused(plan: Plan) -> None:
    """CapabilityMissing where evidence was supplied and nothing that reads it can run: less would be measured."""
    parts = [(b.blocked, evaluators.find(b.key)[1]) for b in plan.benchmarks]
    for kind in Evidence:
        reasons = [blocked for blocked, benchmark in parts if _reads(benchmark, kind, plan)]
        if reasons and None not in reasons:
            raise CapabilityMissing(" ".join(dict.fromkeys(reason for reason in reasons if reason)))
    if plan.spec.options.judge is not None and all(b.evidence is not Evidence.JUDGE for _, b in parts):
        raise UserError("A judge was chosen, but no benchmark of this is judged; leave the judge out.")


def _reads(benchmark: Benchmark, kind: Evidence, plan: Plan) -> bool:
    return benchmark.evidence is kind and plan.spec.options.supplies(benchmark)


def _refuse_unfit(context: Context, name: str) -> None:
    try:
        found = judges.candidate(context, context.store.endpoint(name))
    except UnknownModel as error:
        raise UnknownModel(
            f"The judge {name} is not among the registered models; choose another judge, or register and check it."
        ) from error
    if found.standing is Standing.REFUSED:
        raise UserError(f"{found.reason} Choose another judge, or nobody.")


def _given(task: str, path: Path) -> GivenFile:
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    hashes = {file.relative_to(path).as_posix(): data_needs.sha256_of_now(file) for file in files}
    if not hashes or None in hashes.values():
        raise InvalidTask(f"The data of {task} cannot be read: there is no file {path}.")
    return GivenFile(path=str(path), sha256=str(hashes["."]) if path.is_file() else sha256_of(hashes))
