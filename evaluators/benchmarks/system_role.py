"""How what the system says reaches a server that has no role for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.endpoints import Capabilities, Capability


def takes_system(capabilities: Capabilities) -> bool:
    """Whether a system message is sent as such: unless the probe showed that the server refuses or drops it."""
    found = capabilities.finding(Capability.SYSTEM_PROMPT)
    return found is None or found.available is not False


def without_system(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    r"""The same with what the system would say at the head of the user's first message.

    >>> without_system([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}])
    [{'role': 'user', 'content': 'Be brief.\n\nWhy?'}]
    """
    if len(messages) < 2 or messages[0]["role"] != "system":
        return [dict(message) for message in messages]
    first = {**messages[1], "content": f"{messages[0]['content']}\n\n{messages[1]['content']}"}
    return [first, *(dict(message) for message in messages[2:])]


def messages_of(text: str, *, system: str | None, capabilities: Capabilities) -> list[dict[str, Any]]:
    """The messages of a conversation of one turn, as the server takes them."""
    said = [] if system is None else [{"role": "system", "content": system}]
    messages = [*said, {"role": "user", "content": text}]
    return messages if takes_system(capabilities) else without_system(messages)
