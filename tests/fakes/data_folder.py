"""Small folders of data sets with the manifest that belongs to them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

ROWS = [
    {"id": f"q{n}", "question": f"Is {n} a number?", "choices": {"text": ["yes", "no"], "label": ["A", "B"]}}
    | {"answerKey": "A"}
    for n in range(6)
]


def write(folder: Path, files: Mapping[str, Sequence[Mapping[str, Any]]], *, tasks: Sequence[str] = ()) -> Path:
    """A folder in which the first part of each path is a data set, with the columns of the tasks."""
    entries: dict[str, dict[str, Any]] = {}
    for path, rows in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        (folder / path).write_bytes(content)
        name = path.partition("/")[0]
        entry = entries.setdefault(
            name,
            {
                "id": name,
                "name": name.title(),
                "source": {"repo": "someone/something", "commit": "c0ffee"},
                "licence": "CC BY 4.0",
                "licence_status": "permissive",
                "lm_eval": {"tasks": list(tasks), "columns_match": "yes"},
                "files": [],
            },
        )
        entry["files"].append(
            {
                "path": path,
                "rows": len(rows),
                "columns": list(rows[0]) if rows else [],
                "bytes": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        )
    save(folder, {"schema_version": 1, "benchmarks": list(entries.values())})
    return folder


def read(folder: Path) -> dict[str, Any]:
    """The manifest as it stands in the file."""
    content: dict[str, Any] = yaml.safe_load((folder / "MANIFEST.yaml").read_text())
    return content


def save(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest as it is given, right or wrong."""
    (folder / "MANIFEST.yaml").write_text(yaml.safe_dump(dict(manifest), sort_keys=False))
