"""Questions of the probe that need no log-probabilities, and what their answers show."""

import base64
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from domain.answers import Answer, Outcome, Request, Route
from domain.endpoints import Capability, Finding
from evaluators.endpoints.findings import Claim, excerpt

QUESTION = "What is the capital of France? Answer in one short sentence."
START = "The capital of France is"
SYSTEM = "Whatever you are asked, reply with only the word BLUEBIRD and nothing else."
_WORD = "BLUEBIRD"
_DOCUMENTS = ("Paris is the capital of France.", "Frogs live near ponds.")
_PICTURE_SIDE = 64


def chat(
    model: str, question: str | Sequence[Mapping[str, Any]] = QUESTION, *, repeat: int = 0, **more: Any
) -> Request:
    """A greedy chat request; ``system`` among ``more`` becomes a system message."""
    system = more.pop("system", None)
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": question})
    payload = {"model": model, "messages": messages, "max_tokens": 16, "temperature": 0, **more}
    return Request(route=Route.CHAT, payload=payload, repeat=repeat)


def completion(model: str, *, repeat: int = 0, **more: Any) -> Request:
    """A greedy completions request."""
    payload = {"model": model, "prompt": START, "max_tokens": 8, "temperature": 0, **more}
    return Request(route=Route.COMPLETIONS, payload=payload, repeat=repeat)


def picture(model: str) -> Request:
    """A chat request with a small red square."""
    url = "data:image/png;base64," + base64.b64encode(png((255, 0, 0))).decode()
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": "Which colour fills this picture? Answer with one word."},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    return chat(model, parts)


def embedding(model: str) -> Request:
    """Vectors of two texts."""
    return Request(route=Route.EMBEDDINGS, payload={"model": model, "input": list(_DOCUMENTS)})


def reranking(model: str) -> Request:
    """Relevance of two texts for one question."""
    payload = {"model": model, "query": "What is the capital of France?", "documents": list(_DOCUMENTS)}
    return Request(route=Route.RERANK, payload=payload)


def png(colour: tuple[int, int, int], side: int = _PICTURE_SIDE) -> bytes:
    """A square picture of one colour (PNG, W3C Recommendation: 8-bit RGB, one IDAT chunk)."""
    rows = (b"\x00" + bytes(colour) * side) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def judge_route(capability: Capability, answer: Answer, without: str) -> Finding:
    """Whether the chat or completions route gives text; ``without`` names what cannot run if not."""
    claim = Claim(capability, QUESTION if capability is Capability.CHAT else f"Go on with: {START}")
    if answer.outcome in {Outcome.ANSWERED, Outcome.TRUNCATED}:
        return claim.yes(answer, "The route answers with text.")
    if answer.outcome is Outcome.ERROR:
        return claim.no(answer, f"The route gives no answer. {without}")
    told = "an empty text" if answer.outcome is Outcome.EMPTY else "what its content filter left of it"
    return claim.undecided(answer, f"A plain question was answered with {told}. {without}")


def judge_repeatable(first: Answer, second: Answer) -> Finding:
    """Whether two greedy answers to one question are equal."""
    claim = Claim(Capability.REPEATABLE, "The same question twice, at temperature 0.")
    if not (_has_text(first) and _has_text(second)):
        return claim.undecided(second, "No two texts could be compared.")
    if first.text == second.text:
        return claim.yes(first, "Both answers were equal.")
    answered = f"{excerpt(first, 60)} | {excerpt(second, 60)}"
    return claim.no(answered, "The answers differ, so a repeated run will not give equal scores.")


def stop_word(answer: Answer) -> str | None:
    """A word from within an answer, to be used as a stop string."""
    words = answer.text.split() if _has_text(answer) else []
    return words[min(2, len(words) - 1)] if len(words) > 1 else None


def judge_stop(word: str | None, answer: Answer | None) -> Finding:
    """Whether an answer ends before a word it would have contained."""
    if word is None or answer is None:
        claim = Claim(Capability.STOP_STRINGS, "–")
        return claim.undecided("–", "The plain answer was too short to choose a stop string from.")
    claim = Claim(Capability.STOP_STRINGS, f"The same question with the stop string {word!r}.")
    if not answer.is_answer:
        return claim.no(answer, "Stop strings are refused; answers are cut here instead.")
    if word in answer.text:
        return claim.no(answer, "The answer went on past it; answers are cut here instead.")
    return claim.yes(answer, "The answer ended before it.")


def judge_system(plain: Answer, answer: Answer) -> Finding:
    """Whether a system prompt reaches the model: it is obeyed, or at least counted among the prompt's tokens."""
    claim = Claim(Capability.SYSTEM_PROMPT, f"The question with the system prompt: {SYSTEM}")
    if not answer.is_answer:
        return claim.no(answer, "System prompts are refused; they are put before the question instead.")
    if _WORD.lower() in answer.text.lower():
        return claim.yes(answer, "The model followed the system prompt.")
    if not _has_text(plain):
        return claim.undecided(answer, "There is no plain answer to compare with.")
    if plain.prompt_tokens != answer.prompt_tokens:
        answered = f"{excerpt(answer, 60)} ({answer.prompt_tokens} prompt tokens, {plain.prompt_tokens} without)"
        return claim.yes(answered, "It reaches the model, which did not follow it to the letter.")
    if plain.text == answer.text:
        return claim.no(answer, "The answer is the same as without; it seems to be dropped.")
    return claim.undecided(answer, "The model did not follow it, and the token count tells nothing.")


def judge_picture(answer: Answer) -> Finding:
    """Whether the model sees a picture's colour."""
    claim = Claim(Capability.IMAGES, "The colour of a red square.")
    if not answer.is_answer:
        return claim.no(answer, "Pictures are refused; tasks with pictures cannot run.")
    if re.search(r"\bred\b", answer.text, re.IGNORECASE):
        return claim.yes(answer, "The model named the picture's colour.")
    return claim.undecided(answer, "The picture was taken, but its colour was not named.")


def judge_embedding(answer: Answer) -> Finding:
    """Whether two texts get two different vectors of one length."""
    claim = Claim(Capability.EMBEDDINGS, "Vectors of two sentences.")
    if not answer.is_answer:
        return claim.no(answer, "There are no embeddings; retrieval by vectors cannot run.")
    lengths = [len(vector) for vector in answer.vectors]
    good = len(lengths) == len(_DOCUMENTS) and len(set(lengths)) == 1 and answer.vectors[0] != answer.vectors[1]
    answered = f"{len(lengths)} vectors of length {sorted(set(lengths))}"
    return claim.yes(answered, "Two texts have two vectors.") if good else claim.no(answered, "They are not distinct.")


def judge_reranking(answer: Answer) -> Finding:
    """Whether the sentence that answers a question is ranked above one that does not."""
    claim = Claim(Capability.RERANK, "Which of two sentences answers a question.")
    if not answer.is_answer:
        return claim.no(answer, "There is no reranking; it cannot be evaluated here.")
    scores = [vector[0] for vector in answer.vectors]
    answered = ", ".join(f"{score:.3g}" for score in scores)
    if len(scores) == len(_DOCUMENTS) and scores[0] > scores[1]:
        return claim.yes(answered, "The right sentence came first.")
    return claim.no(answered, "The right sentence did not come first.")


def _has_text(answer: Answer) -> bool:
    return answer.is_answer and bool(answer.text.strip())
