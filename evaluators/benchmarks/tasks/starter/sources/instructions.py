"""Instructions whose fulfilment a program can check, from templates; each comes with an answer that fulfils it."""

# ruff: noqa: E501 - one item per line is easier to review than a wrapped one

import json
from typing import Any

_WORDS = ("river", "lamp", "window", "orange", "silver", "garden")
_TOPICS = ("rain", "bread", "winter", "music", "horses", "tea")
_ENDINGS = ("good night", "see you soon", "that is all", "thank you", "the end", "well done")
_PAIRS = (
    ("city", "Rome"),
    ("colour", "blue"),
    ("animal", "fox"),
    ("fruit", "plum"),
    ("day", "Friday"),
    ("tool", "saw"),
)
_LISTS = (
    ("pear", "apple", "fig"),
    ("tiger", "horse", "cat"),
    ("spoon", "fork", "knife"),
    ("violin", "drum", "harp"),
    ("Rome", "Oslo", "Cairo"),
    ("snow", "wind", "fog"),
)
_THINGS = ("colours", "animals", "fruits", "tools", "countries", "drinks")
_THREE = (
    "red\nblue\ngreen",
    "cat\ndog\nfox",
    "fig\npear\nplum",
    "saw\nfile\naxe",
    "Peru\nChad\nLaos",
    "tea\nmilk\ncocoa",
)
_LETTERS = ("b", "s", "m", "t", "p", "l")
_TRIPLES = ("bag ball box", "sun sea salt", "moon milk map", "tea tree town", "pen pot park", "leaf lake lamp")
_NUMBERS = (3, 4, 5, 2, 6, 4)


def _item(check: str, text: str, target: str, *, words: list[str] | None = None, number: int = 0) -> dict[str, Any]:
    return {
        "stratum": check,
        "text": text,
        "target": target,
        "check": check,
        "words": words or [],
        "number": number,
    }


def _one_of_each(i: int) -> list[dict[str, Any]]:
    word, topic, ending, number = _WORDS[i], _TOPICS[i], _ENDINGS[i], _NUMBERS[i]
    key, value = _PAIRS[i]
    listed, ordered = list(_LISTS[i]), sorted(_LISTS[i], key=str.lower)
    letter, triple, things = _LETTERS[i], _TRIPLES[i], _THREE[i].split("\n")
    numbered = "\n".join(f"{n}. {thing}" for n, thing in enumerate(things, start=1))
    sentence = " ".join(["I", "like", topic, *["very"] * (number - 1), "much"])
    return [
        _item("repeat", f"Write the word {word} {number} times, separated by commas.", ", ".join([word] * number), words=[word], number=number),
        _item("capitals", f"Write the word {word} in capital letters.", word.upper(), words=[word]),
        _item("word_count", f"Write exactly {number + 3} words, one of them {topic}.", sentence, words=[topic], number=number + 3),
        _item("ending", f"Write a sentence about {topic} and end it with the words {ending}.", f"I like {topic}, {ending}", words=[topic, ending]),
        _item("beginning", f"Write a sentence about {topic} that begins with the word Today.", f"Today we talk about {topic}.", words=[topic, "Today"]),
        _item("json", f'Write a JSON object with the key "{key}" and the value "{value}".', json.dumps({key: value}), words=[key, value]),
        _item("brackets", f"Write the word {word} in square brackets and nothing else.", f"[{word}]", words=[word]),
        _item("numbered", f"List three {_THINGS[i]}, one per line, numbered 1. to 3.", numbered, number=3),
        _item("order", f"Write these words in alphabetical order, separated by commas: {', '.join(listed)}", ", ".join(ordered), words=ordered),
        _item("small_letters", f"Write a sentence about {topic} in small letters only.", f"i like {topic}.", words=[topic]),
        _item("hyphens", f"Spell the word {word} with a hyphen between all letters.", "-".join(word), words=[word]),
        _item("first_letter", f"Write three words that begin with the letter {letter}, separated by spaces.", triple, words=[letter], number=3),
    ]  # fmt: skip


def items() -> list[dict[str, Any]]:
    """Six instructions of each kind."""
    return [row for i in range(len(_WORDS)) for row in _one_of_each(i)]
