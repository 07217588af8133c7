"""Rated tables, ratings that can be computed anew, lists of the best, profiles."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from azalai.server import ratings
from azalai.server.database import open_engine
from azalai.server.ratings import ELO, MU, SIGMA, after_game, levels
from azalai.server.rows import RatingRow, ResultRow
from tests.server.authenticator import keep_name
from tests.server.running import Guest, InThread, quick, until
from tests.server.test_sessions import database_of, operate

CLOCK = {"kind": "live", "minutes": 30, "increment": 20}
RATED: dict[str, Any] = {"rated": True, "clock": CLOCK}


@pytest.fixture
def carla(guest: Callable[[], Guest]) -> Guest:
    """A guest called Carla."""
    one = guest()
    one.ask("PATCH", "/me", json={"name": "Carla"})
    return one


@pytest.fixture
def keepers(anna: Guest, bela: Guest, carla: Guest) -> tuple[Guest, Guest, Guest]:
    """Anna, Bela and Carla, who keep their names."""
    for one in (anna, bela, carla):
        keep_name(one)
    return anna, bela, carla


def rated_game(founder: Guest, *others: Guest, game: str = "targui", **more: Any) -> Any:
    """A rated table at which everybody sits."""
    table = founder.found(game, "me", *["open"] * len(others), **{**RATED, **more})
    for one in others:
        one.act(table, "seats")
    return founder.look(table)


def changes(guest: Guest, table: Any) -> list[tuple[int, int]]:
    """The ratings at a table before and after its game, once they are computed."""
    path = f"/tables/{table['id']}/ratings"
    seats = until(lambda: (found := guest.get(path)["seats"]) and all(one["after"] is not None for one in found) and found)
    return [(one["rating"], one["after"]) for one in seats]


def stored(database: str) -> dict[str, list[Any]]:
    """All results and ratings as they are in the database."""

    async def read() -> dict[str, list[Any]]:
        engine = open_engine(database)
        async with engine.connect() as connection:
            results = select(ResultRow.__table__).order_by(ResultRow.table_id, ResultRow.seat)
            people = select(RatingRow.__table__).order_by(RatingRow.guest, RatingRow.game, RatingRow.players)
            found = {
                name: [tuple(one) for one in await connection.execute(query)] for name, query in (("r", results), ("p", people))
            }
        await engine.dispose()
        return found

    return asyncio.run(read())


def change_rows(database: str, *statements: Any) -> None:
    """Change the database behind the server's back."""

    async def work() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            for one in statements:
                await connection.execute(one)
        await engine.dispose()

    asyncio.run(work())


# ---------------------------------------------------------------- the model


def test_who_wins_rises_who_loses_falls_and_both_become_surer():
    (first, second) = after_game([(MU, SIGMA), (MU, SIGMA)], [1, 2])
    assert first[0] > MU > second[0]
    assert first[0] - MU == pytest.approx(MU - second[0])
    assert first[1] < SIGMA
    assert second[1] < SIGMA


def test_a_tie_between_equals_moves_nobody_and_a_surprise_moves_more_than_what_was_expected():
    even = after_game([(MU, 80.0), (MU, 80.0)], [1, 1])
    assert even[0][0] == pytest.approx(MU)
    expected = after_game([(1800.0, 80.0), (1400.0, 80.0)], [1, 2])[0][0] - 1800
    surprise = 1800 - after_game([(1800.0, 80.0), (1400.0, 80.0)], [2, 1])[0][0]
    assert 0 < expected < surprise / 4


def test_whoever_wins_as_often_as_the_points_say_keeps_the_rating():
    """Points mean the same as in the ladder: 200 more are a chance of 1 / (1 + 10 ** -0.5)."""
    chance = 1 / (1 + math.exp(-200 / ELO))
    sure = 1e-3  # both ratings are known
    won = after_game([(1700.0, sure), (1500.0, sure)], [1, 2])[0][0] - 1700
    lost = after_game([(1700.0, sure), (1500.0, sure)], [2, 1])[0][0] - 1700
    assert chance * won + (1 - chance) * lost == pytest.approx(0, abs=won / 100)
    assert won > 0 > lost


@pytest.mark.parametrize("players", [2, 3])
def test_the_uncertainty_is_as_large_as_it_says(players):
    """Of people whose strength is known, rated by games against levels, some 95 % lie within their interval."""
    chance = random.Random(1)
    bots = list(levels("targui")[2].values())
    inside = errors = 0.0
    for _ in range(200):
        true, now = chance.gauss(MU, SIGMA), (MU, SIGMA)
        for _ in range(20):
            others = [chance.choice([bot for bot in bots if abs(bot[0] - now[0]) < 500] or bots) for _ in range(players - 1)]
            left = dict(enumerate([true, *(chance.gauss(*bot) for bot in others)]))
            places = [0] * players
            for place in range(1, players + 1):
                seats = list(left)
                (best,) = chance.choices(seats, [math.exp(left[seat] / ELO) for seat in seats])
                places[best] = place
                del left[best]
            now = after_game([now, *others], places)[0]
        inside += abs(now[0] - true) < 1.96 * now[1]
        errors += (now[0] - true) ** 2
    assert 0.93 <= inside / 200 <= 0.995
    assert math.sqrt(errors / 200) < SIGMA / 3


def test_levels_that_are_stronger_in_the_ladder_have_higher_ratings():
    assert set(levels("targui")) == {2}
    found = [levels("targui")[2][bot][0] for bot in "123456"]
    assert found == sorted(found)
    assert levels("timbuktu")[3]["6"] > levels("timbuktu")[3]["random"]


# ---------------------------------------------------------------- rated tables


def test_a_rated_table_is_for_people_who_keep_their_name(anna, bela):
    assert anna.found("targui", "me", "open", status=403, **RATED)["error"] == "no_kept_name"
    keep_name(anna)
    table = anna.found("targui", "me", "open", **RATED)
    assert table["rated"]
    assert bela.act(table, "seats", status=403)["error"] == "no_kept_name"
    keep_name(bela)
    assert bela.act(table, "seats")["status"] == "playing"


def test_what_would_make_a_result_unfair_is_refused_at_a_rated_table(keepers):
    anna, bela, _ = keepers
    over = rated_game(anna, bela)
    bela.act(over, "resign")
    for refused in (
        {"hints": True},
        {"clock": {"kind": "none"}},
        {"origin": {"table": over["id"], "ply": 0}},
        {"options": {"rounds": "8"}},
    ):
        assert anna.found("targui", "me", "greedy", status=422, **{**RATED, **refused})["error"] == "rated", refused
    assert anna.found("targui", "me", "me", status=422, **RATED)["error"] == "rated"
    assert anna.found("targui", "greedy", "greedy", status=422, **RATED)["error"] == "rated"
    assert anna.found("targui", "me", "3", "3", status=409, **RATED)["error"] == "unrated_bot", "the ladder is for two"
    three = anna.found("targui", "me", "open", "open", **RATED)
    assert anna.act(three, "seats/1/bot", {"bot": "3"}, 409)["error"] == "unrated_bot"
    assert anna.act(three, "start", {"bot": "3"}, 409)["error"] == "unrated_bot"


def test_at_a_rated_table_there_are_no_hints_no_take_backs_no_seats_handed_over_and_no_programs(keepers, guest):
    anna, bela, carla = keepers
    table = anna.found("targui", "me", "random", **RATED)
    seen = until(lambda: (now := anna.look(table))["moves"] and now)
    assert not seen["hints"]
    assert anna.act(table, "jobs", {"kind": "hint"}, 403)["error"] == "no_hints"
    for _ in range(4):
        seen = until(lambda: (now := anna.look(table))["moves"] and now)
        anna.play(seen)
    assert anna.look(table)["take_back_to"] is None
    assert anna.act(table, "take-back", {"to": 0}, 409)["error"] == "rated"
    assert anna.act(table, "seats/0/link", status=409)["error"] == "rated"
    program = guest(token=anna.post("/me/tokens", {}, 201)["token"])
    assert program.act(table, "resign", status=403)["error"] == "not_by_token"
    assert program.found("targui", "me", "open", status=403, **RATED)["error"] == "not_by_token"
    waiting = anna.found("targui", "me", "open", "open", **RATED)
    bela.act(waiting, "seats", {"seat": 1})
    assert bela.act(waiting, "seats", {"seat": 2}, 409)["error"] == "rated", "one seat each"
    assert carla.act(waiting, "seats")["status"] == "playing"


def test_giving_up_is_a_loss_and_both_ratings_are_shown_with_their_uncertainty(keepers):
    anna, bela, _ = keepers
    table = rated_game(anna, bela)
    assert [(one["rating"], one["after"]) for one in anna.get(f"/tables/{table['id']}/ratings")["seats"]] == [(1500, None)] * 2
    bela.act(table, "resign")
    (before, after), (other_before, other_after) = changes(anna, table)
    assert before == other_before == 1500
    assert after > 1500 > other_after
    (rating,) = anna.get("/me/profile")["ratings"]
    assert (rating["game"], rating["players"], rating["rating"], rating["games"]) == ("targui", 2, after, 1)
    assert rating["error"] < round(1.96 * SIGMA)
    assert rating["curve"][-1]["rating"] == after
    assert rating["curve"][-1]["table"] == table["id"]


def test_leaving_is_a_loss(keepers):
    anna, bela, _ = keepers
    table = rated_game(anna, bela)
    seen = anna.ask("DELETE", f"/tables/{table['id']}/seats/0")
    assert (seen["status"], seen["seats"][0]["resigned"], seen["result"]["ranking"]) == ("over", "left", [2, 1])
    (_, after), (_, other) = changes(anna, table)
    assert after < 1500 < other


def test_running_out_of_time_is_a_loss_whatever_the_table_says(keepers):
    anna, bela, _ = keepers
    table = rated_game(anna, bela, clock={"kind": "live", "minutes": 0.001, "increment": 0}, time_out="bot")
    seen = until(lambda: (now := anna.look(table))["status"] == "over" and now)
    late = next(one["seat"] for one in seen["seats"] if one["resigned"] == "time")
    found = changes(anna, table)
    assert found[late][1] < 1500 < found[1 - late][1]


def test_whoever_goes_away_has_lost_when_a_computer_player_takes_over(keepers):
    anna, bela, carla = keepers
    table = rated_game(anna, bela, carla, game="timbuktu")
    away = anna.look(table)["pending"][0]
    others = [one for seat, one in enumerate((anna, bela, carla)) if seat != away]
    with others[0].live(table), others[1].live(table):
        seen = until(lambda: (now := others[0].look(table))["seats"][away]["claimable"] and now)
        assert seen["seats"][away]["resigned"] is None
        seen = others[0].act(table, f"seats/{away}/bot")
    assert seen["status"] == "playing"
    assert seen["seats"][away]["resigned"] == "left"
    others[0].act(table, "resign")
    found = changes(anna, table)
    assert found[away][1] < 1500
    assert anna.look(table)["result"]["ranking"][away] > 1


def test_against_a_level_only_the_person_changes(keepers):
    anna, _, _ = keepers
    table = anna.found("targui", "me", "6", **RATED)
    anna.act(table, "resign")
    (_, after), level = changes(anna, table)
    strength = round(levels("targui")[2]["6"][0])
    assert level == (strength, strength)
    assert 1400 < after < 1500, "to lose against the best is no surprise"


def test_a_return_game_of_a_rated_table_is_rated(keepers):
    anna, bela, _ = keepers
    table = rated_game(anna, bela)
    bela.act(table, "resign")
    again = {"id": anna.act(table, "rematch")["id"]}
    assert anna.look(again)["rated"]
    assert bela.act(again, "seats")["status"] == "playing"


# ---------------------------------------------------------------- computed anew


def some_games(anna: Guest, bela: Guest, carla: Guest) -> list[Any]:
    """Rated games of two, of three and against levels, and one that does not count."""
    tables = []
    for founder, other, loser in ((anna, bela, bela), (bela, carla, carla), (carla, anna, anna), (anna, bela, anna)):
        tables.append(rated_game(founder, other))
        loser.act(tables[-1], "resign")
    tables.append(rated_game(anna, bela, carla, game="timbuktu"))
    for one in (carla, anna):
        one.act(tables[-1], "resign")
    tables.append(anna.found("targui", "me", "2", **RATED))
    anna.act(tables[-1], "resign")
    for table in tables:
        changes(anna, table)
    plain = anna.found("targui", "me", "open")
    bela.act(plain, "seats")
    anna.act(plain, "resign")
    for table in tables[:2]:
        anna.act(table, "chat", {"text": "well played"}, 200 if table is tables[0] else 403)
    return tables


def test_ratings_computed_anew_from_the_stored_games_are_the_same(new_database, capsys):
    database = new_database()
    with InThread(quick(database)) as server:
        people = [Guest(server.address) for _ in range(3)]
        for number, one in enumerate(people):
            one.ask("PATCH", "/me", json={"name": f"Person {number}"})
            keep_name(one)
        tables = some_games(*people)
        first = stored(database)
        assert len(first["p"]) == 6
        operate(database, capsys, "ratings")
        assert stored(database) == first
        change_rows(database, delete(ResultRow), delete(RatingRow))
        operate(database, capsys, "ratings")
        assert stored(database) == first, "they follow from the games alone"
        people[1].ask("DELETE", "/me")
        operate(database, capsys, "delete", tables[0]["id"])
        after_deletion = stored(database)
        assert len(after_deletion["p"]) == 4
        operate(database, capsys, "ratings")
        assert stored(database) == after_deletion, "neither a deleted person nor a deleted table changes those of others"
        for one in people:
            one.http.close()


def test_games_that_were_not_rated_when_the_server_stopped_are_rated_when_it_starts_in_the_order_of_their_ends(new_database):
    database = new_database()
    with InThread(quick(database)) as server:
        people = [Guest(server.address) for _ in range(3)]
        for one in people:
            keep_name(one)
        some_games(*people)
        for one in people:
            one.http.close()
    first = stored(database)
    one_of_the_first = sorted({(row[5], row[0]) for row in first["r"] if row[4]})[1][1]
    empty = dict.fromkeys(("mu", "sigma", "new_mu", "new_sigma"))
    change_rows(database, update(ResultRow).where(ResultRow.table_id == one_of_the_first).values(**empty))
    with InThread(quick(database)):
        assert stored(database) == first


def test_results_of_a_database_without_them_are_found_by_replaying(server, keepers, capsys):
    anna, bela, _ = keepers
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    bela.act(table, "resign")
    change_rows(database_of(server), delete(ResultRow))
    assert anna.get("/me/profile")["games"] == []
    operate(database_of(server), capsys, "ratings")
    assert [(one["game"], one["played"], one["won"]) for one in anna.get("/me/profile")["games"]] == [("targui", 1, 1)]


# ---------------------------------------------------------------- the best, and profiles


def test_who_has_enough_rated_games_and_shows_them_is_in_the_list_of_the_best(keepers, guest):
    anna, bela, _ = keepers

    def names() -> list[str]:
        return [one["name"] for one in guest().get("/games/tuareg/ratings", players=2)["people"]]

    for number in range(ratings.MINIMUM):
        assert names() == []
        table = rated_game(anna, bela, game="tuareg")
        (bela if number else anna).act(table, "resign")
        changes(anna, table)
    found = anna.get("/games/tuareg/ratings", players=2)
    assert [(one["name"], one["games"], one["mine"]) for one in found["people"]] == [("Anna", 5, True), ("Bela", 5, False)]
    assert found["people"][0]["player"] == anna.get("/me")["player"]
    assert found["bots"][0]["bot"] == "6"
    anna.ask("PUT", "/me/profile", json={"shown": []})
    assert names() == ["Bela"]
    assert guest().get("/games/tuareg/ratings", players=3)["people"] == []
    assert guest().get("/games/halma/ratings", 404)["error"] == "no_such_game"


def test_a_profile_shows_others_what_its_player_chooses(keepers, guest):
    anna, bela, _ = keepers
    table = rated_game(anna, bela)
    bela.act(table, "resign")
    changes(anna, table)
    alone = anna.found("targui", "me", "greedy")
    anna.act(alone, "resign")
    shared = anna.found("targui", "me", "me")
    anna.act(shared, "resign", {"seat": 0})
    path = f"/players/{anna.get('/me')['player']}"
    seen, own = guest().get(path), anna.get(path)
    assert (seen["name"], seen["mine"], seen["shown"]) == ("Anna", False, ["rating"])
    assert (seen["games"], seen["opponents"]) == (None, None)
    assert len(seen["ratings"]) == 1
    assert own["mine"]
    assert [(one["game"], one["played"], one["won"]) for one in own["games"]] == [("targui", 2, 1)], "two seats do not count"
    met = {one["name"]: (one["played"], one["won"], one["lost"], one["bot"]) for one in own["opponents"]}
    assert met == {"Bela": (1, 1, 0, None), "greedy": (1, 0, 1, "greedy")}
    anna.ask("PUT", "/me/profile", json={"shown": ["games", "opponents"]})
    seen = guest().get(path)
    assert seen["ratings"] is None
    assert seen["games"] == own["games"]
    assert [one["name"] for one in seen["opponents"]] == ["greedy"], "Bela does not show whom she has met"
    bela.ask("PUT", "/me/profile", json={"shown": ["opponents"]})
    assert {one["name"] for one in guest().get(path)["opponents"]} == {"Bela", "greedy"}
    assert guest().get("/players/0123456789", 404)["error"] == "no_such_player"


def test_a_guest_has_a_profile_for_themselves_alone(guest):
    one = guest()
    assert one.get("/me/profile")["games"] == []
    table = one.found("targui", "me", "greedy")
    one.act(table, "resign")
    found = one.get("/me/profile")
    assert (found["player"], found["games"][0]["played"]) == (None, 1)
    assert one.ask("PUT", "/me/profile", 409, json={"shown": ["games"]})["error"] == "no_kept_name"


def test_neither_profiles_nor_lists_nor_tables_tell_an_id(server, keepers, guest):
    anna, bela, _ = keepers
    identity = anna.get("/me/data")["you"]["id"]
    table = rated_game(anna, bela)
    bela.act(table, "resign")
    changes(anna, table)
    for path in (f"/players/{anna.get('/me')['player']}", "/games/targui/ratings", f"/tables/{table['id']}/ratings"):
        assert identity not in guest().http.get(path).text
