"""One stored item as it was asked and answered: messages, answer, reasoning, and the facts of the request."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from app.components.foreign import plain, showable
from app.components.markup import styles
from app.components.metric_words import metric_word
from domain.answers import Outcome
from domain.benchmarks import Asked, Sample
from domain.executions import Execution, ExecutionOutcome

HIDDEN = "Hidden, because it may hold harmful text. Use the switch above the list to show it."

_OUTCOME_WORDS: dict[Outcome, str] = {
    Outcome.ANSWERED: "answered",
    Outcome.EMPTY: "empty answer",
    Outcome.TRUNCATED: "cut off at the token limit",
    Outcome.FILTERED: "withheld by the server's content filter",
    Outcome.ERROR: "failed",
}
_RAN: dict[ExecutionOutcome, str] = {
    ExecutionOutcome.PASSED: "Its program passed its tests",
    ExecutionOutcome.FAILED: "Its program failed its tests",
    ExecutionOutcome.TIMED_OUT: "Its program ran for too long and was ended",
    ExecutionOutcome.REFUSED: "Its program tried what the sandbox does not allow",
}
_WHO = {
    "system": "Instruction",
    "user": "Question",
    "assistant": "Earlier answer",
    "prompt": "Question",
    "detector": "Shown to the detector",
    "judge": "Asked of the judge",
}
_ANSWERS = {"detector": "Answer of the detector", "judge": "Verdict of the judge"}
_LONGEST = 6000


def title(sample: Sample) -> str:
    """One line of Markdown to recognise the item by: its id and what is special about it."""
    words = flags(sample)
    return plain(f"Item {sample.sample_id}" + (f" — {', '.join(words)}" if words else ""))


def flags(sample: Sample) -> list[str]:
    """What happened to the item, in words; its per-item score where it has one."""
    found = []
    if sample.error:
        found.append("failed request")
    if sample.empty:
        found.append("empty answer")
    if sample.truncated:
        found.append("cut off")
    if sample.refused:
        found.append("refused")
    if sample.parse_ok is False:
        found.append("answer unreadable")
    headline = next(iter(sample.metrics.items()), None)
    name, value = headline if headline is not None else ("", None)
    if value is not None:
        found.append("wrong" if value == 0 else "right" if value == 1 else f"{metric_word(name)} {value:.3g}")
    elif sample.unscored:
        found.append(f"not scored: {sample.unscored}")
    return found


def _ran(execution: Execution) -> str:
    """How an answer's program ended.

    >>> _ran(Execution(outcome=ExecutionOutcome.FAILED, detail="AssertionError", sandbox="x"))
    'Its program failed its tests (AssertionError).'
    """
    words = _RAN[execution.outcome]
    return f"{words} ({execution.detail.rstrip('.')})." if execution.detail else f"{words}."


def markup(sample: Sample, *, masked: bool) -> str:
    """The whole item as HTML, with texts escaped; masked texts are not sent to the browser at all."""
    parts = [styles()]
    before: Asked | None = None
    for asked in sample.asked:
        new = _new_messages(asked, before)
        parts += [_said(_WHO.get(str(m.get("role")), str(m.get("role"))), _text(m), masked) for m in new]
        parts.append(_answer(asked, masked))
        before = asked
    if not sample.asked and isinstance(text := sample.doc.get("text"), str):
        parts.append(_said("Document, as far as it was read", text, masked))
    if sample.execution is not None:
        parts.append(f'<p class="facts">{escape(_ran(sample.execution))}</p>')
    if sample.target is not None:
        parts.append(_said("Expected", sample.target, masked))
    if sample.unscored:
        parts.append(f'<p class="facts">Not scored: {escape(sample.unscored)}</p>')
    return showable(f'<div class="vera-item">{"".join(parts)}</div>')


def _new_messages(asked: Asked, before: Asked | None) -> tuple[Mapping[str, Any], ...]:
    """What was not shown with the request before: of the same question nothing, of a conversation what was added."""
    if before is None:
        return asked.messages
    if asked.messages == before.messages:
        return ()
    shown = (*before.messages, {"role": "assistant", "content": before.answer.text})
    goes_on = asked.messages[: len(shown)] == shown
    return asked.messages[len(shown) :] if goes_on else asked.messages


def _answer(asked: Asked, masked: bool) -> str:  # noqa: FBT001 - read beside its name at every call
    answer = asked.answer
    parts = []
    if answer.reasoning:
        parts.append(_said("Reasoning, apart from the answer", answer.reasoning, masked))
    if asked.continuation is not None:
        value = "no value" if asked.loglikelihood is None else f"{asked.loglikelihood:.3f} nats"
        parts.append(_said("Offered answer", f"{asked.continuation}   (log-likelihood: {value})", masked))
    else:
        text = answer.text or f"({_OUTCOME_WORDS[answer.outcome]})"
        asked_of = str(asked.messages[0].get("role")) if asked.messages else ""
        who = _ANSWERS.get(asked_of, "Answer of the model")
        parts.append(_said(who, text, masked and bool(answer.text), kind="answer"))
    return "".join(parts) + f'<p class="facts">{escape(" · ".join(facts(asked)))}</p>'


def facts(asked: Asked) -> list[str]:
    """How the request went: outcome, tokens, time, attempts, error."""
    answer = asked.answer
    found = [_OUTCOME_WORDS[answer.outcome]]
    if answer.finish_reason:
        found.append(f"the server's reason to stop: {answer.finish_reason}")
    if answer.prompt_tokens is not None:
        found.append(f"{answer.prompt_tokens:,} tokens read")
    if answer.completion_tokens is not None:
        found.append(f"{answer.completion_tokens:,} tokens written")
    found.append(f"{answer.latency_s:.2f} s")
    if answer.attempts > 1:
        found.append(f"{answer.attempts} attempts")
    if answer.error:
        found.append(answer.error)
    return found


def _said(who: str, text: str, masked: bool, *, kind: str = "") -> str:  # noqa: FBT001 - as above
    body = HIDDEN if masked else text
    if len(body) > _LONGEST:
        body = f"{body[:_LONGEST]}\n[… {len(body) - _LONGEST:,} more characters are stored]"
    name = "hidden" if masked else kind
    return f'<div class="said {name}"><span class="who">{escape(who)}</span><pre>{escape(body)}</pre></div>'


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content", "")
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1)
