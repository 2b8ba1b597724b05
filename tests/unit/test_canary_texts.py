"""What an operator may write into a key of canaries."""

from pathlib import Path

import pytest

from domain.errors import UserError
from evaluators.canaries import keys
from jobs import canaries


@pytest.mark.parametrize(("unfit", "sentence"), [("ab\udcff", "no UTF-8 text"), ("x" * 501, "501 characters")])
def test_what_a_key_cannot_hold_is_refused_before_anything_is_written(
    unfit: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=f"The seed .*{sentence}") as caught:
        canaries.make(1, to=tmp_path / "a", seed=unfit)
    assert unfit not in caught.value.sentence
    with pytest.raises(UserError, match=f"The statement .*{sentence}"):
        canaries.make(1, to=tmp_path / "b", planted_in=unfit)
    assert list(tmp_path.iterdir()) == []
    made = canaries.make(1, to=tmp_path / "c", seed="x" * 500, planted_in="ä" * 500)
    with pytest.raises(UserError, match=sentence):
        canaries.state(made.key, unfit)
    assert keys.read(made.key).statement is not None
    assert [file.name for file in made.key.parent.glob("key*")] == ["key.json"]
