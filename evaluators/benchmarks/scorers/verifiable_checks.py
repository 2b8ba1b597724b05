"""One check for each kind of instruction of IFEval (Zhou et al. 2023, arXiv:2311.07911), read strictly.

Words, sentences and letters are counted by their form alone, without a tokeniser or a detector of languages.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

Arguments = Mapping[str, Any]
_ENDINGS = re.compile(r"[.!?…]+[\"'”’)\]*]*(?=\s|$)")
#: After these, and after initials, a full stop ends no sentence.
_ABBREVIATIONS = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|jr|sr|inc|ltd|co)|\b[A-Z])$", re.IGNORECASE
)
_FENCED = re.compile(r"\A```(?:json)?\s*(.*?)\s*(?:```)?\Z", re.IGNORECASE | re.DOTALL)
_CHOICES = ("My answer is yes.", "My answer is no.", "My answer is maybe.")


def words(text: str) -> list[str]:
    """Runs of letters, digits and underscores.

    >>> words("It's 5 o'clock.")
    ['It', 's', '5', 'o', 'clock']
    """
    return re.findall(r"\w+", text)


def sentences(text: str) -> int:
    r"""How many sentences a text has: each line ends one, and so does a full stop that is none of an abbreviation.

    >>> sentences("Dr. Smith came. He left! Why?"), sentences("One\nTwo"), sentences("")
    (3, 2, 0)
    """
    count = 0
    for line in filter(None, map(str.strip, text.splitlines())):
        ends = [m for m in _ENDINGS.finditer(line) if not _is_abbreviation(line, m)]
        rest = line[ends[-1].end() :] if ends else line
        count += len(ends) + bool(re.search(r"\w", rest))
    return count


def _is_abbreviation(line: str, end: re.Match[str]) -> bool:
    return end.group() == "." and end.end() < len(line) and bool(_ABBREVIATIONS.search(line[: end.start()]))


def _compared(count: int, given: Arguments, relation: str, number: str) -> bool:
    wanted = int(given[number])
    return count < wanted if given[relation] == "less than" else count >= wanted


def _has_keywords(text: str, given: Arguments) -> bool:
    return all(word.casefold() in text.casefold() for word in given["keywords"])


def _keyword_frequency(text: str, given: Arguments) -> bool:
    count = text.casefold().count(str(given["keyword"]).strip().casefold())
    return _compared(count, given, "relation", "frequency")


def _lacks_words(text: str, given: Arguments) -> bool:
    return not any(re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) for word in given["forbidden_words"])


def _letter_frequency(text: str, given: Arguments) -> bool:
    count = text.lower().count(str(given["letter"]).lower())
    return _compared(count, given, "let_relation", "let_frequency")


def _sentence_count(text: str, given: Arguments) -> bool:
    return _compared(sentences(text), given, "relation", "num_sentences")


def _word_count(text: str, given: Arguments) -> bool:
    return _compared(len(words(text)), given, "relation", "num_words")


def _paragraph_count(text: str, given: Arguments) -> bool:
    """Paragraphs between lines of three stars; an empty one counts only at the very beginning or end as none."""
    parts = re.split(r"\s?\*\*\*\s?", text)
    inner = parts[1:-1]
    return all(map(str.strip, inner)) and sum(bool(part.strip()) for part in parts) == int(given["num_paragraphs"])


def _paragraph_begins(text: str, given: Arguments) -> bool:
    parts = [part.strip() for part in re.split(r"\n\n", text) if part.strip()]
    place = int(given["nth_paragraph"])
    if len(parts) != int(given["num_paragraphs"]) or place > len(parts):
        return False
    first = re.match(r"[\W_]*([^\s.,?!'\"]+)", parts[place - 1])
    return first is not None and first.group(1).casefold() == str(given["first_word"]).casefold()


def _placeholders(text: str, given: Arguments) -> bool:
    return len(re.findall(r"\[.*?\]", text)) >= int(given["num_placeholders"])


def _postscript(text: str, given: Arguments) -> bool:
    marker = str(given["postscript_marker"]).strip().casefold()
    letters = [re.escape(letter) for letter in marker.replace(".", "")]
    return re.search(r"\.\s?".join(letters) + (r"\." if marker.endswith(".") else ""), text, re.IGNORECASE) is not None


def _bullets(text: str, given: Arguments) -> bool:
    bullets = re.findall(r"^\s*(?:\*(?!\*)|-)\s*\S.*$", text, re.MULTILINE)
    return len([b for b in bullets if not re.fullmatch(r"\s*-{2,}\s*", b)]) == int(given["num_bullets"])


def _constrained(text: str, given: Arguments) -> bool:  # noqa: ARG001 - every check has the same signature
    return any(choice in text for choice in _CHOICES)


def _highlights(text: str, given: Arguments) -> bool:
    found = [*re.findall(r"\*\*([^\n*]+)\*\*", text), *re.findall(r"(?<!\*)\*([^\n*]+)\*(?!\*)", text)]
    return sum(bool(part.strip()) for part in found) >= int(given["num_highlights"])


def _sections(text: str, given: Arguments) -> bool:
    parts = re.split(rf"\s?{re.escape(str(given['section_spliter']))}\s?\d+\s?", text)
    return len(parts) - 1 >= int(given["num_sections"])


def _json(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    fenced = _FENCED.match(text.strip())
    try:
        json.loads(fenced.group(1) if fenced else text)
    except (ValueError, RecursionError):
        return False
    return True


def _title(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    return any(title.strip(" <>") for title in re.findall(r"<<([^\n]+)>>", text))


def _two_responses(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    parts = text.split("******")
    if any(not part.strip() for part in parts[1:-1]):
        return False
    responses = [part.strip() for part in parts if part.strip()]
    return len(responses) == 2 and responses[0] != responses[1]


def _repeats(text: str, given: Arguments) -> bool:
    return text.strip().casefold().startswith(str(given["prompt_to_repeat"]).strip().casefold())


def _ends(text: str, given: Arguments) -> bool:
    return text.strip().strip('"').casefold().endswith(str(given["end_phrase"]).strip().casefold())


def _capital_words(text: str, given: Arguments) -> bool:
    capital = [word for word in re.findall(r"\w+(?:['’-]\w+)*", text) if word.isupper()]
    return _compared(len(capital), given, "capital_relation", "capital_frequency")


def _no_comma(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    return "," not in text


def _quoted(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    stripped = text.strip()
    return len(stripped) > 1 and stripped[0] == stripped[-1] == '"'


def _capital(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    return text.isupper()


def _lowercase(text: str, given: Arguments) -> bool:  # noqa: ARG001 - as above
    return text.islower()


CHECKS: Mapping[str, Callable[[str, Arguments], bool]] = {
    "change_case:capital_word_frequency": _capital_words,
    "change_case:english_capital": _capital,
    "change_case:english_lowercase": _lowercase,
    "combination:repeat_prompt": _repeats,
    "combination:two_responses": _two_responses,
    "detectable_content:number_placeholders": _placeholders,
    "detectable_content:postscript": _postscript,
    "detectable_format:constrained_response": _constrained,
    "detectable_format:json_format": _json,
    "detectable_format:multiple_sections": _sections,
    "detectable_format:number_bullet_lists": _bullets,
    "detectable_format:number_highlighted_sections": _highlights,
    "detectable_format:title": _title,
    "keywords:existence": _has_keywords,
    "keywords:forbidden_words": _lacks_words,
    "keywords:frequency": _keyword_frequency,
    "keywords:letter_frequency": _letter_frequency,
    "length_constraints:nth_paragraph_first_word": _paragraph_begins,
    "length_constraints:number_paragraphs": _paragraph_count,
    "length_constraints:number_sentences": _sentence_count,
    "length_constraints:number_words": _word_count,
    "punctuation:no_comma": _no_comma,
    "startend:end_checker": _ends,
    "startend:quotation": _quoted,
}


def follows(instruction: str, text: str, given: Arguments) -> bool:
    """Whether a text does what one instruction asks; an empty one never does.

    >>> follows("punctuation:no_comma", "None here.", {}), follows("punctuation:no_comma", " ", {})
    (True, False)
    """
    return bool(text.strip()) and CHECKS[instruction](text, given)
