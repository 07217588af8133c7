"""The collections of puzzles: every one can be asked, answered and explained."""

from __future__ import annotations

import datetime
import itertools
import json
import re

import pytest

import azalai
from azalai import puzzles
from azalai.engine.errors import BadOption
from azalai.engine.words import languages
from azalai.puzzles import FILE, Puzzle, collection, find, of_the_day, puzzle_id, theme_name
from azalai.reviews.review import LIMITS, MISTAKE
from azalai.reviews.scout import Scout
from benchmarks.connect_four import CONNECT_FOUR
from tools import puzzles as tool
from tools.playouts import Playouts
from tools.puzzles import DISTANCE, GAMES, margin, rivals, split

DAY = datetime.date(2026, 11, 16)
QUICK = "tuareg"  # whose puzzles are found fastest
every_game = pytest.mark.parametrize("name", azalai.games())


@every_game
def test_every_puzzle_is_a_decision_whose_solutions_are_legal_and_clearly_best(name):
    assert collection(name)
    for puzzle in collection(name):
        position = puzzle.position()
        assert puzzle.seat in position.pending
        assert puzzle.id == puzzle_id(puzzle.record, puzzle.seat)
        assert set(puzzle.verdicts) == {str(move) for move in position.moves(puzzle.seat)}
        assert puzzle.chance == puzzle.verdicts[puzzle.solutions[0]] == max(puzzle.verdicts.values())
        worst = min(puzzle.verdicts[text] for text in puzzle.solutions)
        wrong = [text for text in puzzle.verdicts if not puzzle.is_right(text)]
        assert all(puzzle.verdicts[text] < worst for text in wrong)
        assert min(puzzle.cost(text) for text in wrong) >= margin(position.seats) - 0.002  # chances are rounded
        assert puzzle.cost(puzzle.solutions[-1]) == 0


@every_game
def test_every_puzzle_has_a_line_that_can_be_played_a_reason_and_themes_in_all_languages(name):
    for puzzle in collection(name):
        steps = puzzle.steps()
        assert (steps[0][0], str(steps[0][1])) == (puzzle.seat, puzzle.solutions[0])
        english, german = puzzle.reason("en"), puzzle.reason("de")
        assert english != german
        assert not re.search(r"\?|explain\.|joints\.|[{}]", english + german)
        assert english
        assert puzzle.themes
        for theme, language in itertools.product(puzzle.themes, languages(puzzles.WORDS)):
            assert not theme_name(name, theme, language).startswith("theme.")


@every_game
def test_puzzles_are_different_and_not_from_the_same_moment_of_a_game(name):
    found = collection(name)
    assert len({one.id for one in found}) == len(found)
    plies: dict[int, list[int]] = {}
    for one in found:
        plies.setdefault(one.record["seed"], []).append(len(one.record["moves"]))
    assert all(later - sooner >= DISTANCE for ones in plies.values() for sooner, later in itertools.pairwise(sorted(ones)))


@every_game
def test_the_greedy_player_misses_every_puzzle(name):
    game = azalai.game(name)
    for puzzle in collection(name):
        seen = puzzle.position().seen_by(puzzle.seat)
        assert not puzzle.is_right(azalai.bot("greedy", game, seed=0).choose(seen))


@every_game
def test_a_search_with_another_seed_finds_the_solution(name):
    scout = Scout(azalai.game(name))
    scout.wait()
    asked = collection(name)[:: max(1, len(collection(name)) // 6)]
    hits = 0
    for puzzle in asked:
        scout.forget()
        look = scout.look(puzzle.position().seen_by(puzzle.seat), 3000, 77)
        hits += puzzle.is_right(scout.game.moves[look.moves[0]])
    assert hits >= 0.75 * len(asked)


def test_a_puzzle_of_the_day_is_everybodys_and_each_comes_once_before_one_comes_again():
    name = next(name for name in azalai.games() if len(collection(name)) > 1)
    assert of_the_day(DAY, name) is of_the_day(DAY, name) is azalai.puzzle(name, DAY)
    count = len(collection(name))
    first = DAY.toordinal() // count * count
    turn = [of_the_day(datetime.date.fromordinal(first + day), name).id for day in range(count)]
    assert sorted(turn) == sorted(one.id for one in collection(name))
    games = [of_the_day(DAY + datetime.timedelta(days), None).game for days in range(len(azalai.games()))]
    assert sorted(games) == sorted(azalai.games())


def test_a_puzzle_is_found_by_its_id_and_nothing_else_is():
    name = azalai.games()[0]
    puzzle = collection(name)[0]
    assert find(puzzle.id) is puzzle is azalai.puzzle(puzzle.id)
    assert Puzzle.read(puzzle.as_dict()) == puzzle
    for wrong in (f"{name}-zzzzzz", "chess-123456", ""):
        with pytest.raises(BadOption, match="there is no puzzle"):
            find(wrong)


def test_a_game_without_the_file_has_no_puzzles(tmp_path, monkeypatch):
    monkeypatch.setattr(puzzles, "FILE", "missing.jsonl")
    collection.cache_clear()
    try:
        assert collection(azalai.games()[0]) == ()
        with pytest.raises(BadOption, match="there are no puzzles"):
            of_the_day(DAY, azalai.games()[0])
    finally:
        monkeypatch.undo()
        collection.cache_clear()


def test_moves_between_right_and_wrong_make_no_puzzle():
    seen = CONNECT_FOUR.new(seed=1).seen_by(0)
    assert LIMITS[MISTAKE] == margin(2)
    assert split({1: 0.6, 2: 0.4, 3: 0.45}, seen) == [1]
    assert split({1: 0.6, 2: 0.59, 3: 0.3, 4: 0.3, 5: 0.3, 6: 0.2}, seen) == [1, 2]
    assert split({1: 0.6, 2: 0.55, 3: 0.3}, seen) is None
    assert split({1: 0.6, 2: 0.55, 3: 0.3}, seen, rough=True) == [1, 2]
    assert split({1: 0.6, 2: 0.59, 3: 0.58, 4: 0.1}, seen) is None  # too many of seven


def test_games_that_are_played_on_in_parts_are_those_played_on_at_once():
    position = azalai.game(QUICK).new(seed=1)
    seen, move = position.seen_by(position.seat), position.move_ids()[0]
    playouts = Playouts(position.game)
    at_once = playouts.wins(seen, move, 0, 24)
    assert len(set(at_once)) > 1
    assert [*playouts.wins(seen, move, 0, 16), *playouts.wins(seen, move, 16, 8)] == list(at_once)


def test_the_next_move_is_the_best_of_those_that_are_wrong():
    assert rivals({1: 0.2, 2: 0.59, 3: 0.6, 4: 0.45}, [3, 2]) == (3, 4)


@pytest.mark.timeout(2400)  # the tool compiles first what it plays games with, which takes a busy machine minutes
def test_the_tool_goes_on_where_it_stopped_and_makes_a_puzzle(tmp_path, monkeypatch, capsys):
    """It begins with the game in which the latest puzzle of the collection was found."""
    monkeypatch.setattr(tool, "FILE", str(tmp_path / FILE))
    seed, number = divmod(collection(QUICK)[-1].record["seed"], GAMES)
    before = collection(QUICK)[-1].as_dict()
    before |= {"id": "before", "record": {**before["record"], "seed": seed * GAMES + number - 1}}
    (tmp_path / FILE).write_text(json.dumps(before) + "\n", encoding="utf-8")
    tool.main([QUICK, "--wanted", "2", "--minutes", "30", "--seed", str(seed)])
    _, found, *more = (Puzzle.read(json.loads(line)) for line in (tmp_path / FILE).read_text(encoding="utf-8").splitlines())
    assert found.record["seed"] >= seed * GAMES + number
    assert set(found.verdicts) == {str(move) for move in found.position().moves(found.seat)}
    assert found.reason("de")
    told = capsys.readouterr().out
    assert re.search(rf"{QUICK}: {2 + len(more)} puzzles; \d+ games in \d+ s, [\d.]+ a minute of processor", told)
