"""The widgets by which a reader supplies what the model alone cannot show: a corpus, works, a key, a detector."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.components.foreign import plain
from domain import words
from domain.choices import Choices
from domain.errors import UserError
from domain.scores import RequirementId
from jobs import canaries, corpora, detectors, works
from requirements_map.entries import Suite

_CORPUS, _WORKS, _CANARIES = RequirementId.R03, RequirementId.R04, RequirementId.R05
_DETECTOR = RequirementId.R09
#: Folds an upload into the data folder: (file, its name) → where it is kept.
_Keep = Callable[[BinaryIO, str], Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplied:
    """What was supplied and can be used."""

    #: Requirement → benchmark → file.
    files: Mapping[RequirementId, Mapping[str, str]] = field(default_factory=dict)
    detector: str | None = None
    detector_threshold: float | None = None

    def for_plan(self, requirements: Collection[str] | None = None) -> dict[str, Any]:
        """The arguments of a plan for these requirements; of all where none are named."""
        files = [found for of, found in self.files.items() if requirements is None or of in requirements]
        detector = requirements is None or _DETECTOR in requirements
        return {
            "data_files": {benchmark: path for found in files for benchmark, path in found.items()},
            "detector": self.detector if detector else None,
            "detector_threshold": self.detector_threshold if detector else None,
        }


def supplied(suite: Suite, *, data_folder: Path, form: str = "new", chosen: Choices | None = None) -> Supplied:
    """What a reader supplies for a suite; nothing where the suite measures nothing of the kind.

    ``form`` begins the keys of the widgets; ``chosen`` has the detector that they show at first.
    """
    chosen = chosen or Choices()
    measured = {b.requirement: b.key for b in suite.evidence}
    measured |= {b.requirement: b.key for b in suite.benchmarks if b.key == works.BENCHMARK}
    if not measured:
        return Supplied()
    asked = {of: what for of, what in _WHAT.items() if of in measured}
    with st.expander(f"Supply evidence: {', '.join(f'{what} ({of})' for of, what in asked.items())}"):
        paths = {of: widget(data_folder, form) for of, widget in _FILES.items() if of in measured}
        detector, threshold = _detector(form, chosen) if _DETECTOR in measured else (None, None)
    files = {of: {measured[of]: str(path)} for of, path in paths.items() if path is not None}
    return Supplied(files=files, detector=detector, detector_threshold=threshold)


def _corpus(data_folder: Path, form: str) -> Path | None:
    uploaded = st.file_uploader(
        "Sample of the training corpus",
        type=["jsonl", "txt", "parquet", "gz"],
        max_upload_size=corpora.LARGEST_MB,
        key=f"{form}_corpus",
        help="JSONL with a text per line ({“text”: …}), plain text (a blank line ends a document) or Parquet with a "
        "column text. The score is that of this file, not of the model.",
    )
    path = _kept(uploaded, partial(corpora.keep, data_folder=data_folder), f"{form}_corpus_kept")
    if path is not None:
        st.caption(f"Kept under sha256 {words.short_hash(path.parent.name)}; every line of it can be read.")
    return path


def _works(data_folder: Path, form: str) -> Path | None:
    uploaded = st.file_uploader(
        "Works the model must not recite",
        type=["jsonl", "txt"],
        max_upload_size=works.LARGEST_MB,
        key=f"{form}_works",
        help="The text of one work as plain text, named as the file, or JSONL with a work per line ({“work”: name, "
        "“text”: …}). The model is asked to continue passages of them; it is sent the beginning of each passage.",
    )
    path = _kept(uploaded, partial(works.keep, data_folder=data_folder), f"{form}_works_kept")
    if path is not None:
        names = works.names(path)
        st.caption(plain(f"Kept under sha256 {words.short_hash(path.parent.name)}: {words.first_of(names, 5)}."))
    return path


def _canaries(data_folder: Path, form: str) -> Path | None:
    uploaded = st.file_uploader(
        "Key of planted canaries",
        type=["json"],
        max_upload_size=canaries.LARGEST_MB,
        key=f"{form}_canaries",
        help="The key that “vera canaries make” wrote beside the documents you planted. The model is asked for the "
        "people in it; the run keeps none of their data.",
    )
    path = _kept(uploaded, partial(canaries.keep, data_folder=data_folder), f"{form}_canaries_kept")
    if path is not None:
        st.caption(plain(f"Kept under sha256 {words.short_hash(path.parent.name)}. {canaries.described(path)}"))
    return path


def _kept(uploaded: UploadedFile | None, keep: _Keep, key: str) -> Path | None:
    """Where the upload is kept; None, and what is wrong in one sentence, for one that cannot be used.

    It is copied and hashed when it comes, not whenever something else on the page changes.
    """
    if uploaded is None:
        return None
    kept: tuple[str, Path] | None = st.session_state.get(key)
    if kept is None or kept[0] != uploaded.file_id or not kept[1].is_file():
        try:
            kept = (uploaded.file_id, keep(uploaded, uploaded.name))
        except UserError as error:
            st.error(plain(error.sentence), icon=":material/error:")
            return None
        st.session_state[key] = kept
    return kept[1]


#: What can be supplied for a requirement, in words, and the widget of what is a file.
_WHAT = {
    _CORPUS: "a sample of the training data",
    _WORKS: "works of your own",
    _CANARIES: "canaries you planted",
    _DETECTOR: "a watermark detector",
}
_FILES: dict[RequirementId, Callable[[Path, str], Path | None]] = {
    _CORPUS: _corpus,
    _WORKS: _works,
    _CANARIES: _canaries,
}


def _detector(form: str, chosen: Choices) -> tuple[str | None, float | None]:
    with st.container(horizontal=True, vertical_alignment="top"):
        named = st.text_input(
            "Watermark detector",
            chosen.detector or "",
            key=f"{form}_detector",
            width=480,
            placeholder="http://host:port/detect",
            help="An address that takes POST {“text”: …} and answers {“watermarked”: true} or {“score”: 4.2}, the name "
            "of an installed one, or env:VARIABLE that holds an address with a secret.",
        )
        threshold = st.number_input(
            "Threshold",
            value=chosen.detector_threshold,
            key=f"{form}_detector_threshold",
            width=200,
            help="Only for a detector that gives scores: from this one on a text counts as marked.",
        )
    try:
        checked = detectors.checked(named, None if not named else threshold)
    except UserError as error:
        st.error(plain(error.sentence), icon=":material/error:")
        return None, None
    return checked, float(threshold) if checked and threshold is not None else None
