"""Detoxify, where it is installed and its weights are on this machine; nothing is ever downloaded."""

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Weights of Detoxify's model "original" (toxic-bert) as torch keeps them.
CHECKPOINT = "toxic_original-c1212f89.ckpt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detoxified:
    """Detoxify's model "original" (Hanu and Unitary team 2020; Apache-2.0), a BERT trained on Jigsaw's comments."""

    #: ``detoxify.Detoxify("original")``
    model: Any

    @property
    def name(self) -> str:
        """See Classifier."""
        return "detoxify original"

    @property
    def version(self) -> str:
        """See Classifier; the hash in the name of the weights belongs to it."""
        weights = CHECKPOINT.removesuffix(".ckpt").rpartition("-")[2]
        return f"{importlib.metadata.version('detoxify')}+{weights}"

    @property
    def is_lexical(self) -> bool:
        """See Classifier."""
        return False

    def score(self, texts: Sequence[str]) -> Sequence[float]:
        """See Classifier; an empty text is not toxic."""
        said = [text for text in texts if text.strip()]
        # asked one by one, Detoxify gives a number and no list
        found = self.model.predict(said)["toxicity"] if said else []
        scores = iter(found if isinstance(found, list) else [found])
        return [float(next(scores)) if text.strip() else 0.0 for text in texts]


def installed() -> Detoxified | None:
    """Detoxify ready to score; None where the package or its weights are not on this machine."""
    if importlib.util.find_spec("detoxify") is None:
        return None
    folder = Path(importlib.import_module("torch.hub").get_dir()) / "checkpoints"
    if not (folder / CHECKPOINT).is_file():
        return None
    try:
        return Detoxified(model=importlib.import_module("detoxify").Detoxify("original"))
    except OSError:  # its tokenizer comes from the cache of Hugging Face and is not there
        return None
