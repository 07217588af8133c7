"""Observations that follow their records are those that are written anew."""

import itertools

import numpy as np
import pytest

import azalai
from azalai.engine.encode import encode_many, layout_for, program, workspace_for
from azalai.engine.observe import amount, bits, lookup, one_of
from azalai.engine.observer import FOLLOWING, Observer
from azalai.engine.rule import duplicate
from azalai.engine.worker_pool import WorkerPool
from tests.engine.test_observe import observed_nim
from tests.harness.play import EVERY_TABLE

KINDS = list(FOLLOWING)


def anew(game, states, viewers, kind, conclusions=False):
    """The rows that nothing is kept for."""
    layout = layout_for(game, kind, conclusions)
    rows = np.zeros((len(states), layout.size), np.uint8)
    words = np.asarray(states).view(np.int64).reshape(len(states), -1)
    encode_many(words, np.asarray(viewers, np.int8), workspace_for(game, conclusions), program(layout, kind), rows)
    return np.packbits(rows, axis=1, bitorder="little") if kind == "bits" else rows


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_rows_follow_whatever_becomes_of_a_record(name, seats):
    """Games are played on and dealt anew, records are set from outside, some are over, and now one seat looks, now another."""
    game, chance = azalai.game(name), np.random.default_rng(seats)
    batch = game.batch(12, seats, seed=3)
    states = duplicate(batch.states)
    pool = WorkerPool(len(states), 1)
    observers = {conclusions: Observer(game, states, pool, conclusions) for conclusions in (False, True)}
    for step in range(240):
        batch.step(batch.random_moves(), restart=True)
        if step % 3:
            continue
        states[:] = batch.states
        if step % 20 == 0:
            states[:] = batch.states[chance.permutation(len(states))]
            batch.restart(chance.random(len(states)) < 0.3)
        states["over"][chance.random(len(states)) < 0.1] = 1
        viewers = states["seat"] if step % 2 else chance.integers(0, seats, len(states))
        for kind, conclusions in itertools.product(KINDS, observers):
            rows = observers[conclusions].update(viewers, kind)
            assert np.array_equal(rows, anew(game, states, viewers, kind, conclusions)), (step, kind, conclusions)


@pytest.mark.parametrize("kind", KINDS)
def test_who_writes_into_an_observation_does_not_change_the_next(kind):
    batch = azalai.game("targi").batch(8, seed=3)
    before = batch.observe(kind=kind).copy()
    batch.observe(kind=kind)[:] = 77
    assert np.array_equal(batch.observe(kind=kind), before)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_written_wherever_they_are_wanted(kind):
    """Into memory that lies apart, too, and by several threads."""
    game = azalai.game("targi")
    alone, together = game.batch(9, seed=3), game.batch(9, seed=3, threads=3)
    layout = layout_for(game, kind, conclusions=False)
    apart = np.zeros((9, 2 * layout.columns(kind)), np.uint8)
    for _ in range(20):
        for batch in (alone, together):
            batch.step(batch.random_moves())
        rows = anew(game, alone.states, alone.seat, kind)
        assert np.array_equal(together.observe(kind=kind), rows)
        assert np.array_equal(alone.observe(out=apart[:, ::2], kind=kind), rows)


@pytest.mark.parametrize("kind", KINDS)
def test_cells_of_every_width_are_followed(kind):
    """Bits in the middle of a word, values below and above all that are known, and more numbers than a word has bits."""
    game = observed_nim(
        amount("ply", 9, low=2),
        one_of("ply", 70, first=3, name="many"),
        lookup("heap", {"squared": np.arange(5) ** 2, "odd": np.arange(5) % 2}, name="table"),
        bits("options", 31, name="set"),
        amount("rng", 3, name="wide"),
        one_of("secret", 7, first=1, seat_axis=0),
    )
    batch, chance = game.batch(30, seed=1), np.random.default_rng(1)
    for _ in range(40):
        batch.states["ply"] = chance.integers(-100, 100, 30)
        batch.states["heap"] = chance.integers(-9, 9, (30, 3))
        batch.states["options"] = chance.integers(-(1 << 31), 1 << 31, (30, 4))
        batch.states["rng"] = chance.integers(0, 6, (30, 2))
        viewers = chance.integers(0, 2, 30)
        assert np.array_equal(batch.observe(viewers, kind=kind), anew(game, batch.states, viewers, kind))
