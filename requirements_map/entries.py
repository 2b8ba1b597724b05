"""The records a map file consists of; each refuses keys it does not know."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from domain.scores import RequirementId

#: Unknown keys, NaN and infinities are refused in every file of this room.
STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)

Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]
Weight = Annotated[float, Field(strict=True, gt=0.0)]
Count = Annotated[int, Field(strict=True, ge=1)]
Number = Annotated[float, Field(strict=True)]


class Basis(StrEnum):
    """Who says that a provision belongs to a requirement."""

    COMPLAI_SITE = "complai_site"
    #: ours; printed as "our mapping; not legal advice", never as COMPL-AI's
    OWN_MAPPING = "own_mapping"


class Kind(StrEnum):
    """Whether a requirement can be measured or only declared."""

    MEASURABLE = "measurable"
    DECLARED = "declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActReference:
    """A provision of Regulation (EU) 2024/1689 a requirement is relevant to."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    ref: Text
    basis: Basis
    note: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One of the eighteen technical requirements."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    id: RequirementId
    name: Text
    #: One sentence for a compliance reviewer.
    description: Text
    kind: Kind
    act_refs: tuple[ActReference, ...]
    #: What an endpoint alone cannot show: ``training_corpus``, ``watermark_detector``, ``document``.
    needs_evidence: tuple[Text, ...] = ()
    #: What a reader is told while that evidence is missing.
    evidence_sentence: Text | None = None
    #: Form by which a declared requirement is documented.
    form: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Principle:
    """One of the six principles, also the one without a requirement at model level."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    id: Annotated[str, Field(pattern="^P[1-6]$")]
    name: Text
    act_refs: tuple[ActReference, ...] = ()
    #: Shown in place of requirements where there are none.
    note: Text | None = None
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A companion metric that must hold, or the headline does not count."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    metric: Text
    op: Literal[">", ">=", "<", "<="]
    #: Exactly one of a number and another metric of the same benchmark.
    value: Number | None = None
    than: Text | None = None
    #: The point, or the end of its interval that is harder to fulfil.
    use: Literal["value", "interval_low", "interval_high"] = "value"
    #: What a failing guard unmasks, as the end of a sentence.
    because: Text
    #: Holds only a score back whose interval reaches above this share: a guard against numbers that flatter has nothing
    #: to say of one that is surely bad, and the worst models would go without a number.
    only_above: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedBenchmark:
    """A benchmark of a suite: which metric counts for which requirement, how much, and when it does not."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    requirement: RequirementId
    key: Text
    title: Text
    metric: Text
    normaliser: Text
    params: Mapping[str, Number] = field(default_factory=dict)
    #: Further metrics of a normaliser that takes several, in its order.
    inputs: tuple[Text, ...] = ()
    weight: Weight = 1.0
    #: Items the headline must rest on.
    min_n: Count
    #: Items to ask for a quick look: the fewest with which the headline rests on ``min_n``.
    quick: Count | None = None
    guards: tuple[Guard, ...] = ()
    companions: tuple[Text, ...] = ()
    min_parse_ok: Share = 0.90
    max_empty: Share = 0.05
    max_error: Share = 0.02
    #: 1.0 where a cut answer can be scored as well as a whole one.
    max_truncated: Share = 0.10
    #: Key of the benchmark it stands in for where an endpoint cannot run that one; never mixed with it.
    alternative_to: Text | None = None
    #: Counts where an endpoint can run it and has no weight elsewhere, where a score is whole without it.
    where_possible: bool = False
    #: Why nobody can run it yet; it keeps its weight, so the requirement stays partial.
    unavailable: Text | None = None
    #: Small labels beside the score: ``lexical classifier``, ``stated confidence``.
    tags: tuple[Text, ...] = ()

    @property
    def formula(self) -> str:
        """The normaliser with what it is given: ``chance_corrected(chance=0.25)``."""
        given = [*self.inputs, *(f"{name}={value:g}" for name, value in self.params.items())]
        return f"{self.normaliser}({', '.join(given)})" if given else self.normaliser


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A named set of benchmarks."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    title: Text
    description: Text
    languages: tuple[Text, ...]
    #: Sentences that belong to every assessment of this suite.
    limitations: tuple[Text, ...] = ()
    benchmarks: tuple[MappedBenchmark, ...]
    #: Benchmarks beside those that a file shares between suites; they stand among the others once it was read.
    further: tuple[MappedBenchmark, ...] = ()
    #: Benchmarks of what an operator supplies beside the model; without it nothing of them is run, and their
    #: requirement says what it needs.
    evidence: tuple[MappedBenchmark, ...] = ()
    #: Whether a run asks only the seeded part that each benchmark's ``quick`` names, unless another number is given.
    part: bool = False
    #: Why a measurable requirement has no benchmark here.
    without_benchmark: Mapping[RequirementId, Text] = field(default_factory=dict)

    @property
    def all_benchmarks(self) -> tuple[MappedBenchmark, ...]:
        """Those of the model, then those of what an operator supplies."""
        return (*self.benchmarks, *self.evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFile:
    """A map file as it stands on disk."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    schema: Literal[1]
    map_id: Text
    map_version: Text
    sources: Mapping[str, Text]
    disclaimer: Text
    mapping_note: Text
    #: Sentences that belong to every assessment.
    limitations: tuple[Text, ...]
    #: What each small label beside a score means.
    tags: Mapping[str, Text]
    principles: tuple[Principle, ...]
    suites: Mapping[str, Suite]
