"""Tournaments by the API: people join, tables are made, results come in, and nothing is lost or counted twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import func, select, update

from azalai.server import tournaments as tournaments_module
from azalai.server.admin import Admin
from azalai.server.database import open_engine
from azalai.server.rows import TableRow
from azalai.server.tournament_rows import EntrantRow, PairingRow, TournamentRow
from tests.server.authenticator import keep_name
from tests.server.running import Guest, InThread, Process, quick, until

NAMES = ("Anna", "Bela", "Cleo", "Dana", "Emil", "Fay")


@contextmanager
def people(address: str, count: int) -> Iterator[list[Guest]]:
    """Some guests with names."""
    guests = [Guest(address) for _ in range(count)]
    for guest, name in zip(guests, NAMES, strict=False):
        guest.ask("PATCH", "/me", json={"name": name})
    try:
        yield guests
    finally:
        for guest in guests:
            guest.http.close()


def organised(guests: list[Guest], kind: str = "round_robin", **more: Any) -> str:
    """A tournament that all have joined and that has begun."""
    made = guests[0].post("/tournaments", {"name": "Friday", "kind": kind, "game": "targi", **more}, 201)
    for guest in guests[1:]:
        guest.post(f"/tournaments/{made['id']}/entrants")
    begun = guests[0].post(f"/tournaments/{made['id']}/start")
    assert begun["status"] == "playing"
    return str(made["id"])


def games(view: Any) -> list[Any]:
    """All games of all rounds."""
    return [game for matches in view["matches"] for match in matches for game in match["games"]]


def open_games(view: Any) -> list[Any]:
    return [game for game in games(view) if game["status"] != "over"]


def sit(guests: list[Guest], game: Any) -> None:
    """Everybody comes to their table."""
    for number in game["missing"]:
        guests[number].act({"id": game["table"]}, "seats")


def lose(guests: list[Guest], game: Any, number: int) -> None:
    """Play a game that somebody gives up."""
    sit(guests, game)
    guests[number].act({"id": game["table"]}, "resign")


def play_round(guests: list[Guest], tournament: str, looker: int = 0) -> Any:
    """Finish all games that are open: the lower number wins."""
    view = guests[looker].get(f"/tournaments/{tournament}")
    for game in open_games(view):
        lose(guests, game, max(game["seats"]))
    return until_next(guests[looker], tournament, view["round"])


def until_next(guest: Guest, tournament: str, before: int) -> Any:
    """The tournament once the next round has begun, or all is over."""
    view: Any = None

    def gone_on() -> bool:
        nonlocal view
        view = guest.get(f"/tournaments/{tournament}")
        return bool(view["status"] == "over" or view["round"] > before)

    until(gone_on, "the next round does not begin")
    return view


def test_a_round_robin_of_four_runs_by_itself(server):
    with people(server.address, 4) as guests:
        tournament = organised(guests)
        for _ in range(3):
            view = play_round(guests, tournament)
        assert view["status"] == "over"
        assert [(one["name"], one["place"], one["points"], one["tie_break"]) for one in view["entrants"]] == [
            ("Anna", 1, 3, 3),
            ("Bela", 2, 2, 1),
            ("Cleo", 3, 1, 0),
            ("Dana", 4, 0, 0),
        ]
        assert len(games(view)) == 6
        assert view["rounds"] == len(view["matches"]) == 3


def test_seats_are_kept_and_nobody_else_gets_one(server):
    with people(server.address, 3) as (anna, bela, stranger):
        tournament = organised([anna, bela])
        (game,) = games(anna.get(f"/tournaments/{tournament}"))
        table = {"id": game["table"]}
        assert anna.get(f"/tournaments/{tournament}")["next"] == game["table"]
        assert stranger.act(table, "seats", status=409)["error"] == "full"
        assert anna.get("/tables", list="invitations")["tables"][0]["tournament"] == tournament
        anna.act(table, "seats")
        assert anna.post(f"/tables/{game['table']}/seats/{game['seats'].index(1)}/bot", {}, 403)["error"] == "organised"
        assert anna.act(table, "start", {"bot": "random"}, 403)["error"] == "organised"
        left = anna.ask("DELETE", f"/tables/{game['table']}/seats/{game['seats'].index(0)}")
        assert left["status"] == "waiting"
        assert stranger.act(table, "seats", status=409)["error"] == "full"
        anna.act(table, "seats")
        assert bela.act(table, "seats")["status"] == "playing"


def test_leaving_a_running_game_is_losing_it_and_there_are_no_hints_and_no_way_back(server):
    with people(server.address, 2) as (anna, bela):
        tournament = organised([anna, bela])
        (game,) = games(anna.get(f"/tournaments/{tournament}"))
        sit([anna, bela], game)
        seen = until(lambda: next((one for one in (anna, bela) if one.look({"id": game["table"]})["moves"]), None))
        view = seen.play(seen.look({"id": game["table"]}))
        assert view["hints"] is False
        assert view["take_back_to"] is None
        assert seen.act({"id": game["table"]}, "take-back", status=409)["error"] == "rated"
        bela.ask("DELETE", f"/tables/{game['table']}/seats/{game['seats'].index(1)}")
        assert until_next(anna, tournament, 1)["entrants"][0]["name"] == "Anna"


def test_a_knock_out_of_five_has_free_rounds_and_a_winner(server):
    with people(server.address, 5) as guests:
        tournament = organised(guests, "knock_out")
        while (view := play_round(guests, tournament))["status"] != "over":
            pass
        assert view["rounds"] == len(view["matches"]) == 3
        assert [one["place"] for one in view["entrants"]].count(1) == 1
        assert view["entrants"][0]["name"] == "Anna"
        free = [game["seats"][0] for game in games(view) if len(game["seats"]) == 1]
        assert len(free) == 2


def test_a_series_goes_on_with_changed_seats_until_it_is_decided(server):
    with people(server.address, 2) as guests:
        tournament = organised(guests, "series", games=3)
        lost = [1, 0, 1]
        for number, loser in enumerate(lost, 1):
            view = until_games(guests[0], tournament, number)
            (game,) = open_games(view)
            lose(guests, game, loser)
        view = until_next(guests[0], tournament, 1)
        seats = [game["seats"] for game in games(view)]
        assert seats[0] == seats[1][::-1] == seats[2]
        assert [(one["name"], one["points"]) for one in view["entrants"]] == [("Anna", 2), ("Bela", 1)]


def until_games(guest: Guest, tournament: str, count: int) -> Any:
    return until(
        lambda: view if len(games(view := guest.get(f"/tournaments/{tournament}"))) >= count else None, "no further game is made"
    )


def test_computer_players_play_for_people_who_do_not_come(server):
    with people(server.address, 4) as guests:
        tournament = organised(guests, "knock_out", bot="random")
        for number in (2, 3):
            guests[0].post(f"/tournaments/{tournament}/entrants/{number}/bot")
        guests[1].post(f"/tournaments/{tournament}/entrants/2/bot", status=403)

        def present(game: Any) -> list[int]:
            return [number for number in game["seats"] if number in (0, 1)]

        def finished() -> bool:
            view = guests[0].get(f"/tournaments/{tournament}")
            for game in open_games(view):
                if game["status"] == "waiting" and set(game["missing"]) <= {0, 1}:
                    sit(guests, game)
                    guests[present(game)[-1]].act({"id": game["table"]}, "resign")
            return bool(view["status"] == "over")

        until(finished)
        view = guests[0].get(f"/tournaments/{tournament}")
        assert {one["name"] for one in view["entrants"] if one["bot_name"]} == {"Cleo", "Dana"}
        assert len(view["matches"]) == 2


def test_who_comes_late_plays_from_the_next_game_on(server):
    with people(server.address, 3) as guests:
        tournament = organised(guests, bot="random")
        guests[0].post(f"/tournaments/{tournament}/entrants/2/bot")
        assert guests[2].get(f"/tournaments/{tournament}")["next"] is None
        back = guests[2].post(f"/tournaments/{tournament}/entrants")
        assert next(one for one in back["entrants"] if one["number"] == 2)["bot_name"] is None
        played = set()
        for _ in range(3):
            view = guests[0].get(f"/tournaments/{tournament}")
            for game in open_games(view):
                played.update(game["missing"])
                sit(guests, game)
                people_there = [number for number in game["seats"] if number != 2] or [2]
                guests[people_there[0]].act({"id": game["table"]}, "resign")
            view = until_next(guests[0], tournament, view["round"])
        assert view["status"] == "over"
        assert 2 in played


def test_nobody_waits_long_for_somebody_who_does_not_come(new_database):
    with InThread(quick(new_database(), tournament_wait=0.0)) as server, people(server.address, 2) as guests:
        tournament = organised(guests, bot="random")
        (game,) = games(guests[0].get(f"/tournaments/{tournament}"))
        until(lambda: guests[0].get(f"/tournaments/{tournament}")["status"] == "over", "nobody plays")
        view = guests[0].get(f"/tournaments/{tournament}")
        assert all(one["bot_name"] for one in view["entrants"])
        assert view["matches"][0][0]["games"][0]["table"] == game["table"]


def test_whoever_is_removed_loses_what_is_left_and_the_others_go_on(server):
    with people(server.address, 3) as guests:
        tournament = organised(guests)
        view = guests[0].get(f"/tournaments/{tournament}")
        waiting = [game["table"] for game in open_games(view) if 2 in game["seats"]]
        view = guests[0].ask("DELETE", f"/tournaments/{tournament}/entrants/2")
        assert not [game for game in open_games(view) if 2 in game["seats"]]
        for table in waiting:
            guests[0].get(f"/tables/{table}", 404)
        while view["status"] != "over":
            view = play_round(guests, tournament)
        assert view["entrants"][-1]["removed"]
        assert [one["points"] for one in view["entrants"]] == [2, 1, 0]
        assert guests[2].post(f"/tournaments/{tournament}/entrants", status=403)["error"] == "removed"


def test_who_leaves_in_the_middle_of_a_game_has_lost_it(server):
    with people(server.address, 2) as guests:
        tournament = organised(guests)
        (game,) = games(guests[0].get(f"/tournaments/{tournament}"))
        sit(guests, game)
        guests[1].ask("DELETE", f"/tournaments/{tournament}/entrants/1")
        view = until_next(guests[0], tournament, 1)
        assert [(one["name"], one["points"]) for one in view["entrants"]] == [("Anna", 1), ("Bela", 0)]


def test_a_table_of_three_with_one_removed_goes_on_with_two(server):
    with people(server.address, 3) as guests:
        tournament = organised(guests, "knock_out", game="tuareg", seats=3)
        guests[0].ask("DELETE", f"/tournaments/{tournament}/entrants/2")
        (game,) = games(guests[0].get(f"/tournaments/{tournament}"))
        assert sorted(game["seats"]) == [0, 1]
        lose(guests, game, 1)
        assert until_next(guests[0], tournament, 1)["entrants"][0]["name"] == "Anna"


def test_where_a_game_needs_three_computer_players_fill_the_seats(server):
    with people(server.address, 2) as guests:
        body = {"name": "x", "kind": "knock_out", "game": "timbuktu"}
        assert guests[0].post("/tournaments", body, 422)["error"] == "bot_needed"
        tournament = organised(guests, "knock_out", game="timbuktu", bot="random")
        (game,) = games(guests[0].get(f"/tournaments/{tournament}"))
        assert sorted(game["seats"], key=str) == [0, 1, None]


def test_only_the_organiser_starts_and_people_join_before(server):
    with people(server.address, 3) as (anna, bela, cleo):
        made = anna.post("/tournaments", {"name": "<b>Cup</b>\n ", "kind": "knock_out", "game": "targi"}, 201)
        address = f"/tournaments/{made['id']}"
        assert made["name"] == "<b>Cup</b>"
        assert (made["organises"], made["startable"], made["me"]) == (True, False, 0)
        assert anna.post(f"{address}/start", status=409)["error"] == "too_few"
        assert bela.get(address)["joinable"]
        assert bela.post(f"{address}/entrants")["me"] == 1
        bela.post(f"{address}/entrants")
        assert bela.post(f"{address}/start", status=403)["error"] == "not_organiser"
        assert anna.post(f"{address}/entrants", {"bot": True}, 409)["error"] == "no_bots"
        assert len(anna.post(f"{address}/start")["entrants"]) == 2
        assert anna.post(f"{address}/start", status=409)["error"] == "started"
        assert cleo.post(f"{address}/entrants", status=409)["error"] == "started"
        assert anna.ask("DELETE", address, 409)["error"] == "started"
        assert [one["name"] for one in bela.get("/tournaments")["tournaments"]] == ["<b>Cup</b>"]
        assert cleo.get("/tournaments")["tournaments"] == []


def test_a_tournament_that_has_not_begun_can_be_left_and_called_off(server):
    with people(server.address, 2) as (anna, bela):
        made = anna.post("/tournaments", {"name": "Cup", "kind": "knock_out", "game": "targi", "bot": "1"}, 201)
        address = f"/tournaments/{made['id']}"
        bela.post(f"{address}/entrants")
        assert len(bela.ask("DELETE", f"{address}/entrants/1")["entrants"]) == 1
        with_bot = anna.post(f"{address}/entrants", {"bot": True})
        assert [one["person"] for one in with_bot["entrants"]] == [True, False]
        bela.ask("DELETE", address, 403)
        anna.ask("DELETE", address, 204)
        anna.get(address, 404)


def test_people_who_have_blocked_each_other_are_not_in_one_tournament(server):
    with people(server.address, 2) as (anna, bela):
        table = anna.found("targi", "me", "open")
        bela.act(table, "seats")
        anna.ask("PUT", f"/tables/{table['id']}/people/1", 204, json={"blocked": True, "muted": False})
        made = anna.post("/tournaments", {"name": "Cup", "kind": "knock_out", "game": "targi"}, 201)
        assert bela.post(f"/tournaments/{made['id']}/entrants", status=403)["error"] == "blocked"


def test_rated_tournaments_are_for_people_who_keep_their_name(server):
    with people(server.address, 1) as (anna,):
        body = {"name": "Cup", "kind": "knock_out", "game": "targi", "rated": True, "clock": {"kind": "live", "minutes": 5}}
        assert anna.post("/tournaments", body, 403)["error"] == "no_kept_name"


def test_games_of_a_rated_tournament_are_rated(server):
    with people(server.address, 3) as (anna, bela, guest):
        for one in (anna, bela):
            keep_name(one)
        tournament = organised([anna, bela], rated=True, clock={"kind": "live", "minutes": 5})
        (game,) = games(anna.get(f"/tournaments/{tournament}"))
        lose([anna, bela], game, 1)
        until_next(anna, tournament, 1)
        seats = until(lambda: [one for one in anna.get(f"/tables/{game['table']}/ratings")["seats"] if one["after"] is not None])
        winner = game["seats"].index(0)
        assert seats[winner]["after"] > seats[winner]["rating"]
        open_one = anna.post(
            "/tournaments",
            {"name": "Cup", "kind": "series", "game": "targi", "rated": True, "clock": {"kind": "live", "minutes": 5}},
            201,
        )
        assert guest.post(f"/tournaments/{open_one['id']}/entrants", status=403)["error"] == "no_kept_name"


def test_nothing_private_is_shown(server):
    with people(server.address, 2) as guests:
        tournament = organised(guests)
        secrets = [guest.get("/me/data")["you"]["id"] for guest in guests]
        stranger = Guest(server.address)
        for looker in (*guests, stranger):
            shown = looker.http.get(f"/tournaments/{tournament}").text
            assert not [secret for secret in secrets if secret in shown]
        assert stranger.get(f"/tournaments/{tournament}")["me"] is None
        stranger.http.close()


def test_a_guest_is_in_a_limited_number_of_tournaments(server):
    with people(server.address, 2) as (anna, bela):
        made = [
            anna.post("/tournaments", {"name": "Cup", "kind": "series", "game": "targi"}, 201)
            for _ in range(tournaments_module.MOST_UNFINISHED)
        ]
        assert (
            anna.post("/tournaments", {"name": "Cup", "kind": "series", "game": "targi"}, 409)["error"] == "too_many_tournaments"
        )
        bela.post(f"/tournaments/{made[0]['id']}/entrants")
        assert bela.get(f"/tournaments/{made[0]['id']}")["joinable"] is False


def test_what_is_kept_of_a_tournament_can_be_downloaded_and_deleted(server):
    with people(server.address, 3) as guests:
        anna, bela, _ = guests
        tournament = organised(guests)
        alone = anna.post("/tournaments", {"name": "Alone", "kind": "series", "game": "targi"}, 201)
        mine = anna.get("/me/data")["tournaments"]
        assert {(one["name"], one["organised"]) for one in mine} == {("Friday", True), ("Alone", True)}
        assert [(one["name"], one["organised"], one["number"]) for one in bela.get("/me/data")["tournaments"]] == [
            ("Friday", False, 1)
        ]
        anna.ask("DELETE", "/me")
        bela.get(f"/tournaments/{alone['id']}", 404)
        view = bela.get(f"/tournaments/{tournament}")
        assert (view["name"], view["organiser"]) == ("", None)
        gone = next(one for one in view["entrants"] if one["number"] == 0)
        assert (gone["name"], gone["removed"]) == ("", True)
        while view["status"] != "over":
            view = play_round(guests, tournament, looker=1)
        assert view["entrants"][0]["name"] == "Bela"


def test_old_tournaments_are_deleted_with_all_else(new_database):
    database = new_database()
    with InThread(quick(database)) as server, people(server.address, 2) as guests:
        tournament = organised(guests)

        async def age() -> None:
            engine = open_engine(database)
            async with engine.begin() as connection:
                await connection.execute(update(TournamentRow).values(updated=0))
            await engine.dispose()
            async with Admin(database) as admin:
                await admin.delete_older(1, None)

        asyncio.run(age())
        guests[0].get(f"/tournaments/{tournament}", 404)
        assert asyncio.run(counted(database)) == (0, 0, 0)


async def counted(database: str) -> tuple[int, ...]:
    """How many rows tournaments have."""
    engine = open_engine(database)
    async with engine.connect() as connection:
        found = [
            (await connection.execute(select(func.count()).select_from(row))).scalar_one()
            for row in (TournamentRow, EntrantRow, PairingRow)
        ]
    await engine.dispose()
    return tuple(found)


# ---------------------------------------------------------------- kill between steps


def tables_of(database: str) -> list[str]:
    """All tables there are."""

    async def ask() -> list[str]:
        engine = open_engine(database)
        async with engine.connect() as connection:
            found = [one[0] for one in await connection.execute(select(TableRow.id))]
        await engine.dispose()
        return found

    return asyncio.run(ask())


def silent(server: InThread) -> None:
    """Let a server note no results, as one that dies between two steps."""
    tournaments = server.app.state.server.tournaments
    tournaments.note = lambda table: None
    tournaments._sweep.get_loop().call_soon_threadsafe(tournaments._sweep.cancel)


def test_results_that_a_dead_process_has_not_noted_are_noted_by_the_next(new_database):
    database = new_database()
    with InThread(quick(database)) as server:
        silent(server)
        with people(server.address, 4) as guests:
            tournament = organised(guests)
            for game in open_games(guests[0].get(f"/tournaments/{tournament}")):
                lose(guests, game, max(game["seats"]))
            assert guests[0].get(f"/tournaments/{tournament}")["round"] == 1
            cookies = [guest.http.cookies for guest in guests]
    with InThread(quick(database)) as server:
        guests = [Guest(server.address) for _ in cookies]
        for guest, cookie in zip(guests, cookies, strict=True):
            guest.http.cookies = cookie
        view = until_next(guests[0], tournament, 1)
        assert sorted(one["points"] for one in view["entrants"]) == [0, 0, 1, 1]
        while view["status"] != "over":
            view = play_round(guests, tournament)
        assert [one["points"] for one in view["entrants"]] == [3, 2, 1, 0]
        for guest in guests:
            guest.http.close()


def test_a_computer_player_sits_down_although_the_process_that_was_asked_has_died(new_database):
    database = new_database()
    with InThread(quick(database)) as server:
        silent(server)
        with people(server.address, 2) as guests:
            tournament = organised(guests, bot="random")
            (game,) = games(guests[0].get(f"/tournaments/{tournament}"))

    async def let_bots_play() -> None:  # as the transaction leaves it
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.execute(update(EntrantRow).values(bot="random"))
        await engine.dispose()

    asyncio.run(let_bots_play())
    with InThread(quick(database)) as server:
        watcher = Guest(server.address)
        until(lambda: watcher.get(f"/tournaments/{tournament}")["status"] == "over", "nobody plays")
        assert [one["table"] for one in games(watcher.get(f"/tournaments/{tournament}"))] == [game["table"]]
        watcher.http.close()


def test_however_often_a_step_is_done_it_is_done_once(server):
    with people(server.address, 4) as guests:
        tournament = organised(guests)
        running = server.app.state.server.tournaments
        loop = running._sweep.get_loop()

        async def many() -> None:
            await asyncio.gather(*(running.step(tournament) for _ in range(8)))

        view = guests[0].get(f"/tournaments/{tournament}")
        while view["status"] != "over":
            for game in open_games(view):
                lose(guests, game, max(game["seats"]))
            asyncio.run_coroutine_threadsafe(many(), loop).result(60)
            view = until_next(guests[0], tournament, view["round"])
        assert [one["points"] for one in view["entrants"]] == [3, 2, 1, 0]
        assert len(games(view)) == len({game["table"] for game in games(view)}) == 6


@pytest.mark.timeout(240)
def test_a_tournament_survives_a_kill_between_any_two_steps(new_database):
    """The server dies after every request, at once; nothing is counted twice, and no pairing is made twice."""
    database = new_database()
    server = Process(database)
    with server, people(server.address, 4) as guests:
        made = guests[0].post("/tournaments", {"name": "Friday", "kind": "round_robin", "game": "targi"}, 201)
        tournament = made["id"]
        for guest in guests[1:]:
            guest.post(f"/tournaments/{tournament}/entrants")
        server.kill()
        server.start()
        guests[0].post(f"/tournaments/{tournament}/start")
        server.kill()
        server.start()
        view = guests[0].get(f"/tournaments/{tournament}")
        while view["status"] != "over":
            for game in open_games(view):
                sit(guests, game)
            for game in open_games(view):
                guests[max(game["seats"])].act({"id": game["table"]}, "resign")
            server.kill()  # the results may or may not have been noted, and the next round made
            server.start()
            view = until_next(guests[0], tournament, view["round"])
        assert [one["points"] for one in view["entrants"]] == [3, 2, 1, 0]
        assert sorted(game["table"] for game in games(view)) == sorted(tables_of(database))
        assert len(games(view)) == 6


def test_several_processes_make_every_pairing_once(postgres):
    database = postgres.database("cup")
    with InThread(quick(database)) as one, InThread(quick(database)) as other, people(one.address, 4) as guests:
        tournament = organised(guests)
        view = guests[0].get(f"/tournaments/{tournament}")
        there = [guest.moved_to(other.address) for guest in guests]
        while view["status"] != "over":
            first, second = open_games(view)
            sit(there, first)
            sit(there, second)
            guests_here = [Guest(one.address) for _ in there]
            for here, guest in zip(guests_here, there, strict=True):
                here.http.cookies = guest.http.cookies
            lose(guests_here, {**first, "missing": []}, max(first["seats"]))
            lose(there, {**second, "missing": []}, max(second["seats"]))
            view = until_next(there[0], tournament, view["round"])
            for here in guests_here:
                here.http.close()
        assert [entrant["points"] for entrant in view["entrants"]] == [3, 2, 1, 0]
        assert sorted(game["table"] for game in games(view)) == sorted(tables_of(database))
        for guest in there:
            guest.http.close()
