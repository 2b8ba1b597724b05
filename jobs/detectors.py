"""The operator's watermark detector: checked when it is named, its secret looked up when it is about to be asked."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import evaluators
from domain.benchmarks import Benchmark, RunOptions
from domain.errors import InvalidSettings, UserError
from domain.evidence import Evidence
from evaluators.traceability import addresses, detectors
from jobs import secrets

_REFERENCES = ("env:", "file:")


def checked(named: str | None, threshold: float | None) -> str | None:
    """What a run keeps of a detector's name; InvalidSettings or MissingDependency says what is wrong with it."""
    if threshold is not None and not math.isfinite(threshold):
        raise UserError(f"The detector's threshold {threshold} is not a number.")
    named = named.strip() if named else None
    if not named:
        if threshold is not None:
            raise UserError("A threshold was given and no detector; name one with --detector.")
        return None
    if named.startswith(_REFERENCES):
        return secrets.check_reference(named)
    if addresses.has_secret(named):
        # the text is not repeated: it may hold a key
        raise InvalidSettings(
            "The detector's address holds a user, a password, a query or what looks like a key in its path, none of "
            "which is stored; put the whole address into an environment variable and give env:VARIABLE, or into the "
            "secrets file and give file:ENTRY."
        )
    detectors.detector(named)
    return named


def refuse_stray(options: RunOptions, asked: Sequence[Benchmark]) -> None:
    """A detector for a run that asks none is a mistake, not something to ignore."""
    if options.detector is not None and not any(b.evidence is Evidence.DETECTOR for b in asked):
        raise UserError("A detector was given, but no benchmark of this run asks one; add R09 or leave it out.")


def resolved(
    options: RunOptions, benchmark: str, *, environ: Mapping[str, str], secrets_file: Path | None
) -> str | None:
    """The detector itself, with its secret, for the process that asks it; None where the benchmark asks none."""
    named = options.detector
    if named is None or evaluators.find(benchmark)[1].evidence is not Evidence.DETECTOR:
        return None
    if named.startswith(_REFERENCES):
        address = secrets.resolve(named, environ=environ, secrets_file=secrets_file, what="the detector's address")
        if address is not None and "://" not in address:
            # whatever it is, it may be a key, and what speaks of an unknown name would repeat it
            raise InvalidSettings(f"What {named} holds is no address; it must be like http://host:port/path.")
        return address
    return named
