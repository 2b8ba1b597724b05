"""A language model with a watermark and its detector, served on loopback; for ``bench/watermark.py``.

Runs in an environment of its own with ``torch transformers gguf``. The mark is that of Kirchenbauer et al. 2023
(arXiv:2301.10226): the token before chooses a quarter of the vocabulary as green, and green tokens get 2 more on their
logits. ``/marked/v1`` and ``/plain/v1`` answer as an OpenAI-compatible server does, with the mark and without; requests
that wait at the same time are one batch. ``POST /detect`` gives a text's z by transformers' own detector; ``POST /raw``
gives z of many texts by the formula of the paper, written here a second time.
"""

import argparse
import collections
import concurrent.futures
import importlib
import itertools
import json
import math
import threading
import time
from collections.abc import Iterable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

#: Share of the vocabulary that is green, what a green token's logit is raised by, and the key of the mark.
GREEN, BIAS, KEY = 0.25, 2.0, 15485863
#: Requests of one batch, and how long the first of them waits for others.
MOST_AT_ONCE, WAIT_S = 64, 0.3
KINDS = ("marked", "plain")
#: Of a model that cannot take a request.
FAILURES = (ValueError, TypeError, RuntimeError)


class Asked(NamedTuple):
    """What requests of one batch have in common, and the conversation."""

    how: tuple[bool, float, int]
    messages: list[dict[str, Any]]
    seed: int
    answer: concurrent.futures.Future[dict[str, Any]]


class Model:
    """The weights, the mark and the library's detector."""

    def __init__(self, weights: Path, *, threads: int) -> None:
        self.torch: Any = importlib.import_module("torch")
        transformers: Any = importlib.import_module("transformers")
        self.torch.set_num_threads(threads)
        where: dict[str, Any] = {"pretrained_model_name_or_path": str(weights)}
        if weights.is_file():
            where = {"pretrained_model_name_or_path": str(weights.parent), "gguf_file": weights.name}
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(**where, padding_side="left")
        self.model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=self.torch.float32)
        self.mark = transformers.WatermarkingConfig(greenlist_ratio=GREEN, bias=BIAS, hashing_key=KEY)
        # z of pairs that repeat is no normal variable: each different pair counts once
        self.detector = transformers.WatermarkDetector(self.model.config, "cpu", self.mark, ignore_repeated_ngrams=True)
        self.vocabulary = int(self.model.config.vocab_size)
        #: What was written → the tokens that were drawn, which a text need not be cut into again.
        self.drawn: dict[str, list[int]] = {}

    def write(self, batch: Sequence[Asked]) -> None:
        """Answer a batch."""
        is_marked, temperature, most = batch[0].how
        prompts = [
            self.tokenizer.apply_chat_template(asked.messages, tokenize=False, add_generation_prompt=True)
            for asked in batch
        ]
        tokens = self.tokenizer(prompts, padding=True, add_special_tokens=False, return_tensors="pt")
        sampling = {"do_sample": True, "temperature": temperature, "top_k": 0} if temperature else {"do_sample": False}
        self.torch.manual_seed(batch[0].seed)
        with self.torch.inference_mode():
            out = self.model.generate(
                **tokens,
                **sampling,
                max_new_tokens=most,
                pad_token_id=self.tokenizer.eos_token_id,
                watermarking_config=self.mark if is_marked else None,
            )
        start = tokens["input_ids"].shape[1]
        for asked, prompt, row in zip(batch, tokens["attention_mask"], out[:, start:].tolist(), strict=True):
            asked.answer.set_result(self._reply(row, most, int(prompt.sum())))

    def _reply(self, row: list[int], most: int, prompt_tokens: int) -> dict[str, Any]:
        end = self.tokenizer.eos_token_id
        ids = row[: row.index(end)] if end in row else row
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        self.drawn[text] = ids
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "length" if len(ids) == most else "stop",
        }
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": len(ids)}
        return {"object": "chat.completion", "choices": [choice], "usage": usage}

    def ids(self, text: str) -> list[int]:
        """The tokens of a text as the detector sees it, without those of a conversation."""
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def detect(self, text: str) -> dict[str, float] | None:
        """What the library's detector says; None of a text too short for it."""
        ids = self.ids(text)
        if len(ids) < 2:
            return None
        found = self.detector(self.torch.tensor([ids]), return_dict=True)
        return {"score": float(found.z_score[0])}

    def raw(self, texts: Sequence[str]) -> list[dict[str, float | None]]:
        """Of each text z, z with pairs counted as often as they stand there, and z of the tokens that were drawn."""
        seen = [self.ids(text) for text in texts]
        drawn = [self.drawn.get(text, []) for text in texts]
        green = self._green(pair for ids in (*seen, *drawn) for pair in _pairs(ids))
        return [
            {
                "z": _z(set(_pairs(ids)), green),
                "z_repeated": _z(_pairs(ids), green),
                "z_drawn": _z(set(_pairs(others)), green),
                "tokens": len(ids),
            }
            for ids, others in zip(seen, drawn, strict=True)
        ]

    def _green(self, pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        by_first: dict[int, set[int]] = collections.defaultdict(set)
        for first, second in pairs:
            by_first[first].add(second)
        draw = self.torch.Generator()
        found = set()
        for first, seconds in by_first.items():
            draw.manual_seed(KEY * first % (2**64 - 1))
            order = self.torch.randperm(self.vocabulary, generator=draw).tolist()
            found |= {(first, second) for second in seconds.intersection(order[: int(self.vocabulary * GREEN)])}
        return found


def _pairs(ids: Sequence[int]) -> list[tuple[int, int]]:
    return list(itertools.pairwise(ids))


def _z(pairs: Sequence[tuple[int, int]] | set[tuple[int, int]], green: set[tuple[int, int]]) -> float | None:
    """(G − γT) / √(T γ (1 − γ)), equation 3 of the paper: G of T tokens are green, each by chance with γ."""
    if not pairs:
        return None
    count = sum(pair in green for pair in pairs)
    return (count - GREEN * len(pairs)) / math.sqrt(len(pairs) * GREEN * (1 - GREEN))


class Queue:
    """Requests that wait for the model, which answers in one thread what it can answer together."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._waiting: list[Asked] = []
        #: Answers by their request: one that came too late for its client is there when it asks again.
        self._answers: dict[str, concurrent.futures.Future[dict[str, Any]]] = {}
        self._come = threading.Condition()
        threading.Thread(target=self._work, daemon=True).start()

    def ask(self, body: dict[str, Any], *, is_marked: bool) -> dict[str, Any]:
        """The answer, once its batch is written."""
        how = (is_marked, float(body.get("temperature") or 0.0), int(body.get("max_tokens") or 16))
        key = json.dumps([how, body["messages"]])
        with self._come:
            if key not in self._answers:
                self._answers[key] = concurrent.futures.Future()
                self._waiting.append(Asked(how, body["messages"], int(body.get("seed") or 0), self._answers[key]))
                self._come.notify()
        return self._answers[key].result() | {"model": _name(is_marked=is_marked)}

    def _work(self) -> None:
        while True:
            with self._come:
                self._come.wait_for(lambda: self._waiting)
            time.sleep(WAIT_S)
            with self._come:
                how = self._waiting[0].how
                batch = [asked for asked in self._waiting if asked.how == how][:MOST_AT_ONCE]
                self._waiting = [asked for asked in self._waiting if asked not in batch]
            try:
                self._model.write(batch)
            except FAILURES as error:
                for asked in batch:
                    if not asked.answer.done():
                        asked.answer.set_exception(error)


def _name(*, is_marked: bool) -> str:
    return f"smollm2-{KINDS[not is_marked]}"


class Routes:
    """What is answered where."""

    def __init__(self, model: Model) -> None:
        self._model, self._queue = model, Queue(model)
        self._one_at_a_time = threading.Lock()

    def get(self, path: str) -> tuple[int, Any]:
        """Status and content."""
        for kind in KINDS:
            if path == f"/{kind}/v1/models":
                return 200, {"object": "list", "data": [{"id": _name(is_marked=kind == KINDS[0]), "object": "model"}]}
        return 404, {"error": {"message": "There is no such route."}}

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and content."""
        for kind in KINDS:
            if path == f"/{kind}/v1/chat/completions":
                return self._chat(body, is_marked=kind == KINDS[0])
        if path == "/detect":
            with self._one_at_a_time:
                said = self._model.detect(body["text"])
            return (200, said) if said else (422, {"error": "The text is too short."})
        if path == "/raw":
            return 200, self._model.raw(body["texts"])
        return 404, {"error": {"message": "There is no such route."}}

    def _chat(self, body: dict[str, Any], *, is_marked: bool) -> tuple[int, Any]:
        if not all(isinstance(message.get("content"), str) for message in body["messages"]):
            return 400, {"error": {"message": "Text alone is understood."}}
        try:
            return 200, self._queue.ask(body, is_marked=is_marked)
        except FAILURES as error:
            return 400, {"error": {"message": str(error)}}


def _handler(routes: Routes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._write(*routes.get(self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self._write(*routes.post(self.path, json.loads(body)))

        def _write(self, status: int, content: Any) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Nothing is said."""

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def main() -> None:
    """Serve until stopped; the address is the one line that is printed."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--weights", type=Path, required=True, help="a GGUF file, or a folder of transformers")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    model = Model(options.weights, threads=options.threads)
    server = _Server(("127.0.0.1", 0), _handler(Routes(model)))
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
