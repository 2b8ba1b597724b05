"""How programs that a model wrote ended when they were run."""

from dataclasses import dataclass
from enum import StrEnum


class ExecutionOutcome(StrEnum):
    """How a program that a model wrote ended."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    #: it tried, or used, what the sandbox does not allow
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """What running an answer's program showed, once and when it came; rescoring reads it and runs nothing."""

    outcome: ExecutionOutcome
    #: The exception, or why it was ended.
    detail: str = ""
    #: What it was shut in by.
    sandbox: str
