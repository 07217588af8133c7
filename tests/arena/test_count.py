"""Counts from many games side by side: the same as those from records, game by game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azalai
from azalai.arena.report import OPENINGS, POLICY, Counts, Study
from azalai.arena.series import Series
from azalai.engine import flow
from azalai.engine.game import score_buffer
from azalai.engine.playing import EVENT_KIND

torch = pytest.importorskip("torch")

from azalai.arena.count import Counter, go_on, policy  # noqa: E402 - needs PyTorch
from azalai.engine.errors import AzalaiError  # noqa: E402

GAMES, SEED = 6, 4
torch.set_num_threads(1)  # several wait for each other where the processors are busy


def taste(game: Any) -> Any:
    """A player that likes moves for no reason."""
    weights = torch.randn((game.observation.size, game.moves.count), generator=torch.Generator().manual_seed(1))
    return lambda seen: seen @ weights


class Notes(Counter):
    """A counter whose moves are noted."""

    def count_part(self, openings: bool = False) -> Study:
        self.moves: list[list[int]] = [[] for _ in range(len(self.batch))]
        step = self.batch.step

        def note(moves: Any) -> None:
            for game in np.flatnonzero(~self.batch.over):
                self.moves[game].append(int(moves[game]))
            step(moves)

        self.batch.step = note
        counted: Study = super().count_part(openings)
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
    with pytest.raises(AzalaiError, match="has other games of policy 2: seed 0, 4 side by side"):
        go_on(Counts(parts), Counter(game, 2, None, count=5, seed=1), POLICY, 20, 1)


def test_openings_begin_with_any_move_in_variants_too(tmp_path: Path):
    game = azalai.game("targi")
    counts = Counts(tmp_path / "counts.json")
    chosen = {
        name: go_on(counts, Counter(game, 2, taste(game), count=64), name, 64, 0).first_moves
        for name in (POLICY, OPENINGS, f"{OPENINGS}:variant")
    }
    assert len(chosen[OPENINGS]) == len(game.new(2, 0).moves()) > len(chosen[POLICY])
    assert chosen[f"{OPENINGS}:variant"].keys() == chosen[OPENINGS].keys()


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
