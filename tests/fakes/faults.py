"""Modes of the fake server: what each one lacks, says or spoils."""

import contextlib
from typing import Any

from aiohttp import web

MODES = (
    "ok", "empty", "error_body_200", "null_content", "rate_limit_then_ok", "slow", "no_echo", "echo", "forced",
    "forced_biased", "refusal", "prompt_echo", "always_a", "always_no", "random_letter", "truncated", "not_json",
    "unauthorised", "content_filter", "flaky", "bos_adding", "hang", "chat_only", "server_error", "reasoning",
    "redirect", "endless", "bias_ignored", "spaceless", "shifted", "short", "nulls", "bos_telling",
    "no_models", "web_page", "models_error", "models_redirect",
)  # fmt: skip
#: Modes without /tokenize, without echo, and without logit_bias.
NO_TOKENIZE = {"no_echo", "echo", "bos_adding", "chat_only"}
NO_ECHO = {"no_echo", "forced", "forced_biased"}
NO_BIAS = {"no_echo", "echo", "bos_adding", "bias_ignored"}
LLAMA_SHAPE = {"forced", "forced_biased"}
FIXED = {"refusal": "I'm sorry, but I can't help with that.", "always_a": "A", "always_no": "No", "empty": ""}


def spoilt(mode: str, names: list[Any], lps: list[Any], tops: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Echoed arrays as faulty servers send them."""
    if mode == "spaceless":  # the way some tokenizers show single tokens
        names = [name.strip() for name in names]
    if mode == "shifted":  # without the null of the first token
        lps = [*lps[1:], -1.0]
    if mode == "short":
        names, lps, tops = names[:-2], lps[:-2], tops[:-2]
    if mode == "nulls":
        lps = [None for _ in lps]
    return names, lps, tops


def text_of(content: Any) -> str:
    """The text of a message's content."""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return "\n".join(part.get("text", "") for part in parts)


async def endless(request: web.Request) -> web.StreamResponse:
    """A body that goes on until the other side has had enough."""
    response = web.StreamResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while True:
            await response.write(b" " * 2**20)
    return response


def error(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    """An error body as OpenAI writes it."""
    return web.json_response({"error": {"message": message, "type": "fake"}}, status=status, headers=headers)


def models(mode: str) -> web.Response | None:
    """A faulty reply to the question for the models."""
    if mode == "no_models":
        raise web.HTTPNotFound
    if mode == "models_redirect":
        raise web.HTTPFound("https://elsewhere.example/v1/models")
    if mode == "web_page":
        return web.Response(text="<!doctype html><title>Sign in</title>", content_type="text/html")
    return error(200, "the model list is broken") if mode == "models_error" else None
