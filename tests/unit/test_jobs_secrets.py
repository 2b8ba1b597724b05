"""API keys: named, looked up, never repeated."""

from pathlib import Path

import pytest

from domain.errors import InvalidSettings
from jobs import logs, secrets


@pytest.fixture
def secrets_file(tmp_path: Path) -> Path:
    file = tmp_path / "secrets.toml"
    file.write_text('mistral = "sk-from-file-123"\nnumber = 5\n')
    file.chmod(0o600)
    return file


def test_no_reference_means_no_key() -> None:
    assert secrets.resolve(None, environ={}, secrets_file=None) is None


def test_a_key_comes_from_the_named_variable() -> None:
    assert secrets.resolve("env:MY_KEY", environ={"MY_KEY": " sk-1234567 \n"}, secrets_file=None) == "sk-1234567"


def test_a_variable_that_is_not_set_or_blank_is_named() -> None:
    for environ in ({}, {"MY_KEY": "  "}):
        with pytest.raises(InvalidSettings, match="MY_KEY"):
            secrets.resolve("env:MY_KEY", environ=environ, secrets_file=None)


def test_a_key_comes_from_the_named_entry_of_the_file(secrets_file: Path) -> None:
    assert secrets.resolve("file:mistral", environ={}, secrets_file=secrets_file) == "sk-from-file-123"


@pytest.mark.parametrize("entry", ["other", "number"])
def test_a_missing_entry_is_named_and_no_other_is_shown(secrets_file: Path, entry: str) -> None:
    with pytest.raises(InvalidSettings, match=entry) as raised:
        secrets.resolve(f"file:{entry}", environ={}, secrets_file=secrets_file)
    assert "sk-from-file" not in raised.value.sentence


def test_a_file_that_others_can_read_is_refused_with_the_remedy(secrets_file: Path) -> None:
    secrets_file.chmod(0o640)
    with pytest.raises(InvalidSettings, match="chmod 600"):
        secrets.resolve("file:mistral", environ={}, secrets_file=secrets_file)


def test_a_broken_file_is_refused_without_quoting_its_line(secrets_file: Path) -> None:
    secrets_file.write_text("mistral = sk-not-quoted-999")
    with pytest.raises(InvalidSettings) as raised:
        secrets.resolve("file:mistral", environ={}, secrets_file=secrets_file)
    assert "sk-not-quoted" not in raised.value.sentence
    assert raised.value.__cause__ is None


def test_a_missing_file_and_a_missing_setting_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="VERA_SECRETS_FILE"):
        secrets.resolve("file:mistral", environ={}, secrets_file=None)
    with pytest.raises(InvalidSettings, match="No such file"):
        secrets.resolve("file:mistral", environ={}, secrets_file=tmp_path / "none.toml")


@pytest.mark.parametrize("reference", ["sk-somebody-pasted-the-key", "env:", "env:A B", "vault:x", "file:"])
def test_what_names_no_place_is_refused_and_not_repeated(reference: str) -> None:
    with pytest.raises(InvalidSettings) as raised:
        secrets.check_reference(reference)
    assert reference not in raised.value.sentence or reference in {"env:", "file:"}


def test_a_log_line_is_scrubbed_of_keys_and_of_what_looks_like_one() -> None:
    text = logs.scrub('{"api_key": "abcdefgh12"} my-own-key Bearer zyxwvuts', "my-own-key")
    for secret in ("abcdefgh12", "my-own-key", "zyxwvuts"):
        assert secret not in text


def test_the_message_of_an_error_is_one_scrubbed_line() -> None:
    assert logs.first_line(ValueError("the key my-own-key\nis on two lines"), "my-own-key") == "the key [hidden]"
    assert logs.first_line(ValueError()) == "no message"
