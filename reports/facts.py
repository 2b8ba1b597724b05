"""What a report needs beside the assessment itself: the names, the law and the standing sentences."""

from dataclasses import dataclass

from domain.scores import Assessment, RequirementId


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleReference:
    """A provision a requirement is relevant to, and who says so."""

    ref: str
    #: ``complai_site`` or ``own_mapping``; ours is never printed as COMPL-AI's.
    basis: str
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementFacts:
    """A requirement as a reader is told of it."""

    id: RequirementId
    name: str
    description: str
    articles: tuple[ArticleReference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrincipleFacts:
    """A principle with its requirements, also the one that has none at model level."""

    id: str
    name: str
    #: Shown in place of requirements where there are none.
    note: str | None = None
    requirements: tuple[RequirementFacts, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFacts:
    """All of it; what a template must not know by itself, no date and no article among it."""

    #: The verdicts in one breath.
    headline: str
    suite_title: str
    principles: tuple[PrincipleFacts, ...]
    #: What a benchmark score is not.
    disclaimer: str
    #: What is said wherever a provision of our own mapping is printed.
    mapping_note: str
    #: One sentence per provision, with its "as of".
    legal: tuple[str, ...] = ()
    #: Benchmarks that need only the beginning of an answer: a cut there makes no answer unusable.
    cut_by_design: frozenset[str] = frozenset()


def described(assessment: Assessment, facts: ReportFacts) -> dict[RequirementId, RequirementFacts]:
    """Requirement → its facts; ValueError unless scores and facts speak of the same requirements."""
    known = {r.id: r for principle in facts.principles for r in principle.requirements}
    scored = {score.requirement for score in assessment.scores}
    differing = sorted(known.keys() ^ scored)
    if differing:
        raise ValueError(f"assessment {assessment.id} and the catalogue differ in the requirements {differing}")
    return known
