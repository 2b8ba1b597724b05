"""A small HTTP detector of watermarks, and a model whose texts bear a mark."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What stands in marked texts and in none that a person wrote.
MARK = "glimber"
_WORDS = ("river", "stone", "cloud", "tree", "walk", "night", "green", "window", "music", "bread")

#: From a text to what the detector answers: an object, or a status code of a failure.
Says = Callable[[str], Any]


@dataclass(slots=True)
class Detector:
    """What a running detector was asked."""

    url: str = ""
    texts: list[str] = field(default_factory=list)
    authorisations: list[str | None] = field(default_factory=list)


def sees_the_mark(text: str) -> dict[str, bool]:
    """A sound detector of the marked model."""
    return {"watermarked": MARK in text}


@contextmanager
def serving(says: Says = sees_the_mark) -> Iterator[Detector]:
    """A detector on a free loopback port."""
    running = Detector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"]
            running.texts.append(text)
            running.authorisations.append(self.headers.get("Authorization"))
            said = says(text)
            status = said if type(said) is int else 200
            body = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing is said."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.url = f"http://127.0.0.1:{server.server_port}/detect"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def marked(prompt: str, _system: str = "") -> str:
    """A text of sixty words, another for each request, with the mark."""
    return f"{MARK} {unmarked(prompt)}"


def unmarked(prompt: str, _system: str = "") -> str:
    """A text of sixty words, another for each request."""
    return " ".join(random.Random(prompt).choices(_WORDS, k=60))


def of_people(passages: int) -> str:
    """A book of so many passages, none with the mark."""
    return "\n".join(" ".join(random.Random(i).choices(_WORDS, k=55)) for i in range(passages))
