"""An imported run on its page: the figures it gave, and what is kept of it without being measured."""

from collections.abc import Mapping, Sequence
from html import escape

from app.components.markup import Cell, Row, Table, small
from app.components.metric_words import metric_word
from domain import words
from domain.measurements import Measurement

#: Benchmark, metric, value as reported, reason: as `jobs.imports.not_measured` gives them.
Kept = tuple[str, str, float | None, str]


def figures(measured: Mapping[str, Sequence[Measurement]]) -> str:
    """Every figure as its metric gives it, on its own scale."""
    return Table(
        caption="Figures of the imported results, each on the scale of its metric",
        headers=("Benchmark", "Metric", "Value", "95 % interval", "Items"),
        rows=[_figure_row(measurement) for found in measured.values() for measurement in found],
    ).markup()


def _figure_row(measurement: Measurement) -> Row:
    interval = measurement.interval
    between = "not known" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
    value = words.NO_NUMBER if measurement.value is None else f"{measurement.value:.3f}"
    return Row(
        cells=(
            Cell(kind="th", html=escape(measurement.benchmark)),
            Cell(html=escape(metric_word(measurement.metric)) + small(measurement.metric), label="Metric"),
            Cell(html=value, label="Value", numeric=True),
            Cell(html=between, label="95 % interval", numeric=True, tone="" if interval else "mute"),
            Cell(html=f"{measurement.n_scored:,}", label="Items", numeric=True),
        )
    )


def kept(entries: Sequence[Kept]) -> str:
    """Metrics that are kept as they were reported and that no figure is made of."""
    return Table(
        caption="Kept as reported, not measured",
        headers=("Benchmark", "Metric", "As reported", "Because"),
        rows=[
            Row(
                cells=(
                    Cell(kind="th", html=escape(key)),
                    Cell(html=escape(metric), label="Metric"),
                    Cell(html=words.NO_NUMBER if value is None else f"{value:g}", label="As reported", numeric=True),
                    Cell(html=escape(why), label="Because"),
                )
            )
            for key, metric, value, why in entries
        ],
    ).markup()
