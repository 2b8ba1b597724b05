"""The language model lm-eval sees: our endpoint client, with every answer kept beside what lm-eval is given."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from domain.answers import Answer, Outcome, Request, Route, TokenLogprob
from domain.benchmarks import Asked, Method
from domain.endpoints import Capabilities
from domain.hashing import sha256_of
from evaluators.benchmarks import pictures, repeats
from evaluators.benchmarks.system_role import takes_system, without_system
from evaluators.endpoints import logprobs
from evaluators.endpoints.client import Client

T = TypeVar("T")
DEFAULT_MAX_TOKENS = 256
#: The chat route of OpenAI takes no more; the rest is cut here.
MOST_STOPS = 4
#: Generation settings of a task that are sent as they are.
_SENT = frozenset({
    "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty", "logprobs",
    "top_logprobs", "response_format", "reasoning_effort", "chat_template_kwargs",
})  # fmt: skip
_HANDLED = frozenset({"until", "max_gen_toks", "max_tokens", "temperature", "do_sample"})


class ChatPrompt(str):
    """Chat messages in the shape of the text lm-eval expects of a chat template."""

    __slots__ = ("messages",)
    messages: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, messages: Sequence[Mapping[str, Any]]) -> "ChatPrompt":
        """Keep the messages and show their text."""
        prompt = cls("\n\n".join(f"{m['role']}: {m['content']}" for m in messages))
        prompt.messages = tuple(dict(m) for m in messages)
        return prompt


@dataclass(slots=True)
class Item:
    """What one question got from the endpoint."""

    asked: list[Asked] = field(default_factory=list)
    #: The first failed request, if any: the question is then not scored.
    failure: Answer | None = None
    empty: bool = False
    truncated: bool = False
    filtered: bool = False

    def note(self, asked: Asked) -> None:
        """Keep one request with its answer."""
        self.asked.append(asked)
        if asked.answer.outcome is Outcome.ERROR and self.failure is None:
            self.failure = asked.answer


class ServedModel(LM):  # type: ignore[misc]  # lm-eval carries no type information
    """A served model behind lm-eval's three kinds of request; all requests of one call are asked at once."""

    tokenizer_name = ""

    def __init__(
        self,
        client: Client,
        capabilities: Capabilities,
        *,
        method: Method,
        seed: int,
        images: bool = False,
        samples: int = 1,
    ) -> None:
        super().__init__()
        if images:  # lm-eval copies every logged item of a model that has this attribute, so text tasks go without
            self.MULTIMODAL = True
        self._client = client
        self._capabilities = capabilities
        self._model = client.endpoint.model
        self._method = method
        self._seed = seed
        #: Answers to each question; they come one after the other.
        self._samples = samples
        #: By the position of the question among those asked.
        self.items: dict[int, Item] = defaultdict(Item)
        #: Generation settings of the task that an endpoint cannot be sent.
        self.ignored_settings: set[str] = set()
        #: What stopped the asking; whatever else lm-eval raises is the task's fault.
        self.stopped_by: BaseException | None = None

    def apply_chat_template(
        self,
        chat_history: list[dict[str, str]],
        add_generation_prompt: bool = True,  # noqa: ARG002, FBT001, FBT002
    ) -> ChatPrompt:
        """The messages themselves: the server applies its template."""
        return ChatPrompt.of(chat_history if takes_system(self._capabilities) else without_system(chat_history))

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """Texts, cut at the task's stop strings; an error is "" here and recorded as an error."""
        before: Counter[int] = Counter()
        asked: list[Request] = []
        for instance in requests:
            number = self._number(instance.doc_id) * (instance.repeats or 1)
            asked.append(self._generation(instance, number + before[id(instance)]))
            before[id(instance)] += 1
        answers = self._guarded(lambda: self._client.ask(asked))
        shown = _Shown("prompt")
        return [
            self._text(instance, answer, shown.of(instance.args[0], _images(instance)))
            for instance, answer in zip(requests, answers, strict=True)
        ]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Log-likelihood of each continuation by the method the probe found; an error is 0.0 here and recorded."""
        pairs = [(str(instance.args[0]), str(instance.args[1])) for instance in requests]
        scored = self._guarded(
            lambda: logprobs.score_continuations(self._client, self._capabilities, pairs, method=self._method)
        )
        shown = _Shown("user" if self._method is Method.LETTERS_TOP_LOGPROBS else "prompt")
        for instance, pair, score in zip(requests, pairs, scored, strict=True):
            self._note(instance, shown.of(pair[0]), pair[1], score)
        return [(score.value or 0.0, bool(score.is_greedy)) for score in scored]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Log-likelihood of whole texts; an error is 0.0 here and recorded."""
        texts = [str(instance.args[0]) for instance in requests]
        scored = self._guarded(lambda: logprobs.rolling(self._client, self._capabilities, texts, method=self._method))
        for instance, text, score in zip(requests, texts, scored, strict=True):
            self._note(instance, (), text, score)
        return [score.value or 0.0 for score in scored]

    def _note(
        self, instance: Instance, messages: tuple[Mapping[str, Any], ...], continuation: str, score: logprobs.Scored
    ) -> None:
        answer = _merged(score, messages, continuation)
        self.items[instance.doc_id].note(
            Asked(messages=messages, answer=answer, continuation=continuation, loglikelihood=score.value)
        )

    def _generation(self, instance: Instance, repeat: int) -> Request:
        payload = self._payload(dict(instance.args[1]))
        return self._request(instance.args[0], payload, repeat=repeat, images=_images(instance))

    def request(self, messages: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], *, position: int) -> Request:
        """What asks for the next answer of a conversation, with a task's generation settings."""
        return self._request(ChatPrompt.of(messages), self._payload(settings), repeat=self._number(position))

    def _number(self, position: int) -> int:
        """Which answer to its question the one at a position among all is, counted from 0."""
        return position % self._samples

    def _payload(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        self.ignored_settings |= settings.keys() - _SENT - _HANDLED
        payload: dict[str, Any] = {
            "max_tokens": int(settings.get("max_gen_toks") or settings.get("max_tokens") or DEFAULT_MAX_TOKENS),
            "temperature": settings.get("temperature", 0) if settings.get("do_sample", True) else 0,
        }
        if stops := _stops(settings)[:MOST_STOPS]:
            payload["stop"] = stops
        return payload | {key: settings[key] for key in sorted(_SENT & settings.keys())}

    def _request(self, prompt: str, settings: dict[str, Any], *, repeat: int, images: Sequence[Any] = ()) -> Request:
        common = {"model": self._model, **settings, "seed": repeats.seed_of(self._seed, repeat)}
        if isinstance(prompt, ChatPrompt):
            messages = pictures.attach(prompt.messages, images) if images else list(prompt.messages)
            return Request(route=Route.CHAT, payload={**common, "messages": messages}, repeat=repeat)
        if common.get("top_logprobs"):
            common["logprobs"] = common.pop("top_logprobs")
        return Request(route=Route.COMPLETIONS, payload={**common, "prompt": prompt}, repeat=repeat)

    def _text(self, instance: Instance, answer: Answer, messages: tuple[Mapping[str, Any], ...]) -> str:
        item = self.items[instance.doc_id]
        item.note(Asked(messages=messages, answer=answer))
        if answer.outcome is Outcome.ERROR:
            return ""
        text = cut(answer.text, _stops(instance.args[1]))
        item.truncated |= answer.outcome is Outcome.TRUNCATED and text == answer.text
        item.filtered |= answer.outcome is Outcome.FILTERED
        item.empty |= not text.strip() and answer.outcome is not Outcome.FILTERED
        return text

    def _guarded(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except BaseException as stop:
            self.stopped_by = stop
            raise


class _Shown:
    """Prompts as a reader sees them, one object for all requests that share one."""

    def __init__(self, role: str) -> None:
        self._role = role
        self._messages: dict[str, tuple[Mapping[str, Any], ...]] = {}

    def of(self, prompt: str, images: Sequence[Any] = ()) -> tuple[Mapping[str, Any], ...]:
        if images:
            return pictures.described(self.of(prompt), images)
        if prompt not in self._messages:
            plain = ({"role": self._role, "content": prompt},)
            self._messages[prompt] = prompt.messages if isinstance(prompt, ChatPrompt) else plain
        return self._messages[prompt]


def _images(instance: Instance) -> Sequence[Any]:
    return (instance.args[2].get("visual") or ()) if len(instance.args) > 2 else ()


def _stops(settings: Mapping[str, Any]) -> list[str]:
    until = settings.get("until") or []
    return [stop for stop in ([until] if isinstance(until, str) else until) if stop]


def cut(text: str, stops: Sequence[str]) -> str:
    r"""The text before the first stop string, also where the server did not stop at it.

    >>> cut("B\n\nQuestion: next", ["\n\n", "Q:"])
    'B'
    """
    ends = [place for stop in stops if (place := text.find(stop)) >= 0]
    return text[: min(ends)] if ends else text


def _merged(score: logprobs.Scored, messages: Sequence[Mapping[str, Any]], continuation: str) -> Answer:
    """The answers one log-likelihood was made of as one: all tokens in order, or the failure.

    The alternatives at each token stay with the stored answer; the item keeps what its value is the sum of.
    """
    if score.value is None:
        failed = next((answer for answer in score.answers if answer.outcome is Outcome.ERROR), None)
        if failed is not None:
            return failed
        nothing = Answer(key=sha256_of([messages, continuation]), outcome=Outcome.ERROR)
        blank = score.answers[0] if score.answers else nothing
        return replace(blank, outcome=Outcome.ERROR, error_class=score.error, error=score.reason)
    answers = score.answers
    tokens = tuple(TokenLogprob(token.token, token.logprob) for answer in answers for token in answer.logprobs)
    if len(answers) == 1:
        return replace(answers[0], logprobs=tokens)
    return replace(
        answers[0],
        text="".join(answer.text for answer in answers),
        logprobs=tokens,
        prompt_tokens=_total(answer.prompt_tokens for answer in answers),
        completion_tokens=_total(answer.completion_tokens for answer in answers),
        latency_s=sum(answer.latency_s for answer in answers),
        attempts=max(answer.attempts for answer in answers),
        answered_at=max(answer.answered_at for answer in answers),
    )


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
