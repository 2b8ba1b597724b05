"""The language model inside the fake server: words as tokens, plausible answers, a normalised distribution."""

import math
import operator
import re
import zlib
from collections.abc import Callable, Sequence

BOS = "<s>"
_PIECE = re.compile(r"\s?[^\W\d_]+|\s?\d|\s?[^\w\s]|_|\s")
#: Tokens that share the whole probability mass; every other token is a rarity.
VOCABULARY = tuple(
    [f"{space}{word}" for word in "ABCDEFGH" for space in ("", " ")]
    + [f"{space}{word}" for word in ("Yes", "No", "yes", "no", "True", "False") for space in ("", " ")]
    + [f"{space}{digit}" for digit in range(10) for space in ("", " ")]
    + [" Paris", " London", " the", " a", " city", "The", "I", "\n", ".", " banana"]
)
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "−": operator.sub, "*": operator.mul, "×": operator.mul, "x": operator.mul,
    "plus": operator.add, "minus": operator.sub, "times": operator.mul,
}  # fmt: skip


class Tokenizer:
    """Words with their leading space as tokens; ids are given in order of appearance."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._pieces: list[str] = []
        for piece in (BOS, *VOCABULARY):
            self.id_of(piece)

    def id_of(self, piece: str) -> int:
        """The id of one token."""
        if piece not in self._ids:
            self._ids[piece] = len(self._pieces)
            self._pieces.append(piece)
        return self._ids[piece]

    def piece(self, token: int) -> str:
        """The text of one token."""
        return self._pieces[token]

    def encode(self, text: str) -> list[int]:
        """Token ids of a text."""
        return [self.id_of(piece) for piece in _PIECE.findall(text)]

    def decode(self, tokens: Sequence[int]) -> str:
        """Text of token ids."""
        return "".join(self._pieces[token] for token in tokens)


def options(text: str) -> dict[str, str]:
    """Lettered options of the last question: ``A. text``, ``A) text`` or ``(A) text`` at the start of a line."""
    found = re.findall(r"^\s*\(?([A-J])[.):]\)?\s+(.+?)\s*$", text, re.MULTILINE)
    last = max((i for i, (letter, _) in enumerate(found) if letter == "A"), default=0)
    return dict(found[last:])


def arithmetic(text: str) -> int | None:
    """The value of the last sum, difference or product in a text."""
    found = re.findall(r"(-?\d+)\s*(\+|-|−|\*|×|x|plus|minus|times)\s*(\d+)", text)
    if not found:
        return None
    left, sign, right = found[-1]
    return _OPERATORS[sign](int(left), int(right))


def sensible(prompt: str, system: str = "") -> str:
    """A plausible answer: orders of the system prompt, arithmetic, letters, yes or no, else one plain sentence."""
    order = re.search(r"(?:with|word|words)\s+(?:only\s+)?[\"']?([A-Z]{4,})\b", system)
    if order:
        return order.group(1)
    value, lettered = arithmetic(prompt), options(prompt)
    if lettered:
        right = [letter for letter, option in lettered.items() if option.strip(".") == str(value)]
        return right[0] if right else sorted(lettered)[zlib.crc32(prompt.encode()) % len(lettered)]
    if value is not None:
        return str(value)
    if re.search(r"yes or no|yes/no|true or false", prompt, re.IGNORECASE):
        return ("Yes", "No")[zlib.crc32(prompt.encode()) % 2]
    if "capital of France" in prompt:
        return " Paris" if prompt.endswith("is") else "Paris is the capital of France."
    return "This is a plain answer, written in one short sentence."


def logprob(context: str, piece: str, answer: str) -> float:
    """Natural log-probability of one token: the first token of the answer has 0.6 of the mass."""
    first = (_PIECE.findall(answer) or ["\n"])[0]
    if piece == first:
        return math.log(0.6)
    share = _weight(context, piece) / sum(_weight(context, word) for word in VOCABULARY)
    return math.log(0.4 * share) if piece in VOCABULARY else -12.0 - _weight(context, piece)


def top_logprobs(context: str, answer: str, count: int) -> list[tuple[str, float]]:
    """The most likely tokens after a context, best first."""
    first = (_PIECE.findall(answer) or ["\n"])[0]
    weights = {word: _weight(context, word) for word in VOCABULARY}
    whole = sum(weights.values())
    ranked = [(word, math.log(0.4 * weight / whole)) for word, weight in weights.items() if word != first]
    ranked.sort(key=lambda pair: -pair[1])
    return [(first, math.log(0.6)), *ranked][:count]


def _weight(context: str, piece: str) -> float:
    """A number in (0, 1] that depends on context and token only; one absurd word is always unlikely."""
    if piece == " banana":
        return 1e-6
    return (zlib.crc32(f"{context[-60:]}|{piece}".encode()) % 1000 + 1) / 1000
