"""Log-likelihood scores of a served model beside those of lm-eval's own backend on the same weights.

ARC challenge (lm-eval's task) is asked of the embedded model through the endpoint client, by forced tokens, and of the
same GGUF file, dequantised to 32-bit floats, in PyTorch by lm-eval's ``hf`` backend. The server multiplies with
quantised activations, so single values differ by some tenths of a nat, and a question may be answered differently where
two options are that close. Prints both accuracies, the differences, and each question answered differently with the
distance of its options; exit code 1 when one was answered differently whose options were not close.

``python bench/weights.py --python PYTHON --data ARC.jsonl[.gz] [--items N]``, from the root of the repository, where
PYTHON is that of an environment of its own with ``torch transformers gguf accelerate lm-eval==0.4.13``, of which the
project needs only the last.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TASK = "arc_challenge"
#: Two options nearer than this may change places: a sum over some tokens of what quantised activations change in each.
CLOSE_NATS = 1.0


class Values(NamedTuple):
    """Of each question, in order: the log-likelihood of each option in nats, and lm-eval's two metrics."""

    options: list[list[float]]
    acc: list[float]
    acc_norm: list[float]


def ours(data: Path, model_cache: Path, *, items: int) -> tuple[list[dict[str, Any]], Values]:
    """The questions that were drawn, and what the served model gives them."""
    import evaluators  # noqa: PLC0415 - the environment of the other program has none of these
    from domain.answers import MemoryAnswers  # noqa: PLC0415
    from domain.benchmarks import RunOptions  # noqa: PLC0415
    from domain.endpoints import Endpoint  # noqa: PLC0415
    from evaluators.endpoints.probe import probe  # noqa: PLC0415
    from jobs import embedded_model  # noqa: PLC0415

    with embedded_model.serving(model_cache) as url:
        endpoint = Endpoint(
            id="bench",
            name="embedded",
            base_url=url,
            model=embedded_model.MODEL_ID,
            max_in_flight=embedded_model.SLOTS,
            created_at=datetime.now(UTC),
        )
        raw = evaluators.run(
            TASK,
            endpoint=endpoint,
            api_key=None,
            capabilities=probe(endpoint, api_key=None),
            options=RunOptions(limit=items, data_files={TASK: str(data)}),
            answers=MemoryAnswers(),
            progress=lambda _: None,
        )
    print(f"  asked by {raw.method.value}, {len(raw.samples)} of {raw.population} questions")
    return [dict(sample.doc) for sample in raw.samples], Values(
        [[_known(asked.loglikelihood) for asked in sample.asked] for sample in raw.samples],
        [_known(sample.metrics["acc"]) for sample in raw.samples],
        [_known(sample.metrics["acc_norm"]) for sample in raw.samples],
    )


def _known(value: float | None) -> float:
    if value is None:
        sys.exit("A question got no value; the served model did not answer all of them.")
    return value


def theirs(python: Path, docs: list[dict[str, Any]], weights: Path) -> Values:
    """What lm-eval's hf backend gives the same questions, in a process of the other environment."""
    with tempfile.TemporaryDirectory(prefix="vera-bench-") as folder:
        questions, found = Path(folder) / "questions.jsonl", Path(folder) / "found.json"
        questions.write_text("".join(json.dumps(doc) + "\n" for doc in docs))
        command = [str(python), __file__, "--theirs", str(found), "--data", str(questions), "--weights", str(weights)]
        offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
        done = subprocess.run(command, check=False, env=os.environ | offline, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"lm-eval's hf backend failed: {done.stderr.strip()[-2000:]}")
        return Values(**json.loads(found.read_text()))


def _in_the_other_environment(questions: Path, weights: Path, out: Path) -> None:
    import lm_eval  # noqa: PLC0415 - of that environment
    import yaml  # noqa: PLC0415
    from lm_eval import tasks  # noqa: PLC0415

    folder = Path(tasks.__file__).parent / "arc"
    task: dict[str, Any] = {}
    for name in ("arc_easy.yaml", f"{TASK}.yaml"):  # the second is the first with another name and data set
        task |= yaml.safe_load((folder / name).read_text())
    del task["include"], task["dataset_name"], task["training_split"], task["validation_split"]
    task |= {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(questions)}}}
    results = lm_eval.simple_evaluate(
        model="hf",
        model_args={"pretrained": str(weights.parent), "gguf_file": weights.name, "dtype": "float32", "device": "cpu"},
        tasks=[task],
        num_fewshot=0,
        batch_size=1,
        bootstrap_iters=0,
        log_samples=True,
        task_manager=tasks.TaskManager(),
    )
    samples = sorted(results["samples"][TASK], key=lambda sample: sample["doc_id"])
    options = [[float(answer[0][0]) for answer in sample["resps"]] for sample in samples]
    accuracies = {name: [float(sample[name]) for sample in samples] for name in ("acc", "acc_norm")}
    out.write_text(json.dumps({"options": options, **accuracies}))


def compare(docs: list[dict[str, Any]], mine: Values, other: Values) -> bool:
    """Print both and what differs; whether each difference is one that quantised activations explain."""
    gaps = [a - b for one, two in zip(mine.options, other.options, strict=True) for a, b in zip(one, two, strict=True)]
    sizes = sorted(map(abs, gaps))
    for name in ("acc", "acc_norm"):
        one, two = (statistics.mean(getattr(values, name)) for values in (mine, other))
        print(f"  {name}: served {one:.3f}, hf {two:.3f}")
    print(
        f"  {len(gaps)} values: mean difference {statistics.mean(gaps):+.3f} nats, median size "
        f"{sizes[len(sizes) // 2]:.3f}, 95 % below {sizes[int(0.95 * len(sizes))]:.3f}, largest {sizes[-1]:.3f}"
    )
    explained = True
    for doc, one, two in zip(docs, mine.options, other.options, strict=True):
        chosen, wanted = one.index(max(one)), two.index(max(two))
        if chosen != wanted:
            distance = two[wanted] - two[chosen]
            print(
                f"  {doc['id']}: served option {chosen + 1}, hf {wanted + 1}, which are {distance:.3f} nats apart in hf"
            )
            explained = explained and distance <= CLOSE_NATS
    return explained


def main() -> int:
    """Compare on as many questions as asked for."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="rows of ARC challenge")
    parser.add_argument("--python", type=Path, help="an interpreter that has torch, transformers, gguf and lm-eval")
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--model-cache", type=Path, default=Path.home() / ".cache" / "vera-bench" / "models")
    parser.add_argument("--theirs", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--weights", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.theirs:
        _in_the_other_environment(options.data, options.weights, options.theirs)
        return 0
    if options.python is None:
        parser.error("--python is needed")
    sys.path.insert(0, str(ROOT))
    from jobs import embedded_model  # noqa: PLC0415 - as above

    weights = embedded_model.ensure_model(options.model_cache)
    began = time.monotonic()
    docs, mine = ours(options.data, options.model_cache, items=options.items)
    between = time.monotonic()
    other = theirs(options.python, docs, weights)
    print(f"  served {between - began:.0f} s, hf {time.monotonic() - between:.0f} s")
    explained = compare(docs, mine, other)
    print("  ✔ every difference is one of quantised activations" if explained else "  ✖ a difference is not explained")
    return 0 if explained else 1


if __name__ == "__main__":
    sys.exit(main())
