"""Conversations of several turns: lm-eval asks the first one, and what the user says next is asked here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.answers import Answer, Outcome, Request
from domain.benchmarks import Asked, Sample
from evaluators.benchmarks.progress import CountedClient

#: The key of a question under which its task lists what the user says after the first answer, one text per turn.
LATER = "later_turns"

#: Makes the request of messages with the task's own settings, of the conversation at a place.
Prepare = Callable[[Sequence[Mapping[str, Any]], int], Request]


def later(doc: Mapping[str, Any]) -> Sequence[str]:
    """What the user of a question says after the first answer."""
    return doc.get(LATER) or ()


def count(docs: Sequence[Mapping[str, Any]]) -> int:
    """Requests that follow the first ones."""
    return sum(len(later(doc)) for doc in docs)


def ask(samples: Sequence[Sample], client: CountedClient, prepare: Prepare) -> tuple[Sample, ...]:
    """Every conversation to its end, all of them one turn further at a time.

    The model's own reply is in the messages of the next turn, so an interrupted run finds each turn it had under the
    same key. A conversation ends early where a turn fails, which makes the item an error and never a score, and where a
    content filter withholds a reply, since there is nothing to go on from.
    """
    talks = list(samples)
    turn = 0
    while going := [place for place, talk in enumerate(talks) if _goes_on(talk, turn)]:
        messages = [_messages(talks[place], turn) for place in going]
        answers = client.ask([prepare(said, place) for place, said in zip(going, messages, strict=True)])
        for place, said, answer in zip(going, messages, answers, strict=True):
            talks[place] = _with(talks[place], Asked(messages=said, answer=answer))
        turn += 1
    return tuple(talks)


def _goes_on(talk: Sample, turn: int) -> bool:
    last = talk.asked[-1].answer.outcome if talk.asked else Outcome.ERROR
    return turn < len(later(talk.doc)) and len(talk.asked) == turn + 1 and last not in {Outcome.ERROR, Outcome.FILTERED}


def _messages(talk: Sample, turn: int) -> tuple[Mapping[str, Any], ...]:
    last = talk.asked[-1]
    reply = {"role": "assistant", "content": last.answer.text}
    return (*last.messages, reply, {"role": "user", "content": later(talk.doc)[turn]})


def _with(talk: Sample, asked: Asked) -> Sample:
    answer = asked.answer
    if answer.outcome is Outcome.ERROR:
        return replace(
            talk,
            asked=(*talk.asked, asked),
            error=True,
            metrics={},
            unscored=f"The endpoint did not answer turn {len(talk.asked) + 1}: {answer.error or answer.error_class}.",
        )
    return replace(
        talk,
        asked=(*talk.asked, asked),
        empty=talk.empty or _is_empty(answer),
        truncated=talk.truncated or answer.outcome is Outcome.TRUNCATED,
        refused=True if answer.outcome is Outcome.FILTERED else talk.refused,
    )


def _is_empty(answer: Answer) -> bool:
    return not answer.text.strip() and answer.outcome is not Outcome.FILTERED
