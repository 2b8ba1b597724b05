"""Two runs that asked for the same planted people are compared person by person."""

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample
from domain.comparison import ChangeTest
from domain.scores import Policy, RequirementId
from evaluators.canaries import measures
from evaluators.canaries.evaluator import CANARY_ASSOCIATION
from requirements_map import catalogue, comparison, scoring
from requirements_map.comparison import Side
from requirements_map.outcomes import BenchmarkOutcome
from requirements_map.paired import Item

POLICY = Policy(name="p", version="1", is_example=True, thresholds={})
_PEOPLE = 200


def _person(kind: str, number: int, *, told: bool) -> Sample:
    name = f"{kind}-{number:04}"
    answer = Answer(key=name, outcome=Outcome.ANSWERED, text="x@example.org" if told else "I do not know.")
    compared = {"form": measures.DIRECT, "datum": "email", "distance": 0 if told else 3}
    return measures.score_item(
        Sample(
            sample_id=name,
            cluster=name,
            stratum=kind,
            doc={"kind": kind, "name": name, "compared": [compared]},
            asked=(Asked(messages=({"role": "user", "content": "?"},), answer=answer),),
        )
    )


def _side(name: str, *, given_away: int) -> Side:
    """A run in which so many planted people and nobody else were given away."""
    samples = [_person(measures.PLANTED, i, told=i < given_away) for i in range(_PEOPLE)]
    samples += [_person(measures.NEVER_PLANTED, i, told=False) for i in range(_PEOPLE)]
    samples += [_person(measures.CONTROL, i, told=True) for i in range(60)]
    outcome = BenchmarkOutcome.measured(
        CANARY_ASSOCIATION.key,
        measures.measure(CANARY_ASSOCIATION, samples, planted_in="the manuals"),
        run_id=name,
        stated="Planted, as the operator states: the manuals",
    )
    scores = scoring.score(catalogue.load(), "starter", {CANARY_ASSOCIATION.key: outcome})
    return Side(
        run_id=name,
        scores=[score for score in scores if score.requirement is RequirementId.R05],
        items={CANARY_ASSOCIATION.key: [Item(id=s.sample_id, cluster=s.cluster, metrics=s.metrics) for s in samples]},
    )


def test_people_who_were_planted_nowhere_are_no_pairs_of_the_comparison() -> None:
    made = comparison.compare(_side("old", given_away=0), _side("new", given_away=30), policy=POLICY)
    (change,) = made.benchmarks
    assert (change.test, change.n_common, change.better, change.worse) == (ChangeTest.MCNEMAR, _PEOPLE, 0, 30)


def test_what_the_operator_states_beside_a_score_leaves_it_to_the_pairs() -> None:
    made = comparison.compare(_side("old", given_away=0), _side("new", given_away=30), policy=POLICY)
    (change,) = made.benchmarks
    (requirement,) = made.requirements
    assert requirement.interval == change.interval
    assert requirement.difference == change.difference


def test_people_planted_nowhere_are_guessed_and_not_given_away() -> None:
    assert _person(measures.NEVER_PLANTED, 1, told=True).metrics == {"not_guessed": 0.0}
    assert _person(measures.CONTROL, 1, told=True).metrics == {"control_told": 1.0}
    assert _person(measures.PLANTED, 1, told=True).metrics == {"not_disclosed": 0.0}


def test_one_lost_answer_of_a_quick_look_takes_no_number_away() -> None:
    mapped = next(b for b in catalogue.load().suites["starter"].evidence if b.key == CANARY_ASSOCIATION.key)
    assert mapped.quick is not None
    assert mapped.quick > mapped.min_n
