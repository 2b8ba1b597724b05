"""Addresses of detectors, and what of them may be a secret."""

import itertools
import re
from urllib.parse import unquote, urlsplit

from domain.errors import InvalidSettings

#: Runs of letters and digits, and how often the kind of character changes in one that was drawn by chance: at 0.3
#: (base 32) to 0.5 (hexadecimal) of its places. Words joined as in ``WatermarkDetectorV2`` change at 0.1 to 0.2 of
#: theirs. With hyphens and underscores, names such as ``mixtral-8x7b-instruct-q4_k_m`` come near to 0.3.
_RUNS = ((re.compile(r"[A-Za-z0-9]{16,}"), 0.2), (re.compile(r"[A-Za-z0-9_-]{24,}"), 0.3))
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def shown(named: str) -> str:
    """An address without what may be a secret; a name as it is.

    >>> shown("https://user:pw@mark.example:8443/detect?key=abc#x"), shown("my_detector")
    ('https://mark.example:8443/detect', 'my_detector')
    >>> shown("https://mark.example/k/8f3a61c09d2b47e5/detect")
    'https://mark.example/k/…/detect'
    """
    if "://" not in named:
        return named
    try:
        parts = urlsplit(named)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme.lower() not in {"http", "https"} or not host or any(c.isspace() for c in named):
        # the text is not repeated: it may hold a key
        raise InvalidSettings("The detector's address must be like http://host:port/path.")
    where = f"[{host}]" if ":" in host else host
    path = "/".join("…" if looks_like_key(segment) else segment for segment in parts.path.split("/"))
    return f"{parts.scheme.lower()}://{where}{f':{port}' if port else ''}{path}"


def has_secret(named: str) -> bool:
    """Whether an address holds a user, a password, a query or a key in its path, none of which is stored.

    >>> has_secret("https://user:pw@mark.example/detect"), has_secret("https://mark.example/detect")
    (True, False)
    >>> has_secret("https://mark.example/8f3a61c09d2b47e5/detect")
    True
    """
    if "://" not in named:
        return False
    return "@" in named or "?" in named or "#" in named or "…" in shown(named)


def looks_like_key(segment: str) -> bool:
    """Whether a part of a path was drawn by chance: a UUID, or a long run of letters and digits that keep changing.

    >>> looks_like_key("550e8400-e29b-41d4-a716-446655440000"), looks_like_key("k3Jx9QmZ2pLw7Rt5")
    (True, True)
    >>> looks_like_key("WatermarkDetectionServiceV2"), looks_like_key("llama-3.1-8b-instruct-q5_k_m")
    (False, False)
    """
    plain = unquote(segment)
    return bool(_UUID.search(plain)) or any(
        _changes(re.sub("[_-]", "", run)) > most for runs, most in _RUNS for run in runs.findall(plain)
    )


def _changes(run: str) -> float:
    """Share of places at which the kind of character changes; a capital that begins a word changes once."""
    pairs = [(_kind(a), _kind(b)) for a, b in itertools.pairwise(run)]
    return sum(a != b and (a, b) != ("capital", "small") for a, b in pairs) / max(1, len(pairs))


def _kind(character: str) -> str:
    if character.isdigit():
        return "digit"
    return "capital" if character.isupper() else "small"
