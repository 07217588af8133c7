"""Puzzles: what is shown before and after an answer, which try counts, streak, rating, the puzzle of the day."""

from __future__ import annotations

import datetime
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import azalai
from azalai import puzzles
from azalai.server.puzzles import NEAREST
from azalai.server.schemas.puzzles import PuzzleFound, PuzzleOverview, PuzzlePosition, PuzzleVerdict
from tests.server.running import Guest, InThread, quick

GAMES = [name for name in azalai.games() if puzzles.collection(name)]
PUZZLES = [puzzle for name in GAMES for puzzle in puzzles.collection(name)]
FIRST = PUZZLES[0]


def right(guest: Guest, puzzle: puzzles.Puzzle) -> int:
    """The id of the right move, found among the legal ones."""
    moves = guest.get(f"/puzzles/{puzzle.id}")["moves"]
    return int(next(one["id"] for one in moves if one["text"] == puzzle.solutions[0]))


def wrong(guest: Guest, puzzle: puzzles.Puzzle) -> int:
    """The id of a wrong move."""
    moves = guest.get(f"/puzzles/{puzzle.id}")["moves"]
    return int(next(one["id"] for one in moves if one["text"] not in puzzle.solutions))


def answer(guest: Guest, puzzle: puzzles.Puzzle, move: int) -> Any:
    found = guest.post(f"/puzzles/{puzzle.id}/tries", {"move": move})
    PuzzleVerdict.model_validate(found)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_shows_what_its_seat_sees_and_not_the_solution(anna, game):
    for puzzle in puzzles.collection(game)[:6]:
        found = anna.get(f"/puzzles/{puzzle.id}")
        PuzzlePosition.model_validate(found)
        assert set(found) == set(PuzzlePosition.model_fields)
        seen = puzzle.position().seen_by(puzzle.seat)
        assert found["view"] == json.loads(json.dumps(seen.view(puzzle.seat)))
        assert [one["id"] for one in found["moves"]] == seen.move_ids(puzzle.seat)
        assert found["yours"] is None


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_right_answer_brings_solution_and_line_and_counts(guest, game, language):
    one = guest()
    for puzzle in puzzles.collection(game)[:3]:
        found = one.post(f"/puzzles/{puzzle.id}/tries", {"move": right(one, puzzle)}, lang=language)
        PuzzleVerdict.model_validate(found)
        assert (found["right"], found["counted"], found["loss"]) == (True, True, 0)
        assert found["after"]["rating"] > found["before"]["rating"]
        assert found["after"]["error"] < found["before"]["error"]
        assert [move["text"] for move in found["solution"]["moves"]] == list(puzzle.solutions)
        assert found["solution"]["line"][0]["move"]["text"] == puzzle.solutions[0]
        assert found["solution"]["reason"] == (puzzle.reason(language) or None)
        assert one.get(f"/puzzles/{puzzle.id}")["yours"] == "solved"
    assert found["score"]["streak"] == found["score"]["best_streak"] == min(3, len(puzzles.collection(game)))


def test_only_the_first_try_counts(guest):
    one, puzzle = guest(), FIRST
    first = answer(one, puzzle, wrong(one, puzzle))
    assert (first["right"], first["counted"], first["solution"]) == (False, True, None)
    assert first["loss"] == pytest.approx(puzzle.chance - first["chance"], abs=1e-4)
    assert first["after"]["rating"] < first["before"]["rating"]
    again = answer(one, puzzle, right(one, puzzle))
    assert (again["right"], again["counted"]) == (True, False)
    assert again["before"] == again["after"] == first["after"]
    assert again["score"] == first["score"]
    assert (again["score"]["tried"], again["score"]["solved"], again["score"]["streak"]) == (1, 0, 0)
    assert one.get(f"/puzzles/{puzzle.id}")["yours"] == "missed"


def test_opening_the_solution_counts_as_missed_and_ends_the_streak(guest):
    one, puzzle, other = guest(), *PUZZLES[:2]
    assert answer(one, other, right(one, other))["score"]["streak"] == 1
    found = one.post(f"/puzzles/{puzzle.id}/solution")
    PuzzleVerdict.model_validate(found)
    assert (found["right"], found["counted"], found["chance"], found["loss"]) == (False, True, None, None)
    assert found["solution"]["moves"][0]["text"] == puzzle.solutions[0]
    assert (found["score"]["streak"], found["score"]["best_streak"]) == (0, 1)
    assert not answer(one, puzzle, right(one, puzzle))["counted"]
    assert not one.post(f"/puzzles/{other.id}/solution")["counted"]


def test_tries_at_the_same_time_count_once_each(guest):
    one = guest()
    one.get("/me")
    several = [puzzles.collection(name)[0] for name in GAMES]
    moves = {puzzle.id: right(one, puzzle) for puzzle in several}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda puzzle: answer(one, puzzle, moves[puzzle.id]), several * 3))
    assert sum(verdict["counted"] for verdict in found) == len(several)
    score = one.get("/puzzles")["score"]
    assert (score["tried"], score["solved"], score["streak"]) == (len(several),) * 3


def test_moves_and_puzzles_that_do_not_exist_are_refused(anna):
    puzzle = FIRST
    assert anna.get("/puzzles/tuareg-none", 404)["error"] == "no_such_puzzle"
    assert anna.get("/puzzles/chess-aaaaaa", 404)["error"] == "no_such_puzzle"
    assert anna.post(f"/puzzles/{puzzle.id}/tries", {"move": 9_999_999}, 422)["error"] == "illegal_move"
    assert anna.get(f"/puzzles/{puzzle.id}")["yours"] is None
    assert anna.get("/puzzles/next", 404, theme="nonsense")["error"] == "no_such_puzzle"


def test_the_puzzle_of_the_day_is_the_same_for_all_and_says_how_many_solved_it(anna, guest, monkeypatch):
    today = datetime.date(2026, 11, 16)
    monkeypatch.setattr("azalai.server.puzzles.today", lambda: today)  # midnight may come meanwhile
    puzzle = puzzles.of_the_day(today)
    before = anna.get("/puzzles")
    PuzzleOverview.model_validate(before)
    assert before["day"]["id"] == puzzle.id
    assert before["day"]["yours"] is None
    assert anna.get(f"/puzzles/{puzzle.id}")["day"] == today.isoformat()
    solver, other = guest(), guest()
    answer(solver, puzzle, right(solver, puzzle))
    answer(other, puzzle, wrong(other, puzzle))
    after = other.get("/puzzles")["day"]
    assert (after["tries"] - before["day"]["tries"], after["solutions"] - before["day"]["solutions"]) == (2, 1)
    assert after["yours"] == "missed"


def test_the_next_puzzle_is_new_near_the_rating_and_of_the_kind_asked_for(guest):
    one = guest()
    seen = set()
    for _ in range(3):
        found = one.get("/puzzles/next")
        PuzzleFound.model_validate(found)
        assert found["new"]
        assert found["id"] not in seen
        seen.add(found["id"])
        puzzle = puzzles.find(found["id"])
        assert puzzle in sorted(PUZZLES, key=lambda one: abs(one.difficulty - 1500))[:NEAREST] or len(seen) > 1
        answer(one, puzzle, wrong(one, puzzle))
    for game in one.get("/puzzles")["games"]:
        every = puzzles.collection(game["game"])
        assert game["puzzles"] == len(every)
        theme = game["themes"][0]
        assert sum(theme["theme"] in puzzle.themes for puzzle in every) == theme["puzzles"]
        chosen = puzzles.find(one.get("/puzzles/next", game=game["game"], theme=theme["theme"])["id"])
        assert (chosen.game, theme["theme"] in chosen.themes) == (game["game"], True)
        hardest = max(every, key=lambda puzzle: puzzle.difficulty)
        assert one.get(f"/puzzles/{hardest.id}")["level"] == "hard"
        assert one.get(f"/puzzles/{one.get('/puzzles/next', game=game['game'], level='hard')['id']}")["level"] == "hard"
    assert one.get("/puzzles/next", last=FIRST.id)["id"] != FIRST.id


def test_the_profile_shows_the_score_to_its_player(guest):
    one, puzzle = guest(), FIRST
    assert one.get("/me/profile")["puzzles"]["best_streak"] == 0
    score = answer(one, puzzle, right(one, puzzle))["score"]
    profile = one.get("/me/profile")
    assert profile["puzzles"] == score
    assert profile["since"] is not None
    assert "puzzles" not in profile["shown"]


def test_the_tries_are_among_the_personal_data_and_are_deleted_with_it(guest):
    one, puzzle = guest(), FIRST
    tries = one.get(f"/puzzles/{puzzle.id}")["tries"]
    answer(one, puzzle, right(one, puzzle))
    (row,) = one.get("/me/data")["puzzles"]
    assert (row["puzzle"], row["solved"], row["streak"]) == (puzzle.id, True, 1)
    assert one.get(f"/puzzles/{puzzle.id}")["tries"] == tries + 1
    one.ask("DELETE", "/me")
    assert one.get(f"/puzzles/{puzzle.id}")["tries"] == tries
    assert one.get("/puzzles")["score"]["tried"] == 0


def test_a_drawing_of_a_puzzle_shows_what_its_seat_sees(anna):
    puzzle = FIRST
    drawn = anna.http.get(f"/puzzles/{puzzle.id}/drawing", params={"theme": "dark", "lang": "de"})
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert drawn.text == puzzle.position().seen_by(puzzle.seat).to_svg("dark", "de")


def test_a_move_that_is_not_possible_has_a_reason(anna):
    puzzle = next(one for one in PUZZLES if one.game == "targi")
    seen = puzzle.position().seen_by(puzzle.seat)

    def why(move: Any) -> Any:
        values = ",".join(str(value) for value in move.args.values())
        return anna.get(f"/puzzles/{puzzle.id}/reason", name=move.name, values=values)["text"]

    kind = seen.game.moves.kinds[seen.moves()[0].name]
    same = [seen.game.moves[number] for number in range(kind.base, kind.base + kind.count)]
    assert any(why(move) for move in same if move not in seen.moves())
    assert why(seen.moves()[0]) is None


def test_answers_are_limited_by_guest_and_by_address(tmp_path):
    from azalai.server.settings import Limits, Rate

    limits = Limits(puzzles=Rate(0.001, 2), puzzles_of_address=Rate(0.001, 3))
    with InThread(quick(f"sqlite:///{tmp_path / 'limits.db'}", limits=limits)) as server:
        anna, bela = Guest(server.address), Guest(server.address)
        address = f"/puzzles/{FIRST.id}/solution"
        for _ in range(2):
            anna.post(address)
        assert anna.post(address, status=429)["error"] == "too_much"
        bela.post(address)
        assert bela.post(address, status=429)["error"] == "too_much"
        anna.http.close()
        bela.http.close()
