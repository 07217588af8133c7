"""Decisions, by machine code or as Python: with the same results, and without a trace where they are refused."""

import gc
import os
import random
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from azalai.engine import steps
from azalai.engine.errors import IllegalMove
from azalai.engine.rule import INTERPRET
from azalai.engine.steps import PLACE_BITS, PLACE_SHIFT, Kept, Steps
from tests.engine.nim import NIM

machine_code = pytest.mark.skipif(INTERPRET, reason="what is interpreted is not compiled")


def play_out(position, chance):
    """Play at random to the end; return what the decisions brought about and which moves there were."""
    told = []
    while not position.over:
        told += [position.moves(), position.play(chance.choice(position.moves()))]
    return told


@machine_code
def test_decisions_are_a_function_of_machine_code():
    NIM.new(seed=1).moves()
    assert type(NIM.steps.decide).__name__ == "builtin_function_or_method"


def test_machine_code_and_python_decide_alike(monkeypatch):
    def games():
        return [(play_out(game, random.Random(1)), game.tobytes(), game.history) for game in map(NIM.new, [2] * 30, range(30))]

    decided = games()
    monkeypatch.setattr(NIM.steps, "decide", NIM.steps._by_rule)
    assert games() == decided


def test_what_is_not_kept_any_more_is_made_again(monkeypatch):
    expected = play_out(NIM.new(seed=3), random.Random(3))
    monkeypatch.setattr(Kept, "get", lambda self, key, make: make())
    assert play_out(NIM.new(seed=3), random.Random(3)) == expected


def test_two_objects_of_one_place_take_turns():
    kept = Kept[str]()
    one, other = (5 << PLACE_SHIFT) + 1, (5 << PLACE_SHIFT) + 2
    for _ in range(2):
        assert kept.get(one, lambda: "one") == "one"
        assert kept.get(other, lambda: "other") == "other"
    assert kept.get(other, lambda: "made again") == "other"


@pytest.mark.parametrize("move", [-1, -2, 10**30, -(10**30), 10_000])
def test_a_number_that_is_no_move_changes_nothing(move):
    position = NIM.new(seed=1)
    position.play(position.moves()[0])
    before, history, moves = position.tobytes(), position.history, position.moves()
    with pytest.raises(IllegalMove):
        position.play(move)
    assert (position.tobytes(), position.history, position.moves()) == (before, history, moves)


def test_a_list_that_was_handed_out_is_the_callers_own():
    position, twin = NIM.new(seed=1), NIM.new(seed=1)
    position.moves().clear()
    position.play(position.moves()[0]).clear()
    assert twin.play(twin.moves()[0]) == position.events != []
    assert twin.moves() == position.moves()


def test_a_copy_and_what_is_taken_back_stay_as_they_are():
    position = NIM.new(seed=1)
    start = position.tobytes()
    position.play(position.moves()[0])
    twin, middle = position.copy(), position.tobytes()
    play_out(position, random.Random(1))
    assert twin.tobytes() == middle
    while position.history:
        position.undo()
    assert (position.tobytes(), twin.undo(), twin.tobytes()) == (start, twin.game.moves[0], start)


def test_a_record_that_was_written_to_is_played_on_as_it_is():
    position = NIM.new(seed=1)
    position.moves()
    state = position.state
    state["heap"] = 1, 0, 0
    with pytest.raises(IllegalMove):
        position.play("take left 2")
    state["heap"] = 2, 0, 0
    position.play("take left 1")
    state["heap"] = 0, 0, 0
    assert position.state["heap"].tolist() == [1, 0, 0]
    position.undo()
    assert position.state["heap"].tolist() == [2, 0, 0]


def test_threads_decide_at_the_same_time():
    def play(seed):
        position = NIM.new(seed=seed)
        return play_out(position, random.Random(seed)), position.tobytes()

    alone = [play(seed) for seed in range(100)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(play, [*range(100)] * 3)) == alone * 3
    finally:
        sys.setswitchinterval(interval)


@machine_code
def test_threads_that_decide_first_at_the_same_time_get_one_definition(monkeypatch):
    from azalai.engine import builtin

    class Slow:
        """Code that takes its time to be loaded."""

        def address(self, _):
            time.sleep(0.2)
            return 0

    monkeypatch.setattr(builtin, "_made", [])
    monkeypatch.setattr(builtin, "entry", lambda *_, **__: Slow())
    with ThreadPoolExecutor(2) as pool:
        one, other = [made.result() for made in [pool.submit(builtin._definition) for _ in range(2)]]
    assert one is other  # another would be freed while Python's function refers to it, which ends the process


@machine_code
def test_machine_code_keeps_count_of_references():
    starts = [NIM.new(seed=seed) for seed in range(40)]

    def play():
        for place in range(1 << PLACE_BITS):
            NIM.steps.lists.keys[place] = NIM.steps.events.keys[place] = -1
        for start in starts:
            position = start.copy()
            play_out(position, random.Random(1))
            with pytest.raises(IllegalMove):
                position.play(0)
            position.undo()

    play()
    thing = next(one for one in NIM.steps.events.things if one is not None)
    tracemalloc.start()
    try:
        play()
        gc.collect()
        counted, memory = (sys.getrefcount(thing), sys.getrefcount(NIM.moves[0])), tracemalloc.get_traced_memory()[0]
        for _ in range(3):
            play()
        gc.collect()
        assert (sys.getrefcount(thing), sys.getrefcount(NIM.moves[0])) == counted
        assert tracemalloc.get_traced_memory()[0] - memory < 5_000  # 120 games; a record lost in each would be more
    finally:
        tracemalloc.stop()


@machine_code
@pytest.mark.parametrize("wrong", [(), (1,), (1, 2), ([], 0), ([b"", ({}, []), None], 0), ([b"", None, None, None], 0)])
def test_wrong_arguments_are_refused(wrong):
    NIM.new(seed=1).moves()
    with pytest.raises((TypeError, SystemError, IndexError)):
        NIM.steps.decide(*wrong)
    content = NIM.new(seed=1).tobytes()
    with pytest.raises((TypeError, SystemError)):
        NIM.steps.decide([content, 7, None], 0)


def test_without_a_lock_around_objects_the_rule_is_called_from_python(monkeypatch):
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    fresh = Steps(NIM)
    current: Any = [NIM.new(seed=1).tobytes(), None, None]
    fresh.listed(current)
    assert [move.id for move in current[steps.LEGAL][1]] == NIM.new(seed=1).move_ids()
    if not INTERPRET:
        assert fresh.decide == fresh._by_rule


INTERPRETED = """
import random
from tests.engine.nim import NIM
position, chance = NIM.new(seed=5), random.Random(5)
while not position.over:
    position.play(chance.choice(position.moves()))
print(position.tobytes().hex())
"""


def test_interpreted_decisions_give_the_same_bytes():
    environment = {**os.environ, "AZALAI_INTERPRET": "1"}
    found = subprocess.run([sys.executable, "-c", INTERPRETED], env=environment, capture_output=True, text=True, check=True)
    position = NIM.new(seed=5)
    play_out(position, random.Random(5))
    assert found.stdout.strip() == position.tobytes().hex()
