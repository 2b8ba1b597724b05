"""One requirement in depth, and the browser of stored questions and answers."""

from contextlib import suppress

import streamlit as st

import evaluators
from app import frame
from app.components import evidence_tables, metric_words, score_words, transcript
from app.components.foreign import plain
from app.components.scorecard import articles, cut_by_design
from db.samples import Only
from domain import words
from domain.benchmarks import Sample
from domain.errors import NotFound, UnknownBenchmark
from domain.measurements import Measurement
from domain.runs import Run
from domain.scores import WORKS_NOT_REPRODUCED, Assessment, BenchmarkScore, RequirementScore
from jobs.context import Context
from requirements_map.catalogue import Catalogue
from requirements_map.entries import Requirement

PAGE_SIZE = 10
FILTERS: dict[Only, str] = {
    "failed": "wrong",
    "error": "failed request",
    "empty": "empty",
    "truncated": "cut off",
    "refused": "refused",
    "unparsed": "unreadable",
}
#: What the browser sends back is looked up here, so that nothing but a known filter reaches the store.
_ONLY: dict[str, Only] = {str(only): only for only in FILTERS}


def show(context: Context, assessment: Assessment, requirement: Requirement, known: Catalogue) -> None:
    """Everything a score rests on."""
    score = assessment.score(requirement.id)
    st.subheader(f"{requirement.id} {requirement.name}")
    st.write(requirement.description)
    st.caption(f"Technical evidence relevant to {articles(requirement)}")
    look = score_words.look(score)
    st.markdown(f"{look.sign} **{plain(words.spoken(score))}**")
    if score.value is not None and score.verdict_reason:
        st.write(plain(score.verdict_reason))
    if not score.benchmarks:
        return
    runs = _runs(context, score)
    st.html(evidence_tables.benchmarks(score, runs, cut_by_design(known, assessment.suite)))
    for benchmark in score.benchmarks:
        if benchmark.companions:
            st.html(evidence_tables.companions(benchmark))
        _reliability(benchmark)
        _groups(benchmark)
    browsable = [b for b in score.benchmarks if b.run_id]
    if browsable:
        browser(context, browsable)


def _reliability(benchmark: BenchmarkScore) -> None:
    """How sure the model was against how often it was right, where confidence was measured."""
    bins = benchmark.headline.reliability if benchmark.headline else ()
    if not bins:
        return
    from app.components import reliability_chart  # noqa: PLC0415 - plotly is loaded only where a diagram is drawn

    st.subheader("How sure the model was, and how often it was right")
    st.write(reliability_chart.reading(bins))
    st.plotly_chart(
        reliability_chart.figure(bins), config={"displayModeBar": False}, key=f"reliability_{benchmark.benchmark}"
    )
    with st.expander("These answers as a table"):
        st.html(reliability_chart.table(bins))


def _groups(benchmark: BenchmarkScore) -> None:
    """What a figure is in each of its groups, folded away."""
    figures = [benchmark.headline, *benchmark.companions] if benchmark.headline else []
    for figure in figures:
        if figure is not None and len(figure.by_group) > _fewest_groups(figure):
            with st.expander(plain(f"{benchmark.title}: {metric_words.metric_word(figure.metric)}, by group")):
                st.html(evidence_tables.groups(figure))


def _fewest_groups(figure: Measurement) -> int:
    """A single group is the figure itself, but a single work is named."""
    return 0 if figure.metric == WORKS_NOT_REPRODUCED else 1


def _runs(context: Context, score: RequirementScore) -> dict[str, Run]:
    """The runs behind a score that are still stored."""
    found: dict[str, Run] = {}
    for run_id in dict.fromkeys(b.run_id for b in score.benchmarks if b.run_id):
        with suppress(NotFound):
            found[run_id] = context.store.run(run_id)
    return found


@st.fragment
@frame.guarded
def browser(context: Context, benchmarks: list[BenchmarkScore]) -> None:
    """The stored items of one benchmark: filter, search, pages."""
    st.subheader("Stored questions and answers")
    titles = {b.benchmark: plain(b.title) for b in benchmarks}
    key = benchmarks[0].benchmark
    if len(benchmarks) > 1:
        key = st.segmented_control(
            "Benchmark", list(titles), format_func=titles.__getitem__, default=key, required=True, key="items_of"
        )
    benchmark = next((b for b in benchmarks if b.benchmark == key), benchmarks[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        only = st.pills(
            "Show only", list(FILTERS), format_func=FILTERS.__getitem__, key="items_only", width="content", wrap=True
        )
        text = st.text_input("Search in questions and answers", type="search", key="items_text", width=320)
    masked = is_harmful(benchmark.benchmark) and not st.toggle("Show text that may be harmful", key="items_unmask")
    _items(context, benchmark, text=text or None, only=_ONLY.get(only or ""), masked=masked)


def _items(context: Context, benchmark: BenchmarkScore, *, text: str | None, only: Only | None, masked: bool) -> None:
    def fetch(page: int) -> tuple[list[Sample], int]:
        return context.store.samples(
            str(benchmark.run_id),
            benchmark.benchmark,
            text=text,
            only=only,
            offset=(page - 1) * PAGE_SIZE,
            limit=PAGE_SIZE,
        )

    page = int(st.session_state.get("items_page", 1))
    found, total = fetch(page)
    if total and not found:
        # the filter left fewer pages than the one that was open
        page = st.session_state["items_page"] = 1
        found, total = fetch(page)
    if not total:
        st.write("No stored item fits: take off a filter or change the search.")
        return
    first = (page - 1) * PAGE_SIZE + 1
    st.caption(f"{first:,} to {first + len(found) - 1:,} of {words.count_text(total, 'item')}")
    for sample in found:
        with st.expander(transcript.title(sample)):
            st.html(transcript.markup(sample, masked=masked))
    if total > PAGE_SIZE:
        st.pagination(-(-total // PAGE_SIZE), key="items_page")


def is_harmful(key: str) -> bool:
    """Whether a benchmark's texts are masked until asked for; one that is no longer known is masked."""
    try:
        return "harmful" in evaluators.find(key)[1].sensitive
    except UnknownBenchmark:
        return True
