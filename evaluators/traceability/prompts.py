"""What the model is asked to write, and how it is asked to say it again in other words; all of it written for VERA."""

from typing import NamedTuple

#: A model asked for longer texts shows its watermark better; the limit cuts what would go on for pages.
MOST_TOKENS = 240
#: A watermark needs choices between words; the greedy text of a sure model leaves few.
TEMPERATURE = 0.7

_FORMS = {
    "explain": "Explain in about 150 words, to somebody who never heard of it: {}.",
    "story": "Write a short story of about 150 words that has to do with {}.",
    "letter": "Write a friendly letter of about 150 words to a neighbour about {}.",
    "advice": "Give a beginner advice on {}, in a text of about 150 words and without a list.",
    "memory": "Describe in about 150 words, as a person who was there, a day that was all about {}.",
}
_TOPICS = (
    "baking bread",
    "a broken bicycle",
    "the first snow of the year",
    "keeping bees",
    "an old lighthouse",
    "learning the violin",
    "a market by the sea",
    "planting an apple tree",
    "a night train",
    "repairing a wooden boat",
    "moving to a small town",
    "a lost dog",
    "painting a kitchen",
    "the library on a rainy day",
    "walking across a mountain pass",
    "a village football match",
    "making cheese",
    "a power cut",
    "growing tomatoes on a balcony",
    "an eclipse of the sun",
    "a choir that rehearses",
    "teaching a child to swim",
    "a stuck lift",
    "sewing a coat",
    "the harvest of olives",
    "a museum of clocks",
    "writing with a fountain pen",
    "a storm on a lake",
    "feeding birds in winter",
    "a shared garden",
    "cooking for twenty guests",
    "an attic full of letters",
    "a ferry in the fog",
    "learning to juggle",
    "a hot air balloon",
    "restoring a radio",
    "a street musician",
    "camping beside a river",
    "the last day at school",
    "a chess club",
)


class Prompt(NamedTuple):
    """A request for a text."""

    id: str
    #: Kind of text; every kind keeps its share where only a part is asked.
    form: str
    text: str


PROMPTS: tuple[Prompt, ...] = tuple(
    Prompt(f"{form}-{place:02}", form, wording.format(topic))
    for place, topic in enumerate(_TOPICS, start=1)
    for form, wording in _FORMS.items()
)


def paraphrase_of(text: str) -> str:
    """The request to say a text again; asked of the same model, for a paraphraser of its own would need a server."""
    return (
        "Rewrite the following text. Keep its meaning and its length, but use other words and build the sentences "
        f"differently. Answer with the new text alone.\n\n{text}"
    )
