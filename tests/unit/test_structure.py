"""The shape of the repository: rooms, file sizes, and what the documents claim."""

import importlib
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ROOMS = PYPROJECT["tool"]["importlinter"]["root_packages"]


def tracked(pattern: str) -> list[Path]:
    """Files git knows; a stray file of a developer's is no concern of a test."""
    listed = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_every_root_package_is_a_room_that_the_layers_know() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == set(ROOMS)


def test_the_rooms_are_imported_from_one_folder() -> None:
    parents = {Path(str(importlib.import_module(room).__file__)).parents[1] for room in ROOMS}
    assert len(parents) == 1


def test_no_module_of_app_has_the_name_of_a_room() -> None:
    assert not {path.stem for path in (ROOT / "app").rglob("*.py")} & set(ROOMS)


def test_no_test_folder_is_a_package() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_files_stay_under_300_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in tracked("*.py")
        if "tests" not in path.parts and (count := len(path.read_text().splitlines())) > 300
    }
    assert long == {}


def test_every_package_ships_its_init_and_type_marker() -> None:
    for room in ROOMS:
        assert (ROOT / room / "py.typed").is_file(), room
        for folder in {path.parent for path in tracked(f"{room}/**/*.py")} | {ROOT / room}:
            if "tasks" not in folder.parts and "migrations" not in folder.parts:
                assert (folder / "__init__.py").is_file(), folder


@pytest.mark.parametrize("page", ["docs/architecture.md", "README.md", "CONTRIBUTING.md"])
def test_dotted_names_in_the_documents_exist(page: str) -> None:
    text = (ROOT / page).read_text()
    names = {name for name in re.findall(r"`([a-z_]+(?:\.[A-Za-z_]+)+)", text) if name.split(".")[0] in ROOMS}
    for name in sorted(names):
        module, found = name, None
        while found is None:
            try:
                found = importlib.import_module(module)
            except ModuleNotFoundError:
                assert "." in module, f"{page} names {name}, which does not exist"
                module = module.rpartition(".")[0]
        target: object = found
        for attribute in name.removeprefix(module).strip(".").split("."):
            if attribute:
                assert hasattr(target, attribute), f"{page} names {name}, which does not exist"
                target = getattr(target, attribute)


@pytest.mark.parametrize("page", ["docs/architecture.md", "README.md", "CONTRIBUTING.md"])
def test_links_between_documents_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", path.read_text()):
        assert (path.parent / target).exists(), f"{page} links to {target}"
