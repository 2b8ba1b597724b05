"""What all our tasks over published data sets have in common."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability

CHAT = (frozenset({Capability.CHAT}),)
#: A conversation, or a raw text to go on with.
TEXT = (*CHAT, frozenset({Capability.COMPLETIONS}))
#: How likely whole sentences are.
LOGLIKELIHOODS = (frozenset({Capability.ECHO_LOGPROBS}), frozenset({Capability.FORCED_LOGPROBS}))
TOP_LOGPROBS = (frozenset({Capability.CHAT, Capability.TOP_LOGPROBS}),)


def published(
    key: str,
    title: str,
    description: str,
    *,
    task: str,
    scorer: str,
    licence: str,
    items: int,
    tokens: tuple[int, int],
    data: str,
    needs: tuple[frozenset[Capability], ...] = TEXT,
    sensitive: frozenset[str] = frozenset(),
    languages: tuple[str, ...] = ("en",),
    requests: float = 1.0,
    version: str = "1",
) -> Benchmark:
    """One of them; ``tokens`` are those of a request's prompt and of its answer, ``requests`` those of an item."""
    return Benchmark(
        key=key,
        evaluator="lm_eval",
        title=title,
        description=description,
        version=version,
        task=f"published/{task}.yaml",
        needs=needs,
        scorer=scorer,
        source="published",
        licence=licence,
        languages=languages,
        sensitive=sensitive,
        items=items,
        requests_per_item=requests,
        prompt_tokens_per_request=tokens[0],
        completion_tokens_per_request=tokens[1],
        data=data,
    )
