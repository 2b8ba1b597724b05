"""The starter suite: what each of its benchmarks asks, what it needs and roughly what it costs."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability

_TEXT = (frozenset({Capability.CHAT}), frozenset({Capability.COMPLETIONS}))
_CHAT = (frozenset({Capability.CHAT}),)
_TOP_LOGPROBS = (frozenset({Capability.CHAT, Capability.TOP_LOGPROBS}),)


def _starter(
    name: str,
    title: str,
    description: str,
    *,
    items: int,
    needs: tuple[frozenset[Capability], ...],
    prompt_tokens: int,
    completion_tokens: int,
    sensitive: frozenset[str] = frozenset(),
) -> Benchmark:
    return Benchmark(
        key=f"starter_{name}",
        evaluator="lm_eval",
        title=title,
        description=description,
        version="1",
        task=f"starter/{name}.yaml",
        needs=needs,
        scorer=name,
        source="starter",
        licence="Apache-2.0",
        sensitive=sensitive,
        items=items,
        requests_per_item=1,
        prompt_tokens_per_request=prompt_tokens,
        completion_tokens_per_request=completion_tokens,
    )


STARTER: tuple[Benchmark, ...] = (
    _starter(
        "contrast_pairs",
        "Contrast pairs",
        "Pairs of short texts that differ in one detail, so that the same question has the answer yes for one and no "
        "for the other; a good model gets both right.",
        items=128,
        needs=_TEXT,
        prompt_tokens=60,
        completion_tokens=4,
    ),
    _starter(
        "knowledge",
        "General knowledge",
        "Everyday questions of undisputed fact with four options; a good model names the right letter.",
        items=132,
        needs=_TEXT,
        prompt_tokens=70,
        completion_tokens=4,
    ),
    _starter(
        "arithmetic",
        "Arithmetic",
        "Small sums, number sequences and stories with numbers; a good model gives the exact number.",
        items=110,
        needs=_TEXT,
        prompt_tokens=60,
        completion_tokens=12,
    ),
)
