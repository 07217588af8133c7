"""Threads that work together."""

import random
import time

import numpy as np
import pytest

from azalai.engine.rule import INTERPRET, numbers
from azalai.engine.worker_pool import (
    ABSENT,
    FIRST_COMMAND,
    IDLE,
    RELEASED,
    STRIDE,
    WorkerPool,
    next_command,
    post,
    release,
    report_done,
    wait_done,
)
from tests.engine.nim import NIM
from tests.engine.test_observe import OBSERVED

COMMAND = FIRST_COMMAND


def flags(*values):
    cells = numbers(len(values) * STRIDE, np.int64)
    cells[::STRIDE] = values
    return cells


def values(cells):
    return cells[::STRIDE].tolist()


def test_a_command_goes_to_idle_workers_and_to_those_that_must_be_started():
    cells = flags(ABSENT, IDLE, ABSENT, IDLE)
    assert post(cells, COMMAND, 1) == 2
    assert values(cells) == [ABSENT, COMMAND, COMMAND, IDLE]
    assert post(cells, COMMAND, 3) == 0
    assert values(cells) == [ABSENT, COMMAND, COMMAND, COMMAND]


def test_a_worker_takes_its_command_and_reports():
    cells = flags(ABSENT, COMMAND)
    assert next_command(cells, 1) == COMMAND
    report_done(cells, 1, COMMAND)
    assert values(cells) == [ABSENT, IDLE]
    assert wait_done(cells, COMMAND)


def test_a_worker_that_waits_in_vain_returns():
    cells = flags(ABSENT, IDLE)
    assert next_command(cells, 1) == ABSENT
    assert values(cells) == [ABSENT, ABSENT]


def test_released_workers_return_at_once_and_others_go_on():
    cells = flags(ABSENT, IDLE, COMMAND, ABSENT)
    release(cells)
    assert values(cells) == [ABSENT, RELEASED, COMMAND, ABSENT]
    assert next_command(cells, 1) == ABSENT
    assert values(cells) == [ABSENT, ABSENT, COMMAND, ABSENT]


@pytest.mark.skipif(INTERPRET, reason="interpreted rules have no workers")
def test_commands_that_come_now_quickly_now_slowly_are_all_executed_once():
    chance = random.Random(1)
    alone, together = NIM.batch(9, seed=3), NIM.batch(9, seed=3, threads=3)
    for _ in range(1500):
        moves = alone.random_moves()
        assert (together.random_moves() == moves).all()
        time.sleep(chance.choice([0, 0, 0, 0.0001, 0.0003, 0.0004, 0.0005, 0.001]))  # about as long as workers wait
        alone.step(moves, restart=True)
        together.step(moves, restart=True)
    assert alone.states.tobytes() == together.states.tobytes()
    assert (alone._memory.dealt == together._memory.dealt).all()


def test_long_work_may_come_between_commands():
    alone, together = OBSERVED.batch(9, seed=3), OBSERVED.batch(9, seed=3, threads=3)
    for _ in range(100):
        for batch in (alone, together):
            batch.step(batch.random_moves(), restart=True)
        assert (alone.observe() == together.observe()).all()
        assert alone.seen_by(0).tobytes() == together.seen_by(0).tobytes()


@pytest.mark.skipif(INTERPRET, reason="interpreted rules have no workers")
def test_a_worker_that_fails_is_reported_and_started_again():
    pool, done = WorkerPool(4, 2), []

    def broken(memory, worker):
        raise MemoryError("no room")

    def sound(memory, worker):
        command = next_command(memory, worker)
        done.append((command, worker))
        report_done(memory, worker, command)

    with pytest.raises(MemoryError, match="no room"):
        pool.command(COMMAND, broken, lambda memory, command, part: None, pool.flags)
    pool.command(COMMAND, sound, lambda memory, command, part: done.append((command, part)), pool.flags)
    assert sorted(done) == [(COMMAND, 0), (COMMAND, 1)]
