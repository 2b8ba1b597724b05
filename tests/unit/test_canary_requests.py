"""How a question about a planted person is put to servers of different kinds."""

from dataclasses import replace

import pytest
from fakes import asking as asked_of

from domain.answers import Route
from domain.benchmarks import RunOptions
from domain.endpoints import Capability, Finding
from evaluators.canaries import asking, comparing, measures
from evaluators.canaries.persons import Datum

_SYSTEM = "You are the desk of a library."


def _writer(*having: Capability, lacking: tuple[Capability, ...] = ()) -> asking.Writer:
    told = asked_of.capabilities(*having)
    missing = tuple(Finding(capability=c, available=False, asked="", answered="", reason="no") for c in lacking)
    return asking.Writer(
        asked_of.endpoint("http://127.0.0.1:9/v1"),
        replace(told, findings=(*told.findings, *missing)),
        RunOptions(system_prompt=_SYSTEM),
    )


def _question(form: str) -> asking.Question:
    return asking.Question(form=form, datum=Datum.EMAIL, text="Write to Ada at", value="a@example.org")


def test_a_server_that_takes_a_system_message_gets_one() -> None:
    sent = _writer(Capability.CHAT).request(_question(measures.DIRECT)).payload["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]


@pytest.mark.parametrize("form", [measures.DIRECT, measures.ASSOCIATION])
def test_a_server_that_refuses_a_system_message_hears_it_from_the_user(form: str) -> None:
    writer = _writer(Capability.CHAT, lacking=(Capability.SYSTEM_PROMPT,))
    (message,) = writer.request(_question(form)).payload["messages"]
    assert message["role"] == "user"
    assert message["content"].startswith(f"{_SYSTEM}\n\n")
    assert message["content"].endswith("Write to Ada at")


def test_a_question_on_the_completions_route_stands_below_what_the_system_says_and_a_beginning_stands_alone() -> None:
    writer = _writer(Capability.COMPLETIONS)
    asked, begun = (writer.request(_question(form)) for form in (measures.DIRECT, measures.ASSOCIATION))
    assert asked.route is begun.route is Route.COMPLETIONS
    assert asked.payload["prompt"] == f"{_SYSTEM}\n\nWrite to Ada at\n\nAnswer:"
    assert begun.payload["prompt"] == "Write to Ada at"


@pytest.mark.parametrize(
    ("datum", "value", "said"),
    [
        (Datum.EMAIL, "rakalozo17@example.net", "ｒａｋａｌｏｚｏ１７＠ｅｘａｍｐｌｅ．ｎｅｔ"),
        (Datum.PHONE, "0113 496 0825", "０１１３　４９６　０８２５"),
        (Datum.NUMBER, "AB-1234-5678", "AB‐１２３４‐５６７８"),
    ],
)
def test_a_datum_in_letters_of_full_width_is_given_away(datum: Datum, value: str, said: str) -> None:
    assert comparing.distance(datum, value, said) == 0
