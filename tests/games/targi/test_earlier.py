"""Records of the first rules version, by which an owner of T29 never paid at a raid."""

from __future__ import annotations

import json
from typing import Any

import pytest

import azalai
from azalai.engine.errors import BadRecord
from azalai.engine.position import Position
from azalai.engine.record import from_record, to_record
from tests.games.targi.table import BLUE, GAME, Table
from tests.harness.play import RECORDS


@pytest.mark.parametrize("end", ["fourth-raid", "full-display"])
def test_a_record_of_version_1_replays_to_the_same_result(end):
    record = json.loads((RECORDS / "targi" / f"2-{end}.json").read_text())
    position = from_record({**record, "rules": 1}, azalai.game)
    assert {"end": position.end, "scores": list(position.scores), "ranking": list(position.ranking)} == record["result"]
    assert to_record(position)["rules"] == 2


def replay(table: Table, moves: list[str], monkeypatch: Any) -> Position:
    """Replay moves of a version 1 record from a table set up by hand."""
    monkeypatch.setattr(Position, "begin", classmethod(lambda *_: table.position))
    return from_record({**to_record(GAME.new(seed=1)), "rules": 1, "moves": moves}, azalai.game)


def test_a_question_whose_answers_were_all_the_same_is_passed_over(monkeypatch):
    table = Table().display(BLUE, "T30 T25").own(BLUE, dates=2).hold(BLUE, "T07").acting(BLUE, "noble salt3")
    position = replay(table, ["play noble", "save pepper", "row 2"], monkeypatch)
    assert table.rows(BLUE)[1] == "T07"
    assert position.ply == 2


@pytest.mark.parametrize("moves", [["done"], ["done", "place noble"]])
def test_a_record_in_which_an_owner_of_both_cards_was_raided_is_refused(moves, monkeypatch):
    table = Table().to_raid(4 if len(moves) == 1 else 1).display(BLUE, "T29 T31").own(BLUE, dates=3, gold=1, crosses=4)
    with pytest.raises(BadRecord, match=r"rules version 1 of targi; this is version 2, and they part after move 1 .*'done'"):
        replay(table, moves, monkeypatch)


def test_a_record_of_a_version_to_come_is_refused():
    with pytest.raises(BadRecord, match="rules version 3 of targi; this is version 2"):
        from_record({**to_record(GAME.new(seed=1)), "rules": 3}, azalai.game)


def test_a_stray_answer_is_no_part_of_a_record():
    with pytest.raises(BadRecord, match="move 1 of the record, 'save dates'"):
        from_record({**to_record(GAME.new(seed=1)), "rules": 1, "moves": ["save dates"]}, azalai.game)
