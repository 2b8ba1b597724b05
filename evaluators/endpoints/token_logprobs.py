"""Log-probabilities of tokens as a reply tells them, in both shapes; what cannot be one makes all of them unbelievable.

A number that is missing, which is how an infinite one or that of an echoed first token is sent, is left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.answers import TokenLogprob
from evaluators.endpoints.values import clean, is_count, is_logprob

_ID_PREFIX = "token_id:"
_LONGEST_ID = 10


def read(logprobs: Any) -> tuple[TokenLogprob, ...]:
    """Those of one choice: the chat route's list, or the legacy arrays."""
    if not isinstance(logprobs, Mapping):
        return ()
    if isinstance(logprobs.get("content"), list):
        return _believed([_entry(entry) for entry in logprobs["content"] if isinstance(entry, Mapping)])
    return _believed([(token, value, legacy_top(top)) for token, value, top in legacy_rows(logprobs)])


#: A token, its log-probability and the alternatives at its position as they came: an echoed prompt has hundreds of
#: rows, of which a few are kept.
Row = tuple[str, Any, Any]


def legacy_rows(logprobs: Mapping[str, Any]) -> list[Row]:
    """The legacy arrays row by row; none where they are not of one length."""
    tokens, values, tops = (logprobs.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(tokens, list) or not isinstance(values, list) or len(tokens) != len(values):
        return []
    tops = tops if isinstance(tops, list) and len(tops) == len(tokens) else [None] * len(tokens)
    return [(str(t), value, top) for t, value, top in zip(tokens, values, tops, strict=True)]


def legacy_top(top: Any) -> tuple[tuple[str, float], ...]:
    """Alternatives of one position of the legacy arrays, best first."""
    return _alternatives([*top.items()]) if isinstance(top, Mapping) else ()


def listed_top(rows: Any, name: str = "token") -> list[tuple[Any, Any]]:
    """Alternatives of one position of the chat route's list as they came, by this name of theirs."""
    rows = rows if isinstance(rows, list) else []
    return [(row.get(name), row.get("logprob")) for row in rows if isinstance(row, Mapping)]


def id_in(name: str) -> int | None:
    """The id in a token's name, which vLLM gives when asked to; None in any other name."""
    digits = name.removeprefix(_ID_PREFIX)
    if not name.startswith(_ID_PREFIX) or not digits.isascii() or not digits.isdecimal() or len(digits) > _LONGEST_ID:
        return None
    return number if is_count(number := int(digits)) else None


def _entry(entry: Mapping[str, Any]) -> Row:
    tops = [(str(token), value) for token, value in listed_top(entry.get("top_logprobs"))]
    return str(entry.get("token")), entry.get("logprob"), _alternatives(tops)


def _alternatives(pairs: Sequence[tuple[str, Any]]) -> tuple[tuple[str, float], ...]:
    told = [(clean(token), value) for token, value in pairs if value is not None]
    if not all(is_logprob(value) for _, value in told):
        return ()
    return tuple(sorted(((token, float(value)) for token, value in told), key=lambda pair: -pair[1]))


def _believed(rows: Sequence[Row]) -> tuple[TokenLogprob, ...]:
    told = [row for row in rows if row[1] is not None]
    if not all(is_logprob(value) for _, value, _ in told):
        return ()
    return tuple(TokenLogprob(clean(token), float(value), top) for token, value, top in told)
