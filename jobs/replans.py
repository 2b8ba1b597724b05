"""The plan a run was made of, as far as it can still be told."""

from collections.abc import Mapping

from domain.errors import UserError
from domain.runs import Run
from jobs.context import Context
from jobs.plans import TASKS, Plan, plan_run
from requirements_map import catalogue


def replanned(context: Context, run: Run) -> Plan | None:
    """The plan of which the run was made; None where that can no longer be told, for instance without a probe."""
    spec = run.spec
    of_suite = spec.suite != TASKS
    known = catalogue.load()
    try:
        suite = known.suite(spec.suite).all_benchmarks if of_suite else ()
        return plan_run(
            context,
            model=spec.endpoint_id,
            suite=spec.suite,
            requirements=sorted({b.requirement for b in suite if b.key in spec.benchmarks}),
            tasks=() if of_suite else spec.benchmarks,
            limit=spec.options.limit,
            data_files=spec.options.data_files,
            seed=spec.options.seed,
            system_prompt=spec.options.system_prompt,
            num_fewshot=spec.options.num_fewshot,
            quick=bool(spec.options.limits),
            detector=spec.options.detector,
            detector_threshold=spec.options.detector_threshold,
            judge=spec.options.judge.endpoint_id if spec.options.judge else None,
            samples=spec.options.samples,
        )
    except UserError:
        return None


def requests_of(plan: Plan | None) -> Mapping[str, int]:
    """Requests per benchmark as estimated before the start."""
    return {b.key: b.requests for b in plan.benchmarks if b.requests is not None} if plan else {}
