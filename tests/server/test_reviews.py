"""Reviews of finished games: who may see them, what they say, and that they are kept."""

from __future__ import annotations

from typing import Any

import pytest

import azalai
from azalai.bots.player import Search
from azalai.engine.record import to_record
from azalai.server.schemas.reviews import GameReview, ReviewedPosition
from tests.server.running import Guest, InThread, quick, until

SIZES = [(name, seats) for name in azalai.games() for seats in azalai.game(name).seats]


def record(game: str, seats: int, seed: int = 4, plies: int | None = None) -> Any:
    """The record of a game among greedy players, or of its beginning."""
    position = azalai.game(game).new(seats=seats, seed=seed)
    player = azalai.bot("greedy", position.game, seed=seed)
    while not position.over and (plies is None or position.ply < plies):
        position.play(player.choose(position.seen_by(position.seat)))
    return to_record(position)


def reviewed(guest: Guest, table: Any) -> Any:
    """A review when it is done."""
    guest.act(table, "review")
    done = until(lambda: (now := guest.get(f"/tables/{table['id']}/review"))["done"] and now)
    GameReview.model_validate(done)
    assert done["choices"] == len(done["decisions"])
    for moment in done["chances"]:
        for view in moment:
            assert sum(view) == pytest.approx(1, abs=0.001)
    return done


def asked(guest: Guest, table: Any) -> Any:
    """The table as soon as the guest is asked for a decision."""
    return until(lambda: (now := guest.look(table))["moves"] and now)


def decide(guest: Guest, table: Any, decisions: int = 1) -> Any:
    """Make some decisions, each the first possible one."""
    for _ in range(decisions):
        guest.play(asked(guest, table))
    return guest.look(table)


@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_an_imported_record_of_any_size_is_reviewed_and_kept(anna, bela, server, game, seats):
    table = anna.post("/records", record(game, seats, plies=12), 201)
    first = anna.act(table, "review")
    assert len(first["chances"]) == 13
    assert len(first["chances"][0]) == seats + 1
    done = reviewed(anna, table)
    assert done["chances"] == first["chances"]
    assert bela.get(f"/tables/{table['id']}/review") == done
    assert bela.act(table, "review") == done


def test_the_chances_alone_are_there_without_grades(anna):
    table = anna.post("/records", record("targui", 2, plies=8), 201)
    first = anna.post(f"/tables/{table['id']}/review", grades=False)
    assert (first["judging"], first["decisions"], len(first["chances"])) == (False, [], 9)
    assert anna.get(f"/tables/{table['id']}/review") == first
    assert reviewed(anna, table)["chances"] == first["chances"]


def test_a_whole_game_is_reviewed_to_its_end_in_the_language_asked_for(anna):
    table = anna.post("/records", record("targui", 2, seed=29), 201)  # a short game
    done = reviewed(anna, table)
    places = table["result"]["ranking"]
    assert [round(chance) for chance in done["chances"][-1][-1]] == [int(place == 1) for place in places]
    assert {one["grade"] for one in done["decisions"]} <= {"best", "good", "inaccuracy", "mistake", "blunder"}
    lost = next(one for one in done["decisions"] if one["best"])
    assert lost["loss"] == pytest.approx(lost["best_chance"] - lost["chance"], abs=0.001)
    german = anna.get(f"/tables/{table['id']}/review", lang="de")
    assert german["decisions"][0]["move"]["words"] != done["decisions"][0]["move"]["words"]


def test_a_move_that_a_search_would_not_consider_is_judged_too(anna):
    game = azalai.game("targui")
    position, player = game.new(seats=2, seed=2), Search(game, 1)
    outsiders: list[int] = []
    while len(outsiders) < 3:
        candidates = player.analyse(position.seen_by(position.seat), 0, games=0).moves
        considered = {one.move.id for one in candidates}
        strange = next((move for move in position.move_ids() if move not in considered), None)
        if strange is not None:
            outsiders.append(position.ply)
        position.play(position.move_ids()[0] if strange is None else strange)
    done = reviewed(anna, anna.post("/records", to_record(position), 201))
    judged = {one["ply"]: one for one in done["decisions"]}
    for ply in outsiders:
        assert judged[ply]["move"]["id"] == position.history[ply][1].id


def test_a_game_that_was_given_up_ends_with_who_won(anna):
    table = anna.found("targui", "me", "greedy")
    decide(anna, table, 3)
    over = anna.act(table, "resign")
    done = reviewed(anna, table)
    assert done["last"] == over["ply"]
    assert done["chances"][-1] == [[0, 1]] * 3


def test_a_seat_that_was_substituted_is_reviewed_as_one(anna, bela):
    table = anna.found("targui", "me", "open", substitute="random")
    bela.act(table, "seats")
    turn = until(lambda: anna.look(table)["pending"])[0]
    decide((anna, bela)[turn], table)
    anna.ask("DELETE", f"/tables/{table['id']}/seats/0")
    bela.post(f"/tables/{table['id']}/seats/0/bot", {"bot": "random"})
    decide(bela, table, 3)
    bela.act(table, "resign")
    done = reviewed(anna, table)
    assert {one["seat"] for one in done["decisions"]} <= {0, 1}


def test_what_was_taken_back_is_not_reviewed(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    now = anna.look(table)
    anna.play(now, now["moves"][0]["id"])
    back = anna.act(table, "undo", {"to": now["ply"]})
    other = anna.play(back, back["moves"][-1]["id"])
    assert other["ply"] > now["ply"]
    anna.act(table, "resign")
    done = reviewed(anna, table)
    assert next(one for one in done["decisions"] if one["ply"] == now["ply"])["move"]["id"] == now["moves"][-1]["id"]


def test_simultaneous_choices_are_those_of_the_seats_that_made_them(anna):
    position = azalai.game("timbuktu").new(seats=3, seed=2)
    while len(position.pending) < 2:
        position.play(position.moves()[0])
    for seat in reversed(position.pending):
        position.play(position.moves(seat)[0], seat)
    done = reviewed(anna, anna.post("/records", to_record(position), 201))
    judged = {one["ply"]: one["seat"] for one in done["decisions"]}
    assert all(position.history[ply][0] == seat for ply, seat in judged.items())


def test_a_running_game_is_never_reviewed(anna, bela, guest):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    for one in (anna, bela, guest()):
        assert one.act(table, "review", status=409)["error"] == "not_over"
        assert one.get(f"/tables/{table['id']}/review", 409)["error"] == "not_over"
        assert one.get(f"/tables/{table['id']}/review/0", 409)["error"] == "not_over"
        assert one.post(f"/tables/{table['id']}/review/0", {"move": 0}, 409)["error"] == "not_over"


def test_who_has_not_asked_for_a_review_is_told_that_there_is_none(anna):
    table = anna.post("/records", record("targui", 2, plies=5), 201)
    assert anna.get(f"/tables/{table['id']}/review", 404)["error"] == "not_reviewed"


def test_a_better_line_is_shown_on_the_board_and_other_moves_can_be_tried(anna):
    table = anna.post("/records", record("tuareg", 2, plies=30), 201)
    done = reviewed(anna, table)
    worst = max(done["decisions"], key=lambda one: one["loss"])
    place = f"/tables/{table['id']}/review/{worst['ply']}"
    here = anna.get(place, seat=worst["seat"])
    ReviewedPosition.model_validate(here)
    assert here["here"]["ply"] == worst["ply"]
    assert worst["move"]["id"] in [move["id"] for move in here["moves"]]
    assert here["line"][0]["move"]["id"] == worst["best"]["id"]
    assert here["line"][0]["view"]["ply"] == worst["ply"] + 1
    assert anna.post(place, {"move": worst["best"]["id"]})["grade"] == "best"
    again = anna.post(place, {"move": worst["move"]["id"]})
    assert again["loss"] == pytest.approx(worst["loss"], abs=0.15)
    assert anna.post(place, {"move": 100_000}, 422)["error"] == "illegal_move"


def test_a_review_that_was_broken_off_goes_on_and_survives_a_restart(new_database):
    database = new_database()
    with InThread(quick(database)) as server:
        guest = Guest(server.address)
        table = guest.post("/records", record("targui", 2, plies=40), 201)
        guest.act(table, "review")
    with InThread(quick(database)) as server:
        guest = guest.moved_to(server.address)
        done = reviewed(guest, table)
    with InThread(quick(database)) as server:
        guest = guest.moved_to(server.address)
        assert guest.get(f"/tables/{table['id']}/review") == done
        guest.http.close()
