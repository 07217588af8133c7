"""The loop that plays games by policies."""

import numpy as np
import pytest

from azalai.engine import flow
from azalai.engine.playing import DECISIONS, END, MOVE, PLACES, POINTS, ROW, PlayPlan, play_games, play_on, thought
from azalai.engine.policies import GREEDY, OUTSIDE, RANDOM, SCRIPT, Scratch, greedy_move, random_move
from azalai.engine.position import Position
from azalai.engine.rule import numbers, records
from tests.engine.nim import NIM

SEED = 9


def blank():
    cells = records(1, NIM.schema.dtype)
    NIM.header(cells[0], 2, {})
    return cells


def play(plan, first, count):
    rows = numbers((count, ROW))
    played = play_games(plan, blank(), records(1, NIM.schema.dtype), rows, first, SEED)
    return int(played), np.asarray(rows)


@pytest.mark.parametrize("policies", [(RANDOM, RANDOM), (GREEDY, RANDOM), (RANDOM, GREEDY)])
def test_the_loop_plays_what_the_policies_choose_in_what_their_seats_see(policies):
    plan = PlayPlan.of(NIM, policies, log=20 * NIM.longest)
    _, rows = play(plan, 4, 10)
    scratch, at = Scratch.of(NIM), 0
    for game, row in enumerate(rows, 4):
        position = NIM.new(2, SEED)
        flow.begin(position.state, SEED, game // 2)
        while not position.over:
            number = thought(SEED, game, position.ply)
            scratch.hidden[0] = position.seen_by(position.seat).state
            if policies[(position.seat - game) % 2] == GREEDY:
                move = greedy_move(scratch, NIM.weights[0], number)
            else:
                move = random_move(scratch.hidden[0], scratch.buffers[0], number)
            assert plan.log[at, MOVE] == move
            at += 1
            position.play(int(move))
        assert row[END] == position.state.over
        assert row[DECISIONS] == position.ply
        assert tuple(row[POINTS : POINTS + 2]) == position.scores
        assert tuple(row[PLACES : PLACES + 2]) == position.ranking
    assert at == plan.used[0]


def test_the_loop_stops_where_the_log_has_no_room_for_another_game():
    plan = PlayPlan.of(NIM, (RANDOM, RANDOM), log=NIM.longest)
    played, rows = play(plan, 0, 5)
    assert played == 1
    assert plan.used[0] == rows[0, DECISIONS]
    assert not rows[1:].any()


def test_the_loop_hands_back_where_a_decision_is_made_outside():
    cells = blank()
    flow.begin(cells[0], SEED, 0)
    plan = PlayPlan.of(NIM, (RANDOM, OUTSIDE))
    while not play_on(plan, cells, 0, SEED, 0, 0):
        position = Position(NIM, None, cells.tobytes())
        assert position.seat == 1
        flow.step(cells[0], position.move_ids()[0])
    assert cells[0].over


def test_a_script_is_played_as_far_as_it_goes():
    whole = PlayPlan.of(NIM, (RANDOM, RANDOM), log=NIM.longest)
    _, rows = play(whole, 0, 1)
    moves = np.asarray(whole.log[: whole.used[0], MOVE])
    _, again = play(PlayPlan.of(NIM, (SCRIPT, SCRIPT), script=moves), 0, 1)
    assert (again == rows).all()
    cells = blank()
    flow.begin(cells[0], SEED, 0)
    assert not play_on(PlayPlan.of(NIM, (SCRIPT, SCRIPT), script=moves[:-1]), cells, 0, SEED, 0, 0)
    assert cells[0].ply == len(moves) - 1
