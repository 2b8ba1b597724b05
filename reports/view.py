"""The decision page as the template gets it: finished strings and positions on the bar, no arithmetic left to do."""

from collections.abc import Collection, Mapping
from typing import Any

from domain import words
from domain.energy import EnergyLevel, label, total
from domain.scores import Assessment, RequirementScore, Status
from reports import evidence
from reports.facts import ArticleReference, ReportFacts, RequirementFacts, described


def decision_page(assessment: Assessment, facts: ReportFacts) -> dict[str, Any]:
    """Everything the template prints, in its order."""
    return {
        "id": assessment.id,
        "title": f"Responsible-AI assessment of {assessment.endpoint_name}",
        "headline": facts.headline,
        "energy": energy_line(assessment),
        "identity": _identity(assessment, facts),
        "example_policy": assessment.policy_is_example,
        "policy": f"{assessment.policy_name}, version {assessment.policy_version}",
        "principles": _principles(assessment, facts),
        "declared": _declared(assessment, facts),
        "mapping_note": facts.mapping_note,
        "limitations": list(assessment.limitations),
        "legal": list(facts.legal),
        "evidence": [[key, digest] for key, digest in sorted(assessment.evidence.items())],
        "evidence_sha256": evidence.evidence_sha256(assessment),
        "disclaimer": facts.disclaimer,
    }


def energy_line(assessment: Assessment) -> str:
    """The energy of the evaluation with what it covers; says so where the model's own energy is not in it."""
    reading = total(list(assessment.energy.values()))
    if reading is None:
        return "not measured: no benchmark of this assessment has a reading"
    if reading.energy_kwh is None or reading.level is not EnergyLevel.CLIENT_ONLY or reading.same_host:
        return label(reading)
    return f"model energy not measured. Evaluation client: {label(reading)}"


def _identity(a: Assessment, facts: ReportFacts) -> list[tuple[str, str]]:
    not_told = "not told by the server"
    return [
        ("Model", a.model),
        ("Endpoint", f"{a.endpoint_name}, {a.base_url}"),
        ("Served model", a.served_model or not_told),
        ("Fingerprint", f"{a.fingerprint} (the server's mark of what it serves)" if a.fingerprint else not_told),
        ("Suite", f"{facts.suite_title}. {a.subset_note}" if a.subset_note else facts.suite_title),
        ("Assessed", words.moment_text(a.created_at)),
        ("Assessment", a.id),
        ("Run" if len(a.run_ids) == 1 else "Runs", ", ".join(a.run_ids) or "none"),
        ("Tools", ", ".join(f"{tool} {version}" for tool, version in a.tool_versions.items()) or "not recorded"),
        ("Map", f"{a.map_id} {a.map_version}, SHA-256 {words.short_hash(a.map_sha256)}"),
        ("Policy", f"{a.policy_name} {a.policy_version}, SHA-256 {words.short_hash(a.policy_sha256)}"),
    ]


def _principles(assessment: Assessment, facts: ReportFacts) -> list[dict[str, Any]]:
    known = described(assessment, facts)
    found = []
    for principle in facts.principles:
        measurable = [assessment.score(r.id) for r in principle.requirements if r.id.is_measurable]
        with_number = sum(score.value is not None for score in measurable)
        counted = f"{words.share_text(with_number, len(measurable))} measured" if measurable else principle.note or ""
        rows = [_row(score, known[score.requirement], facts.cut_by_design) for score in measurable]
        found.append({"name": principle.name, "note": counted, "rows": rows})
    return found


def _declared(assessment: Assessment, facts: ReportFacts) -> list[dict[str, Any]]:
    known = described(assessment, facts)
    return [
        _row(score, known[score.requirement], facts.cut_by_design)
        for score in sorted(assessment.scores, key=lambda s: s.requirement)
        if not score.requirement.is_measurable
    ]


def _row(score: RequirementScore, of: RequirementFacts, cut_by_design: Collection[str]) -> dict[str, Any]:
    look = words.score_look(score)
    return {
        "id": score.requirement.value,
        "name": of.name,
        "of": words.about(score),
        "articles": _articles(of.articles),
        "icon": look.icon,
        "word": look.word,
        "marks": _marks(score.thresholds) if score.value is not None else "",
        "score": words.score_text(score.value, score.interval),
        "interval": words.interval_text(score.interval) if score.value is not None else "",
        "reason": words.reason_text(score) if score.value is None else None,
        "bar": _bar(score),
        "n": f"{words.items_behind(score):,}" if words.items_behind(score) else words.NO_NUMBER,
        "coverage": coverage_text(score),
        "rates": rates_text(score, cut_by_design),
    }


def _articles(articles: tuple[ArticleReference, ...]) -> list[str]:
    return [f"{a.ref}{'†' if a.basis == 'complai_site' else ''}" for a in articles]


def _marks(thresholds: Mapping[str, float]) -> str:
    if not {"pass_at", "fail_below"} <= thresholds.keys():
        return ""
    return f"pass ≥ {words.points(thresholds['pass_at'])}, fail < {words.points(thresholds['fail_below'])}"


def _bar(score: RequirementScore) -> dict[str, Any] | None:
    """Positions in [0, 1]; None without a number."""
    if score.value is None:
        return None
    interval = score.interval
    return {
        "value": score.value,
        # A bootstrap interval may reach past the ends of the scale, the bar may not.
        "low": max(interval.low, 0.0) if interval else None,
        "high": min(interval.high, 1.0) if interval else None,
        "pass_at": score.thresholds.get("pass_at"),
        "fail_below": score.thresholds.get("fail_below"),
        "alt": words.spoken(score),
    }


def coverage_text(score: RequirementScore) -> str:
    """Benchmarks with a valid result of all that belong to the requirement, with their share by weight if in part."""
    if not score.benchmarks:
        return words.NO_NUMBER
    counted = words.share_text(sum(b.valid for b in score.benchmarks), len(score.benchmarks))
    if score.status is Status.PARTIAL:
        weight = f", {words.percent_text(score.coverage)} by weight" if score.coverage < 1 else ""
        return f"in part: {counted}{weight}"
    return counted


def rates_text(score: RequirementScore, cut_by_design: Collection[str]) -> str:
    """Shares of unusable answers, the highest among the benchmarks behind the number standing for the requirement."""
    found = words.unusable_words(score, cut_by_design)
    if found is None:
        return words.NO_NUMBER
    return ", ".join(found) or "none"
