"""The catalogue: six principles, eighteen requirements, and the benchmarks of each suite."""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from pydantic import TypeAdapter

from domain.errors import InvalidSettings, UnknownBenchmark
from domain.scores import RequirementId
from requirements_map import normalisers, yaml_file
from requirements_map.entries import Guard, Kind, MapFile, MappedBenchmark, Principle, Requirement, Suite

_MAP_FILE = TypeAdapter(MapFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """A checked map file with the hash of its bytes."""

    map_id: str
    version: str
    sha256: str
    sources: Mapping[str, str]
    disclaimer: str
    #: What is said wherever a provision of our own mapping is printed.
    mapping_note: str
    #: Sentences that belong to every assessment.
    limitations: tuple[str, ...]
    #: What each small label beside a score means.
    tags: Mapping[str, str]
    principles: tuple[Principle, ...]
    suites: Mapping[str, Suite]

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """All eighteen, R01–R12 before N01–N06."""
        by_id = {r.id: r for p in self.principles for r in p.requirements}
        return tuple(by_id[wanted] for wanted in RequirementId)

    def requirement(self, wanted: str) -> Requirement:
        """The requirement of this id; UnknownBenchmark lists the ids."""
        for requirement in self.requirements:
            if requirement.id == wanted:
                return requirement
        ids = ", ".join(RequirementId)
        raise UnknownBenchmark(f"There is no requirement {wanted!r}; the requirements are {ids}.")

    def suite(self, name: str) -> Suite:
        """The suite of this name; UnknownBenchmark lists the names."""
        try:
            return self.suites[name]
        except KeyError:
            names = ", ".join(sorted(self.suites))
            raise UnknownBenchmark(f"There is no suite {name!r}; the suites are: {names}.") from None

    def benchmarks(self, suite: str, requirements: Iterable[str] | None = None) -> tuple[MappedBenchmark, ...]:
        """The benchmarks of a suite, of all its requirements or of some, in the map's order.

        Alternatives and benchmarks nobody can run yet (``unavailable``) are among them: a reader sees them greyed out.
        """
        entries = self.suite(suite).benchmarks
        if requirements is None:
            return entries
        wanted = {self.requirement(r).id for r in requirements}
        return tuple(b for b in entries if b.requirement in wanted)


@functools.cache
def load() -> Catalogue:
    """The catalogue that comes with this version of VERA."""
    name = "complai.yaml"
    return parse(resources.files("requirements_map").joinpath("data", name).read_bytes(), name=name)


def parse(text: bytes, *, name: str) -> Catalogue:
    """A catalogue from the bytes of a map file; InvalidSettings names file, place and value."""
    document = yaml_file.parse(text, name=name)
    file = yaml_file.check(_MAP_FILE, document.content, name=name)
    file = replace(file, suites={suite_name: _joined(suite) for suite_name, suite in file.suites.items()})
    _check_requirements(file, name)
    for suite_name, suite in file.suites.items():
        _check_suite(suite, f"{name}, suites.{suite_name}", file)
    return Catalogue(
        map_id=file.map_id,
        version=file.map_version,
        sha256=document.sha256,
        sources=file.sources,
        disclaimer=file.disclaimer,
        mapping_note=file.mapping_note,
        limitations=file.limitations,
        tags=file.tags,
        principles=file.principles,
        suites=file.suites,
    )


def _joined(suite: Suite) -> Suite:
    """The suite with all of its benchmarks in one place."""
    return replace(suite, benchmarks=(*suite.benchmarks, *suite.further), further=())


def _refuse_repeated(values: Iterable[Any], place: str) -> None:
    repeated = [str(value) for value, count in Counter(values).items() if count > 1]
    if repeated:
        raise InvalidSettings(f"{place} names {', '.join(repeated)} more than once; keep one of them.")


def _check_requirements(file: MapFile, name: str) -> None:
    _refuse_repeated((p.id for p in file.principles), f"{name}, principles")
    if len(file.principles) != 6:
        raise InvalidSettings(f"{name}, principles has {len(file.principles)} entries; COMPL-AI has six principles.")
    listed = [r for p in file.principles for r in p.requirements]
    _refuse_repeated((r.id for r in listed), f"{name}, requirements")
    missing = [wanted.value for wanted in RequirementId if wanted not in {r.id for r in listed}]
    if missing:
        raise InvalidSettings(f"{name} lacks the requirements {', '.join(missing)}; all eighteen must be there.")
    for principle in file.principles:
        if not principle.requirements and principle.note is None:
            raise InvalidSettings(f"{name}, principle {principle.id} has neither requirements nor a note why; add one.")
    for requirement in listed:
        place = f"{name}, requirement {requirement.id}"
        if (requirement.kind is Kind.MEASURABLE) != requirement.id.is_measurable:
            raise InvalidSettings(f"{place} has the kind {requirement.kind}; R01–R12 are measurable, N01–N06 declared.")
        if bool(requirement.needs_evidence) != (requirement.evidence_sentence is not None):
            raise InvalidSettings(f"{place} must have both needs_evidence and evidence_sentence, or neither.")
        if requirement.kind is Kind.DECLARED and not requirement.needs_evidence:
            raise InvalidSettings(f"{place} is declared and must say which evidence it needs; add needs_evidence.")


def _check_suite(suite: Suite, place: str, file: MapFile) -> None:
    _refuse_repeated((b.key for b in suite.all_benchmarks), f"{place}.benchmarks")
    by_key = {b.key: b for b in suite.all_benchmarks}
    needing = {r.id for p in file.principles for r in p.requirements if r.needs_evidence}
    measured = {b.requirement for b in suite.benchmarks}
    for benchmark in suite.evidence:
        # Evidence may also be added to what is measured of the model anyway.
        if benchmark.requirement not in needing | measured:
            raise InvalidSettings(
                f"{place}.evidence: {benchmark.key} measures {benchmark.requirement}, which needs no evidence; "
                "list it under benchmarks."
            )
    for benchmark in suite.all_benchmarks:
        unknown = [tag for tag in benchmark.tags if tag not in file.tags]
        if unknown:
            raise InvalidSettings(
                f"{place}, benchmark {benchmark.key} has the tag {unknown[0]!r}; explain it under tags."
            )
        _check_benchmark(benchmark, f"{place}, benchmark {benchmark.key}", by_key)
    for requirement in (r for p in file.principles for r in p.requirements):
        mapped = any(b.requirement is requirement.id for b in suite.benchmarks)
        explained = requirement.id in suite.without_benchmark or bool(requirement.needs_evidence)
        if mapped == explained:
            problem = "both a benchmark and a reason for having none" if mapped else "neither a benchmark nor a reason"
            raise InvalidSettings(f"{place}: requirement {requirement.id} has {problem}; keep exactly one.")


def _check_benchmark(benchmark: MappedBenchmark, place: str, by_key: Mapping[str, MappedBenchmark]) -> None:
    if not benchmark.requirement.is_measurable:
        raise InvalidSettings(f"{place} measures {benchmark.requirement}, which can only be declared.")
    problem = normalisers.misuse(benchmark.normaliser, benchmark.params, inputs=1 + len(benchmark.inputs))
    if problem:
        raise InvalidSettings(f"{place}: {problem}")
    for guard in benchmark.guards:
        _check_guard(guard, place)
    if benchmark.alternative_to is None:
        return
    primary = by_key.get(benchmark.alternative_to)
    if primary is None or primary.requirement is not benchmark.requirement or primary.alternative_to is not None:
        raise InvalidSettings(
            f"{place} is an alternative to {benchmark.alternative_to!r}, which is not a benchmark of "
            f"{benchmark.requirement} in this suite; name one that is and is no alternative itself."
        )
    if primary.weight != benchmark.weight:
        raise InvalidSettings(
            f"{place} has the weight {benchmark.weight}, but takes the place of {primary.key} with {primary.weight}; "
            "give both the same weight."
        )


def _check_guard(guard: Guard, place: str) -> None:
    if (guard.value is None) == (guard.than is None):
        raise InvalidSettings(f"{place}: the guard on {guard.metric} needs exactly one of value and than.")
    harder = {"interval_low": (">", ">="), "interval_high": ("<", "<=")}
    if guard.use in harder and guard.op not in harder[guard.use]:
        raise InvalidSettings(
            f"{place}: the guard on {guard.metric} compares {guard.use} by {guard.op!r}, which is the easier end."
        )
