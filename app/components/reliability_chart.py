"""Reliability diagram: how sure a model was, and how often it was right."""

from collections.abc import Sequence

import plotly.graph_objects as go

from app.components.markup import Cell, Row, Table
from domain.measurements import ReliabilityBin

HEIGHT_PX = 340
#: Seen on a white and on a dark page alike.
_LINE, _POINTS = "#7A8793", "#2F74B5"
_SMALLEST_PX, _LARGEST_PX = 7.0, 26.0


def figure(bins: Sequence[ReliabilityBin]) -> go.Figure:
    """Accuracy against confidence, one point a bin, its area by its answers, beside the line where both are equal."""
    drawn = go.Figure()
    drawn.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"color": _LINE, "width": 1.5, "dash": "dash"},
        name="as sure as right",
        hoverinfo="skip",
    )
    largest = max((b.n for b in bins), default=1)
    drawn.add_scatter(
        x=[b.confidence for b in bins],
        y=[b.accuracy for b in bins],
        customdata=[(b.n, b.interval.low, b.interval.high) for b in bins],
        mode="markers",
        marker={"color": _POINTS, "size": [max(_SMALLEST_PX, _LARGEST_PX * (b.n / largest) ** 0.5) for b in bins]},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [b.interval.high - b.accuracy for b in bins],
            "arrayminus": [b.accuracy - b.interval.low for b in bins],
            "color": _POINTS,
            "thickness": 1.5,
        },
        name="answers of about one confidence, with 95 % interval",
        hovertemplate=(
            "sure: %{x:.0%}<br>right: %{y:.0%} (%{customdata[1]:.0%} to %{customdata[2]:.0%})"
            "<br>%{customdata[0]:,} answers<extra></extra>"
        ),
    )
    share = {"tickformat": ".0%", "range": [-0.03, 1.03], "dtick": 0.2, "zeroline": False, "fixedrange": True}
    drawn.update_layout(
        height=HEIGHT_PX,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={**share, "title": "how sure the model was"},
        yaxis={**share, "title": "how often it was right"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    return drawn


def reading(bins: Sequence[ReliabilityBin]) -> str:
    """What the diagram shows, in words, weighted by the answers.

    >>> from domain.measurements import Interval
    >>> whole = Interval(low=0, high=1, method="wilson")
    >>> reading([ReliabilityBin(confidence=0.9, accuracy=0.5, interval=whole, n=10)])
    'On average the model was 90 % sure and right in 50 % of the 10 answers: it is surer than it is right.'
    """
    answers = sum(b.n for b in bins)
    sure = sum(b.n * b.confidence for b in bins) / answers
    right = sum(b.n * b.accuracy for b in bins) / answers
    gap = round(100 * sure) - round(100 * right)
    how = "surer than it is right" if gap > 0 else "less sure than it is right" if gap < 0 else "as sure as it is right"
    return (
        f"On average the model was {sure:.0%} sure and right in {right:.0%} of the {answers:,} answers: it is {how}."
    ).replace("%", " %")


def table(bins: Sequence[ReliabilityBin]) -> str:
    """The same numbers for those who cannot see the diagram, or want them."""
    return Table(
        caption="Answers by how sure the model was",
        headers=("Sure", "Right", "95 % interval", "Answers"),
        rows=[
            Row(
                cells=(
                    Cell(kind="th", html=_percent(b.confidence)),
                    Cell(html=_percent(b.accuracy), label="Right", numeric=True),
                    Cell(
                        html=f"{_percent(b.interval.low)} to {_percent(b.interval.high)}",
                        label="95 % interval",
                        numeric=True,
                    ),
                    Cell(html=f"{b.n:,}", label="Answers", numeric=True),
                )
            )
            for b in bins
        ],
    ).markup()


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
