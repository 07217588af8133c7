"""The tree search guided by a network: its policy says where to look first, its value what a position is worth.

What `search.py` says of worlds and information sets holds here, too. A decision that comes up for the first time is shown to the
network, once: the search gets a prior for each move and the chances of all seats, and plays nothing on. Where the game has a
critic, that one tells the chances, in the world that was sampled. On the way down moves are chosen by PUCT: by what they brought
so far, and by their prior where they have not been tried often.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from azalai.bots.network import Eyes, criticize, judge
from azalai.bots.search import (
    DEPTH,
    Memory,
    draw_world,
    entry_key,
    find_entry,
    information_set,
    learn_from,
    list_moves,
    with_extra,
)
from azalai.engine import flow
from azalai.engine.dispatch import score
from azalai.engine.rule import rule

if TYPE_CHECKING:
    from azalai.engine.compile import Task
    from azalai.engine.game import Game

NODE = 1 << 20  # stands in the table for a decision as a whole, where its moves have entries of their own
SMALL = 0.002  # below the root, moves with a smaller prior are left out
SOFTNESS = 0.35  # priors to this power: the network is surer of its moves than is good for a search
CAUTION = 0.1  # a move never tried is taken to be so much worse than the decision was so far


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a guided search calls."""
    from azalai.bots.levels import GUIDED
    from azalai.bots.player import Search, search_tasks

    return search_tasks(game, Search(game, GUIDED))


@rule
def iterate_guided(m: Memory, eyes: Eyes, critic: Eyes, iterations: Any, exploration: Any, number: Any) -> None:
    """Search on from m.root: so many iterations, numbered on from `number`."""
    s = m.work[0]
    for iteration in range(iterations):
        draw_world(m, number + iteration)
        depth, first = _descend(m, eyes, critic, s, exploration)
        if s.over:
            _share_win(m, s)
        learn_from(m, s, depth, first)


@rule
def _descend(m: Memory, eyes: Eyes, critic: Eyes, s: Any, exploration: Any) -> Any:
    """Descend to a decision that was never looked at, and let the network or its critic judge it; or to the end of the game.

    Return the length of the path, on which decisions and their chosen moves alternate, and the index of the root move.
    """
    depth, first = 0, 0
    at_root, judged = True, False
    room = m.used[0] + DEPTH + len(m.moves) < len(m.table) * 7 // 8
    while not s.over and depth + 1 < DEPTH:
        count = list_moves(m, s, m.moves)
        if at_root:
            count = with_extra(m, m.moves, count)
        elif count == 1:
            flow.step(s, m.moves[0])
            continue
        base = information_set(m, s)
        node_slot = find_entry(m.table, base, NODE)
        if m.table[node_slot].key == 0:
            judge(eyes, s.seat, s.seats, m.moves[:count], m.values)
            judge_world(m, critic)
            if room:
                _remember(m, eyes, base, node_slot, count, at_root)
            if not at_root or not room:
                judged = True
                break
        node = m.table[node_slot]
        wide = exploration * math.sqrt(node.visits + 1.0)
        usual = node.reward / node.visits - CAUTION if node.visits else 0.5
        best, chosen, chosen_slot = -np.inf, -1, -1
        for index in range(count):
            slot = find_entry(m.table, base, m.moves[index])
            entry = m.table[slot]
            if entry.key != 0:
                worth = entry.reward / entry.visits if entry.visits else usual
                worth += wide * entry.prior / (1.0 + entry.visits)
                if worth > best:
                    best, chosen, chosen_slot = worth, index, slot
        if at_root:
            first = chosen
            at_root = False
        m.path[depth] = node_slot
        m.path_seat[depth] = s.seat
        m.path[depth + 1] = chosen_slot
        m.path_seat[depth + 1] = s.seat
        depth += 2
        flow.step(s, m.moves[chosen])
    if not s.over and not judged:
        count = list_moves(m, s, m.moves)
        information_set(m, s)
        judge(eyes, s.seat, s.seats, m.moves[:count], m.values)
        judge_world(m, critic)
    return depth, first


@rule
def judge_world(m: Memory, critic: Eyes) -> None:
    """Let the critic, if there is one, judge the world that m.work imagines."""
    if len(critic.network.told) > 0:
        criticize(critic, m.work[0], m.values)


@rule
def _remember(m: Memory, eyes: Eyes, base: Any, node_slot: Any, count: Any, at_root: Any) -> None:
    """Make entries for a decision and for its moves, with their priors."""
    _make_entry(m, node_slot, entry_key(base, NODE), 1.0)
    total = 0.0
    for index in range(count):
        eyes.priors[index] **= SOFTNESS
        total += eyes.priors[index]
    for index in range(count):
        prior = eyes.priors[index] / total
        if at_root or prior >= SMALL:
            _make_entry(m, find_entry(m.table, base, m.moves[index]), entry_key(base, m.moves[index]), prior)


@rule
def _make_entry(m: Memory, slot: Any, key: Any, prior: Any) -> None:
    entry = m.table[slot]
    entry.key = key
    entry.visits = 0
    entry.chances = 0
    entry.reward = 0.0
    entry.prior = prior
    m.used[0] += 1


@rule
def _share_win(m: Memory, s: Any) -> None:
    """Write each seat's share of the win."""
    score(s, m.places)
    winners = 0
    for seat in range(s.seats):
        winners += m.places[seat, 1] == 1
    for seat in range(s.seats):
        m.values[seat] = 1.0 / winners if m.places[seat, 1] == 1 else 0.0
