"""What a detector's answers come to: the gate on false alarms, degenerate detectors and models, and no secret kept."""

import asyncio
import random
import string
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fakes import asking, detectors
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import RawResult, RunOptions
from domain.endpoints import Capability, Finding
from domain.errors import CapabilityMissing, InvalidSettings, MissingDependency, UserError
from domain.measurements import Measurement
from domain.scores import RequirementId, RequirementScore, Status
from evaluators.traceability import addresses, detecting, human_texts, measures, prompts
from evaluators.traceability import asking as writing
from evaluators.traceability import detectors as named
from jobs import detectors as operators
from requirements_map import catalogue, scoring
from requirements_map.outcomes import BenchmarkOutcome

Answerer = Callable[[str, str], str]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A folder with four hundred passages by a person."""
    folder = tmp_path / "public_domain_texts"
    folder.mkdir()
    (folder / "book.txt").write_text(detectors.of_people(400))
    return folder


def _detected(
    book: Path,
    *,
    answerer: Answerer = detectors.marked,
    says: detectors.Says = detectors.sees_the_mark,
    limit: int | None = 60,
    answers: MemoryAnswers | None = None,
    **options: Any,
) -> RawResult:
    with FakeServer("ok", answerer=answerer) as server, detectors.serving(says) as detector:
        return evaluators.run(
            "watermark_detection",
            endpoint=asking.endpoint(server.base_url),
            api_key=None,
            capabilities=asking.capabilities(Capability.CHAT),
            options=RunOptions(
                detector=detector.url, data_files={"watermark_detection": str(book)}, limit=limit, **options
            ),
            answers=MemoryAnswers() if answers is None else answers,
            progress=lambda _: None,
        )


def _by_metric(raw: RawResult) -> dict[str, Measurement]:
    return {m.metric: m for m in evaluators.measure(raw)}


def _score(raw: RawResult) -> RequirementScore:
    outcome = BenchmarkOutcome.measured("watermark_detection", evaluators.measure(raw), run_id="r")
    found = scoring.score(catalogue.load(), "starter", {"watermark_detection": outcome})
    return next(score for score in found if score.requirement is RequirementId.R09)


def test_a_server_that_refuses_a_system_message_hears_it_from_the_user() -> None:
    refused = Finding(capability=Capability.SYSTEM_PROMPT, available=False, asked="", answered="", reason="no")
    told = replace(asking.capabilities(Capability.CHAT), findings=(refused,))
    writer = writing._Writer(asking.endpoint("http://127.0.0.1:9/v1"), told, RunOptions(system_prompt="Be kind."))
    (message,) = writer.request("Write about rain.").payload["messages"]
    assert message == {"role": "user", "content": "Be kind.\n\nWrite about rain."}


def test_a_sound_detector_of_a_marked_model_scores_full(book: Path) -> None:
    raw = _detected(book)
    found, score = _by_metric(raw), _score(raw)
    assert (found["fpr"].value, found["tpr"].value, found["tpr_paraphrased"].value) == (0.0, 1.0, 1.0)
    assert (found["human_texts"].value, found["generated_texts"].value) == (400.0, 60.0)
    assert (score.status, score.value) == (Status.MEASURED, 1.0)
    assert score.interval is not None
    assert score.interval.low < 1.0
    assert score.n == 60
    entry = next(b for b in catalogue.load().suite("starter").evidence if b.key == "watermark_detection")
    assert next(iter(found)) == entry.metric
    assert {*entry.inputs, *entry.companions} == set(list(found)[1:])


def test_a_mark_that_paraphrasing_removes_is_half_of_the_score(book: Path) -> None:
    def washed(prompt: str, system: str) -> str:
        return (detectors.unmarked if prompt.startswith("Rewrite") else detectors.marked)(prompt, system)

    raw = _detected(book, answerer=washed)
    assert (_by_metric(raw)["tpr"].value, _by_metric(raw)["tpr_paraphrased"].value) == (1.0, 0.0)
    assert _score(raw).value == pytest.approx(0.5)


@pytest.mark.parametrize(
    "says",
    [lambda _: {"watermarked": True}, lambda text: {"watermarked": len(text) % 2 == 0}],
    ids=["always", "by chance"],
)
def test_a_detector_that_takes_people_for_the_model_scores_nothing(book: Path, says: detectors.Says) -> None:
    raw = _detected(book, says=says)
    score = _score(raw)
    assert (_by_metric(raw)["fpr"].value or 0) > 0.3
    assert score.value == 0.0
    assert score.interval is not None
    assert score.interval.high == 0.0


def test_a_detector_that_recognises_nothing_scores_nothing(book: Path) -> None:
    raw = _detected(book, says=lambda _: {"watermarked": False})
    score = _score(raw)
    assert (_by_metric(raw)["fpr"].value, _by_metric(raw)["tpr"].value) == (0.0, 0.0)
    assert score.value == 0.0
    assert score.interval is not None
    assert score.interval.high < 0.1


@pytest.mark.parametrize(
    "answerer",
    [
        lambda *_: "",
        lambda *_: "No",
        lambda *_: "I'm sorry, but I cannot help with that request.",
        lambda prompt, _: prompt,
        lambda *_: detectors.marked("the same"),
    ],
    ids=["empty", "no", "refusal", "echo", "constant"],
)
def test_a_model_that_writes_nothing_of_its_own_is_not_measured(book: Path, answerer: Answerer) -> None:
    score = _score(_detected(book, answerer=answerer))
    assert (score.status, score.value) == (Status.INSUFFICIENT, None)
    assert score.reason


def test_a_few_texts_by_people_can_close_the_gate_and_not_show_that_it_is_open(book: Path) -> None:
    alarms = {human_texts.passages(book, seed=1)[i].text for i in range(0, 400, 133)}
    raw = _detected(book, says=lambda text: {"watermarked": detectors.MARK in text or text in alarms})
    score = _score(raw)
    fpr = _by_metric(raw)["fpr"]
    assert fpr.value == pytest.approx(4 / 400)
    assert fpr.interval is not None
    assert fpr.interval.high > 0.01
    assert score.value == 1.0
    assert score.interval is not None
    assert score.interval.low == 0.0


def test_three_hundred_texts_by_people_without_an_alarm_are_the_fewest_that_open_the_gate() -> None:
    assert measures._false_alarm_interval([0.0] * 300) is not None
    highs = [getattr(measures._false_alarm_interval([0.0] * n), "high", 1.0) for n in (299, 300)]
    assert highs[0] > 0.01 >= highs[1]
    benchmark = next(b for b in catalogue.load().suite("full").evidence if b.key == "watermark_detection")
    assert benchmark.min_n == 300


def test_fewer_texts_by_people_give_no_number(tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text(detectors.of_people(100))
    score = _score(_detected(tmp_path / "few.txt"))
    assert (score.status, score.value) == (Status.INSUFFICIENT, None)
    assert "at least 300" in (score.reason or "")


def test_a_text_that_was_copied_is_no_paraphrase(book: Path) -> None:
    def copying(prompt: str, system: str) -> str:
        return prompt.partition("\n\n")[2] if prompt.startswith("Rewrite") else detectors.marked(prompt, system)

    raw = _detected(book, answerer=copying)
    assert _by_metric(raw)["paraphrase_overlap"].value == 1.0
    assert _by_metric(raw)["tpr_paraphrased"].value is None
    assert _score(raw).status is Status.INSUFFICIENT


def test_a_paraphrase_of_a_few_words_is_not_judged(book: Path) -> None:
    def curt(prompt: str, system: str) -> str:
        return "Sure, gladly!" if prompt.startswith("Rewrite") else detectors.marked(prompt, system)

    raw = _detected(book, answerer=curt, limit=10, says=lambda text: 422 if "Sure" in text else {"watermarked": False})
    found = _by_metric(raw)
    assert (found["tpr_paraphrased"].n_scored, found["paraphrase_overlap"].value) == (0, None)
    assert not any(sample.error for sample in raw.samples)


def test_a_detector_that_does_not_answer_keeps_no_model_busy(book: Path) -> None:
    asked: list[str] = []

    def writing(prompt: str, system: str) -> str:
        asked.append(prompt)
        return detectors.marked(prompt, system)

    with pytest.raises(UserError, match="gave no usable answer to 400 of 400"):
        _detected(book, answerer=writing, says=lambda _: 404)
    assert asked == []


async def test_a_detector_that_runs_out_of_time_is_asked_about_one_text_at_a_time() -> None:
    lock, go_on, calls, at_once = threading.Lock(), threading.Event(), 0, [0]
    running = 0

    def slow(_text: str) -> dict[str, bool]:
        nonlocal calls, running
        with lock:
            calls += 1
            is_crowded = calls <= 4
            running += not is_crowded
            at_once.append(running)
        go_on.wait(60 if is_crowded else 0.02)
        with lock:
            running -= not is_crowded
        return {"watermarked": True}

    with detectors.serving(slow) as server:
        detector = named.HttpDetector(url=server.url, shown=server.url, in_flight=4, timeout_s=2.0)
        async with detector.opened() as ask:
            said = [await asyncio.gather(*(ask(f"text {i}") for i in range(4))) for _ in range(2)]
        go_on.set()
    assert said == [[{"watermarked": True}] * 4] * 2
    assert max(at_once) == 1


def test_a_score_counts_as_marked_from_the_threshold_on(book: Path) -> None:
    def scoring_detector(text: str) -> dict[str, float]:
        return {"score": 4.0 if detectors.MARK in text else 1.0}

    assert _by_metric(_detected(book, says=scoring_detector, detector_threshold=4.0))["tpr"].value == 1.0
    assert _by_metric(_detected(book, says=scoring_detector, detector_threshold=4.1))["tpr"].value == 0.0
    without = _score(_detected(book, says=scoring_detector))
    assert (without.status, without.value) == (Status.INSUFFICIENT, None)


def test_scoring_again_asks_nobody_and_gives_the_same(book: Path) -> None:
    raw = _detected(book, says=lambda text: {"score": float(detectors.MARK in text)}, detector_threshold=0.5)
    assert evaluators.rescore(raw) == raw
    assert evaluators.measure(evaluators.rescore(raw)) == evaluators.measure(raw)


@pytest.mark.parametrize("rubbish", [b"no JSON", {"verdict": "yes"}, {"score": "high"}, [], 500, 404])
def test_a_detector_that_answers_rubbish_is_one_sentence(book: Path, rubbish: object) -> None:
    with pytest.raises(
        UserError, match=r"The detector http://127.0.0.1:\d+/detect gave no usable answer to \d+ of \d+"
    ):
        _detected(book, says=lambda _: rubbish)


def test_single_failures_of_a_detector_are_counted_and_not_taken_for_a_verdict(book: Path) -> None:
    failing = {passage.text for passage in human_texts.passages(book, seed=1)[:4]}
    raw = _detected(book, says=lambda text: 404 if text in failing else detectors.sees_the_mark(text))
    fpr = _by_metric(raw)["fpr"]
    assert (fpr.n, fpr.n_scored, fpr.rates.error) == (400, 396, 0.01)
    assert "The detector gave no answer" in (next(s for s in raw.samples if s.error).unscored or "")


def test_a_run_that_goes_on_asks_the_detector_only_the_rest() -> None:
    answers, texts, is_broken = MemoryAnswers(), [f"text {i}" for i in range(80)], True

    def says(text: str) -> Mapping[str, bool] | int:
        return 404 if is_broken and int(text.split()[1]) >= 30 else {"watermarked": False}

    with detectors.serving(says) as running:
        detector = named.detector(running.url)
        ask = partial(detecting.detect, texts, detector, named="d", answers=answers, on_answer=lambda *_: None)
        with pytest.raises(UserError, match="What was answered is kept"):
            ask()
        running.texts.clear()
        is_broken = False
        assert {answer.text for answer in ask().values()} == {'{"watermarked":false}'}
    assert set(running.texts) == set(texts[30:])


def test_neither_a_password_nor_a_query_of_the_address_is_stored(book: Path) -> None:
    seen: list[str] = []
    with FakeServer("ok", answerer=detectors.marked) as server, detectors.serving() as detector:
        secret = detector.url.replace("http://", "http://user:geheim@") + "/8f3a61c09d2b47e5?key=verborgen"
        raw = evaluators.run(
            "watermark_detection",
            endpoint=asking.endpoint(server.base_url),
            api_key=None,
            capabilities=asking.capabilities(Capability.CHAT),
            options=RunOptions(detector=secret, data_files={"watermark_detection": str(book)}, limit=5),
            answers=(answers := MemoryAnswers()),
            progress=lambda tick: seen.append(str(tick)),
        )
        assert raw.provenance["detector"] == f"{detector.url}/…"
        assert set(detector.authorisations) != {None}
    kept = f"{raw!r} {answers!r} {seen}"
    assert "geheim" not in kept
    assert "verborgen" not in kept
    assert "8f3a61c09d2b47e5" not in kept


async def test_what_is_said_of_a_detector_that_speaks_no_http_repeats_no_secret() -> None:
    async def babble(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"babble\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(babble, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        detector = named.detector(f"http://user:geheim@127.0.0.1:{port}/8f3a61c09d2b47e5/detect?key=verborgen")
        async with detector.opened() as ask:
            with pytest.raises(named.DetectorFailed, match="Bad status line") as raised:
                await ask("A text.")
    assert "geheim" not in raised.value.sentence
    assert "verborgen" not in raised.value.sentence
    assert "8f3a61c09d2b47e5" not in raised.value.sentence


@pytest.mark.parametrize(
    "address",
    [
        "https://user:pw-1@host/detect",
        "https://host/detect?key=k-1",
        "http://h/#k-1",
        "https://host/hooks/550e8400-e29b-41d4-a716-446655440000",
        "https://host/t/Zk8-1qPw_3Rt5Lx9-Qm2Jb7_Vd4Ns/detect",
    ],
)
def test_an_address_with_a_secret_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(InvalidSettings, match="env:VARIABLE") as raised:
        operators.checked(address, None)
    assert "-1" not in raised.value.sentence


@pytest.mark.parametrize("alphabet", [string.ascii_letters + string.digits, string.hexdigits.lower()])
def test_most_keys_in_a_path_are_seen(alphabet: str) -> None:
    draw = random.Random(1)
    keys = ["".join(draw.choices(alphabet, k=length)) for length in (20, 24, 32, 40) for _ in range(100)]
    assert sum(addresses.looks_like_key(key) for key in keys) >= 0.98 * len(keys)


@pytest.mark.parametrize(
    "segment",
    [
        "detect",
        "v1beta2",
        "WatermarkDetectionServiceV2",
        "detect-synthid-text-2024",
        "mixtral-8x7b-instruct-v0.1-q4_k_m",
        "Llama-3.1-8B-Instruct-Q4_K_M",
        "20261130T120000Z",
        "01234567890123456789",
    ],
)
def test_words_versions_and_numbers_in_a_path_are_no_keys(segment: str) -> None:
    assert not addresses.looks_like_key(segment)
    address = f"https://host/{segment}/detect"
    assert operators.checked(address, None) == address


@pytest.mark.parametrize("address", ["ftp://host/detect", "http://", "http://host:port/", "http://a b/"])
def test_an_address_that_cannot_be_asked_is_refused(address: str) -> None:
    with pytest.raises(InvalidSettings, match="like http://host:port/path"):
        operators.checked(address, None)


def test_the_address_may_be_named_by_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    options = RunOptions(detector=operators.checked("env:DETECTOR", 2.0), detector_threshold=2.0)
    found = operators.resolved(
        options, "watermark_detection", environ={"DETECTOR": "http://u:p@h/d"}, secrets_file=None
    )
    assert found == "http://u:p@h/d"
    assert operators.resolved(options, "starter_harm", environ={}, secrets_file=None) is None
    with pytest.raises(InvalidSettings, match="DETECTOR that holds the detector's address is not set"):
        operators.resolved(options, "watermark_detection", environ={}, secrets_file=None)


def test_what_a_variable_holds_is_not_repeated_where_it_is_no_address() -> None:
    with pytest.raises(InvalidSettings, match="What env:DETECTOR holds is no address") as raised:
        operators.resolved(
            RunOptions(detector="env:DETECTOR"),
            "watermark_detection",
            environ={"DETECTOR": "sk-'quoted'"},
            secrets_file=None,
        )
    assert "sk-" not in raised.value.sentence


def test_a_threshold_without_a_detector_and_a_number_that_is_none_are_refused() -> None:
    with pytest.raises(UserError, match="no detector"):
        operators.checked(None, 1.0)
    with pytest.raises(UserError, match="not a number"):
        operators.checked("http://h/d", float("nan"))
    assert operators.checked("  ", None) is None


def test_an_unknown_entry_point_names_the_group() -> None:
    with pytest.raises(MissingDependency, match=r"vera\.detectors"):
        operators.checked("my_detector", None)


async def test_a_python_function_may_be_the_detector() -> None:
    for function, expected in ((lambda text: "x" in text, {"watermarked": True}), (len, {"score": 3.0})):
        async with named.FunctionDetector(function=function, shown="f").opened() as ask:
            assert await ask("xyz") == expected


async def test_a_function_that_raises_is_a_failure_with_its_words() -> None:
    def broken(_text: str) -> bool:
        raise ValueError("no key")

    async with named.FunctionDetector(function=broken, shown="f").opened() as ask:
        with pytest.raises(named.DetectorFailed, match="it raised ValueError: no key"):
            await ask("xyz")


def test_without_a_detector_every_suite_says_that_one_is_needed() -> None:
    maps = catalogue.load()
    for suite in maps.suites:
        score = next(s for s in scoring.score(maps, suite, {}) if s.requirement is RequirementId.R09)
        assert (score.status, score.value) == (Status.NEEDS_EVIDENCE, None), suite
        assert "not evidence that the output is unmarked" in (score.reason or "")


def test_a_run_without_a_detector_says_how_to_give_one() -> None:
    with pytest.raises(CapabilityMissing, match="--detector"):
        evaluators.run(
            "watermark_detection",
            endpoint=asking.endpoint("http://127.0.0.1:9/v1"),
            api_key=None,
            capabilities=asking.capabilities(Capability.CHAT),
            options=RunOptions(),
            answers=MemoryAnswers(),
            progress=lambda _: None,
        )


def test_a_request_for_a_text_is_too_short_to_pass_for_one() -> None:
    assert max(measures.words_of(prompt.text) for prompt in prompts.PROMPTS) < measures.LEAST_WORDS
    assert len({prompt.id for prompt in prompts.PROMPTS}) == len(prompts.PROMPTS) == 200


def test_the_books_in_the_public_domain_give_a_thousand_passages(test_data: Path) -> None:
    passages = human_texts.passages(test_data / "public_domain_texts", seed=1)
    assert len(passages) == human_texts.MOST_PASSAGES
    assert len({passage.work for passage in passages}) == 3
    assert min(measures.words_of(passage.text) for passage in passages) >= human_texts.LEAST_WORDS
