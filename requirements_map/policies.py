"""The operator's thresholds per requirement, from a YAML file."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter

from domain.errors import InvalidSettings
from domain.scores import Policy, RequirementId, Threshold
from requirements_map import yaml_file
from requirements_map.entries import STRICT, Share, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limits:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    pass_at: Share
    fail_below: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class _PolicyFile:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    schema: Literal[1]
    name: Text
    version: Text
    is_example: bool = False
    thresholds: Mapping[str, _Limits]
    #: A drop beyond chance of more than this share, from one run to the next, is a regression.
    max_drop: Share = 0.05


_POLICY_FILE = TypeAdapter(_PolicyFile)


def load(path: Path | None = None) -> Policy:
    """The policy of a file, or the example policy; InvalidSettings names file, place and value."""
    if path is None:
        name = "example.yaml"
        return parse(resources.files("requirements_map").joinpath("data", "policies", name).read_bytes(), name=name)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InvalidSettings(f"The policy file {path} cannot be read: {error.strerror}.") from error
    return parse(text, name=str(path))


def parse(text: bytes, *, name: str) -> Policy:
    """A policy from the bytes of its file."""
    file = yaml_file.check(_POLICY_FILE, yaml_file.parse(text, name=name).content, name=name)
    measurable = {r.value: r for r in RequirementId if r.is_measurable}
    thresholds = {}
    for wanted, limits in file.thresholds.items():
        place = f"{name}, thresholds.{wanted}"
        if wanted not in measurable:
            raise InvalidSettings(f"{place} names no measurable requirement; use one of {', '.join(measurable)}.")
        if limits.fail_below > limits.pass_at:
            raise InvalidSettings(
                f"{place} has fail_below {limits.fail_below} above pass_at {limits.pass_at}; exchange or correct them."
            )
        thresholds[measurable[wanted]] = Threshold(pass_at=limits.pass_at, fail_below=limits.fail_below)
    return Policy(
        name=file.name, version=file.version, is_example=file.is_example, thresholds=thresholds, max_drop=file.max_drop
    )
