"""A finding in the making: what was asked of which capability, until the answer decides it."""

from dataclasses import dataclass

from domain.answers import Answer
from domain.endpoints import Capability, Finding


@dataclass(frozen=True, slots=True)
class Claim:
    """One capability and the question that decides on it; answers are quoted short enough for a table."""

    capability: Capability
    asked: str

    def yes(self, answered: str | Answer, reason: str) -> Finding:
        """The endpoint has it."""
        return self._finding(answered, reason, available=True)

    def no(self, answered: str | Answer, reason: str) -> Finding:
        """The endpoint lacks it; the reason says what cannot run."""
        return self._finding(answered, reason, available=False)

    def undecided(self, answered: str | Answer, reason: str) -> Finding:
        """It could not be decided; counts as absent."""
        return self._finding(answered, reason, available=None)

    def _finding(self, answered: str | Answer, reason: str, *, available: bool | None) -> Finding:
        shown = excerpt(answered) if isinstance(answered, Answer) else answered
        return Finding(capability=self.capability, available=available, asked=self.asked, answered=shown, reason=reason)


def excerpt(answer: Answer, length: int = 120) -> str:
    """What came back, on one short line."""
    text = answer.error or answer.text.strip() or (answer.reasoning and f"[reasoning] {answer.reasoning}") or ""
    text = " ".join(text.split()) or f"[{answer.outcome}]"
    return text if len(text) <= length else text[: length - 1] + "…"
