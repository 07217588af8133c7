"""Counts from many games side by side: the same as those from records, game by game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azalai
from azalai.arena.report import AHEAD, OPENINGS, POLICY, Counts, Study, count_deals, declared, know_more
from azalai.arena.series import Series
from azalai.engine import flow
from azalai.engine.game import score_buffer
from azalai.engine.playing import EVENT_KIND
from benchmarks.connect_four import CONNECT_FOUR

torch = pytest.importorskip("torch")

from azalai.arena.count import DEALS, Counter, ProcessCounter, go_on, policy  # noqa: E402 - needs PyTorch
from azalai.arena.lookahead import CANDIDATES, WORLDS, Lookahead  # noqa: E402
from azalai.engine.errors import AzalaiError, BadOption  # noqa: E402

GAMES, SEED = 6, 4
torch.set_num_threads(1)  # several wait for each other where the processors are busy


def taste(game: Any) -> Any:
    """A player that likes moves for no reason."""
    weights = torch.randn((game.observation.with_conclusions.size, game.moves.count), generator=torch.Generator().manual_seed(1))
    return lambda seen: seen @ weights


class Notes(Counter):
    """A counter whose moves are noted."""

    def count_part(self) -> Study:
        self.moves: list[list[int]] = [[] for _ in range(len(self.batch))]
        step = self.batch.step

        def note(moves: Any) -> None:
            for game in np.flatnonzero(~self.batch.over):
                self.moves[game].append(int(moves[game]))
            step(moves)

        self.batch.step = note
        counted: Study = super().count_part()
        return counted


@pytest.mark.parametrize(("name", "seats"), [("tuareg", 3), ("timbuktu", 4), ("targui", 2), ("targi", 2)])
def test_games_side_by_side_are_counted_as_one_by_one(name, seats):
    game = azalai.game(name)
    counter = Notes(game, seats, taste(game), seed=SEED, count=GAMES)
    counted = counter.count_part()
    series = Series.of(game, ["random"] * seats, SEED)
    again, kinds, places = Study.of(game, seats), set(), score_buffer()
    for number, moves in enumerate(counter.moves):
        events, points = series.trace(number * seats, np.array(moves))  # every deal of a series is played by each seat in turn
        flow.score_first(counter.batch.states[number : number + 1], places)
        end = counter.batch.states["over"][number : number + 1]
        won = again.add_results(places[None, :seats, 1], points[-1][None], np.array([len(moves)]), end)
        again._count(events, points, won[0])
        kinds |= set(events[:, EVENT_KIND].tolist())
    told, expected = counted.as_dict(), again.as_dict()
    for kind in ("cards", "actions"):
        for mine, theirs in zip(told[kind], expected[kind], strict=True):
            for part in ("found", "extra", "others", "usual"):
                assert np.allclose(mine[part], theirs[part]), (kind, part)
            for by_count, theirs_too in zip(mine["by_count"], theirs["by_count"], strict=True):
                assert list(by_count) == list(theirs_too)
                assert np.allclose(list(by_count.values()), list(theirs_too.values()))
    for mine, theirs in zip(told["happenings"], expected["happenings"], strict=True):
        assert np.allclose(mine["extra"], theirs["extra"])
    for part in ("games", "ends", "seats", "points", "lengths", "winners", "margins", "ties"):
        assert told[part] == expected[part], part
    assert len(kinds) > 5
    assert sum(sums[0] for sums in told["first_moves"].values()) == GAMES


def test_counting_goes_on_where_it_was_left(tmp_path: Path):
    game = azalai.game("targi")
    whole, parts = Counts(tmp_path / "whole.json"), tmp_path / "parts.json"
    at_once = go_on(whole, Counter(game, 2, taste(game), count=4), POLICY, 12, 0)
    for games in (4, 12):
        found = go_on(Counts(parts), Counter(game, 2, taste(game), count=4), POLICY, games, 0)
    assert found.as_dict() == at_once.as_dict()
    assert json.loads(parts.read_text())["policy 2"]["parts"] == 3
    with pytest.raises(AzalaiError, match=r"has other games of policy 2: \{'seed': 0, 'side_by_side': 4\}"):
        go_on(Counts(parts), Counter(game, 2, None, count=5, seed=1), POLICY, 20, 1)


def test_openings_begin_with_any_move(tmp_path: Path):
    game = azalai.game("targi")
    counts = Counts(tmp_path / "counts.json")
    chosen = {
        name: go_on(counts, Counter(game, 2, taste(game), count=64, openings=name == OPENINGS), name, 64, 0).first_moves
        for name in (POLICY, OPENINGS)
    }
    assert len(chosen[OPENINGS]) == len(game.new(2, 0).moves()) > len(chosen[POLICY])


def test_players_that_search_are_counted_in_processes_as_in_one_go(tmp_path: Path):
    game, counts = azalai.game("targui"), Counts(tmp_path / "counts.json")
    for games in (DEALS, 2 * DEALS):  # the second time it goes on
        found = go_on(counts, ProcessCounter(game, 2, "greedy", SEED, 2), "greedy", games, SEED)
    series = Series.of(game, ["greedy"] * 2, SEED, decisions=True)
    again = Study.of(game, 2)
    for deal in range(2 * DEALS):
        again.add(series, series.play(2 * deal, 1))
    assert found.as_dict() == again.as_dict()
    assert counts.facts("greedy", 2)["parts"] == 2


def test_a_seat_that_knows_all_thieves_sees_all_sets_and_no_other_secret():
    game = azalai.game("timbuktu")
    entries = {entry["words"]: entry for entry in declared(game)["knowledge"]}
    position = game.new(3, 1)
    while position.phase != "choosing":
        position.play(position.move_ids()[0])
    for words, sets in (("one_more_set", 2), ("all_sets", 5)):
        told = know_more(position, entries[words]).seen_by(0).state
        assert (told.thief_pen >= 0).sum() == sets
        assert told.rng.any() == position.seen_by(0).state.rng.any()
    assert (position.seen_by(0).state.thief_pen >= 0).sum() == 1


def test_the_seat_that_knows_more_is_the_first_of_the_study():
    series = Series.of(azalai.game("timbuktu"), ["random"] * 3, SEED).as_dict()
    found = count_deals(series, 0, 6, "all_sets")
    assert found["games"] == 6
    assert sum(total for _, total, _ in found["seats"]) == pytest.approx(6)
    with pytest.raises(BadOption, match="timbuktu has no knowledge 'weather'; there is: one_more_set, all_sets"):
        count_deals(series, 0, 1, "weather")


@pytest.mark.parametrize("name", ["targi", "targui"])
def test_a_shipped_network_is_the_same_in_pytorch(name):
    """Of each form one: dense, and of fields."""
    from azalai.bots.policy import Policy

    game, think = azalai.game(name), policy(azalai.game(name), "cpu")
    player, position = Policy(game), game.new(seed=3)
    for _ in range(12):
        logits = think(torch.from_numpy(position.observe()[None]))[0]
        legal = position.move_ids()
        best = max(legal, key=lambda move: float(logits[move]))
        assert player.choose(position.seen_by(position.seat)).id == best
        position.play(best)


def test_a_move_that_is_tried_out_and_wins_is_chosen():
    """Of four columns that the policy likes, the one that it likes least makes four in a row."""
    game = CONNECT_FOUR
    batch = game.batch(3, 2)
    for columns in ((4, 6), (4, 6), (4, 7)):
        for column in columns:
            batch.step(np.full(3, column - 1))
    before = batch.states.tobytes()
    likes = torch.tensor([[1.0, 0.9, 0.8, 0.0, -9.0, -9.0, -9.0]])
    ahead = Lookahead(batch, lambda seen: (likes.expand(len(seen), 7), torch.zeros((len(seen), 2))), room=3 * CANDIDATES * WORLDS)
    games = torch.tensor([0, 2])
    assert ahead.choose(games, likes.expand(2, 7)).tolist() == [3, 3]
    assert batch.states.tobytes() == before
    assert 3 not in ahead.choose(games, likes.expand(2, 7) * 9).tolist()  # too unlikely to be tried


def test_games_of_a_network_that_tries_moves_are_counted(tmp_path: Path):
    def even(seen: Any) -> Any:
        return torch.zeros((len(seen), 7)), torch.zeros((len(seen), 2))

    counter = Counter(CONNECT_FOUR, 2, lambda seen: even(seen)[0], seed=SEED, count=GAMES, network=even)
    found = go_on(Counts(tmp_path / "counts.json"), counter, AHEAD, GAMES, SEED)
    assert found.games == GAMES
    assert Counts(tmp_path / "counts.json").facts(AHEAD, 2)["settings"] == Lookahead.settings


def test_a_game_with_secrets_is_not_tried_out():
    game = azalai.game("targi")
    with pytest.raises(BadOption, match="targi has secrets, which a batch does not guess: play it by a level instead"):
        Counter(game, 2, taste(game), count=2, network=taste(game))
