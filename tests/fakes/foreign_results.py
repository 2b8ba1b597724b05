"""Files as other tools write them: lm-eval in its three layouts, and Inspect's logs."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATE = "2026-11-03T10-20-30.123456"
RIGHT = (1.0, 0.0, 1.0, 1.0)


def lm_eval_sample(position: int, metrics: Mapping[str, Any], *, filtered: str = "none") -> dict[str, Any]:
    """A generated answer as lm-eval logs it since 0.4.5."""
    return {
        "doc_id": position,
        "doc": {"question": f"Question {position}?"},
        "target": "yes",
        "arguments": {"gen_args_0": {"arg_0": f"Question {position}?", "arg_1": {"until": ["\n"]}}},
        "resps": [["yes" if position else ""]],
        "filtered_resps": ["yes"],
        "filter": filtered,
        "metrics": list(metrics),
        **metrics,
    }


def lm_eval(
    folder: Path,
    *,
    task: str = "toy",
    reported: Mapping[str, Any] | None = None,
    samples: Sequence[Mapping[str, Any]] | None = None,
    n: int | None = len(RIGHT),
    **more: Any,
) -> Path:
    """The present layout; with samples of RIGHT where none are given."""
    folder.mkdir(parents=True, exist_ok=True)
    usual = {"alias": task, "exact_match,none": 0.75, "exact_match_stderr,none": 0.25}
    entries = usual if reported is None else reported
    body = {
        "results": {task: entries},
        "configs": {task: {"task": task, "output_type": "generate_until"}},
        "versions": {task: 2.0},
        "higher_is_better": {task: {key.partition(",")[0]: True for key in entries if "stderr" not in key}},
        "config": {"model": "hf", "model_args": {"pretrained": "org/small"}, "limit": None},
        "date": 1_793_000_000.5,
        "model_name": "org/small",
        "lm_eval_version": "0.4.13",
        "total_evaluation_time_seconds": "12.5",
        **({} if n is None else {"n-samples": {task: {"original": 10, "effective": n}}}),
        **more,
    }
    path = folder / f"results_{DATE}.json"
    path.write_text(json.dumps(body))
    logged = [lm_eval_sample(i, {"exact_match": v}) for i, v in enumerate(RIGHT)] if samples is None else samples
    if logged:
        lines = "".join(json.dumps(sample) + "\n" for sample in logged)
        (folder / f"samples_{task}_{DATE}.jsonl").write_text(lines)
    return path


def inspect_log(**changes: Any) -> dict[str, Any]:
    """A log of four questions, three of them right."""
    samples = [
        {
            "id": position,
            "epoch": 1,
            "input": [{"role": "user", "content": [{"type": "text", "text": f"Question {position}?"}]}],
            "target": ["A"],
            "output": {
                "choices": [{"message": {"role": "assistant", "content": "A"}, "stop_reason": "stop"}],
            },
            "scores": {"match": {"value": "C" if right else "I", "answer": "A"}},
        }
        for position, right in enumerate(RIGHT)
    ]
    log = {
        "version": 2,
        "status": "success",
        "eval": {
            "created": "2026-11-03T10:20:30+00:00",
            "task": "toy",
            "task_version": 1,
            "model": "openai/small",
            "dataset": {"name": "questions", "samples": 10},
            "packages": {"inspect_ai": "0.3.150"},
        },
        "results": {
            "total_samples": 4,
            "completed_samples": 4,
            "scores": [
                {
                    "name": "match",
                    "scorer": "match",
                    "metrics": {
                        "accuracy": {"name": "accuracy", "value": 0.75},
                        "stderr": {"name": "stderr", "value": 0.25},
                        "novelty": {"name": "novelty", "value": 0.3},
                    },
                }
            ],
        },
        "stats": {"started_at": "2026-11-03T10:20:31+00:00", "completed_at": "2026-11-03T10:21:31+00:00"},
        "samples": samples,
    }
    return {**log, **changes}


def as_archive(path: Path, log: Mapping[str, Any]) -> Path:
    """The same log as an ``.eval`` archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({k: v for k, v in log.items() if k != "samples"}))
        for sample in log["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
    return path
