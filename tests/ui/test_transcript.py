"""A stored item as a reader sees it: each message of a conversation once."""

from app.components import transcript
from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample


def asked(*said: str, answer: str) -> Asked:
    roles = ("user", "assistant")
    messages = tuple({"role": roles[place % 2], "content": text} for place, text in enumerate(said))
    return Asked(messages=messages, answer=Answer(key="-".join(said), outcome=Outcome.ANSWERED, text=answer))


def shown(*requests: Asked) -> str:
    sample = Sample(sample_id="a", cluster="a", doc={}, asked=requests)
    return transcript.markup(sample, masked=False)


def test_a_conversation_shows_each_message_once_and_each_answer_where_it_came() -> None:
    page = shown(asked("First?", answer="One."), asked("First?", "One.", "Second?", answer="Two."))
    assert [page.count(text) for text in ("First?", "One.", "Second?", "Two.")] == [1, 1, 1, 1]
    assert page.index("First?") < page.index("One.") < page.index("Second?") < page.index("Two.")


def test_another_question_of_the_same_item_is_shown_in_full_and_the_same_one_once() -> None:
    page = shown(asked("First?", answer="One."), asked("First?", answer="Two."), asked("Third?", answer="Three."))
    assert [page.count(text) for text in ("First?", "Third?", "Three.")] == [1, 1, 1]
