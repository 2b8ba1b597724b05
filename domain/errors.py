"""Errors a caller can tell apart.

::

    VeraError
    ├─ UserError              one sentence for the reader; CLI exit code 2, st.error on a page
    │  ├─ EndpointUnreachable     ├─ EndpointRefused       ├─ UnknownModel
    │  ├─ CapabilityMissing       ├─ UnknownBenchmark      ├─ InvalidTask
    │  ├─ MissingDependency       ├─ InvalidSettings       ├─ NotFound
    │  ├─ DatabaseUnusable        ├─ NoWorker              └─ UnreadableResults
    └─ RunFailed              the run is recorded as failed with its cause; CLI exit code 1

The docstring of a class is its message when none is given. A message says what happened, with which value, and
what to do next.
"""


class VeraError(Exception):
    """Something went wrong in VERA."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def sentence(self) -> str:
        """The message as shown to a reader."""
        return str(self)


class UserError(VeraError):
    """The request cannot be carried out as given."""


class EndpointUnreachable(UserError):
    """The endpoint does not answer; check its address and that the server is running."""


class EndpointRefused(UserError):
    """The endpoint answered, but refused the request; check the key, the path and the model name."""


class UnknownModel(UserError):
    """No model of this name is registered; `vera models list` shows the names."""


class CapabilityMissing(UserError):
    """The endpoint lacks what this benchmark needs; `vera models probe NAME` shows what it offers."""


class UnknownBenchmark(UserError):
    """No benchmark, suite or requirement of this name; `vera suites` shows the names."""


class InvalidTask(UserError):
    """The task definition or its data cannot be read."""


class MissingDependency(UserError):
    """An optional package is not installed."""


class InvalidSettings(UserError):
    """A setting has a value that cannot be used."""


class NotFound(UserError):
    """Nothing is stored under this id; `vera runs` lists what there is."""


class DatabaseUnusable(UserError):
    """The database cannot be used by this version of VERA."""


class NoWorker(UserError):
    """No worker is running; start one with `vera worker`."""


class UnreadableResults(UserError):
    """A file of results of another tool cannot be read."""


class RunFailed(VeraError):
    """The run failed; what was already answered is kept, and the same command goes on from there."""
