"""Threads that work together."""

import random
import time

import numpy as np
import pytest

from azalai.engine.crew import AWAY, FIRST_ORDER, LEAVE, STRIDE, WAITING, Crew, call, dismiss, is_done, next_order, report
from azalai.engine.rule import INTERPRET, numbers
from tests.engine.nim import NIM
from tests.engine.test_observe import OBSERVED

ORDER = FIRST_ORDER


def words(*values):
    cells = numbers(len(values) * STRIDE, np.int64)
    cells[::STRIDE] = values
    return cells


def values(cells):
    return cells[::STRIDE].tolist()


def test_an_order_goes_to_those_who_wait_and_to_those_who_must_be_fetched():
    cells = words(AWAY, WAITING, AWAY, WAITING)
    assert call(cells, ORDER, 1) == 2
    assert values(cells) == [AWAY, ORDER, ORDER, WAITING]
    assert call(cells, ORDER, 3) == 0
    assert values(cells) == [AWAY, ORDER, ORDER, ORDER]


def test_a_worker_takes_its_order_and_reports():
    cells = words(AWAY, ORDER)
    assert next_order(cells, 1) == ORDER
    report(cells, 1, ORDER)
    assert values(cells) == [AWAY, WAITING]
    assert is_done(cells, ORDER)


def test_a_worker_that_waits_in_vain_goes_home():
    cells = words(AWAY, WAITING)
    assert next_order(cells, 1) == AWAY
    assert values(cells) == [AWAY, AWAY]


def test_dismissed_workers_go_home_at_once_and_others_go_on():
    cells = words(AWAY, WAITING, ORDER, AWAY)
    dismiss(cells)
    assert values(cells) == [AWAY, LEAVE, ORDER, AWAY]
    assert next_order(cells, 1) == AWAY
    assert values(cells) == [AWAY, AWAY, ORDER, AWAY]


@pytest.mark.skipif(INTERPRET, reason="interpreted rules have no workers")
def test_orders_that_come_now_quickly_now_slowly_are_all_carried_out_once():
    chance = random.Random(1)
    alone, together = NIM.batch(9, seed=3), NIM.batch(9, seed=3, threads=3)
    for _ in range(1500):
        moves = alone.random_moves()
        assert (together.random_moves() == moves).all()
        time.sleep(chance.choice([0, 0, 0, 0.0001, 0.0003, 0.0004, 0.0005, 0.001]))  # about as long as workers wait
        alone.step(moves, restart=True)
        together.step(moves, restart=True)
    assert alone.states.tobytes() == together.states.tobytes()
    assert (alone._desk.dealt == together._desk.dealt).all()


def test_long_work_may_come_between_orders():
    alone, together = OBSERVED.batch(9, seed=3), OBSERVED.batch(9, seed=3, threads=3)
    for _ in range(100):
        for batch in (alone, together):
            batch.step(batch.random_moves(), restart=True)
        assert (alone.observe() == together.observe()).all()
        assert alone.seen_by(0).tobytes() == together.seen_by(0).tobytes()


@pytest.mark.skipif(INTERPRET, reason="interpreted rules have no workers")
def test_a_worker_that_breaks_down_is_told_of_and_fetched_again():
    crew, done = Crew(4, 2), []

    def broken(desk, worker):
        raise MemoryError("no room")

    def sound(desk, worker):
        order = next_order(desk, worker)
        done.append((order, worker))
        report(desk, worker, order)

    with pytest.raises(MemoryError, match="no room"):
        crew.order(ORDER, broken, lambda desk, order, part: None, crew.words)
    crew.order(ORDER, sound, lambda desk, order, part: done.append((order, part)), crew.words)
    assert sorted(done) == [(ORDER, 0), (ORDER, 1)]
