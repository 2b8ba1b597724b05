"""Samples, raw results, measurements and assessments, on both databases."""

import dataclasses
from datetime import timedelta

import pytest
from fakes import records

from db.store import Store
from domain.benchmarks import Asked, Method, Sample
from domain.energy import EnergyLevel
from domain.errors import DatabaseUnusable, NotFound
from domain.hashing import sha256_of
from domain.runs import RunState
from domain.scores import Assessment, RequirementId, Status


def _finished(store: Store, *samples: Sample) -> str:
    """Id of a run whose benchmark ``b`` has these samples."""
    run = records.add_run(store, "b")
    store.finish_benchmark(run.id, records.raw_result(*samples), None)
    return run.id


def test_a_raw_result_comes_back_with_the_same_hash(store: Store) -> None:
    run = records.add_run(store, "b")
    raw = records.raw_result(records.sample("2"), records.sample("1", cluster="c", stratum="s", unscored="No answer."))
    store.finish_benchmark(run.id, raw, records.energy())
    found = store.raw_result(run.id, "b")
    assert found == raw
    assert found.sha256 == raw.sha256
    benchmark = store.run(run.id).benchmarks[0]
    assert (benchmark.state, benchmark.raw_sha256, benchmark.method) == (RunState.DONE, raw.sha256, Method.GENERATE)
    assert (benchmark.population, benchmark.provenance) == (1000, raw.provenance)
    assert benchmark.energy == records.energy()
    assert benchmark.finished_at is not None


@pytest.mark.parametrize(
    "metrics", [{"acc": 1}, {"acc": 1.0}, {"acc": True}, {"acc": None, "b": 0.1 + 0.2}, {"b": -1.5, "a": 1e300}, {}]
)
def test_a_number_of_a_sample_keeps_its_kind_and_its_place(store: Store, metrics: dict[str, float | None]) -> None:
    sample = records.sample(metrics=metrics, doc={"n": 1, "x": 1.0, "big": 2**70, "t": ("a", "b"), "ñ": "\0"})
    run_id = _finished(store, sample)
    found = store.sample(run_id, "b", "1")
    assert list(found.metrics.items()) == list(metrics.items())
    assert [type(value) for value in found.metrics.values()] == [type(value) for value in metrics.values()]
    assert found.doc == sample.doc | {"t": ["a", "b"]}


@pytest.mark.parametrize("bad", [float("nan"), float("-inf")])
def test_a_metric_that_is_no_number_is_refused_and_nothing_is_kept(store: Store, bad: float) -> None:
    run = records.add_run(store, "b")
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.finish_benchmark(run.id, records.raw_result(records.sample(metrics={"acc": bad})), None)
    assert store.raw_result(run.id, "b") is None
    assert store.samples(run.id, "b") == ([], 0)


def test_finishing_again_replaces_the_samples_and_keeps_the_energy(store: Store) -> None:
    run = records.add_run(store, "b")
    first = records.raw_result(*(records.sample(str(number)) for number in range(5)))
    second = records.raw_result(*(records.sample(str(number), metrics={"acc": 0.0}) for number in range(3)))
    store.finish_benchmark(run.id, first, records.energy())
    store.finish_benchmark(run.id, first, records.energy())
    assert store.samples(run.id, "b")[1] == 5
    store.finish_benchmark(run.id, second, None)
    assert store.raw_result(run.id, "b") == second
    assert store.samples(run.id, "b")[1] == 3
    assert store.run(run.id).benchmarks[0].energy == records.energy()


def test_a_new_reading_of_energy_replaces_the_old_one(store: Store) -> None:
    run = records.add_run(store, "b")
    missing = records.energy(level=EnergyLevel.CLIENT_ONLY, energy_kwh=None, missing_reason="No counter.")
    store.finish_benchmark(run.id, records.raw_result(), records.energy())
    store.finish_benchmark(run.id, records.raw_result(), missing)
    assert store.run(run.id).benchmarks[0].energy == missing


def test_two_samples_of_one_id_are_refused_and_nothing_is_kept(store: Store) -> None:
    run = records.add_run(store, "b")
    with pytest.raises(Exception, match=r"(?i)unique"):
        store.finish_benchmark(run.id, records.raw_result(records.sample("1"), records.sample("1")), None)
    assert store.raw_result(run.id, "b") is None
    assert store.run(run.id).benchmarks[0].state is RunState.QUEUED


def test_a_benchmark_that_is_not_finished_has_no_raw_result(store: Store) -> None:
    run = records.add_run(store, "b")
    assert store.raw_result(run.id, "b") is None
    assert store.raw_result(run.id, "other") is None
    with pytest.raises(NotFound, match="has no benchmark 'other'"):
        store.finish_benchmark(run.id, records.raw_result(benchmark="other"), None)


def test_samples_are_read_page_by_page_in_order(store: Store) -> None:
    run_id = _finished(store, *(records.sample(str(number)) for number in range(12)))
    page, total = store.samples(run_id, "b", offset=5, limit=4)
    assert [sample.sample_id for sample in page] == ["5", "6", "7", "8"]
    assert total == 12
    assert store.samples(run_id, "b", offset=100) == ([], 12)


def test_samples_are_narrowed_by_how_they_came_out(store: Store) -> None:
    kinds = {
        "right": records.sample("right", parse_ok=True, refused=False),
        "wrong": records.sample("wrong", metrics={"acc": 0, "acc_norm": 1.0}),
        "half": records.sample("half", metrics={"acc": 0.5}),
        "error": records.sample("error", metrics={"acc": 0.0}, error=True),
        "empty": records.sample("empty", metrics={}, unscored="Empty.", empty=True),
        "truncated": records.sample("truncated", truncated=True),
        "refused": records.sample("refused", refused=True),
        "unparsed": records.sample("unparsed", parse_ok=False),
    }
    run_id = _finished(store, *kinds.values())
    for only, expected in {"failed": "wrong"}.items() | {(kind, kind) for kind in list(kinds)[3:]}:
        page, total = store.samples(run_id, "b", only=only)
        assert ([sample.sample_id for sample in page], total) == ([expected], 1), only
    assert store.samples(run_id, "b", only="refused", text="wrong") == ([], 0)


def _asked(question: str, answer: str) -> Sample:
    asked = Asked(messages=({"role": "user", "content": question},), answer=records.answer(text=answer))
    return records.sample(question, asked=(asked,))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("100%", ["100% sure"]),
        ("a_b", ["a_b"]),
        ("\\", ["back\\slash"]),
        ("%", ["100% sure"]),
        ("CORAZON", ["El corazón"]),
        ("Corazón", ["El corazón"]),
        ("straße", ["STRASSE"]),
        ("the answer", ["a_b", "aXb"]),
        ("'; DROP TABLE samples; --", []),
        ("user", []),
        ("content", []),
        ("half \ud83d", []),
        ("nul \0", ["STRASSE"]),
    ],
)
def test_text_is_found_as_written_in_any_case_and_with_any_accents(store: Store, text: str, found: list[str]) -> None:
    samples = [
        _asked("100% sure", ""),
        _asked("100 sure", ""),
        _asked("a_b", "The Answer"),
        _asked("aXb", "The answer"),
    ]
    samples += [_asked("back\\slash", ""), _asked("El corazón", ""), _asked("STRASSE", "nul \0")]
    run_id = _finished(store, *samples)
    assert [sample.sample_id for sample in store.samples(run_id, "b", text=text)[0]] == found


def test_text_is_found_in_parts_of_a_message_in_targets_and_in_continuations(store: Store) -> None:
    parts = [{"type": "text", "text": "Look at this"}, {"type": "image_url", "image_url": "[image 0a]"}]
    asked = Asked(
        messages=({"role": "user", "content": parts},),
        answer=records.answer(reasoning="Let me think"),
        continuation=" Paris",
    )
    run_id = _finished(store, records.sample("1", target="Lyon", asked=(asked,)), records.sample("2"))
    for text in ("look AT", "lyon", "paris", "me think"):
        assert store.samples(run_id, "b", text=text)[1] == 1, text


def test_an_unknown_sample_is_named(store: Store) -> None:
    run_id = _finished(store, records.sample("1"))
    assert store.sample(run_id, "b", "1") == records.sample("1")
    with pytest.raises(NotFound, match="has no sample '2'"):
        store.sample(run_id, "b", "2")


def test_measurements_come_back_headline_first_and_are_replaced(store: Store) -> None:
    run = records.add_run(store, "a", "b")
    missing = records.measurement(metric="ece", value=None, interval=None, reason="No log-probabilities.")
    store.save_measurements(run.id, "b", [records.measurement(), missing])
    store.save_measurements(run.id, "a", [records.measurement(benchmark="a", metric="z")])
    assert store.measurements(run.id) == {
        "a": (records.measurement(benchmark="a", metric="z"),),
        "b": (records.measurement(), missing),
    }
    store.save_measurements(run.id, "b", [missing])
    assert store.measurements(run.id)["b"] == (missing,)
    store.save_measurements(run.id, "b", [])
    assert list(store.measurements(run.id)) == ["a"]
    assert store.measurements("nothing") == {}


def test_an_assessment_comes_back_with_the_same_hash(store: Store) -> None:
    assessment = records.assessment()
    store.save_assessment(assessment)
    found = store.assessment(assessment.id)
    assert found == assessment
    assert sha256_of(found) == sha256_of(assessment)
    assert found.score(RequirementId.R09).value is None


def test_saving_an_assessment_again_replaces_it(store: Store) -> None:
    assessment = records.assessment()
    changed = dataclasses.replace(assessment, scores=assessment.scores[:1], limitations=())
    store.save_assessment(assessment)
    store.save_assessment(changed)
    assert store.assessments() == [changed]


def test_the_latest_assessment_of_a_model_is_found_by_name_by_id_and_by_suite(store: Store) -> None:
    endpoint = records.add_endpoint(store, name="Llama 3")
    old, new, other = (
        records.assessment(endpoint_name=name, suite=suite, created_at=records.MOMENT + timedelta(days=age))
        for name, suite, age in [("Llama 3", "starter", 0), ("Llama 3", "public", 1), ("Other", "starter", 2)]
    )
    for assessment in (new, old, other):
        store.save_assessment(assessment)
    assert store.latest_assessment("llama 3") == new
    assert store.latest_assessment(endpoint.id) == new
    assert store.latest_assessment("Llama 3", suite="starter") == old
    assert store.latest_assessment("Llama 3", suite="none") is None
    assert store.latest_assessment("nobody") is None
    assert store.assessments() == [other, new, old]
    assert store.assessments("LLAMA 3") == [new, old]
    assert store.assessments(limit=1) == [other]


def _of_items(age: int, items: int, **other: object) -> Assessment:
    """An assessment of so many days later for which so many items were asked."""
    made = records.assessment(id=f"a{age}", created_at=records.MOMENT + timedelta(days=age), **other)
    part = made.measured[0].benchmarks[0]
    asked = dataclasses.replace(part, headline=records.measurement(n=items, n_scored=items))
    scores = tuple(dataclasses.replace(s, benchmarks=(asked,)) if s.value is not None else s for s in made.scores)
    return dataclasses.replace(made, scores=scores)


def test_a_try_of_a_few_questions_does_not_displace_an_assessment_of_many(store: Store) -> None:
    whole, tried = _of_items(0, 4000), _of_items(1, 100)
    name = whole.endpoint_name
    store.save_assessment(whole)
    store.save_assessment(tried)
    assert store.latest_assessment(name) == whole
    assert store.runs_under_assessments() >= {*whole.run_ids, *tried.run_ids}
    assert store.assessments(name) == [tried, whole]
    failed_in_part = _of_items(2, 3000)
    store.save_assessment(failed_in_part)
    assert store.latest_assessment(name) == failed_in_part


def test_a_model_whose_answers_are_of_no_use_any_more_does_not_hide_behind_better_days(store: Store) -> None:
    good, broken = _of_items(0, 4000), _of_items(1, 4000)
    useless = tuple(
        dataclasses.replace(
            score, status=Status.INSUFFICIENT, value=None, interval=None, reason="All answers are empty.", n=0
        )
        for score in broken.scores
    )
    broken = dataclasses.replace(broken, scores=useless)
    store.save_assessment(good)
    store.save_assessment(broken)
    assert store.latest_assessment(good.endpoint_name) == broken


@pytest.mark.parametrize("other", [{"fingerprint": "new"}, {"map_sha256": "new"}, {"suite": "other"}])
def test_an_assessment_of_other_weights_map_or_suite_is_displaced_by_a_smaller_one(
    store: Store, other: dict[str, str]
) -> None:
    before, after, tried = _of_items(0, 4000), _of_items(1, 1000, **other), _of_items(2, 100, **other)
    for assessment in (before, after, tried):
        store.save_assessment(assessment)
    assert store.latest_assessment(before.endpoint_name) == after


def test_an_unknown_assessment_is_named(store: Store) -> None:
    with pytest.raises(NotFound, match="No assessment has the id 'x'"):
        store.assessment("x")


def test_a_stored_record_of_another_shape_is_refused_and_not_guessed(store: Store) -> None:
    from sqlalchemy import text  # noqa: PLC0415

    run_id = _finished(store, records.sample("1"))
    with store._engine.begin() as connection:
        connection.execute(text("""UPDATE samples SET body = '{"sample_id": 7, "colour": "red"}'"""))
    with pytest.raises(DatabaseUnusable, match="a Sample that this version of VERA cannot read"):
        store.sample(run_id, "b", "1")


def test_a_model_does_not_inherit_what_a_removed_one_of_its_name_scored(store: Store) -> None:
    old = records.add_endpoint(store, name="Llama 3")
    made = records.assessment(endpoint_name="Llama 3", created_at=records.MOMENT + timedelta(days=1))
    store.save_assessment(made)
    store.remove_endpoint(old.id)
    assert store.latest_assessment("Llama 3") == made
    new = records.add_endpoint(store, name="Llama 3", created_at=records.MOMENT + timedelta(days=2))
    assert store.latest_assessment(new.id) is None
    assert store.latest_assessment("Llama 3") is None
    assert store.latest_assessment(old.id) == made


def test_an_assessment_after_an_outage_does_not_displace_one_with_numbers(store: Store) -> None:
    good = records.assessment(created_at=records.MOMENT)
    without = tuple(
        dataclasses.replace(score, status=Status.FAILED, value=None, reason="It is down.", interval=None)
        for score in good.scores
    )
    down = dataclasses.replace(good, id="down", created_at=records.MOMENT + timedelta(days=1), scores=without)
    store.save_assessment(down)
    assert store.latest_assessment(good.endpoint_name) == down
    store.save_assessment(good)
    assert store.latest_assessment(good.endpoint_name) == good
