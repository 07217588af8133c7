"""The start page's socket, playing with anyone, inviting people one has played with."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from azalai.server import broadcast
from azalai.server import lobby as lobby_module
from azalai.server.settings import Limits
from tests.server.running import Guest, InThread, quick


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the next look."""
    monkeypatch.setattr(lobby_module, "PAUSE", 0.01)
    monkeypatch.setattr(lobby_module, "INTERVAL", 0.3)


def shows(table: Any) -> Any:
    """Whether a message has a table in its list."""
    return lambda message: table["id"] in [one["id"] for one in message["tables"]]


def lacks(table: Any) -> Any:
    return lambda message: not shows(table)(message)


def invites(table: Any) -> Any:
    return lambda message: table["id"] in [one["id"] for one in message["invitations"]]


def play_together(one: Guest, other: Guest, game: str = "targui") -> Any:
    """A game that is over at once."""
    table = one.found(game, "me", "open")
    other.act(table, "seats")
    one.act(table, "resign")
    return table


def friend(guest: Guest, name: str) -> str:
    return str(next(one["person"] for one in guest.get("/people")["people"] if one["name"] == name))


def invite(guest: Guest, name: str, game: str = "targi") -> Any:
    seats = [{"kind": "me"}, {"kind": "friend", "person": friend(guest, name)}]
    return guest.post("/tables", {"game": game, "seats": seats}, 201)


def test_an_open_table_is_shown_at_once_and_goes_when_it_is_full(anna, bela, guest):
    clara = guest()
    with clara.lobby() as page:
        page.next("open")
        table = anna.found("targui", "me", "open", public=True)
        shown = page.until("open", shows(table))
        entry = next(one for one in shown["tables"] if one["id"] == table["id"])
        assert [seat["name"] for seat in entry["seats"]] == ["Anna", ""]
        bela.act(table, "seats")
        page.until("open", lacks(table))


def test_a_table_that_nobody_waits_at_is_not_shown(anna, bela, monkeypatch):
    monkeypatch.setattr(broadcast, "WAITING_SECONDS", 0.5)
    table = anna.found("targui", "me", "open", public=True)
    with bela.lobby() as page:
        with anna.live(table):
            page.until("open", shows(table))
        page.until("open", lacks(table))


def test_ones_own_table_is_among_ones_own_and_not_among_the_open_ones(anna):
    table = anna.found("targui", "me", "open", public=True)
    with anna.lobby() as page:
        assert lacks(table)(page.next("open"))
        assert shows(table)(page.next("own"))


def test_a_turn_that_comes_is_told_at_once(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    asked = anna.look(table)["pending"][0]
    first, second = (anna, bela) if asked == 0 else (bela, anna)
    with second.lobby() as page:
        page.until("own", lambda message: not message["tables"][0]["your_turn"])
        for _ in range(200):
            first.play(first.look(table))
            if first.look(table)["pending"] != [asked]:
                break
        page.until("own", lambda message: message["tables"][0]["your_turn"])


def test_somebody_one_has_played_with_is_invited_by_name_and_sees_it_at_once(anna, bela, guest):
    stranger = guest()
    play_together(anna, bela)
    with bela.lobby() as page:
        page.next("own")
        table = invite(anna, "Bela")
        own = page.until("own", invites(table))
        assert [seat["kept"] for seat in own["invitations"][0]["seats"]] == [False, True]
        assert stranger.act(table, "seats", status=409)["error"] == "full"
        assert bela.act(table, "seats")["status"] == "playing"
        page.until("own", lambda message: shows(table)(message) and not invites(table)(message))


def test_an_invitation_can_be_declined_and_the_seat_is_free_then(anna, bela, guest):
    play_together(anna, bela)
    table = invite(anna, "Bela")
    with bela.lobby() as page:
        page.until("own", invites(table))
        bela.ask("DELETE", f"/tables/{table['id']}/seats/1")
        page.until("own", lambda message: not invites(table)(message))
    assert anna.look(table)["seats"][1]["name"] == ""
    assert guest().act(table, "seats")["status"] == "playing"


def test_only_people_one_has_played_with_can_be_invited(anna, bela, guest):
    stranger = guest()
    play_together(anna, bela)
    seats = [{"kind": "me"}, {"kind": "friend", "person": friend(anna, "Bela")}]
    assert stranger.post("/tables", {"game": "targi", "seats": seats}, 404)["error"] == "no_such_person"
    known = anna.get("/people")["people"][0]
    assert (known["games"], known["blocked"], known["muted"]) == (1, False, False)


def test_two_who_want_to_play_with_anyone_are_seated_together(guest):
    anna, bela, clara = guest(), guest(), guest()
    mine = anna.post("/seek", {"game": "targi"})["id"]
    assert anna.post("/seek", {"game": "targi"})["id"] == mine  # asking again changes nothing
    assert clara.post("/seek", {"game": "tuareg"})["id"] != mine
    assert bela.post("/seek", {"game": "targi"})["id"] == mine
    assert anna.look({"id": mine})["status"] == "playing"


def test_with_anyone_fills_a_game_for_three_with_a_computer_player(guest):
    anna, bela = guest(), guest()
    table = {"id": anna.post("/seek", {"game": "timbuktu"})["id"]}
    bela.post("/seek", {"game": "timbuktu"})
    assert [seat["kind"] for seat in anna.look(table)["seats"]] == ["human", "human", "bot"]


def test_who_waits_for_anyone_can_begin_with_a_computer_player(guest):
    anna, bela = guest(), guest()
    table = {"id": anna.post("/seek", {"game": "targi"})["id"]}
    assert anna.act(table, "start", {"bot": "greedy"})["status"] == "playing"
    assert bela.post("/seek", {"game": "targi"})["id"] != table["id"]


def test_nobody_is_seated_with_somebody_who_has_gone(guest, monkeypatch):
    monkeypatch.setattr(broadcast, "WAITING_SECONDS", 0.0)
    anna, bela = guest(), guest()
    assert anna.post("/seek", {"game": "targi"})["id"] != bela.post("/seek", {"game": "targi"})["id"]


def test_many_who_ask_at_once_are_seated_in_pairs(server):
    guests = [Guest(server.address) for _ in range(8)]
    for one in guests:
        one.get("/me")
    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(lambda one: one.post("/seek", {"game": "targui"})["id"], guests))
    assert sorted(tables.count(one) for one in set(tables)) == [2, 2, 2, 2]
    for one in guests:
        one.http.close()


def test_the_socket_of_a_start_page_is_counted_with_the_others_and_takes_no_moves(new_database):
    with InThread(quick(new_database(), limits=Limits(sockets=2))) as server:
        anna = Guest(server.address)
        table = anna.found("targui", "me", "greedy")
        with anna.live(table), anna.lobby() as page:
            assert page.ask(type="ping")["type"] == "pong"
            assert page.ask(type="play", ply=0, move=0)["error"] == "no_table"
            with anna.lobby() as refused, pytest.raises(ConnectionClosed):
                refused.next()
        anna.http.close()


def test_a_start_page_of_a_session_that_has_ended_is_closed(anna):
    other = Guest(anna.address)
    other.http.cookies = dict(anna.http.cookies)
    with other.lobby() as page:
        page.next("own")
        anna.ask("DELETE", "/me/sessions")
        with pytest.raises(ConnectionClosed):
            page.until("done", bool)
    other.http.close()


# ---------------------------------------------------------------- several processes


@pytest.fixture(scope="module")
def apart(postgres: Any) -> Iterator[tuple[Guest, Guest]]:
    """Two guests at two servers that share a database."""
    database = postgres.database(f"t{secrets.token_hex(6)}")
    with InThread(quick(database)) as one, InThread(quick(database)) as other:
        anna, bela = Guest(one.address), Guest(other.address)
        anna.ask("PATCH", "/me", json={"name": "Anna"})
        bela.ask("PATCH", "/me", json={"name": "Bela"})
        yield anna, bela
        anna.http.close()
        bela.http.close()


def test_open_tables_turns_and_invitations_are_told_in_other_processes(apart):
    anna, bela = apart
    with bela.lobby() as page:
        page.next("open")
        table = anna.found("targui", "me", "open", public=True)
        page.until("open", shows(table))
        bela.act(table, "seats")
        page.until_all(open=lacks(table), own=shows(table))
        anna.act(table, "resign")
        page.until("own", lacks(table))
        invited = invite(anna, "Bela")
        page.until("own", invites(invited))


def test_two_at_two_processes_are_seated_together(apart):
    anna, bela = apart
    table = {"id": anna.post("/seek", {"game": "tuareg"})["id"]}
    with anna.live(table) as waiting:
        waiting.table()
        assert bela.post("/seek", {"game": "tuareg"})["id"] == table["id"]
        waiting.table(lambda one: one["status"] == "playing")
