"""A served model, and what was found out about it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

#: Stands where an address would, before the name of the tool whose results were imported; no server has such a one.
IMPORTED_FROM = "imported:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A served model behind an OpenAI-compatible address. Holds where a key is found, never the key."""

    id: str
    name: str
    #: Root of the API without a trailing slash and without the route: ``http://host:port/v1``.
    base_url: str
    #: Model id sent in every payload.
    model: str
    #: ``env:VARIABLE`` or ``file:ENTRY`` of the secrets file; None where no key is needed.
    api_key_ref: str | None = None
    max_in_flight: int = 8
    timeout_s: float = 120.0
    created_at: datetime
    #: Requests sent in any minute at most, evenly spaced; None where only the requests in flight are limited.
    requests_per_minute: int | None = None
    #: Name of the queue its runs wait in, for workers that serve only some; None for the common one.
    queue: str | None = None

    @property
    def is_imported(self) -> bool:
        """Whether it stands for a model of which only results of another tool are known; nothing can be asked of it."""
        return self.base_url.startswith(IMPORTED_FROM)

    @property
    def is_local(self) -> bool:
        """Whether the model is served on this machine's loopback interface."""
        host = self.base_url.split("//", 1)[-1].split("/", 1)[0].rsplit("@", 1)[-1]
        host = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return host in {"localhost", "[::1]"} or host.startswith("127.")


class Capability(StrEnum):
    """One thing an endpoint can or cannot do; only a probe says which."""

    CHAT = "chat"
    COMPLETIONS = "completions"
    #: log-probabilities of the prompt's own tokens, by the legacy completions route with echo
    ECHO_LOGPROBS = "echo_logprobs"
    #: exact log-probability of a chosen token, forced by logit_bias and verified against its natural value
    FORCED_LOGPROBS = "forced_logprobs"
    #: the most likely tokens of a generated position on the chat route
    TOP_LOGPROBS = "top_logprobs"
    TOKENIZE = "tokenize"
    IMAGES = "images"
    EMBEDDINGS = "embeddings"
    RERANK = "rerank"
    SYSTEM_PROMPT = "system_prompt"
    STOP_STRINGS = "stop_strings"
    #: two greedy answers to the same question were equal
    REPEATABLE = "repeatable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one probe asked, what came back and what follows from it."""

    capability: Capability
    #: None: could not be decided (the reason says why).
    available: bool | None
    asked: str
    answered: str
    #: One sentence for a reader: why it is so, and what cannot run because of it.
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """The result of one probe of one endpoint."""

    endpoint_id: str
    probed_at: datetime
    findings: tuple[Finding, ...]
    #: Tokens, as far as the server tells; None when it does not.
    context_length: int | None = None
    #: What the server calls the model.
    served_model: str | None = None
    #: What it tells of the weights, equal in every probe of the same ones; its own version is none of it.
    fingerprint: str | None = None
    #: What it calls itself, with its version where it tells one.
    server: str | None = None
    #: Requests per second seen while probing with the endpoint's own concurrency; for estimates only.
    requests_per_s: float | None = None
    prompt_tokens_per_s: float | None = None
    completion_tokens_per_s: float | None = None

    @property
    def weights(self) -> str | None:
        """All that the server tells of which weights it serves; None when that is nothing."""
        return " · ".join(told for told in (self.served_model, self.fingerprint) if told) or None

    def has(self, capability: Capability) -> bool:
        """Whether the probe showed the capability; undecided counts as absent."""
        return any(f.capability is capability and f.available is True for f in self.findings)

    def finding(self, capability: Capability) -> Finding | None:
        """The finding on one capability, if it was probed."""
        return next((f for f in self.findings if f.capability is capability), None)
