"""The second stage of a benchmark of programs: each answer's program is run, in a sandbox, and its end kept."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from domain.benchmarks import Benchmark, RunOptions, Sample
from domain.errors import CapabilityMissing
from evaluators import sandbox

#: Programs at once; each has its process to itself.
_AT_ONCE = 2


def refusal(benchmark: Benchmark, options: RunOptions) -> str | None:
    """Why the programs of a benchmark are not run here, in one sentence; None for one that has none or may run them."""
    if not benchmark.runs_code:
        return None
    if not options.allow_code:
        return (
            f"{benchmark.title} runs programs the model wrote, shut in on this machine; "
            "set VERA_ALLOW_CODE=1 to allow that, for the dashboard and for its workers."
        )
    return sandbox.refusal()


def executed(
    benchmark: Benchmark, options: RunOptions, samples: Sequence[Sample], tell: Callable[[], None]
) -> tuple[Sample, ...]:
    """The samples with how their programs ended, equal ones run once; CapabilityMissing where none may be run."""
    if not benchmark.runs_code:
        return tuple(samples)
    if why := refusal(benchmark, options):
        raise CapabilityMissing(why)

    from evaluators.benchmarks import scorers  # noqa: PLC0415 - loads numpy, and a plan asks for the refusal alone

    programs = [scorers.program_of(benchmark.scorer, sample) for sample in samples]
    done: list[Sample] = []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        futures = {text: pool.submit(sandbox.execute, text) for text in dict.fromkeys(programs) if text is not None}
        try:
            for sample, program in zip(samples, programs, strict=True):
                execution = None if program is None else futures[program].result()
                done.append(replace(sample, execution=execution))
                tell()
        finally:  # a run that is stopped waits for the programs under way only
            pool.shutdown(wait=False, cancel_futures=True)
    return tuple(done)
