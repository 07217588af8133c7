"""A game as a file."""

import json

import pytest

from azalai.engine.errors import BadRecord, UnknownGame
from azalai.engine.record import from_record, read, save, to_record, write_atomically
from tests.engine.nim import NIM


def find(name):
    if name != "nim":
        raise UnknownGame(f"there is no game {name!r}")
    return NIM


def played():
    position = NIM.new(seed=5)
    position.play("roll")
    position.play("take left 1")
    return position


def test_a_record_is_readable():
    assert to_record(played()) == {
        "format": 1,
        "game": "nim",
        "rules": 1,
        "seats": 2,
        "options": {},
        "seed": 5,
        "moves": ["roll", "take left 1"],
    }


def test_a_record_replays(tmp_path):
    save(played(), tmp_path / "game.json")
    assert from_record(read(tmp_path / "game.json"), find) == played()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 2}, "has format 2; this version reads format 1"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"rules": 9}, "rules version 9 of nim; this is version 1"),
        ({"seats": 4}, "nim is for 2 players, not 4"),
        ({"seats": "two"}, "'seats' is missing or not what it should be"),
        ({"seed": -1}, "a seed is a number"),
        ({"seed": True}, "'seed' is missing"),
        ({"options": {"colour": 1}}, "no option 'colour'"),
        ({"moves": ["roll", "take left 9"]}, "move 2 of the record, 'take left 9'"),
        ({"moves": [None]}, "move 1 of the record"),
        ({"moves": ["roll @1"]}, "move 1 of the record, 'roll @1': seat 1 has nothing to decide"),
        ({"moves": ["roll @x"]}, "move 1 of the record"),
        ({"moves": "roll"}, "'moves' is missing"),
    ],
)
def test_a_broken_record_is_refused_with_its_fault(change, complaint):
    with pytest.raises(BadRecord, match=complaint):
        from_record({**to_record(played()), **change}, find)


@pytest.mark.parametrize("nonsense", [None, [], "text", 7, {}])
def test_something_else_is_no_record(nonsense):
    with pytest.raises(BadRecord, match="not the record of a game"):
        from_record(nonsense, find)


def test_a_file_that_is_no_record_is_refused(tmp_path):
    with pytest.raises(BadRecord, match="cannot read"):
        read(tmp_path / "missing.json")
    for content in (b"{", b"\xff\xfe\x00", b""):
        (tmp_path / "broken.json").write_bytes(content)
        with pytest.raises(BadRecord, match="no JSON text"):
            read(tmp_path / "broken.json")


def test_a_concealed_position_has_no_record():
    with pytest.raises(BadRecord, match="does not know how it was dealt"):
        to_record(played().seen_by(0))


def test_a_file_is_never_half_written(tmp_path, monkeypatch):
    """When writing fails, what was there before is still there, whole, and no litter beside it."""
    path = tmp_path / "game.json"
    save(played(), path)
    before = path.read_text()

    def fail(handle):
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_atomically(path, json.dumps({"half": True}))
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]
