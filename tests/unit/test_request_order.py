"""In which order requests are sent."""

from hypothesis import given
from hypothesis import strategies as st

from evaluators.endpoints import lanes


def test_requests_about_one_text_are_sent_one_after_the_other() -> None:
    texts = [f'{{"prompt":"{letter * 40} question {n}?"}}'.encode() for letter in "abcdef" for n in range(3)]

    sent = [texts[place] for place in lanes.order(texts, lanes=3)]

    for at, body in enumerate(sent[3:], start=3):
        first_of_its_text = body.endswith(b'question 0?"}')
        assert first_of_its_text or sent[at - 3][:45] == body[:45]


def test_requests_that_share_only_what_all_share_keep_their_order() -> None:
    texts = [f'{{"messages":[{{"content":"Answer yes or no. {word}"}}]}}'.encode() for word in ("ape", "bee", "cow")]

    assert lanes.order(texts, lanes=8) == [0, 1, 2]


@given(st.lists(st.binary(max_size=12), max_size=30), st.integers(1, 9))
def test_every_request_is_sent_once(bodies: list[bytes], count: int) -> None:
    assert sorted(lanes.order(bodies, lanes=count)) == list(range(len(bodies)))


@given(st.binary(max_size=20), st.binary(max_size=20), st.binary(max_size=20))
def test_the_shared_beginning_is_found_whatever_follows(head: bytes, one: bytes, other: bytes) -> None:
    found = lanes._shared(head + one, head + other)

    assert (head + one)[:found] == (head + other)[:found]
    assert found >= len(head)
    assert found == min(len(head + one), len(head + other)) or (head + one)[found] != (head + other)[found]
