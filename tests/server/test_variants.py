"""Tables with changed components: founded, shown to all, played by everybody, and limited in what they cost."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest

from azalai.engine.compile import is_ready, never_compile
from azalai.engine.game import load_game, unload_variant
from azalai.server import variants as variants_module
from azalai.server.settings import Limits, Rate
from azalai.server.variants import changed_components, check_changes, read_changes
from tests.server.running import Guest, InThread, quick

DEAR_WATER = "[goods.water]\npoints = 9\n"
CHANGE = {"component": "goods.water.points", "before": 6, "after": 9}


def finish(one: Guest, table: Any) -> Any:
    """Resign, so that the game is over."""
    one.act(table, "resign")
    return one.look(table)


def test_everybody_at_the_table_and_every_onlooker_sees_what_was_changed(anna, bela, guest):
    table = anna.found("tuareg", "me", "open", components=DEAR_WATER, public=True)
    assert table["changes"] == [CHANGE]
    assert bela.look(table)["changes"] == [CHANGE]
    listed = next(one for one in guest().get("/tables", game="tuareg")["tables"] if one["id"] == table["id"])
    assert listed["variant"] is True
    bela.act(table, "seats")
    playing = guest().look(table)
    assert (playing["status"], playing["changes"]) == ("playing", [CHANGE])


def test_a_game_as_it_comes_has_no_changes(anna):
    table = anna.found("tuareg", "me", "greedy")
    assert table["changes"] == []
    assert anna.get(f"/tables/{table['id']}/game") == anna.get("/games/tuareg")


def test_the_rules_and_the_details_of_the_game_are_those_of_the_variant(anna):
    table = anna.found("tuareg", "me", "greedy", components=DEAR_WATER)
    details = anna.get(f"/tables/{table['id']}/game")
    assert details["components"]["goods"]["water"]["points"] == 9
    assert anna.get("/games/tuareg")["components"]["goods"]["water"]["points"] == 6


def test_a_computer_player_plays_and_hints_and_reviews_are_given(anna):
    table = anna.found("tuareg", "me", "3", components=DEAR_WATER)
    with anna.live(table) as live:
        mine = live.table(lambda now: now["moves"])
        job = anna.act(mine, "jobs", {"kind": "hint"}, 202)
        assert job["status"] in ("waiting", "running", "done")
        moved = anna.play(mine)
        assert moved["ply"] > mine["ply"]
        live.table(lambda now: now["moves"] and now["ply"] > mine["ply"])
    over = finish(anna, table)
    assert over["result"] is not None
    assert anna.get(f"/tables/{table['id']}/plies/1")["ply"] == 1
    assert anna.act(over, "review")["table"] == table["id"]


def test_a_return_game_has_the_same_components(anna, bela):
    table = anna.found("tuareg", "me", "open", components=DEAR_WATER)
    bela.act(table, "seats")
    over = finish(anna, table)
    again = anna.act(over, "rematch")
    assert anna.get(f"/tables/{again['id']}")["changes"] == [CHANGE]


def test_a_game_that_goes_on_from_a_moment_has_the_components_of_that_game(anna):
    table = anna.found("tuareg", "me", "greedy", components=DEAR_WATER)
    anna.play(table)
    finish(anna, table)
    again = anna.found("tuareg", "me", "greedy", origin={"table": table["id"], "ply": 1})
    assert again["changes"] == [CHANGE]


def test_a_record_of_a_variant_can_be_downloaded_and_imported(anna, bela):
    table = anna.found("tuareg", "me", "greedy", components=DEAR_WATER)
    anna.play(table)
    finish(anna, table)
    record = anna.get(f"/tables/{table['id']}/record")
    assert record["components"] == {"goods": {"water": {"points": 9}}}
    imported = bela.post("/records", record, 201)
    assert (imported["status"], imported["changes"]) == ("imported", [CHANGE])
    assert imported["ply"] == len(record["moves"])


def test_a_table_with_changed_components_is_never_rated(anna):
    clock = {"kind": "live", "minutes": 10}
    problem = anna.found("tuareg", "me", "open", components=DEAR_WATER, rated=True, clock=clock, status=422)
    assert problem == {"error": "rated", "message": "a rated table cannot have changed components"}
    table = anna.found("tuareg", "me", "open", components=DEAR_WATER, clock=clock)
    assert table["rated"] is False


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("= 3", "no_toml", "this is no TOML file"),
        ("[goods.water]\npoints = 6", "no_changes", "nothing in it differs from the components of tuareg"),
        ("[game]\nplayers = [2, 9]", "bad_components", "game cannot be changed"),
        ("[goods.water]\npoints = 100000", "bad_components", "goods.water.points must be a whole number up to 1000, not 100000"),
        ("[goods.water]\npoints = 1979-05-27", "bad_components", "goods.water.points must be a whole number"),
        ("[goods.water]\npoints = '<script>'", "bad_components", "goods.water.points must be a short text"),
        ("[goods]\nwater = " + "[" * 10 + "]" * 10, "bad_components", "too long or too deep"),
        ("[goods.beer]\npoints = 3", "bad_components", "there is no component goods.beer; there are water, gold, salt, millet"),
        ("[goods]\nwater = 3", "bad_components", "component goods.water is a table"),
        ("[goods.water]\npoints = 'many'", "bad_components", "tuareg cannot be played with these components"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line_and_nothing_is_founded(anna, text, code, message):
    problem = anna.found("tuareg", "me", "greedy", components=text, status=422)
    assert problem["error"] == code
    assert message in problem["message"]
    assert "\n" not in problem["message"]
    assert anna.get("/tables", list="mine")["tables"] == []


def test_a_file_that_is_too_long_is_refused(anna):
    anna.found("tuareg", "me", "greedy", components="#" * 40_000, status=422)


def test_an_address_brings_only_so_many_variants(new_database):
    limits = Limits(variants=Rate(0.0001, 2))
    with InThread(quick(new_database(), limits=limits)) as running:
        one = Guest(running.address)
        for _ in range(2):
            one.found("tuareg", "me", "greedy", components=DEAR_WATER)
        assert one.found("tuareg", "me", "greedy", components=DEAR_WATER, status=429)["error"] == "too_much"
        one.found("tuareg", "me", "greedy")
        one.http.close()


def test_after_a_restart_the_table_goes_on_with_its_components(new_database):
    database = new_database()
    with InThread(quick(database)) as running:
        one = Guest(running.address)
        table = one.found("tuareg", "me", "me", components=DEAR_WATER)
        before = one.play(table)
    with InThread(quick(database)) as running:
        one = one.moved_to(running.address)
        after = one.look(table)
        assert after["changes"] == [CHANGE]
        assert after["view"] == before["view"]
        one.play(after)
        one.http.close()


def test_variants_that_nobody_plays_make_room_for_others(new_database, monkeypatch):
    monkeypatch.setattr(variants_module, "MOST", 1)

    async def trust(name: str, changes: Any) -> str:
        return ""

    monkeypatch.setattr(variants_module, "try_out", trust)
    with InThread(quick(new_database())) as running:
        one = Guest(running.address)
        first = one.found("tuareg", "me", "me", components=DEAR_WATER)
        played = one.play(first)
        second = one.found("tuareg", "me", "me", components="[goods.water]\npoints = 8\n")
        assert second["changes"] == [{**CHANGE, "after": 8}]
        with one.live(second) as live:
            live.table()
            busy = one.get(f"/tables/{first['id']}", 503)  # the only place is taken
            assert busy["error"] == "too_many_variants"
        again = one.look(first)
        assert (again["view"], again["changes"]) == (played["view"], [CHANGE])
        one.http.close()


def test_a_variant_on_the_server_is_never_compiled_and_leaves_no_memory_behind():
    changes = {"goods": {"water": {"points": 31}}}
    game = load_game("tuareg", changes)
    never_compile(game)
    position = game.new(seed=1)
    position.play(position.moves()[0])
    assert not is_ready(game, "azalai.engine.position")
    gone = weakref.ref(game)
    unload_variant(game)
    del game, position
    gc.collect()
    assert gone() is None
    assert load_game("tuareg", changes).new(seed=1).moves()


def test_only_what_differs_is_a_change():
    whole = load_game("tuareg").components
    whole["goods"]["salt"]["points"] += 1
    assert check_changes("tuareg", whole) == {"goods": {"salt": {"points": whole["goods"]["salt"]["points"]}}}
    assert read_changes("targi", "[start]\ndates = 3\nsalt = 2") == {"start": {"dates": 3}}


def test_changes_in_a_deck_of_cards_are_named_card_by_card():
    goods = load_game("targi").components["cards"]["goods"]
    goods[0] = {**goods[0], "copies": 5}
    game = load_game("targi", {"cards": {"goods": goods[:-1]}})
    assert changed_components(game) == [
        {"component": "cards.goods.dates.copies", "before": 2, "after": 5},
        {"component": "cards.goods.cross", "before": load_game("targi").components["cards"]["goods"][-1], "after": None},
    ]


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("tuareg", {"goods": {"water": {"copies": 900}}}),
        ("timbuktu", {"route": {"oases": ["one", "two"]}}),
        ("targui", {"play": {"start_camels": 900}}),
        ("targi", {"cards": {"goods": []}}),
    ],
)
def test_components_that_break_a_game_are_found_out(game, changes):
    problem = asyncio.run(variants_module.try_out(game, changes))  # where nothing is compiled, and time is limited
    assert problem
    assert "\n" not in problem
