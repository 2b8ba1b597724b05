"""Addresses of the pages, relative, so that they also hold below a proxy's path."""

from urllib.parse import urlencode

from domain.scores import RequirementId


def assessment(assessment_id: str, requirement: RequirementId | None = None) -> str:
    """An assessment, or one of its requirements.

    >>> assessment("a1", RequirementId.R02)
    'assessment?assessment=a1&requirement=R02'
    """
    query = {"assessment": assessment_id}
    if requirement is not None:
        query["requirement"] = requirement.value
    return f"assessment?{urlencode(query)}"


def run(run_id: str) -> str:
    """One run with its progress."""
    return f"runs?{urlencode({'run': run_id})}"


def model(name: str) -> str:
    """One registered model with what its probe found."""
    return f"models?{urlencode({'name': name})}"


def new_evaluation(name: str) -> str:
    """The form for a new evaluation with the model already picked."""
    return f"new_evaluation?{urlencode({'model': name})}"


def schedule(name: str) -> str:
    """One schedule with its times."""
    return f"schedules?{urlencode({'name': name})}"
