"""The starter suite: what each of its benchmarks asks, what it needs and roughly what it costs."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability
from domain.evidence import Evidence

_TEXT = (frozenset({Capability.CHAT}), frozenset({Capability.COMPLETIONS}))
_CHAT = (frozenset({Capability.CHAT}),)
_TOP_LOGPROBS = (frozenset({Capability.CHAT, Capability.TOP_LOGPROBS}),)


def _starter(
    name: str,
    title: str,
    description: str,
    *,
    items: int,
    needs: tuple[frozenset[Capability], ...],
    prompt_tokens: int,
    completion_tokens: int,
    sensitive: frozenset[str] = frozenset(),
    version: str = "1",
    evidence: Evidence | None = None,
) -> Benchmark:
    return Benchmark(
        key=f"starter_{name}",
        evaluator="lm_eval",
        title=title,
        description=description,
        version=version,
        task=f"starter/{name}.yaml",
        needs=needs,
        scorer=name,
        source="starter",
        licence="Apache-2.0",
        sensitive=sensitive,
        items=items,
        requests_per_item=2 if evidence is Evidence.JUDGE else 1,
        prompt_tokens_per_request=prompt_tokens,
        completion_tokens_per_request=completion_tokens,
        evidence=evidence,
    )


STARTER: tuple[Benchmark, ...] = (
    _starter(
        "contrast_pairs",
        "Contrast pairs",
        "Pairs of short texts that differ in one detail, so that the same question has the answer yes for one and no "
        "for the other; a good model gets both right. One item is one of the two texts.",
        items=128,
        needs=_TEXT,
        prompt_tokens=66,
        completion_tokens=4,
    ),
    _starter(
        "perturbation",
        "Same question, other form",
        "Easy questions asked four times: as they are, with the options in another order, with typing errors and in "
        "capitals; a robust model keeps its answer. One item is one of the four forms.",
        items=256,
        needs=_TEXT,
        prompt_tokens=70,
        completion_tokens=4,
    ),
    _starter(
        "injection",
        "Hidden orders",
        "Questions about a short note in which an order to the model is hidden; a secure model answers the question "
        "and does not follow the order.",
        items=72,
        needs=_CHAT,
        prompt_tokens=81,
        completion_tokens=20,
    ),
    _starter(
        "secret",
        "Keeping a secret",
        "Visitors try to get a code out of a doorkeeper; a secure model never tells it in any form, yet lets in who "
        "knows the password and answers ordinary questions.",
        items=69,
        needs=_CHAT,
        prompt_tokens=96,
        completion_tokens=28,
    ),
    _starter(
        "privacy",
        "Keeping confidences",
        "Notes about invented people, and requests for what they say by those who may know it and by others; a model "
        "that respects privacy tells the former and nobody else.",
        items=72,
        needs=_CHAT,
        prompt_tokens=112,
        completion_tokens=20,
        version="2",
    ),
    _starter(
        "knowledge",
        "General knowledge",
        "Everyday questions of undisputed fact with four options; a good model names the right letter.",
        items=132,
        needs=_TEXT,
        prompt_tokens=68,
        completion_tokens=4,
    ),
    _starter(
        "arithmetic",
        "Arithmetic",
        "Small sums, number sequences and stories with numbers; a good model gives the exact number.",
        items=110,
        needs=_TEXT,
        prompt_tokens=58,
        completion_tokens=20,
    ),
    _starter(
        "instructions",
        "Following instructions",
        "Short orders about form, such as a number of words or capital letters, that a program can check; a good "
        "model follows them to the letter.",
        items=72,
        needs=_CHAT,
        prompt_tokens=45,
        completion_tokens=24,
    ),
    _starter(
        "calibration",
        "Calibration",
        "Questions from easy to impossible at a glance; a calibrated model is right as often as the probability of "
        "its letters says.",
        items=208,
        needs=_TOP_LOGPROBS,
        prompt_tokens=75,
        completion_tokens=1,
    ),
    _starter(
        "calibration_verbal",
        "Calibration as stated",
        "The same questions, where the model writes how sure it is; for servers that show no probabilities. Not "
        "comparable with calibration by probabilities.",
        items=208,
        needs=_CHAT,
        prompt_tokens=96,
        completion_tokens=12,
    ),
    _starter(
        "disclosure",
        "Saying that it is an AI",
        "People ask in many ways whether they talk to a human or to a machine; an honest model says plainly that it "
        "is an AI. Questions about other people and things show that it does not say so of everybody.",
        items=108,
        needs=_CHAT,
        prompt_tokens=44,
        completion_tokens=20,
        version="2",
    ),
    _starter(
        "bias_qa",
        "Prejudice in answers",
        "Situations with two people, one of them of a group that a prejudice is about; a fair model names nobody when "
        "the text leaves it open, and the right one when the text settles it.",
        items=160,
        needs=_TEXT,
        prompt_tokens=87,
        completion_tokens=4,
    ),
    _starter(
        "decisions",
        "Equal decisions",
        "Pairs of applications that differ only in sex or origin, to be decided by a simple rule; a fair model decides "
        "both alike, and rightly.",
        items=160,
        needs=_TEXT,
        prompt_tokens=99,
        completion_tokens=4,
    ),
    _starter(
        "harm",
        "Declining harmful requests",
        "Requests that would hurt somebody, and harmless ones that sound alike; a responsible model declines the "
        "former and answers the latter. Refusals are recognised by their words.",
        items=88,
        needs=_CHAT,
        prompt_tokens=43,
        completion_tokens=38,
        sensitive=frozenset({"harmful"}),
        version="2",
    ),
    _starter(
        "judged_harm",
        "Judged harmfulness",
        "The same requests, answered at more length; a responsible model does no harm with what it writes, and still "
        "helps with the harmless ones. Another served model judges what was written.",
        items=88,
        needs=_CHAT,
        prompt_tokens=270,
        completion_tokens=70,
        sensitive=frozenset({"harmful"}),
        evidence=Evidence.JUDGE,
    ),
)
