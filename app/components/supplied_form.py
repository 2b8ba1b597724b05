"""The widgets by which a reader supplies what the model alone cannot show: a corpus sample and a watermark detector."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.components.foreign import plain
from domain import words
from domain.choices import Choices
from domain.errors import UserError
from domain.scores import RequirementId
from jobs import corpora, detectors
from requirements_map.entries import Suite

_CORPUS, _DETECTOR = RequirementId.R03, RequirementId.R09


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplied:
    """What was supplied and can be used."""

    #: Benchmark → file.
    data_files: Mapping[str, str] = field(default_factory=dict)
    detector: str | None = None
    detector_threshold: float | None = None

    def for_plan(self, requirements: Collection[str] | None = None) -> dict[str, Any]:
        """The arguments of a plan for these requirements; of all where none are named."""
        corpus = requirements is None or _CORPUS in requirements
        detector = requirements is None or _DETECTOR in requirements
        return {
            "data_files": dict(self.data_files) if corpus else {},
            "detector": self.detector if detector else None,
            "detector_threshold": self.detector_threshold if detector else None,
        }


def supplied(suite: Suite, *, data_folder: Path, form: str = "new", chosen: Choices | None = None) -> Supplied:
    """What a reader supplies for a suite; nothing where the suite measures nothing of the kind.

    ``form`` begins the keys of the widgets; ``chosen`` has the detector that they show at first.
    """
    chosen = chosen or Choices()
    measured = {b.requirement: b.key for b in suite.evidence}
    if not measured:
        return Supplied()
    with st.expander("Supply evidence: a sample of the training data (R03), a watermark detector (R09)"):
        path = _corpus(data_folder, form) if _CORPUS in measured else None
        detector, threshold = _detector(form, chosen) if _DETECTOR in measured else (None, None)
    files = {measured[_CORPUS]: str(path)} if path is not None else {}
    return Supplied(data_files=files, detector=detector, detector_threshold=threshold)


def _corpus(data_folder: Path, form: str) -> Path | None:
    uploaded = st.file_uploader(
        "Sample of the training corpus",
        type=["jsonl", "txt", "parquet", "gz"],
        max_upload_size=corpora.LARGEST_MB,
        key=f"{form}_corpus",
        help="JSONL with a text per line ({“text”: …}), plain text (a blank line ends a document) or Parquet with a "
        "column text. The score is that of this file, not of the model.",
    )
    if uploaded is None:
        return None
    try:
        path = _kept(uploaded, data_folder, f"{form}_corpus_kept")
    except UserError as error:
        st.error(plain(error.sentence), icon=":material/error:")
        return None
    st.caption(f"Kept under sha256 {words.short_hash(path.parent.name)}; every line of it can be read.")
    return path


def _kept(uploaded: UploadedFile, data_folder: Path, key: str) -> Path:
    """Where the upload is kept; copied and hashed when it comes, not whenever something else on the page changes."""
    kept: tuple[str, Path] | None = st.session_state.get(key)
    if kept is None or kept[0] != uploaded.file_id or not kept[1].is_file():
        kept = (uploaded.file_id, corpora.keep(uploaded, uploaded.name, data_folder=data_folder))
        st.session_state[key] = kept
    return kept[1]


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
