"""Short column heads of the overview; the full names and descriptions come from the requirements map."""

from domain.scores import RequirementId

#: Soft hyphens where a narrow column may break the word.
SHORT_NAMES: dict[RequirementId, str] = {
    RequirementId.R01: "Robust­ness",
    RequirementId.R02: "Cyber­attacks",
    RequirementId.R03: "Training data",
    RequirementId.R04: "Copy­right",
    RequirementId.R05: "Privacy",
    RequirementId.R06: "Capa­bilities",
    RequirementId.R07: "Interpret­ability",
    RequirementId.R08: "Says it is an AI",
    RequirementId.R09: "Trace­ability",
    RequirementId.R10: "Bias",
    RequirementId.R11: "Fairness",
    RequirementId.R12: "Harmful content",
}

MEASURABLE: tuple[RequirementId, ...] = tuple(r for r in RequirementId if r.is_measurable)


def labelled(requirement: str) -> str:
    """Id and short name, without the soft hyphens.

    >>> labelled("R07")
    'R07 Interpretability'
    """
    return f"{requirement} {SHORT_NAMES[RequirementId(requirement)]}".replace("\N{SOFT HYPHEN}", "")
