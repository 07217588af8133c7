"""What every game must hold, whatever its rules. A new game is in here as soon as its folder exists."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import azalai
from azalai.engine.errors import IllegalMove
from azalai.engine.moves import SEAT, Domain
from azalai.engine.record import from_record, to_record
from azalai.engine.words import Words, languages, load_help, load_words
from tests.harness.play import (
    EVERY_GAME,
    EVERY_TABLE,
    RECORDS,
    count_positions,
    fingerprints,
    playthrough,
    soak,
    some_positions,
    wander,
)

every_game = pytest.mark.parametrize("name", EVERY_GAME)
every_table = pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)


@every_table
def test_random_games_break_no_law(name, seats):
    """Invariants of conservation, a legal move until the end, no move twice, an end in time, room for all events, a winner."""
    game = azalai.game(name)
    broken, where = soak(game, seats, 1000)
    assert broken == 0, f"{game.invariants[broken - 1] if broken > 0 else broken} in game {where}"


@every_table
def test_a_copy_goes_its_own_way(name, seats):
    for position in some_positions(name, seats, 1):
        if position.over:
            continue
        before, twin = position.tobytes(), position.copy()
        twin.play(twin.moves()[-1])
        assert position.tobytes() == before
        twin.undo()
        assert twin == position


@every_table
def test_undo_leads_back_to_the_very_start(name, seats):
    position = azalai.game(name).new(seats, 3)
    states = [position.tobytes() for _ in wander(position, 3, limit=200)]
    for state in reversed(states[:-1]):
        position.undo()
        assert position.tobytes() == state
    with pytest.raises(IllegalMove):
        position.undo()


@every_table
def test_a_saved_game_replays_to_the_same_bytes(name, seats, tmp_path):
    for position in some_positions(name, seats, 2, count=3):
        azalai.save(position, tmp_path / "game.json")
        loaded = azalai.load(tmp_path / "game.json")
        assert loaded == position
        assert loaded.history == position.history


@every_game
def test_interpreted_rules_agree_with_compiled_ones(name):
    """The same games in a process without Numba: every state, every view, every guess, byte for byte."""
    game = azalai.game(name)
    tables = [(seats, seed, 250) for seats in game.seats for seed in (11, 12)]
    code = (
        "import json, sys; from tests.harness.play import fingerprints;"
        f"print(json.dumps([fingerprints({name!r}, *table) for table in {tables!r}])); assert 'numba' not in sys.modules"
    )
    environment = {**os.environ, "AZALAI_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == [fingerprints(name, *table) for table in tables]


@every_table
def test_an_illegal_move_is_refused_and_changes_nothing(name, seats):
    chance = random.Random(seats)
    count = azalai.game(name).moves.count
    for position in some_positions(name, seats, 4):
        before, past = position.tobytes(), len(position.history)
        legal = set(position.move_ids())
        wrong = [move for move in chance.sample(range(count), min(count, 60)) if move not in legal]
        nonsense: list[int | str] = [*wrong, -1, count, "", "no such move", "@"]
        for move in nonsense:
            with pytest.raises(IllegalMove):
                position.play(move)
            assert position.tobytes() == before
            assert len(position.history) == past


@every_table
def test_every_move_is_found_by_its_text(name, seats):
    moves = azalai.game(name).moves
    for position in some_positions(name, seats, 5):
        for move in position.moves():
            assert moves.parse(str(move)) == move == moves[move.id]
            assert moves.encode(move.name, *move.args.values()) == move.id


@every_table
def test_what_a_seat_imagines_looks_to_it_like_the_truth(name, seats):
    """hide(determinize(hide(s))) equals hide(s), for every seat and a spectator; the imagined game can be played to its end."""
    for position in some_positions(name, seats, 6):
        for seat in (*range(seats), None):
            seen = position.seen_by(seat)
            assert position.seat != seat or seen.move_ids() == position.move_ids()  # policies list moves in the true record
            for seed in range(3):
                whole = seen.imagine(seed)
                assert whole.seen_by(seat) == seen
                assert whole.move_ids() == position.move_ids() or position.seat != seat
        for _ in wander(whole, 1):
            pass
        assert whole.over


@every_table
def test_imagined_games_break_no_law(name, seats):
    from azalai.engine.dispatch import invariant

    game = azalai.game(name)
    for position in some_positions(name, seats, 8, count=6):
        for seat in (*range(seats), None):
            whole = position.seen_by(seat).imagine(position.ply)
            for state in wander(whole, 2, limit=position.ply + 40):
                broken = invariant(state.state)
                assert broken == 0, game.invariants[broken - 1]


@every_table
def test_a_view_is_plain_data_without_the_generator(name, seats):
    for position in some_positions(name, seats, 9, count=5):
        for seat in (*range(seats), None):
            view = position.view(seat)
            assert json.loads(json.dumps(view)) == json.loads(json.dumps(view, default=_nothing_else))
            assert not {"rng", "seed", "events"} & set(view)
            assert position.seen_by(seat).tobytes()[:16] == bytes(16)  # the generator's words come first in every record
            assert position.seen_by(seat).seed is None


def _nothing_else(value: Any) -> Any:
    raise AssertionError(f"{value!r} is no plain data")


@every_table
def test_a_view_depends_on_nothing_hidden(name, seats):
    """Two games that a seat cannot tell apart send it the same view."""
    for position in some_positions(name, seats, 10, count=6):
        for seat in (*range(seats), None):
            twin = position.seen_by(seat).imagine(99)
            assert twin.view(seat) == position.view(seat)


@every_table
def test_events_tell_every_completed_move(name, seats):
    owed: set[int] = set()
    for position in wander(azalai.game(name).new(seats, 13), 13):
        gathered = set(position.pending) < owed  # choices made at the same time are told when all have been made
        owed = set(position.pending)
        if not position.unfinished and not gathered:
            assert position.events, f"nothing is told after {position.history[-1][1] if position.history else 'the deal'}"


@every_table
def test_simultaneous_choices_may_come_in_any_order(name, seats):
    game = azalai.game(name)
    chance = random.Random(seats)
    for position in wander(game.new(seats, 14), 14):
        if len(position.pending) < 2:
            continue
        choices = {seat: chance.choice(position.move_ids(seat)) for seat in position.pending}
        ends = set()
        for order in (sorted(choices), sorted(choices, reverse=True)):
            twin = position.copy()
            for seat in order:
                if seat in twin.pending and choices[seat] in twin.move_ids(seat):
                    twin.play(choices[seat], seat)
            ends.add(twin.tobytes())
            assert from_record(to_record(twin), azalai.game) == twin
        assert len(ends) == 1


@every_game
def test_the_number_of_positions_is_known(name):
    known = json.loads((RECORDS / name / "counts.json").read_text())
    assert {seats: count_positions(name, int(seats), 7) for seats in known} == known
    assert set(known) == {str(seats) for seats in azalai.game(name).seats}


@every_game
def test_a_known_game_is_told_word_for_word(name):
    told = (RECORDS / name / "playthrough.txt").read_text(encoding="utf-8")
    assert playthrough(name, azalai.game(name).seats[0], 7, 400) == told


def fixtures() -> list[Path]:
    return sorted(path for path in RECORDS.glob("*/*.json") if path.name != "counts.json")


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_finished_game_ends_as_it_did(path):
    record = json.loads(path.read_text())
    position = from_record(record, azalai.game)
    assert {"end": position.end, "scores": list(position.scores), "ranking": list(position.ranking)} == record["result"]


@every_game
def test_there_is_a_finished_game_for_every_end(name):
    found = {json.loads(path.read_text())["result"]["end"] for path in fixtures() if path.parent.name == name}
    assert found == set(azalai.game(name).ends)


# ---------------------------------------------------------------- words


@every_game
def test_everything_has_words(name):
    game = azalai.game(name)
    for language in languages(game.extras):
        check_words(game, language)


def check_words(game, language):
    table = load_words(game.extras, language)
    assert table["title"]
    assert table["blurb"]
    assert set(table["moves"]) == set(game.moves.kinds)
    assert set(table["events"]) == set(game.events.kinds)
    assert set(table["phases"]) == set(game.phases)
    assert set(table["ends"]) == set(game.ends)
    assert {label for seats in game.seats for label in game.seat_labels(seats)} <= set(table["seat"])
    for sentence, args in _sentences(game, table):
        for used in re.findall(r"\{(\w+)", sentence):
            assert used in args, f"{sentence!r} has no argument {used}"
    for domain in _domains(game):
        if domain.named and domain is not SEAT and domain.name in table:
            assert set(table[domain.name]) >= set(domain.labels), domain.name
    assert len(load_help(game.extras, language)) > 2000


@every_game
def test_german_says_all_that_english_says(name):
    words = azalai.game(name).extras / "words"
    one, other = (tomllib.loads((words / f"{language}.toml").read_text(encoding="utf-8")) for language in ("en", "de"))
    assert _keys(one) == _keys(other)


@every_table
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_whole_game_can_be_told(name, seats, language):
    game = azalai.game(name)
    words = Words(game, seats, language)
    for position in wander(game.new(seats, 15), 15):
        sentences = [words.event(event) for event in position.events] + [words.move(move) for move in position.moves()[:5]]
        for sentence in sentences:
            assert not re.search(r"[{}|]|\?$|\? ", sentence), sentence


def _sentences(game: Any, table: Any) -> list[tuple[str, set[str]]]:
    kinds = [("moves", one) for one in game.moves.kinds.values()] + [("events", one) for one in game.events.kinds.values()]
    return [(table[section][one.name], {arg for arg, _ in one.args}) for section, one in kinds]


def _domains(game: Any) -> set[Domain]:
    kinds = [*game.moves.kinds.values(), *game.events.kinds.values()]
    return {domain for one in kinds for _, domain in one.args}


def _keys(table: Any, path: str = "") -> set[str]:
    if not isinstance(table, dict):
        return {path}
    return {key for name, value in table.items() for key in _keys(value, f"{path}/{name}")}
