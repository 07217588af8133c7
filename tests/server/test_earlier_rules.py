"""Tables that were played by an earlier rules version."""

from __future__ import annotations

import json
from typing import Any

import azalai
from azalai.engine.game import EarlierRules
from azalai.server.registry import replay
from azalai.server.table import HUMAN, Entry, Table, layout
from tests.harness.play import RECORDS

TARGI = azalai.game("targi")


def journal() -> tuple[dict[str, Any], list[Entry]]:
    """A finished table of Targi's first rules version: its row and its entries."""
    record = json.loads((RECORDS / "targi" / "2-fourth-raid.json").read_text())
    row = {"id": "t", "rules": 1, "layout": layout(TARGI), "options": {}, "seed": record["seed"], "setup": {"seats": 2}}
    row |= {"public": False, "creator": "g0", "created": 0}
    entries = [Entry("sit", seat, {"kind": HUMAN, "guest": f"g{seat}"}) for seat in range(2)] + [Entry("start")]
    position = TARGI.new(seed=record["seed"])
    for text in record["moves"]:
        entries.append(Entry("move", position.seat, {"move": text}))
        position.play(text)
    return {**row, "state": position.tobytes()}, [entry._replace(number=number) for number, entry in enumerate(entries, 1)]


def plies(table: Table) -> tuple[int, int]:
    return table.skipped, len(table.steps)


def test_a_table_of_an_earlier_version_is_replayed_where_the_rules_do_not_part():
    row, entries = journal()
    table = replay(TARGI, row, entries)
    assert plies(table) == (0, len(entries) - 3)
    assert table.position is not None
    assert table.position.tobytes() == row["state"]


def test_where_they_part_the_table_goes_on_from_its_stored_state(monkeypatch):
    row, entries = journal()
    parting = EarlierRules(lambda *_: False, lambda position: position.ply == 20)
    monkeypatch.setitem(TARGI.earlier, 1, parting)
    table = replay(TARGI, row, entries)
    assert plies(table) == (len(entries) - 3, 0)
    assert table.position is not None
    assert table.position.tobytes() == row["state"]
