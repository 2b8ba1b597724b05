"""R09 with a real watermark: the evaluation of a marked and of an unmarked model, beside the detector's own figures.

The embedded model is served with the mark of Kirchenbauer et al. 2023 and without (``bench/marked.py``), and evaluated
by ``vera evaluate --requirement R09 --detector …``, which asks transformers' detector over HTTP. The texts that were
stored are then scored by the formula of the paper, without the product and without the library's detector. Every
verdict must be the same; exit code 1 when one is not, or when the unmarked model was recognised.

``python bench/watermark.py --python PYTHON --texts public_domain_texts [--items N]``, from the root of the repository,
where PYTHON is that of an environment of its own with ``torch transformers gguf``. Fewer than 50 items give the product
no rates, but verdicts to compare; 200 are about half an hour of one core for each of the two models.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: From this z on a text counts as marked; by chance that happens to 3 in 100,000 texts (the paper, section 3).
THRESHOLD = 4.0
BY_CHANCE = 1 - statistics.NormalDist().cdf(THRESHOLD)
BENCHMARK = "watermark_detection"
#: More than this of an unmarked model's texts is not chance any more.
MOST_BY_CHANCE = 0.05


@contextmanager
def served(python: Path, weights: Path) -> Iterator[str]:
    """Address of both models and of the detector, while the other environment serves them."""
    command = [str(python), str(ROOT / "bench" / "marked.py"), "--weights", str(weights)]
    environ = os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_WAIT_POLICY": "passive"}
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environ)
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                process.wait()
                log.seek(0)
                sys.exit(f"The marked model did not start: {log.read().strip()[-2000:]}")
            yield address
        finally:
            process.terminate()
            process.wait()


def evaluated(kind: str, address: str, *, home: Path, texts: Path, items: int, in_flight: int) -> dict[str, Any]:
    """What the product says of a run over one of the two models."""
    environ = os.environ | {"VERA_HOME": str(home), "PYTHONPATH": str(ROOT)}

    def vera(*words: str, attempts: int = 1) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "app.cli", *words],
            check=False,
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode == 1 and attempts > 1:  # a slow machine: the same command asks only the rest
            return vera(*words, attempts=attempts - 1)
        if done.returncode:
            sys.exit(f"vera {' '.join(words)} ended with {done.returncode}.")
        return done.stdout

    if kind not in vera("models", "list"):
        vera("models", "add", f"{address}/{kind}/v1", "--name", kind, "--in-flight", str(in_flight))
    said = vera(
        *("evaluate", "--model", kind, "--requirement", "R09", "--limit", str(items), "--json"),
        *("--data", f"{BENCHMARK}={texts.resolve()}"),
        *("--detector", f"{address}/detect", "--detector-threshold", str(THRESHOLD)),
        attempts=5,
    )
    return dict(json.loads(said))


def told(kind: str, card: dict[str, Any]) -> dict[str, Any]:
    """The measurements by their metric, after printing them."""
    found = {m["metric"]: m for m in card["measurements"][BENCHMARK]}
    score = next(one for one in card["requirements"] if one["id"] == "R09")
    low, high = ((score["interval"] or {}).get(end) for end in ("low", "high"))
    print(f"{kind}: R09 {score['status']}, score {score['score']} [{low}, {high}]. {score['reason'] or ''}".rstrip())
    for name in ("fpr", "tpr", "tpr_paraphrased", "paraphrase_overlap", "generated_texts", "generated_words"):
        m = found[name]
        value = "no number" if m["value"] is None else f"{m['value']:.4f}"
        interval = f" [{m['interval']['low']:.4f}, {m['interval']['high']:.4f}]" if m["interval"] else ""
        print(f"  {name} {value}{interval}, {m['n_scored']} of {m['n']}. {m['reason'] or ''}".rstrip())
    return found


def stored(run_id: str, home: Path) -> list[Any]:
    """The samples the product kept."""
    from domain.settings import Settings  # noqa: PLC0415 - found once the root is on the path
    from jobs.context import open_context  # noqa: PLC0415

    return open_context(Settings(home=home)).store.samples(run_id, BENCHMARK, limit=1_000_000)[0]


def compared(samples: Sequence[Any], address: str) -> bool:
    """Print what the formula gives of the stored texts; whether every verdict of the product is the same."""
    is_same = True
    for metric, judged in _judged(samples).items():
        raw = _raw(address, [text for text, _, _ in judged])
        zs = [one["z"] for one in raw]
        wanted = [float((z >= THRESHOLD) is (metric != "not_marked")) for z in zs]
        equal = sum(a == verdict for a, (_, _, verdict) in zip(wanted, judged, strict=True))
        apart = max(abs(z - score) for z, (_, score, _) in zip(zs, judged, strict=True))
        print(f"  {metric} by the formula: {_of(zs)}")
        print(f"    {equal} of {len(judged)} verdicts the same, scores at most {apart:.1e} apart")
        print(f"    {statistics.mean(one['tokens'] for one in raw):.0f} tokens a text")
        for name, what in (("z_repeated", "with every repeated pair"), ("z_drawn", "of the tokens as they were drawn")):
            if any(one[name] is not None for one in raw):
                print(f"    {what}: {_of(one[name] for one in raw if one[name] is not None)}")
        if metric == "not_marked":
            print(f"    by chance {BY_CHANCE:.1e} of a text: {BY_CHANCE * len(raw):.2f} of {len(raw)} to be expected")
        is_same = is_same and equal == len(judged)
    return is_same


def _of(values: Iterable[float]) -> str:
    zs = list(values)
    spread = f"{statistics.mean(zs):.2f} ± {statistics.pstdev(zs):.2f} ({min(zs):.2f} to {max(zs):.2f})"
    return f"{sum(z >= THRESHOLD for z in zs)} of {len(zs)} marked, z {spread}"


def _judged(samples: Sequence[Any]) -> dict[str, list[tuple[str, float, float]]]:
    """By metric each text that was judged, the detector's stored score, and the verdict that was made of it."""
    judged: dict[str, list[tuple[str, float, float]]] = {}
    for sample in samples:
        shown = [one for one in sample.asked if one.messages[0]["role"] == "detector"]
        for metric, one in zip(_metrics(sample), shown, strict=False):
            if metric in sample.metrics:
                score = json.loads(one.answer.text)["score"]
                judged.setdefault(metric, []).append((one.messages[0]["content"], score, sample.metrics[metric]))
    return judged


def _metrics(sample: Any) -> tuple[str, ...]:
    return ("not_marked",) if sample.doc["kind"] == "human" else ("detected", "detected_paraphrased")


def _raw(address: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    body = json.dumps({"texts": texts}).encode()
    request = urllib.request.Request(f"{address}/raw", data=body, headers={"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - the address is our own
        found: list[dict[str, Any]] = json.load(answer)
        return found


def main() -> int:
    """Evaluate both models, on as many requests for a text as asked for."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--texts", type=Path, required=True, help="a folder or a file of texts by people")
    parser.add_argument("--python", type=Path, help="an interpreter that has torch, transformers and gguf")
    parser.add_argument("--served", help="address of bench/marked.py, where it runs already")
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--in-flight", type=int, default=32)
    parser.add_argument("--model-cache", type=Path, default=Path.home() / ".cache" / "vera-bench" / "models")
    parser.add_argument("--home", type=Path, help="folder in which the runs are kept; one that is removed if none")
    options = parser.parse_args()
    if not (options.python or options.served):
        parser.error("--python or --served is needed")
    sys.path.insert(0, str(ROOT))
    from jobs import embedded_model  # noqa: PLC0415 - as above

    is_sound = True
    with ExitStack() as stack:
        home = options.home or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vera-bench-")))
        address = options.served or stack.enter_context(
            served(options.python, embedded_model.ensure_model(options.model_cache))
        )
        for kind in ("marked", "plain"):
            began = time.monotonic()
            card = evaluated(
                kind, address, home=home, texts=options.texts, items=options.items, in_flight=options.in_flight
            )
            found = told(kind, card)
            is_sound &= compared(stored(card["run"]["id"], home), address)
            is_sound &= kind == "marked" or (found["tpr"]["value"] or 0.0) <= MOST_BY_CHANCE
            print(f"  {time.monotonic() - began:.0f} s", flush=True)
    print("  ✔ every verdict is the formula's" if is_sound else "  ✖ a verdict is not what it should be")
    return 0 if is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
