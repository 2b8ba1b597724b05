"""Images of a question: content parts of a chat message for the server, a hash for the reader."""

import base64
import hashlib
import io
from collections.abc import Mapping, Sequence
from typing import Any

_PLACEHOLDER = "<image>"


def attach(messages: Sequence[Mapping[str, Any]], images: Sequence[Any]) -> list[dict[str, Any]]:
    """The messages with the images before the text of the last user message."""
    parts = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in images]
    attached = [dict(message) for message in messages]
    for message in reversed(attached):
        if message["role"] == "user":
            text = str(message["content"]).replace(_PLACEHOLDER, "").strip()
            message["content"] = [*parts, {"type": "text", "text": text}]
            break
    return attached


def described(messages: Sequence[Mapping[str, Any]], images: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """The messages with each image named by the hash of its bytes, for the stored sample."""
    names = " ".join(name(image) for image in images)
    last = max((i for i, message in enumerate(messages) if message["role"] == "user"), default=len(messages) - 1)
    return tuple(
        {**message, "content": f"{names} {message['content']}"} if i == last else message
        for i, message in enumerate(messages)
    )


def name(image: Any) -> str:
    """``[image sha256]`` of the image as it is sent."""
    return f"[image {hashlib.sha256(_png(image)).hexdigest()}]"


def _data_url(image: Any) -> str:
    return f"data:image/png;base64,{base64.b64encode(_png(image)).decode()}"


def _png(image: Any) -> bytes:
    if isinstance(image, bytes):
        return image
    stream = io.BytesIO()
    (image if image.mode in {"RGB", "L"} else image.convert("RGB")).save(stream, format="PNG")
    return stream.getvalue()
