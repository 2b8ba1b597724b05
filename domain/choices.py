"""What a person chooses of how a run asks, kept for later: of a schedule, until its next time comes."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenFile:
    """A file, or a folder of files, as it was when it was given."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choices by the names under which a plan takes them; what a run is to keep is made of them at its time.

    A judge is named and not described here, since its agreement with people may be measured again, and a quick look is
    no table of limits, since the requirements map may change. A new option of a plan is one more field with a default.
    """

    limit: int | None = None
    #: None for the usual one.
    seed: int | None = None
    quick: bool = False
    #: Name of the registered model that judges answers.
    judge: str | None = None
    #: Benchmark or task → what stands in for its published data, or is the evidence it reads.
    data_files: Mapping[str, GivenFile] = field(default_factory=dict)
    #: An address, ``env:VARIABLE`` or ``file:ENTRY`` that holds one, or the name of an entry point; never a secret.
    detector: str | None = None
    detector_threshold: float | None = None
    system_prompt: str | None = None
    num_fewshot: int | None = None
    #: Answers to each question, where a benchmark can use several.
    samples: int = 1
