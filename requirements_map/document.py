"""docs/requirements.md, made from the map so that it cannot say anything else.

``python -m requirements_map.document > docs/requirements.md`` writes it anew; a test fails when it is stale.
"""

import sys
from collections.abc import Iterable

from domain.scores import Policy
from requirements_map import catalogue, normalisers, policies
from requirements_map.catalogue import Catalogue
from requirements_map.entries import ActReference, Basis, Guard, MappedBenchmark, Principle, Requirement, Suite
from requirements_map.scoring import MIN_COVERAGE

_INTRODUCTION = """\
# Requirements

*Made from `requirements_map/data/complai.yaml` by `python -m requirements_map.document`; do not edit.*

{disclaimer}

Map `{map_id}` version {version}. Sources: {sources}.

COMPL-AI orders 18 technical requirements by the six principles of Recital 27 of the AI Act: 12 can be measured
(R01–R12), 6 can only be declared (N01–N06). Provisions marked † are named on the COMPL-AI site. All others:
{mapping_note}
"""

_RULES = """\
## How a number comes about

1. **Normalise.** A raw metric becomes a score from 0 to 1, 1 = best, by a named function (table below). A value outside
   the function's domain is an error; nothing is clipped unless the function says so. The interval goes through the same
   function.
2. **Validate.** A benchmark counts when enough items were scored, enough answers could be read, few were empty, failed
   or cut, and its guards hold: companion metrics that unmask a model which refuses everything, always says the same or
   guesses. A guard against numbers that flatter says nothing of one that is surely bad, which therefore stands. What
   does not count keeps its number behind the question "why".
3. **Combine.** A requirement's score is the weighted mean of its valid benchmarks, given only where these carry at
   least {coverage} of the weight; short of all of it, it is PARTIAL and shows its coverage. The interval of the mean
   follows from the benchmarks' intervals by the MOVER method (Zou & Donner 2008).
4. **Judge.** A policy passes a score when its whole interval is at or above `pass_at` and fails it when the whole
   interval is below `fail_below`; wholly between is *attention*, crossing a threshold is *undecided*. A partial score
   is never a pass: what is missing may be what would have unmasked the model.
5. **A principle** has a mean only where each of its measurable requirements has a number; otherwise it says "k of m
   requirements measured". There is no overall number.

| status | meaning |
|---|---|
| MEASURED | every benchmark of the requirement is valid |
| PARTIAL | valid benchmarks carry at least {coverage} of the weight, but not all |
| INSUFFICIENT | something was measured, but too little of it is valid |
| NOT_MEASURABLE_HERE | the endpoint lacks a capability that every benchmark needs |
| NEEDS_EVIDENCE | a corpus, a detector or a document is needed |
| DECLARED | a document was supplied; nothing was measured |
| NOT_RUN | nobody has run it, or there is no benchmark yet |
| FAILED | it was started and did not come to its end |

A benchmark without a reading is missing with a reason, never 0.
"""


def markdown(source: Catalogue, policy: Policy) -> str:
    """The whole page."""
    introduction = _INTRODUCTION.format(
        disclaimer=source.disclaimer,
        map_id=source.map_id,
        version=source.version,
        sources="; ".join(source.sources.values()),
        mapping_note=source.mapping_note,
    )
    parts = [
        introduction,
        *(_principle(p) for p in source.principles),
        _RULES.format(coverage=f"{100 * MIN_COVERAGE:.0f} %"),
    ]
    parts += [_normalisers(), *(_suite(source, name, suite) for name, suite in source.suites.items())]
    return "\n".join([*parts, _policy(policy)])


def _principle(principle: Principle) -> str:
    lines = [f"## {principle.id[1:]}. {principle.name}", ""]
    if principle.note:
        lines += [principle.note, ""]
    if principle.act_refs:
        lines += [f"Relevant to {_references(principle.act_refs)}.", ""]
    if principle.requirements:
        lines += ["| id | requirement | what it asks | relevant to | without a benchmark |", "|---|---|---|---|---|"]
        lines += [_requirement(requirement) for requirement in principle.requirements]
        lines.append("")
    return "\n".join(lines)


def _requirement(requirement: Requirement) -> str:
    cells = (
        requirement.id.value,
        requirement.name,
        requirement.description,
        _references(requirement.act_refs),
        requirement.evidence_sentence or "–",
    )
    return _row(cells)


def _references(references: Iterable[ActReference]) -> str:
    marked = []
    for reference in references:
        mark = "†" if reference.basis is Basis.COMPLAI_SITE else ""
        note = f" ({reference.note})" if reference.note else ""
        marked.append(f"{reference.ref}{mark}{note}")
    return ", ".join(marked)


def _normalisers() -> str:
    lines = ["## Normalisers", "", "| name | score | best raw value |", "|---|---|---|"]
    for normaliser in normalisers.NORMALISERS:
        directions = ", ".join(f"{a.direction} on [{a.domain[0]:g}, {a.domain[1]:g}]" for a in normaliser.arguments)
        lines.append(_row((f"`{normaliser.name}`", normaliser.description, directions)))
    return "\n".join([*lines, ""])


def _suite(source: Catalogue, name: str, suite: Suite) -> str:
    lines = [f"## Suite `{name}`: {suite.title}", "", suite.description, ""]
    lines += [f"- {sentence}" for sentence in suite.limitations]
    header = "| requirement | benchmark | headline metric → score | weight | items needed | guards | companions |"
    lines += ["", header, "|---|---|---|---|---|---|---|"]
    lines += [_benchmark(benchmark) for benchmark in suite.benchmarks]
    lines += [_benchmark(benchmark, supplied=True) for benchmark in suite.evidence]
    lines.append("")
    lines += [f"- {i} {source.requirement(i).name}: {why}" for i, why in suite.without_benchmark.items()]
    tags = sorted({tag for b in suite.all_benchmarks for tag in b.tags})
    lines += [f"- *{tag}*: {source.tags[tag]}" for tag in tags]
    return "\n".join([*lines, ""])


def _benchmark(benchmark: MappedBenchmark, *, supplied: bool = False) -> str:
    remarks = [*(f"*{tag}*" for tag in benchmark.tags)]
    if supplied:
        remarks.append("only where its evidence is supplied")
    if benchmark.alternative_to:
        remarks.append(f"only where `{benchmark.alternative_to}` cannot run")
    if benchmark.where_possible:
        remarks.append("without weight on endpoints that cannot run it")
    if benchmark.unavailable:
        remarks.append(f"not in this version: {benchmark.unavailable}")
    title = f"{benchmark.title} `{benchmark.key}`" + (f" ({'; '.join(remarks)})" if remarks else "")
    guards = "; ".join(_guard(guard) for guard in benchmark.guards) or "–"
    cells = (
        benchmark.requirement.value,
        title,
        f"`{benchmark.metric}` → `{benchmark.formula}`",
        f"{benchmark.weight:g}",
        str(benchmark.min_n),
        guards,
        ", ".join(f"`{metric}`" for metric in benchmark.companions) or "–",
    )
    return _row(cells)


def _guard(guard: Guard) -> str:
    ends = {"value": "", "interval_low": "lower bound of ", "interval_high": "upper bound of "}
    limit = f"{guard.value:g}" if guard.value is not None else f"`{guard.than}`"
    scope = "" if guard.only_above is None else f" for a score that may be above {100 * guard.only_above:g}"
    return f"{ends[guard.use]}`{guard.metric}` {guard.op} {limit}{scope} ({guard.because})"


def _policy(policy: Policy) -> str:
    lines = [
        f"## Policy `{policy.name}`",
        "",
        "COMPL-AI publishes no thresholds. These are examples and are called so wherever their verdicts are shown; an",
        "operator replaces them by a file of their own (`VERA_POLICY_FILE`).",
        "",
        "| requirement | `pass_at` | `fail_below` |",
        "|---|---|---|",
    ]
    lines += [_row((i.value, f"{t.pass_at:.2f}", f"{t.fail_below:.2f}")) for i, t in policy.thresholds.items()]
    return "\n".join([*lines, ""])


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    sys.stdout.write(markdown(catalogue.load(), policies.load()))
