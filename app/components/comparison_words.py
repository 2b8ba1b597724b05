"""How a comparison reads, on pages and at the terminal alike."""

from domain import words
from domain.comparison import BenchmarkChange, ChangeTest, Comparison, RequirementChange
from domain.measurements import Interval
from domain.scores import Verdict

TESTS = {
    ChangeTest.MCNEMAR: "exact McNemar test",
    ChangeTest.PAIRED_CLUSTERS: "paired sign-flip test, whole clusters",
    ChangeTest.UNPAIRED: "difference of two intervals",
}


def signed(difference: float | None) -> str:
    """A difference in points with its sign.

    >>> signed(-0.123), signed(0.05), signed(0.0), signed(None)
    ('−12.3', '+5', '0', '–')
    """
    if difference is None:
        return words.NO_NUMBER
    text = f"{abs(100 * difference):.3g}"
    return "0" if text == "0" else f"{'−' if difference < 0 else '+'}{text}"


def span(interval: Interval | None) -> str:
    """An interval of a difference in points.

    >>> span(Interval(low=-0.2, high=0.01, method="mover"))
    '−20 to +1'
    """
    return "no interval" if interval is None else f"{signed(interval.low)} to {signed(interval.high)}"


def p_text(p: float) -> str:
    """A p-value, never as 0.

    >>> p_text(0.00001), p_text(0.0421), p_text(1.0)
    ('under 0.001', '0.042', '1')
    """
    return "under 0.001" if p < 0.001 else f"{p:.2g}"


def change_word(change: BenchmarkChange) -> str:
    """Whether a benchmark changed, in a word."""
    if not change.significant:
        return "no change beyond chance"
    return "worse" if change.difference < 0 else "better"


def flips(change: BenchmarkChange) -> str:
    """Items that changed sides."""
    if change.better is None or change.worse is None:
        return words.NO_NUMBER
    return f"{change.better:,} better, {change.worse:,} worse"


def scores(change: RequirementChange) -> str:
    """Both scores of a requirement."""
    return f"{words.score_text(change.earlier)} → {words.score_text(change.later)}"


def verdicts(change: RequirementChange) -> str:
    """Both verdicts of a requirement, once where they are equal."""
    old, new = (
        words.verdict_look(verdict).word if verdict is not Verdict.NONE else words.status_look(status).word
        for verdict, status in (
            (change.earlier_verdict, change.earlier_status),
            (change.later_verdict, change.later_status),
        )
    )
    return new if old == new else f"{old} → {new}"


def method(comparison: Comparison) -> str:
    """What the numbers rest on, in one sentence."""
    return (
        f"Paired on the items both runs scored; p-values are corrected by Holm over {len(comparison.benchmarks)} "
        f"benchmarks; a drop beyond chance of more than {words.points(comparison.max_drop)} points, or a worse "
        f"verdict, is a regression (policy {comparison.policy_name} {comparison.policy_version})."
    )
