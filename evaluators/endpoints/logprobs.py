"""Log-likelihoods of continuations, by the method the probe found to be true on this endpoint."""

from collections.abc import Sequence

from domain.benchmarks import Method
from domain.endpoints import Capabilities, Capability
from domain.errors import CapabilityMissing
from evaluators.endpoints import echo, forced, letters
from evaluators.endpoints.client import Client
from evaluators.endpoints.scored import Scored, failed, move_spaces
from evaluators.endpoints.tokens import Ids, Tokenizer

__all__ = ["Scored", "method_for", "rolling", "score_continuations"]
_PREFERENCE = (
    (Capability.ECHO_LOGPROBS, Method.LOGLIKELIHOOD_ECHO),
    (Capability.FORCED_LOGPROBS, Method.LOGLIKELIHOOD_FORCED),
)
_FALLBACK_CONTEXT_LENGTH = 2048


def method_for(capabilities: Capabilities, *, letters_possible: bool = False) -> Method | None:
    """The best method this endpoint offers; None when it has none."""
    for capability, method in _PREFERENCE:
        if capabilities.has(capability):
            return method
    if letters_possible and capabilities.has(Capability.TOP_LOGPROBS):
        return Method.LETTERS_TOP_LOGPROBS
    return None


def score_continuations(
    client: Client, capabilities: Capabilities, pairs: Sequence[tuple[str, str]], *, method: Method
) -> list[Scored]:
    """Ln P(continuation | context) of each (context, continuation), in order."""
    if method is Method.LETTERS_TOP_LOGPROBS:
        return letters.score(client, pairs)
    moved = [move_spaces(pair) for pair in pairs]
    tokenizer = Tokenizer(client)
    if method is Method.LOGLIKELIHOOD_FORCED:
        return forced.score(client, tokenizer.pairs(moved))
    if method is Method.LOGLIKELIHOOD_ECHO:
        return echo.score(client, moved, tokenizer=tokenizer if capabilities.has(Capability.TOKENIZE) else None)
    raise CapabilityMissing(f"The method {method} gives no log-likelihoods of continuations.")


def rolling(client: Client, capabilities: Capabilities, texts: Sequence[str], *, method: Method) -> list[Scored]:
    """Ln P(text) of each text, conditioned on the model's BOS token.

    A text longer than the context is cut into windows; each window sees one token of the window before. Without a
    tokenizer on the server, the text must fit and its first token must be conditioned on a BOS the server adds.
    """
    if not capabilities.has(Capability.TOKENIZE):
        return score_continuations(client, capabilities, [("", text) for text in texts], method=method)
    forces = method is Method.LOGLIKELIHOOD_FORCED
    # Beside its own tokens a window takes one of the window before; echo also has the server generate one.
    length = max(1, (capabilities.context_length or _FALLBACK_CONTEXT_LENGTH) - (1 if forces else 2))
    windows = [_windows(pair, length) for pair in Tokenizer(client).pairs([("", text) for text in texts])]
    flat = [window for group in windows for window in group]
    by_ids = forced.score if forces else echo.by_ids
    scores = iter(by_ids(client, flat))
    return [_joined([next(scores) for _ in group]) for group in windows]


def _windows(pair: tuple[Ids, Ids] | None, length: int) -> list[tuple[Ids, Ids]]:
    if pair is None:
        return []
    start, text = pair
    cuts = range(0, len(text), length)
    return [(text[cut - 1 : cut] if cut else start, text[cut : cut + length]) for cut in cuts]


def _joined(parts: Sequence[Scored]) -> Scored:
    answers = tuple(answer for part in parts for answer in part.answers)
    bad = next((part for part in parts if part.value is None), None)
    if bad is not None or not parts:
        reason = (bad.reason if bad else None) or "the server gave no token ids for this text"
        return failed(reason, answers=answers, **({"error": bad.error} if bad and bad.error else {}))
    greedy = [part.is_greedy for part in parts]
    is_greedy = None if None in greedy else all(greedy)
    return Scored(value=sum(part.value or 0.0 for part in parts), is_greedy=is_greedy, answers=answers)
