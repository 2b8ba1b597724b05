"""What a schedule keeps is whatever a plan can be told, and `vera schedule add` offers what `vera evaluate` does."""

import inspect
from dataclasses import fields

from app.console import evaluations, schedules
from domain.choices import Choices
from jobs import plans

#: What is to be asked, of the schedule itself; a schedule asks a suite.
OF_THE_SCHEDULE = {"model", "suite", "requirements"}
ONLY_AT_ONCE = {"task", "fresh", "json"}


def test_a_schedule_can_keep_every_option_of_a_plan_with_the_same_default() -> None:
    options = dict(inspect.signature(plans.plan_run).parameters)
    known = {f.name for f in fields(Choices)}
    assert set(options) - {"context", "tasks"} - OF_THE_SCHEDULE == known
    plain = {name: option.default for name, option in options.items() if name in known - {"data_files"}}
    assert plain == {name: getattr(Choices(), name) for name in plain}


def test_an_evaluation_at_night_is_described_with_the_options_of_one_at_once() -> None:
    at_once = inspect.signature(evaluations.evaluate).parameters
    at_night = inspect.signature(schedules.add).parameters
    for name in set(at_once) - ONLY_AT_ONCE:
        assert at_night[name].annotation == at_once[name].annotation, name
        assert at_night[name].default == at_once[name].default, name
