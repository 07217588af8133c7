"""Playing at a table."""

from __future__ import annotations

import json

import pytest

from azalai.engine.discovery import installed
from tests.harness.play import RECORDS
from tests.server.running import until

TWO_STEPS = "targui"  # its moves are made of several decisions


def whole_game(player, table, limit=3000):
    """Play the first legal moves until the game is over."""
    for number in range(limit):
        if table["status"] != "playing":
            return table
        if table["moves"]:
            move = table["moves"][number % len(table["moves"])]
            table = player.play(table, move["text"])
        else:
            answer = player.http.get(f"/tables/{table['id']}", params={"version": table["version"], "wait": 20})
            table = answer.json() if answer.status_code == 200 else table
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", installed())
def test_a_whole_game_against_a_computer_player_ends_with_a_ranking(anna, game):
    table = anna.found(game, "me", *["random"] * (anna.get(f"/games/{game}")["seats"][0] - 1))
    table = whole_game(anna, table)
    assert table["status"] == "over"
    assert 1 in table["result"]["ranking"]
    assert table["result"]["text"]
    record = anna.get(f"/tables/{table['id']}/record")
    assert len(record["moves"]) == table["ply"]
    seen = anna.post("/records", record, 201)
    assert seen["status"] == "imported"
    assert seen["result"]["scores"] == table["result"]["scores"]


def test_a_decision_that_is_looked_at_again_says_how_much_was_given(anna):
    record = json.loads((RECORDS / "targi" / "2-fourth-raid.json").read_text())
    table = anna.post("/records", record, 201)
    last = len(record["moves"])
    assert anna.get(f"/tables/{table['id']}/plies/{last}")["decision"]["move"]["words"] == "give 3 silver crosses"


def test_a_move_is_refused_at_another_ply_and_accepted_twice_at_its_own(anna):
    table = anna.found("targui", "me", "me")
    played = anna.play(table, seat=0)
    assert played["ply"] == 1
    again = anna.play(table, seat=0)
    assert again["ply"] == 1
    assert again["version"] == played["version"]
    other = table["moves"][1]["text"]
    assert anna.play(table, other, 409, seat=0)["error"] == "not_your_turn"
    early = {**played, "ply": 5}
    assert anna.play(early, played["moves"][0]["text"] if played["moves"] else other, 409, seat=1)["error"] == "wrong_ply"


def test_an_illegal_move_and_a_text_that_is_none_change_nothing(anna):
    table = anna.found("targui", "me", "greedy")
    assert anna.play(table, "camels 3", 409)["error"] == "illegal_move"
    assert anna.play(table, "dance", 422)["error"] == "no_such_move"
    assert anna.play(table, 10**7, 422)["error"] == "no_such_move"
    assert anna.look(table)["version"] == table["version"]


def test_only_who_has_a_seat_can_play(anna, bela):
    table = anna.found("targui", "me", "greedy")
    assert bela.play(table, table["moves"][0]["text"], 403)["error"] == "not_seated"
    seen = bela.look(table)
    assert seen["seat"] is None
    assert seen["moves"] == []


def test_undo_goes_back_through_own_steps_and_no_further(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    players = {0: anna, 1: bela}
    while True:  # until somebody is in the middle of a move
        table = players[(anna.look(table))["pending"][0]].look(table)
        one = players[table["seat"]]
        if table["phase"] not in ("settling",) and any(move["name"] == "march" for move in table["moves"]):
            break
        table = one.play(table)
    begun = table["ply"]
    march = next(move for move in table["moves"] if move["name"] == "march")
    table = one.play(table, march["text"])
    assert table["undo_to"] is not None
    assert table["undo_to"] <= begun
    table = one.play(table)
    assert one.act(table, "undo", {"to": begun})["ply"] == begun
    other = players[1 - table["seat"]]
    assert other.act(table, "undo", status=409)["error"] == "no_undo"


def test_a_longer_take_back_needs_the_other_to_agree(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    anna.play(anna.look(table))
    table = bela.play(bela.look(table))
    assert anna.act(table, "undo", status=409)["error"] == "no_undo"
    proposed = anna.act(table, "take-back")
    assert proposed["proposal"] == {"seat": 0, "to": 0, "agreed": [0], "needs": [1]}
    assert anna.act(table, "take-back/answer", {"agree": True}, 403)["error"] == "not_asked"
    assert bela.act(table, "take-back/answer", {"agree": False})["proposal"] is None
    assert bela.act(table, "take-back/answer", {"agree": True}, 409)["error"] == "no_proposal"
    anna.act(table, "take-back", {"to": 0})
    back = bela.act(table, "take-back/answer", {"agree": True})
    assert back["ply"] == 0
    assert back["proposal"] is None


def test_computer_players_agree_to_any_take_back(anna):
    table = anna.found("targui", "me", "greedy")
    anna.play(table)
    until(lambda: anna.look(table)["pending"] == [0])
    back = anna.act(table, "take-back", {"to": 0})
    assert back["ply"] == 0
    assert back["pending"] == [0]


def test_a_decision_meant_for_what_was_taken_back_is_refused(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    first = anna.play(anna.look(table))
    seen = bela.look(table)
    anna.act(table, "undo")
    anna.play(anna.look(table), first["moves"][0]["text"] if first["moves"] else anna.look(table)["moves"][3]["text"])
    assert bela.play(seen, status=409, version=seen["version"])["error"] == "taken_back"
    assert bela.play(bela.look(table))["ply"] == 2


def test_resigning_ends_a_game_of_two_and_lets_a_third_play_on(anna, bela, guest):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    over = anna.act(table, "resign")
    assert over["status"] == "over"
    assert over["result"]["end"] == "resigned"
    assert over["result"]["ranking"] == [2, 1]
    assert [seat["mine"] for seat in over["seats"]] == [True, False], "it was their game all the same"
    assert anna.look(anna.act(table, "rematch"))["seats"][0]["mine"]
    table = anna.found("targui", "me", "open", "open")
    bela.act(table, "seats")
    guest().act(table, "seats")
    still = anna.act(table, "resign")
    assert not still["seats"][0]["mine"]
    assert still["status"] == "playing"
    assert still["seats"][0]["resigned"] == "resigned"
    assert still["seats"][0]["kind"] == "bot"


def test_chat_is_for_those_at_the_table_and_never_markup(anna, bela):
    table = anna.found("targui", "me", "greedy")
    assert bela.act(table, "chat", {"text": "hello"}, 403)["error"] == "not_seated"
    said = anna.act(table, "chat", {"text": " <b>hi</b>\u202e\x07\n there "})
    assert said["chat"][0]["text"] == "<b>hi</b> there"
    assert said["chat"][0]["name"] == "Anna"
    assert anna.act(table, "chat", {"text": "\u200b"}, 422)["error"] == "empty"


def test_hints_come_from_a_job_with_progress(anna, bela):
    table = anna.found("targui", "me", "greedy")
    job = anna.act(table, "jobs", {"kind": "hint"}, 202)
    done = until(lambda: (one := anna.get(f"/jobs/{job['id']}"))["status"] == "done" and one)
    assert done["progress"] == 1.0
    assert 1 <= len(done["result"]["moves"]) <= 3
    best = done["result"]["moves"][0]
    assert 0 < best["chance"] < 1
    assert best["line"][0]["move"]["id"] == best["id"]
    assert best["text"] in [move["text"] for move in table["moves"]]
    assert best["words"]
    bela.get(f"/jobs/{job['id']}", 404)
    against = anna.found("targui", "me", "open")
    bela.act(against, "seats")
    assert anna.act(against, "jobs", {"kind": "hint"}, 403)["error"] == "no_hints"
