"""Programs a model wrote, as their tests judged them when they were run."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

from domain.benchmarks import Benchmark, Sample
from domain.executions import ExecutionOutcome
from domain.measurements import Interval, Measurement
from evaluators import code_metrics, statistics
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, answer_of, by_cluster, usable

_FENCE = re.compile(r"```[ \t]*(?:python|py)?3?[ \t]*\r?\n(.*?)(?:```|\Z)", re.IGNORECASE | re.DOTALL)
#: Sizes of draws whose chance of holding a passing program is told, as far as so many were written.
_KS = (1, 5, 10, 25, 50, 100)
#: What an answer without a code block may begin with and still be a program.
_CODE_LINE = re.compile(r"(?:def|class|from|import|@)\b|@|\s+\S")


def code_of(doc: Doc, text: str) -> str | None:
    r"""The Python an answer holds: its code block that defines the function asked for, else the only part that is code.

    >>> code_of({"entry_point": "f"}, "Sure!\n```python\ndef f(x):\n    return x\n```\nDone.")
    'def f(x):\n    return x\n'
    >>> code_of({"entry_point": "f"}, "    return x"), code_of({"entry_point": "f"}, "I cannot write programs.")
    ('    return x', None)
    """
    blocks = _FENCE.findall(text)
    defining = [block for block in blocks if _defines(doc, block)]
    if defining:
        return textwrap.dedent(defining[0])
    if blocks:
        return str(blocks[0]) if _is_body(blocks[0]) else None
    if _defines(doc, text):
        lines = text.splitlines(keepends=True)
        start = next((i for i, line in enumerate(lines) if line.strip() and _CODE_LINE.match(line)), 0)
        return "".join(lines[start:])
    return text if _is_body(text) else None


def _defines(doc: Doc, code: str) -> bool:
    return re.search(rf"^[ \t]*(?:async\s+)?def\s+{re.escape(doc['entry_point'])}\s*\(", code, re.MULTILINE) is not None


def _is_body(code: str) -> bool:
    """Whether a text goes on inside a function: every first line is indented."""
    lines = [line for line in code.splitlines() if line.strip()]
    return bool(lines) and lines[0][:1] in {" ", "\t"}


def program(doc: Doc, text: str) -> str | None:
    """The beginning that was given, the answer's code and the tests; None where the answer holds no code.

    The beginning brings the imports and helpers the tests speak of; a whole function in the answer takes the place of
    the unfinished one.
    """
    code = code_of(doc, text)
    if code is None:
        return None
    beginning = str(doc["prompt"]).rstrip("\n")
    return f"{beginning}\n{code}\n\n{doc['test']}\n\ncheck({doc['entry_point']})\n"


def score_text(doc: Doc, text: str) -> Scored:
    """The text alone only tells whether there is something to run."""
    return Scored({}, parse_ok=code_of(doc, text) is not None)


def score_sample(sample: Sample) -> Scored:
    """``passed`` where its tests passed; an answer without code has not passed."""
    answer = answer_of(sample)
    found = code_of(sample.doc, answer.text if answer else "") is not None
    outcome = sample.execution.outcome if sample.execution else None
    metrics = {"passed": float(outcome is ExecutionOutcome.PASSED)}
    if outcome is not None:
        metrics["timed_out"] = float(outcome is ExecutionOutcome.TIMED_OUT)
        metrics["refused_by_sandbox"] = float(outcome is ExecutionOutcome.REFUSED)
    return Scored(metrics, parse_ok=found)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """pass@k over the problems, and how often a program had to be ended or tried what it must not.

    An item of pass@k is a problem, however many programs were written for it.
    """
    items = usable(samples)
    asked, answered = by_cluster(samples), by_cluster(items)
    most = max(map(len, asked.values()), default=0)
    first, *further = [_pass_at(benchmark, samples, answered, k, n=len(asked)) for k in _KS if k == 1 or k <= most]
    sheet = Sheet(benchmark, samples)
    sheet.share("timed_out_share", items, "timed_out", higher_is_better=False)
    sheet.share("sandbox_refused_share", items, "refused_by_sandbox", higher_is_better=False)
    return (first, *sheet.done(), *further)


def _pass_at(
    benchmark: Benchmark, samples: Sequence[Sample], answered: Mapping[str, list[Sample]], k: int, *, n: int
) -> Measurement:
    """pass@k: mean over the problems with k answers or more, its interval from whole problems."""
    found = {
        name: code_metrics.pass_at_k(len(programs), sum(s.metrics.get("passed") == 1 for s in programs), k)
        for name, programs in answered.items()
        if len(programs) >= k
    }
    sheet = Sheet(benchmark, samples)
    sheet.add(
        f"pass_at_{k}",
        statistics.mean(list(found.values())),
        interval=_interval(found),
        n_scored=len(found),
        n_units=len(found),
        reason="No problem was answered." if k == 1 else f"No problem was answered {k} times.",
    )
    [measured] = sheet.done()
    return replace(measured, n=n)


def _interval(of_problems: Mapping[str, float]) -> Interval | None:
    """Of a mean over problems: Wilson where each was solved or not, else from problems drawn with replacement."""
    names, values = list(of_problems), list(of_problems.values())
    if {*values} <= {0.0, 1.0}:
        return statistics.proportion(values, names)
    return statistics.clustered_bootstrap(names, {"pass": statistics.ratio(values)})["pass"]


PROGRAMS = Scorer(version="1", score_text=score_text, score_sample=score_sample, measure=measure, program=program)
