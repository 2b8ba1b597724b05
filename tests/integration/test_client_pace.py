"""An endpoint with a limit of requests a minute is sent them evenly, whatever its requests in flight."""

from fakes.asking import client, question
from fakes.openai_server import FakeServer


def test_requests_are_spaced_evenly_within_the_limit_of_a_minute() -> None:
    with FakeServer("ok") as server:
        answers = client(server.base_url, max_in_flight=8, requests_per_minute=1200).ask(
            [question(i) for i in range(11)]
        )
    assert all(answer.is_answer for answer in answers)
    # 1,200 a minute is one every 50 ms: ten gaps, however late the first one was sent
    assert server.arrived[-1] - server.arrived[0] > 0.4


def test_attempts_count_like_requests() -> None:
    with FakeServer("server_error") as server:
        client(server.base_url, max_in_flight=1, requests_per_minute=600).ask([question(1)])
    assert len(server.arrived) > 2
    gaps = [later - earlier for earlier, later in zip(server.arrived, server.arrived[1:], strict=False)]
    assert sum(gaps) > 0.09 * len(gaps)
