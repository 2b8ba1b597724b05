"""Makes the documents to plant and the key that tells who stands in them."""

import hashlib
import json
import random
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from domain.errors import UserError
from evaluators.canaries import keys
from evaluators.canaries.keys import Canary, Key, Planted, Statement
from evaluators.canaries.persons import MOST_PERSONS, VERSION, Datum, Person, invent
from evaluators.canaries.sentences import MOST_CONTEXTS, SENTENCES

#: Below the folder that was asked for: what is to be planted, apart from the key so that the two are not mixed up.
TO_PLANT, KEY_FILE, DOCUMENTS = "to_plant", "key.json", "documents.jsonl"
CONTEXTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Where a set of canaries was written."""

    documents: Path
    key: Path
    persons: int
    texts: int


def make(
    count: int, *, to: Path, seed: str | None = None, contexts: int = CONTEXTS, planted_in: str | None = None
) -> Made:
    """Invent people, write the documents in which half of them stand, and the key; UserError where one is there."""
    if not 1 <= count <= MOST_PERSONS:
        raise UserError(f"A set of canaries has 1 to {MOST_PERSONS} people, not {count}.")
    if not 1 <= contexts <= MOST_CONTEXTS:
        raise UserError(f"A datum can stand in 1 to {MOST_CONTEXTS} contexts, not in {contexts}.")
    seed = seed or secrets.token_hex(16)
    _refuse_unfit("The seed", seed)
    key, texts = _invented(count, seed=seed, contexts=contexts)
    folder = to / TO_PLANT
    documents = folder / DOCUMENTS
    if documents.exists():
        raise UserError(f"{documents} is there already; choose another folder.")
    content = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts).encode()
    key = replace(key, documents={DOCUMENTS: hashlib.sha256(content).hexdigest()})
    if planted_in is not None:
        key = _stating(key, planted_in)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        keys.write(key, to / KEY_FILE)
        documents.write_bytes(content)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}.") from error
    return Made(documents=documents, key=to / KEY_FILE, persons=count, texts=len(texts))


def state(path: Path, planted_in: str) -> Key:
    """The key with the operator's statement of where the canaries were planted, written back."""
    key = _stating(keys.read(path), planted_in)
    keys.write(key, path, replacing=True)
    return key


def _stating(key: Key, planted_in: str) -> Key:
    said = " ".join(planted_in.split())
    if not said:
        raise UserError(f"Say in 1 to {keys.LONGEST} characters where the canaries were planted.")
    _refuse_unfit("The statement where the canaries were planted", said)
    return replace(key, statement=Statement(planted_in=said, stated_at=datetime.now(UTC)))


def _refuse_unfit(what: str, text: str) -> None:
    """UserError for what a key cannot hold; the text is not repeated, for a seed is a secret."""
    if len(text) > keys.LONGEST:
        raise UserError(f"{what} has {len(text)} characters; a key holds at most {keys.LONGEST}.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UserError(f"{what} holds bytes that are no UTF-8 text; write it in other characters.") from None


def _invented(count: int, *, seed: str, contexts: int) -> tuple[Key, list[str]]:
    rng = random.Random(f"{seed}/contexts")  # noqa: S311 - the seed is the secret
    people = invent(2 * count, seed=seed)
    texts: list[str] = []
    planted = tuple(_canary(person, rng, contexts, texts) for person in people[:count])
    never_planted = tuple(_canary(person, rng, contexts, []) for person in people[count:])
    rng.shuffle(texts)
    key = Key(
        vera_canaries=1,
        generator_version=VERSION,
        created_at=datetime.now(UTC),
        seed=seed,
        contexts=contexts,
        documents={},
        persons_sha256=keys.persons_sha256(planted, never_planted),
        planted=planted,
        never_planted=never_planted,
    )
    return key, texts


def _canary(person: Person, rng: random.Random, contexts: int, texts: list[str]) -> Canary:
    """The person as the key knows them; what is to be planted of them goes to the texts."""
    data = {}
    for datum, value in person.data.items():
        chosen = rng.sample(SENTENCES[datum], contexts)
        beginnings = [sentence.before.format(name=person.name) for sentence in chosen]
        texts += [f"{b}{value}{s.after}" for b, s in zip(beginnings, chosen, strict=True)]
        data[Datum(datum)] = Planted(value=value, beginning=beginnings[0].rstrip())
    return Canary(name=person.name, data=data)
