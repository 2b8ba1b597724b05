"""What may be chosen for an evaluation, and what the choice costs, before anything is asked."""

from collections.abc import Collection
from dataclasses import dataclass
from html import escape

from app.components import run_progress
from app.components.markup import Cell, Row, Table, icon
from domain import words
from domain.scores import RequirementId
from jobs.plans import Plan, PlannedBenchmark
from requirements_map.catalogue import Catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A requirement that may be asked for, or the reason why it cannot be."""

    requirement: RequirementId
    name: str
    #: None: may be chosen.
    blocked: str | None


def choices(plan: Plan, known: Catalogue) -> tuple[Choice, ...]:
    """The twelve measurable requirements with what stands against each on this endpoint."""
    suite = known.suite(plan.spec.suite)
    runnable = {b.requirement for b in plan.runnable}
    reasons = {b.requirement: b.blocked for b in plan.blocked if b.requirement is not None}
    found = []
    for requirement in known.requirements:
        if not requirement.id.is_measurable:
            continue
        blocked = None
        if requirement.id not in runnable:
            blocked = (
                reasons.get(requirement.id)
                or requirement.evidence_sentence
                or suite.without_benchmark.get(requirement.id)
                or "No benchmark of this suite can run for it."
            )
        found.append(Choice(requirement=requirement.id, name=requirement.name, blocked=blocked))
    return tuple(found)


def most_samples(plan: Plan, requirements: Collection[str]) -> int:
    """Answers per question that a benchmark for one of these requirements may be asked for."""
    return max((b.max_samples for b in plan.runnable if b.requirement in requirements), default=1)


def review(plan: Plan) -> str:
    """Requests, tokens and minutes in one line; what cannot be estimated is said."""
    if not plan.runnable:
        return "Nothing of this can run on this endpoint."
    parts = [words.count_text(len(plan.runnable), "benchmark")]
    requests = plan.requests
    parts.append(
        "the number of requests is told by the data set" if requests is None else words.count_text(requests, "request")
    )
    tokens = _tokens(plan)
    if tokens is not None:
        parts.append(f"about {rounded(tokens)} tokens")
    seconds = plan.seconds
    if seconds is None:
        parts.append("no estimate of the time: the probe measured no speed")
    else:
        parts.append(f"about {run_progress.spoken_duration(seconds)} at the speed the probe measured")
    return " · ".join(parts)


def _tokens(plan: Plan) -> int | None:
    total = 0
    for benchmark in plan.runnable:
        if benchmark.prompt_tokens is None or benchmark.completion_tokens is None:
            return None
        total += benchmark.prompt_tokens + benchmark.completion_tokens
    return total


def rounded(count: int) -> str:
    """A large count as one says it.

    >>> rounded(900), rounded(48200), rounded(1_900_000)
    ('900', '48,000', '1.9 million')
    """
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} million"
    return f"{round(count, -3):,}" if count >= 10_000 else f"{count:,}"


def subset(plan: Plan) -> str | None:
    """One sentence where only a part of a benchmark is asked."""
    options = plan.spec.options
    if options.limit is None and not options.limits:
        return None
    much = "the fewest items of each benchmark that can give a number"
    if options.limit is not None:
        much = f"at most {words.count_text(options.limit, 'item')} of each benchmark"
    return (
        f"Only a part is asked: {much}, drawn from all its kinds of items by "
        f"the seed {options.seed}. Scores of a part have wider intervals, and the report says so."
    )


def table(plan: Plan) -> str:
    """The benchmarks of a plan with their cost, blocked ones with the reason."""
    return Table(
        caption="What will be asked, and what cannot be",
        headers=("Benchmark", "For", "Items", "Requests", "Time", "Can it run?"),
        rows=[_row(b) for b in plan.benchmarks],
    ).markup()


def _row(benchmark: PlannedBenchmark) -> Row:
    runs = benchmark.blocked is None
    seconds = "—" if benchmark.seconds is None or not runs else run_progress.spoken_duration(benchmark.seconds)
    answer = f"{icon('✔')}yes" if runs else f"{icon('⊘')}no. {escape(benchmark.blocked or '')}"
    return Row(
        cells=(
            Cell(kind="th", html=escape(benchmark.title)),
            Cell(html=_whole(benchmark.requirement.value if benchmark.requirement else "—"), label="For"),
            Cell(html=_count(benchmark.items), label="Items", numeric=True),
            Cell(html=_count(benchmark.requests) if runs else "—", label="Requests", numeric=True),
            Cell(html=seconds, label="Time", numeric=True),
            Cell(html=answer, label="Runs here", tone="good" if runs else "mute"),
        )
    )


def _count(value: int | None) -> str:
    return "told by the data" if value is None else f"{value:,}"


def _whole(code: str) -> str:
    """A code that is not broken where its column is narrow."""
    return f'<span class="state">{code}</span>'
