"""Behind a score: its benchmarks with weight, formula and validity, their companions, the run they come from."""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

from app.components import page_links, score_words
from app.components.markup import Cell, Row, Table, explained, icon, lines, link, small
from app.components.metric_words import metric_name, metric_word
from app.components.scorecard import scale
from domain import words
from domain.energy import method_words
from domain.measurements import Measurement
from domain.runs import Run
from domain.scores import Assessment, BenchmarkScore, RequirementId, RequirementScore

#: What the formula that brings a metric to the scale of 0 to 100 does, in words.
FORMULAS: dict[str, str] = {
    "identity": "the metric itself",
    "one_minus": "1 − metric",
    "one_minus_abs": "1 − size of the metric, whichever its sign",
    "one_minus_ece": "1 − expected calibration error",
    "chance_corrected": "metric above chance ÷ best possible above chance",
    "ratio_clip1": "disturbed ÷ undisturbed, at most 1",
    "half_one_plus_rho": "(1 + rank correlation) ÷ 2",
    "mean_of": "mean of the metrics",
    "centered": "distance from an even split, turned round",
}


def benchmarks(score: RequirementScore, runs: Mapping[str, Run], cut_by_design: Collection[str] = ()) -> str:
    """The benchmarks a requirement's score is made of. `runs` are those whose answers they rest on, by their ids."""
    return Table(
        caption=f"Benchmarks of {score.requirement}: the score is their mean by weight, over those that are valid.",
        headers=("Benchmark", "Weight", "Score", "0 to 100", "Raw metric", "Items", "Counts?", "Made of"),
        rows=[_benchmark_row(b, score.thresholds, runs, cut_by_design) for b in score.benchmarks],
        kind="behind",
    ).markup()


def _benchmark_row(
    benchmark: BenchmarkScore, thresholds: Mapping[str, float], runs: Mapping[str, Run], cut_by_design: Collection[str]
) -> Row:
    headline = benchmark.headline
    raw, items, rates = "—", "—", ""
    if headline is not None:
        raw = f"{explained(metric_word(headline.metric), metric_name(headline.metric))}: {_value(headline.value)}"
        items = f"{headline.n_scored:,} of {headline.n:,}"
        counted = words.counted_rates(benchmark, cut_by_design)
        rates = "; ".join(words.rate_words([counted] if counted else []))
    bar = '<span class="mute">withheld</span>'
    if benchmark.value is not None and benchmark.valid:
        spoken = f"{words.points(benchmark.value)}, interval {words.interval_text(benchmark.interval)}"
        bar = scale(benchmark.value, benchmark.interval, thresholds, label=spoken)
    counts = f"{icon('✔')}yes" if benchmark.valid else f"{icon('○')}no" + lines(benchmark.invalid_because)
    counts += "".join(small(note) for note in benchmark.notes)
    tags = f"{benchmark.benchmark} · {', '.join(benchmark.tags)}" if benchmark.tags else benchmark.benchmark
    title = escape(benchmark.name)
    number = "—"
    if benchmark.valid and benchmark.value is not None:
        number = f"<b>{words.points(benchmark.value, benchmark.interval)}</b>" + small(
            words.interval_text(benchmark.interval)
        )
    formula = FORMULAS.get(benchmark.normaliser.partition("(")[0], benchmark.normaliser.replace("_", " "))
    return Row(
        cells=(
            Cell(kind="th", html=title + small(tags)),
            Cell(html=f"{benchmark.weight:g}", label="Weight", numeric=True),
            Cell(html=number, label="Score", numeric=True),
            Cell(html=bar, tone="open"),
            Cell(html=raw + small(f"score: {formula}"), label="Raw metric"),
            Cell(html=items + small(rates), label="Items"),
            Cell(html=counts, label="Counts", tone="good" if benchmark.valid else "warn"),
            Cell(html=made_of(benchmark, runs.get(benchmark.run_id or "")), label="Made of"),
        )
    )


def made_of(benchmark: BenchmarkScore, run: Run | None) -> str:
    """The run with its date, the version of the benchmark and the hash of its questions, as stored with the answers."""
    if benchmark.run_id is None:
        return "—"
    shown = "run " + link(escape(benchmark.run_id), page_links.run(benchmark.run_id), kind="plain")
    part = next((b for b in run.benchmarks if b.benchmark == benchmark.benchmark), None) if run else None
    if run is None or part is None:
        return shown + small("that run is not stored any more")
    version = part.provenance.get("task_version")
    facts = [words.moment_text(part.finished_at or run.created_at)]
    facts.append(f"benchmark version {version}" if version is not None else "benchmark version not recorded")
    facts += data_hashes(part.provenance) or ["data hash not recorded"]
    facts += _sampling(part.provenance)
    return shown + "".join(small(fact) for fact in facts)


def _sampling(provenance: Mapping[str, Any]) -> list[str]:
    """How often each question was asked, where it was more than once.

    >>> _sampling({"samples_per_item": 5, "generation": {"temperature": 0.8}}), _sampling({"samples_per_item": 1})
    (['each question answered 5 times, at temperature 0.8'], [])
    """
    times, generation = provenance.get("samples_per_item", 1), provenance.get("generation") or {}
    return [f"each question answered {times} times, at temperature {generation.get('temperature')}"] * (times > 1)


def data_hashes(provenance: Mapping[str, Any]) -> list[str]:
    """Hashes of the questions: of their files, else of the tables a public data set was read into."""
    dataset = provenance.get("dataset")
    if not isinstance(dataset, Mapping):
        return []
    if isinstance(files := dataset.get("files"), Mapping):
        return [f"data sha256 {words.short_hash(str(digest))}" for digest in files.values()]
    marks = [dataset.get("revision"), *(dataset.get("fingerprints") or ())]
    return [f"data fingerprint {words.short_hash(str(mark))}" for mark in marks if mark]


def companions(benchmark: BenchmarkScore) -> str:
    """The figures that stand beside a score because they unmask an empty one."""
    return Table(
        caption=f"Figures beside the score of {benchmark.title}. They do not enter it; they show what it is worth.",
        headers=("Figure", "Value", "95 % interval", "Items"),
        rows=[_measurement_row(m) for m in benchmark.companions],
    ).markup()


def groups(measurement: Measurement) -> str:
    """A metric by sub-group."""
    return Table(
        caption=f"{metric_word(measurement.metric).capitalize()} by group",
        headers=("Group", "Value"),
        rows=[
            Row(
                cells=(
                    Cell(kind="th", html=escape(name)),
                    Cell(html=_value(value), label="Value", numeric=True),
                )
            )
            for name, value in measurement.by_group.items()
        ],
    ).markup()


def _measurement_row(measurement: Measurement) -> Row:
    interval = measurement.interval
    spread = f"{interval.low:.3g} to {interval.high:.3g}" if interval else "—"
    shown = _value(measurement.value) + (small(measurement.reason) if measurement.reason else "")
    return Row(
        cells=(
            Cell(
                kind="th",
                html=escape(metric_word(measurement.metric)) + small(metric_name(measurement.metric)),
            ),
            Cell(html=shown, label="Value", numeric=measurement.value is not None),
            Cell(html=spread, label="95 % interval", numeric=True),
            Cell(html=f"{measurement.n_scored:,} of {measurement.n:,}", label="Items", numeric=True),
        )
    )


def _value(value: float | None) -> str:
    """Three digits of a share; a count as a whole.

    >>> _value(0.40371), _value(35482.0), _value(None)
    ('0.404', '35,482', '—')
    """
    if value is None:
        return "—"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def energy(assessment: Assessment) -> str:
    """What the evaluation used, benchmark by benchmark, each with what the figure covers."""
    return Table(
        caption="Energy of this evaluation, per benchmark. It says nothing of training.",
        headers=("Benchmark", "Energy", "What it covers", "How it was obtained", "Time covered"),
        rows=[_energy_row(key, assessment) for key in assessment.energy],
    ).markup()


def _energy_row(key: str, assessment: Assessment) -> Row:
    reading = assessment.energy[key]
    amount, covers = score_words.energy_short(reading)
    return Row(
        cells=(
            Cell(kind="th", html=escape(title_of(key, assessment.scores))),
            Cell(html=escape(amount), label="Energy"),
            Cell(html=escape(covers) or "—", label="Covers"),
            Cell(
                html=escape(method_words(reading.method))
                + small(f"{reading.tool} {reading.tool_version}: {reading.method}"),
                label="How",
            ),
            Cell(html=words.percent_text(reading.coverage), label="Time covered", numeric=True),
        )
    )


def title_of(key: str, scores: Sequence[RequirementScore]) -> str:
    """The title of a benchmark of the assessment; its key where the assessment has none."""
    return next((b.title for s in scores for b in s.benchmarks if b.benchmark == key), key)


def key_values(caption: str, facts: Mapping[str, str]) -> str:
    """Facts with their names, one a row."""
    rows = [Row(cells=(Cell(kind="th", html=escape(name)), Cell(html=escape(value)))) for name, value in facts.items()]
    return Table(caption=caption, headers=("Fact", "Value"), rows=rows, kind="facts").markup()


def gaps(
    scores: Sequence[RequirementScore],
    names: Mapping[RequirementId, str],
    *,
    caption: str = "Without a number, and why",
) -> str:
    """What has no number, and why."""
    return Table(
        caption=caption,
        headers=("Requirement", "State", "Why"),
        rows=[
            Row(
                cells=(
                    Cell(kind="th", html=escape(f"{s.requirement.value} {names[s.requirement]}")),
                    Cell(
                        html=f"{icon(score_words.look(s).sign)}{escape(score_words.look(s).word)}",
                        label="State",
                        tone=score_words.look(s).tone,
                    ),
                    Cell(html=escape(s.reason or ""), label="Why"),
                )
            )
            for s in scores
        ],
    ).markup()
