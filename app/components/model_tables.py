"""What a probe found out about a served model, and what follows for an evaluation."""

from collections.abc import Mapping, Sequence
from html import escape

from app.components.evidence_tables import key_values
from app.components.markup import Cell, Row, Table, small, state
from domain.endpoints import IMPORTED_FROM, Capabilities, Capability, Endpoint, Finding

CAPABILITY_WORDS: dict[Capability, str] = {
    Capability.CHAT: "Chat",
    Capability.COMPLETIONS: "Text completion",
    Capability.ECHO_LOGPROBS: "Probabilities of a given text (echo)",
    Capability.FORCED_LOGPROBS: "Probability of a chosen word (forced token)",
    Capability.TOP_LOGPROBS: "Probabilities of its own answers",
    Capability.TOKENIZE: "Shows how it cuts text into tokens",
    Capability.IMAGES: "Images",
    Capability.EMBEDDINGS: "Embeddings",
    Capability.RERANK: "Ranking of passages",
    Capability.SYSTEM_PROMPT: "Follows an instruction given beforehand",
    Capability.STOP_STRINGS: "Stops at a given text",
    Capability.REPEATABLE: "Gives the same answer twice",
}


def capabilities(found: Capabilities) -> str:
    """The findings of a probe with their evidence."""
    return Table(
        caption="What was asked of the endpoint, what came back, and what it means",
        headers=("It offers", "Found", "Asked", "Came back", "What it means"),
        rows=[_finding_row(finding) for finding in found.findings],
        kind="evidence",
    ).markup()


def _finding_row(finding: Finding) -> Row:
    sign, word, tone = availability(finding.available)
    return Row(
        cells=(
            Cell(kind="th", html=escape(CAPABILITY_WORDS[finding.capability])),
            Cell(html=state(sign, word), label="Found", tone=tone),
            Cell(html=escape(_short(finding.asked)), label="Asked"),
            Cell(html=escape(_short(finding.answered)), label="Came back"),
            Cell(html=escape(finding.reason), label="What it means"),
        )
    )


def _short(text: str, longest: int = 240) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"


def availability(available: bool | None) -> tuple[str, str, str]:  # noqa: FBT001 - the value itself is what is worded
    """Sign, word and colour class of a finding."""
    if available is None:
        return "◆", "undecided", "open"
    return ("✔", "yes", "good") if available else ("✖", "no", "mute")


def summary(found: Capabilities) -> str:
    """The probe in one line, for the place where a model is picked."""
    shown = (Capability.CHAT, Capability.COMPLETIONS, Capability.TOP_LOGPROBS, Capability.IMAGES)
    parts = []
    for capability in shown:
        finding = found.finding(capability)
        if finding is not None:
            sign, word, _ = availability(finding.available)
            parts.append(f"{CAPABILITY_WORDS[capability].lower()} {sign} {word}")
    if found.context_length:
        parts.append(f"context {found.context_length:,} tokens")
    return " · ".join(parts)


def blocked(reasons: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """Benchmarks that cannot run on this endpoint, each with its reason."""
    return Table(
        caption="What cannot run on this endpoint, and why",
        headers=("Benchmark", "Why"),
        rows=[
            Row(
                cells=(
                    Cell(kind="th", html=escape(titles.get(key, key)) + small(key)),
                    Cell(html=escape(reason), label="Why"),
                )
            )
            for key, reason in reasons.items()
        ],
    ).markup()


def facts(found: Capabilities) -> Sequence[tuple[str, str]]:
    """What the server says of itself and how fast it answered; missing is said, not left out."""
    speed = "not measured"
    if found.requests_per_s is not None:
        speed = f"{found.requests_per_s:.1f} requests/s"
    return (
        ("Context length", f"{found.context_length:,} tokens" if found.context_length else "the server does not say"),
        ("Speed while probing", speed),
        ("Model, as the server calls it", found.served_model or "the server does not say"),
        ("Server", found.server or "the server does not say"),
    )


def facts_table(found: Capabilities) -> str:
    """What the server says of itself, as a table."""
    return key_values("The endpoint as it presented itself", dict(facts(found)))


def imported(endpoint: Endpoint) -> str:
    """What is known of a model whose results were imported."""
    return key_values(
        "Known by imported results alone",
        {
            "Model id": endpoint.model,
            "Results of": endpoint.base_url.removeprefix(IMPORTED_FROM),
            "Can be asked": "no: VERA knows no server of it, so it is neither probed nor evaluated here",
        },
    )


def identity(endpoint: Endpoint, key: str) -> str:
    """Address, model id and where its key is found."""
    return key_values(
        "Where the model is served",
        {
            "Address": endpoint.base_url,
            "Model id": endpoint.model,
            "API key": key,
            "Requests at a time": str(endpoint.max_in_flight),
            "Time limit of a request": f"{endpoint.timeout_s:g} s",
        },
    )
