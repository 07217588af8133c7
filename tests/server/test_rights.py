"""What players, founders and onlookers may do and know, and what they may not: see docs/security.md."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.server.running import Guest, InThread, quick, until


def two_at(anna: Guest, bela: Guest, game: str = "targui", **more: Any) -> Any:
    """A table in play, with Anna at seat 0 and Bela at seat 1."""
    table = anna.found(game, "me", "open", **more)
    return bela.act(table, "seats")


def leave(one: Guest, table: Any, seat: int, status: int = 200) -> Any:
    return one.ask("DELETE", f"/tables/{table['id']}/seats/{seat}", status)


def decide(*players: Guest, table: Any) -> int:
    """Let whoever is asked play the first legal move; return their seat."""
    seat: int = players[0].look(table)["pending"][0]
    one = players[seat]
    one.play(one.look(table, seat=seat), seat=seat)
    return seat


# ---------------------------------------------------------------- known deals


@pytest.mark.parametrize("game", ["targui", "tuareg"])
def test_a_table_that_goes_on_from_a_known_game_says_so_and_is_not_listed(anna, bela, game):
    own = anna.found(game, "me", "me")
    over = anna.act(own, "resign", {"seat": 0})
    record = anna.get(f"/tables/{over['id']}/record")
    known = anna.post("/records", record, 201)  # with a seed of her own choosing, as far as the server can tell
    origin = {"table": known["id"], "ply": 0}
    assert anna.found(game, "me", "me", origin=origin, public=True, status=422)["error"] == "known_deal"
    table = anna.found(game, "me", "me", origin=origin)
    assert table["deal_known"]
    link = anna.post(f"/tables/{table['id']}/seats/1/link")
    assert bela.look(table)["deal_known"]
    assert bela.act(table, "seats", {"code": link["code"]})["deal_known"]
    assert table["id"] not in [one["id"] for one in bela.get("/tables", list="watch")["tables"]]


def test_a_new_table_and_a_return_game_are_dealt_from_seeds_that_nobody_knows(anna):
    over = anna.act(anna.found("tuareg", "me", "random"), "resign")
    again = anna.found("tuareg", "me", "random", origin={"table": over["id"], "ply": 0})
    assert again["deal_known"]
    assert not over["deal_known"]
    anna.act(again, "resign")
    rematch = anna.look(anna.act(again, "rematch"))
    assert not rematch["deal_known"]
    anna.act(rematch, "resign")
    seeds = [anna.get(f"/tables/{one['id']}/record")["seed"] for one in (over, again, rematch)]
    assert seeds[0] == seeds[1] != seeds[2]


def test_who_held_two_seats_and_hands_one_over_is_known_to_have_seen_its_secrets(anna, bela):
    table = anna.found("tuareg", "me", "me", public=True)
    assert table["id"] in [one["id"] for one in bela.get("/tables", list="watch")["tables"]]
    link = anna.post(f"/tables/{table['id']}/seats/1/link")
    assert bela.act(table, "seats", {"code": link["code"]})["deal_known"]
    assert anna.look(table)["deal_known"]
    assert table["id"] not in [one["id"] for one in bela.get("/tables", list="watch")["tables"]]


def test_handing_over_ones_only_seat_makes_no_deal_known(anna, bela):
    table = anna.found("tuareg", "me", "random")
    link = anna.post(f"/tables/{table['id']}/seats/0/link")
    assert not bela.act(table, "seats", {"code": link["code"]})["deal_known"]


# ---------------------------------------------------------------- absence


def test_an_absent_player_is_replaced_by_the_tables_own_computer_player_alone(anna, bela):
    table = two_at(anna, bela, substitute="3")
    assert table["substitute"]["bot"] == "3"
    decide(anna, bela, table=table)
    until(lambda: anna.look(table)["seats"][1]["claimable"])
    seat = f"/tables/{table['id']}/seats/1/bot"
    assert anna.post(seat, {"bot": "random"}, 409)["error"] == "not_agreed"
    assert anna.post(seat, {})["seats"][1]["bot"] == "3"
    leave(anna, table, 0)
    assert anna.post(f"/tables/{table['id']}/seats/0/bot", {"bot": "random"}, 409)["error"] == "not_agreed"


@pytest.mark.parametrize("way", ["replaced", "left"])
def test_who_is_gone_keeps_a_say_in_what_is_taken_back_and_no_hints_are_given(anna, bela, way):
    table = two_at(anna, bela, "targi")
    while (now := anna.look(table))["ply"] < 8 or now["pending"] != [1]:
        decide(anna, bela, table=table)
    moment = now["ply"]
    if way == "left":
        leave(bela, table, 1)
    else:
        until(lambda: anna.look(table)["seats"][1]["claimable"])
    anna.post(f"/tables/{table['id']}/seats/1/bot", {})
    seen = until(lambda: (one := anna.look(table))["pending"] == [0] and one)
    assert not seen["hints"]
    assert anna.act(table, "jobs", {"kind": "hint"}, 403)["error"] == "no_hints"
    assert anna.act(table, "take-back", {"to": 0})["proposal"]["needs"] == [1]
    assert anna.look(table)["ply"] == seen["ply"]
    assert anna.act(table, "take-back", {"to": moment})["ply"] == moment  # what he was not there for needs no consent
    until(lambda: anna.look(table)["pending"] == [0])
    assert anna.act(table, "take-back", {"to": moment - 1})["proposal"]["needs"] == [1]
    assert bela.act(table, "take-back/answer", {"agree": True})["ply"] == moment - 1


def test_hints_are_given_where_only_computer_players_are_left_by_resigning(anna, bela, guest):
    table = anna.found("targui", "me", "open", "greedy")
    bela.act(table, "seats")
    assert not anna.look(table)["hints"]
    bela.act(table, "resign")
    assert anna.look(table)["hints"]


def poll_in_vain(one: Guest, table: Any, watcher: Guest) -> list[Any]:
    """Let somebody wait for news that do not come; return seat 1 as the watcher has seen it meanwhile."""
    version = one.look(table)["version"]
    until(lambda: watcher.look(table)["seats"][1]["claimable"])
    began, wait = time.monotonic(), 1.5
    with ThreadPoolExecutor(1) as pool:
        polling = pool.submit(one.http.get, f"/tables/{table['id']}", params={"version": version, "wait": wait})
        until(lambda: watcher.look(table)["seats"][1]["connected"])
        seen = []
        while not polling.done():
            seat = watcher.look(table)["seats"][1]
            if time.monotonic() < began + wait:  # the answer may be under way later, and its reader away on a slow machine
                seen.append(seat)
        assert polling.result().status_code == 304
    return seen


def test_who_polls_is_present_though_nothing_is_new(anna, bela):
    table = two_at(anna, bela)
    decide(anna, bela, table=table)
    assert all(seat["connected"] and not seat["claimable"] for seat in poll_in_vain(bela, table, anna))
    with anna.live(table) as socket:
        bela.look(table)
        until(lambda: 1 in socket.next("presence")["connected"])
        until(lambda: 1 not in socket.next("presence")["connected"])


def test_who_polls_at_one_process_is_present_at_the_other(postgres):
    database = postgres.database("polling")
    with InThread(quick(database)) as here, InThread(quick(database)) as there:
        anna, bela = Guest(here.address), Guest(there.address)
        table = two_at(anna, bela)
        decide(anna, bela, table=table)
        until(lambda: bela.look(table)["ply"] == 1)
        assert all(seat["connected"] and not seat["claimable"] for seat in poll_in_vain(bela, table, anna))
        until(lambda: anna.look(table)["seats"][1]["claimable"])
        anna.http.close()
        bela.http.close()


def test_a_seat_left_in_a_running_game_shows_its_secrets_to_nobody(anna, bela, guest):
    table = two_at(anna, bela, "tuareg")
    onlooker, stranger = guest(), guest()
    onlooker.look(table)
    link = bela.post(f"/tables/{table['id']}/seats/1/link")["code"]
    assert anna.act(table, "seats", {"code": link}, 409)["error"] == "kept"
    seen = leave(bela, table, 1)
    assert (seen["seats"][1]["kind"], seen["seats"][1]["free"]) == ("open", True)
    for one in (anna, onlooker, stranger):
        assert not one.look(table)["seats"][1]["free"]
        assert one.act(table, "seats", {"seat": 1}, 409)["error"] == "kept"
        assert one.act(table, "seats", status=409)["error"] == "full"
        assert one.get(f"/tables/{table['id']}", 403, seat=1)["error"] == "not_your_seat"
    anna.post(f"/tables/{table['id']}/seats/1/bot", {})
    assert stranger.act(table, "seats", {"seat": 1}, 409)["error"] == "taken"
    assert bela.act(table, "seats", {"seat": 1})["seats"][1]["mine"]


def test_where_nothing_is_secret_somebody_else_may_play_on_at_a_seat_that_was_left(anna, bela, guest):
    table = two_at(anna, bela, "targui")
    leave(bela, table, 1)
    assert guest().act(table, "seats", {"seat": 1})["seats"][1]["mine"]


def test_time_goes_on_at_a_seat_that_was_left_and_the_tables_rule_decides(anna, bela):
    table = two_at(anna, bela, clock={"kind": "live", "minutes": 0.01}, time_out="lose")
    leave(anna, table, 0)
    over = until(lambda: (one := bela.look(table))["status"] == "over" and one)
    assert (over["result"]["end"], over["result"]["ranking"]) == ("time", [2, 1])


# ---------------------------------------------------------------- return games, founders


def test_seats_of_a_return_game_belong_to_those_who_played(anna, bela, guest):
    table = two_at(anna, bela)
    anna.act(table, "resign")
    rematch = anna.act(table, "rematch")
    stranger = guest()
    assert stranger.look(rematch)["seats"][1]["name"] == "Bela"
    assert stranger.act(rematch, "seats", {"seat": 1}, 409)["error"] == "kept"
    assert stranger.act(rematch, "seats", status=409)["error"] == "full"
    assert rematch["id"] not in [one["id"] for one in bela.get("/tables", list="mine")["tables"]]  # until he sits down
    assert bela.look(rematch)["seats"][1]["free"]
    assert bela.act(rematch, "seats")["status"] == "playing"


def test_a_founder_can_give_up_the_seat_that_is_kept_for_somebody_who_does_not_come(anna, bela, guest):
    table = two_at(anna, bela)
    anna.act(table, "resign")
    rematch = anna.act(table, "rematch")
    assert leave(guest(), rematch, 1, 403)["error"] == "not_seated"
    assert leave(anna, rematch, 1)["seats"][1]["name"] == ""
    assert guest().act(rematch, "seats")["status"] == "playing"


def test_a_founder_can_remove_a_guest_from_a_waiting_table(anna, bela, guest):
    table = anna.found("targui", "me", "open", "open")
    clara = guest()
    bela.act(table, "seats", {"seat": 1})
    clara.act(table, "seats", {"seat": 2}, 200)  # the game begins
    assert leave(anna, table, 1, 403)["error"] == "not_your_seat"
    table = anna.found("targui", "me", "open", "open", wait=True)
    bela.act(table, "seats", {"seat": 1})
    assert leave(clara, table, 1, 403)["error"] == "not_seated"
    clara.act(table, "seats", {"seat": 2})
    assert leave(clara, table, 1, 403)["error"] == "not_your_seat"
    assert not clara.look(table)["founder"]
    assert anna.look(table)["founder"]
    with bela.live(table) as socket:
        assert socket.table()["seat"] == 1
        assert leave(anna, table, 1)["seats"][1] | {"name": ""} == anna.look(table)["seats"][1]
        assert socket.table()["seat"] is None
    assert bela.act(table, "seats", {"seat": 1}, 403)["error"] == "removed"
    assert bela.act(table, "seats", status=403)["error"] == "removed"
    assert not bela.look(table)["seats"][1]["free"]
    assert guest().act(table, "seats", {"seat": 1})["seats"][1]["mine"]


# ---------------------------------------------------------------- what onlookers learn


def test_chat_is_read_by_those_who_have_a_seat_and_by_nobody_else(anna, bela, guest):
    table = anna.found("targui", "me", "open")
    anna.act(table, "chat", {"text": "meet me at the well"})
    onlooker = guest()
    with onlooker.live(table) as watching, bela.live(table) as socket:
        assert watching.table()["chat"] == []
        assert socket.table()["chat"] == []
        bela.act(table, "seats")
        assert [line["text"] for line in socket.table(lambda one: one["seat"] == 1)["chat"]] == ["meet me at the well"]
        anna.act(table, "chat", {"text": "now"})
        assert [line["text"] for line in socket.table(lambda one: one["chat"])["chat"]] == ["now"]
        assert watching.table(lambda one: one["version"] == anna.look(table)["version"])["chat"] == []
    assert onlooker.look(table)["chat"] == []
    anna.act(table, "resign")
    assert onlooker.look(table)["chat"] == []
    assert len(bela.look(table)["chat"]) == 2


def test_onlookers_are_sent_nothing_where_nothing_has_changed(anna, bela, guest, server):
    table = two_at(anna, bela)
    inside = server.app.state.server
    with guest().live(table) as watching:
        version = watching.table()["version"]
        asyncio.run_coroutine_threadsafe(inside.registry.refresh(table["id"]), inside.store._writer.get_loop()).result(10)
        anna.play(anna.look(table))
        assert watching.next("table")["version"] > version
