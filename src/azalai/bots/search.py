"""Information-set Monte Carlo tree search, one for all games, compiled.

Every iteration samples a world (a determinization): a whole position that fits what the searching seat may know and what the
others' moves give away. A level with `worlds` weighs so many thoroughly before it searches, others a few each time. The iteration
descends in that world by the statistics so far (UCB1 with availability counts: a move is judged against the times it could have
been chosen), takes one move that was never tried, plays on a little, evaluates the position there, and adds the result to the
statistics of every decision on the way.

Statistics belong to *information sets*: they are looked up under a hash of the record as the deciding seat sees it. So each seat
has a tree of its own, in which positions it cannot tell apart are one node; transpositions are one node as well; and what was
learnt for one decision is still there for the next. All of it lies in one hash table of fixed size.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from azalai.engine import flow
from azalai.engine.dispatch import believe, candidates, chapter, determinize, evaluate, hide, legal, likelihood, score
from azalai.engine.game import Game, score_buffer
from azalai.engine.playing import PlayPlan, play_on, write_row
from azalai.engine.rng import GOLDEN, MIX_1, below, bits, mix, seed
from azalai.engine.rule import duplicate, numbers, records, rule
from azalai.engine.schema import MAX_SEATS

DEPTH = 128  # decisions on the way down that are remembered
MARGIN = 0.1  # how much of a final result is the margin of points; the rest is the place
LOGS = 4096
FINE = 1 << 24  # how finely chance is divided
WIDENING = 0.5  # a decision that came up n times is given 1 + WIDENING * sqrt(n) moves
WORLDS = 16  # a world is chosen among so many determinizations
LINE = 16  # decisions of one move that are tried out together


ENTRY = np.dtype(
    [
        ("key", np.uint64),  # a hash of the information set and a move that was tried in it
        ("reward", np.float64),  # the sum of what the move brought to the seat that chose it
        ("visits", np.int32),  # how often it was chosen
        ("chances", np.int32),  # how often it could have been
        ("prior", np.float32),  # how likely it seemed before it was tried, where a network guides the search
    ],
    align=True,
)


class Memory(NamedTuple):
    """The memory of a search, allocated once."""

    root: Any  # the concealed record to decide in
    work: Any  # the position an iteration is in
    seen: Any  # work as its deciding seat sees it; work itself in a game without secrets
    seen_words: Any  # the same memory as 64-bit words
    secrets: bool
    every: bool  # every legal move is looked at, not only the candidates
    words: int  # how many of them tell positions apart
    trial: Any  # a position in which a move is tried out
    trial_moves: Any
    line: Any  # the decisions of that move,
    best_line: Any  # and of the best tried
    moves: Any
    values: Any
    places: Any
    weights: Any  # what `evaluate` weighs things with, and what this search believes
    table: Any  # of what was learnt; see ENTRY
    used: Any  # [0]: entries in use
    path: Any
    path_seat: Any
    logs: Any  # natural logarithms of small numbers
    extra: Any  # [0]: a move that is judged at the root even if it is no candidate; -1: none
    first_moves: Any  # the candidates at the root,
    first_visits: Any  # how often each was taken,
    first_rewards: Any  # the rewards of all seats summed up,
    first_squares: Any  # and their squares
    worlds: Any  # those that are weighed before a search, if it does that,
    totals: Any  # and the sum of their likelihoods up to each; 0 where these tell nothing


def memory(game: Game, entries: int, every: bool = False, worlds: int = 0) -> Memory:
    """Allocate memory for a search in `game`: so many entries of the table (rounded up to a power of two) and weighed worlds."""
    size = 1 << max(10, (entries - 1).bit_length())
    work = records(1, game.schema.dtype)
    seen = records(1, game.schema.dtype) if game.secrets else work
    offset = game.schema.dtype.fields["events"][1]  # type: ignore[index]
    logs = np.zeros(LOGS)
    logs[1:] = np.log(np.arange(1, LOGS))
    return Memory(
        root=records(1, game.schema.dtype),
        work=work,
        seen=seen,
        seen_words=np.asarray(seen).view(np.uint64),
        secrets=game.secrets,
        every=every,
        words=(offset + 7) // 8,
        trial=records(1, game.schema.dtype),
        trial_moves=game.move_buffer(),
        line=numbers(LINE),
        best_line=numbers(LINE),
        moves=game.move_buffer(),
        values=numbers(MAX_SEATS, np.float64),
        places=score_buffer(),
        weights=duplicate(game.weights),
        table=records(size, ENTRY),
        used=numbers(1, np.int64),
        path=numbers(DEPTH, np.int64),
        path_seat=numbers(DEPTH, np.int64),
        logs=logs,
        extra=np.full(1, -1, np.int64),
        first_moves=game.move_buffer(),
        first_visits=numbers(game.max_moves, np.int64),
        first_rewards=np.zeros((game.max_moves, MAX_SEATS)),
        first_squares=np.zeros((game.max_moves, MAX_SEATS)),
        worlds=records(worlds, game.schema.dtype),
        totals=np.zeros(worlds),
    )


@rule
def prepare(m: Memory) -> Any:
    """Prepare the decision in m.root: list the moves, clear an overfull table; return how many moves there are."""
    count = with_extra(m, m.first_moves, list_moves(m, m.root[0], m.first_moves))
    m.first_visits[:count] = 0
    m.first_rewards[:count] = 0.0
    m.first_squares[:count] = 0.0
    if m.used[0] * 2 > len(m.table):
        for slot in range(len(m.table)):
            m.table[slot].key = 0
        m.used[0] = 0
    return count


@rule
def list_moves(m: Memory, s: Any, out: Any) -> Any:
    """Write the moves that are looked at into `out`; return how many there are."""
    return legal(s, out) if m.every else candidates(s, out)


@rule
def with_extra(m: Memory, moves: Any, count: Any) -> Any:
    """Append m.extra to the root's candidates unless it is one of them; return how many moves there are."""
    extra = m.extra[0]
    if extra < 0:
        return count
    for index in range(count):
        if moves[index] == extra:
            return count
    moves[count] = extra
    return count + 1


@rule
def root_entries(m: Memory, visits: Any, rewards: Any) -> None:
    """Add up the table's statistics of the root's candidates: visits, and rewards of the deciding seat."""
    m.work[0] = m.root[0]
    base = information_set(m, m.work[0])
    for index in range(len(visits)):
        entry = m.table[find_entry(m.table, base, m.first_moves[index])]
        if entry.key != 0:
            visits[index] += entry.visits
            rewards[index] += entry.reward


@rule
def follow(m: Memory, move: Any, number: Any, moves: Any, seats: Any) -> Any:
    """Write the most visited line after `move` at the root, in one sampled world; return how many moves it has."""
    s = m.work[0]
    sample_world(m.root, m.work, m.trial, number)
    count = 0
    while count < len(moves) and not s.over:
        chosen, most = -1, 0
        if count == 0:
            chosen = move
        else:
            size = list_moves(m, s, m.moves)
            base = information_set(m, s)
            for index in range(size):
                entry = m.table[find_entry(m.table, base, m.moves[index])]
                if entry.key != 0 and entry.visits > most:
                    chosen, most = m.moves[index], entry.visits
            if size == 1:
                chosen = m.moves[0]
        if chosen < 0:
            break
        moves[count] = chosen
        seats[count] = s.seat
        count += 1
        flow.step(s, chosen)
    return count


@rule
def sample_world(root: Any, work: Any, trial: Any, number: Any) -> None:
    """Write a world into `work`: a whole position that the seat to decide in `root` cannot tell from the true one.

    One of several determinizations is chosen, with a probability proportional to how well it explains what the others did.
    Where `likelihood` tells nothing, the first is taken.
    """
    me = root[0].seat
    work[0] = root[0]
    flow.imagine(work[0], me, number)
    total = likelihood(work[0], me, False)
    if total == 1.0:
        return
    t = trial[0]
    for world in range(1, WORLDS):
        trial[0] = root[0]
        seed(t, number, world)
        determinize(t, me)
        weight = likelihood(t, me, False)
        total += weight
        if below(t, FINE) * total < FINE * weight:
            work[0] = trial[0]


@rule
def weigh_worlds(m: Memory, number: Any) -> None:
    """Sample all of m.worlds for the seat to decide, weigh them by how well they explain what the others did, and note what they
    say together in m.weights. Where nothing is explained, note nothing."""
    me, total, before = m.root[0].seat, 0.0, 0.0
    believe(m.root[0], 0.0, m.weights[0])
    for world in range(len(m.worlds)):
        guess = m.worlds[world]
        m.worlds[world] = m.root[0]
        seed(guess, number, world)
        determinize(guess, me)
        weight = likelihood(guess, me, True)
        if weight == 1.0:
            m.totals[:] = 0.0
            return
        total += weight
        m.totals[world] = total
    for world in range(len(m.worlds)):
        believe(m.worlds[world], (m.totals[world] - before) / total, m.weights[0])
        before = m.totals[world]


@rule
def draw_world(m: Memory, number: Any) -> None:
    """Write a world into m.work: one of those that were weighed, by its weight, or else a new one."""
    if len(m.worlds) == 0 or m.totals[len(m.worlds) - 1] == 0.0:
        sample_world(m.root, m.work, m.trial, number)
        return
    s = m.work[0]
    seed(s, number, 0)
    point = below(s, FINE) / FINE * m.totals[len(m.worlds) - 1]
    m.work[0] = m.worlds[np.searchsorted(m.totals, point, side="right")]
    seed(s, number, 1)


@rule
def finish_games(root: Any, move: Any, plan: PlayPlan, cells: Any, rows: Any) -> None:
    """Play one game per row: in a sampled world first `move`, then by the plan's policies to the end."""
    for game in range(len(rows)):
        sample_world(root, cells, plan.scratch.hidden, game)
        flow.step(cells[0], move)
        play_on(plan, cells, 0, 0, game, 0)
        write_row(plan, cells[0], rows, game)


@rule
def iterate(m: Memory, iterations: Any, exploration: Any, cutoff: Any, tries: Any, number: Any) -> None:
    """Search on from m.root: so many iterations, numbered on from `number`."""
    s = m.work[0]
    for iteration in range(iterations):
        draw_world(m, number + iteration)
        depth, first = _descend(m, s, exploration, tries)
        _play_on(m, s, cutoff, tries)
        _judge(m, s)
        learn_from(m, s, depth, first)


@rule
def learn_from(m: Memory, s: Any, depth: Any, first: Any) -> None:
    """Add m.values to the statistics of the whole path, and to those of the root move."""
    for step in range(depth):
        entry = m.table[m.path[step]]
        entry.visits += 1
        entry.reward += m.values[m.path_seat[step]]
    m.first_visits[first] += 1
    for seat in range(s.seats):
        m.first_rewards[first, seat] += m.values[seat]
        m.first_squares[first, seat] += m.values[seat] * m.values[seat]


@rule
def _descend(m: Memory, s: Any, exploration: Any, tries: Any) -> Any:
    """Descend by UCB1 to a move never tried; return the length of the path and the index of the root move.

    At the root every move is tried. Further down few iterations come by, and trying every move there would mean weak play: a
    new move is one that the playouts prefer, and a decision gets more moves the more often it comes up (progressive widening).
    """
    depth, first = 0, -1
    room = m.used[0] + DEPTH < len(m.table) * 7 // 8
    while not s.over and depth < DEPTH:
        count = candidates(s, m.moves)
        if first < 0:
            count = with_extra(m, m.moves, count)
        if count == 1 and first >= 0:
            flow.step(s, m.moves[0])
            continue
        base = information_set(m, s)
        steered = first >= 0 and tries > 1
        fresh, tried, total, chosen, chosen_slot = 0, 0, 0, 0, -1
        best = -1.0
        for index in range(count):
            slot = find_entry(m.table, base, m.moves[index])
            entry = m.table[slot]
            if entry.key == 0:
                fresh += 1
                if not steered and below(s, fresh) == 0:  # any of those never tried, evenly
                    chosen, chosen_slot = index, slot
            else:
                entry.chances += 1
                tried += 1
                total += entry.visits
                if fresh == 0 or steered:
                    log = m.logs[entry.chances] if entry.chances < LOGS else math.log(entry.chances)
                    share = 1.0 / entry.visits
                    worth = entry.reward * share + exploration * math.sqrt(log * share)
                    if worth > best:
                        best, chosen, chosen_slot = worth, index, slot
        move = m.moves[chosen]
        if steered and fresh:
            fresh = 0
            if tried < 1 + WIDENING * math.sqrt(total):
                _find_best_of(m, s, tries)
                move = m.best_line[0]
                chosen_slot = find_entry(m.table, base, move)
                fresh = m.table[chosen_slot].key == 0
        if first < 0:
            first = chosen
        if fresh and not room:
            flow.step(s, move)
            break
        if fresh:
            entry = m.table[chosen_slot]
            entry.key = entry_key(base, move)
            entry.visits = 0
            entry.chances = 1
            entry.reward = 0.0
            m.used[0] += 1
        m.path[depth] = chosen_slot
        m.path_seat[depth] = s.seat
        depth += 1
        flow.step(s, move)
        if fresh:
            break
    return depth, first


@rule
def information_set(m: Memory, s: Any) -> Any:
    """Return a hash of the position as the deciding seat sees it."""
    view = m.seen[0]
    if m.secrets:
        m.seen[0] = m.work[0]
        hide(view, s.seat)
    view.event_count = 0
    view.revealed = 0
    x = np.uint64(s.seat)
    for word in range(2, m.words):  # the first two are the generator's
        x = (x ^ m.seen_words[word]) * MIX_1
        x ^= x >> np.uint64(29)
    return mix(x)


@rule
def entry_key(base: Any, move: Any) -> Any:
    """Return the hash of a move in an information set; never 0."""
    return base + np.uint64(move) * GOLDEN | np.uint64(1)


@rule
def find_entry(table: Any, base: Any, move: Any) -> Any:
    """Return the slot of a move in the table, or the free one for it. Moves of one information set lie side by side."""
    key = entry_key(base, move)
    mask = len(table) - 1
    slot = (np.int64(base >> np.uint64(20)) + move) & mask
    while table[slot].key != 0 and table[slot].key != key:
        slot = (slot + 1) & mask
    return slot


@rule
def _play_on(m: Memory, s: Any, cutoff: Any, tries: Any) -> None:
    """Finish the move that was begun, then play `cutoff` more whole moves, each the best of `tries` random ones.

    What a search believes holds for one chapter of the game, so it stops at the end of that.
    """
    left, begun_in = cutoff, chapter(m.root[0])
    while not s.over and (s.unfinished or (left > 0 and (len(m.worlds) == 0 or chapter(s) == begun_in))):
        if not s.unfinished:
            left -= 1
        if tries > 1:
            for i in range(_find_best_of(m, s, tries)):
                flow.step(s, m.best_line[i])
        else:
            flow.step(s, m.moves[below(s, candidates(s, m.moves))])


@rule
def _find_best_of(m: Memory, s: Any, tries: Any) -> Any:
    """Try out some random moves, up to their end or to what they reveal. Write the decisions of the one that `evaluate` rates
    best for its seat into m.best_line; return how many they are."""
    me = s.seat
    best, best_length = -np.inf, 0
    t = m.trial[0]
    for _ in range(tries):
        m.trial[0] = m.work[0]
        t.rng[0] = bits(s)
        length = 0
        while True:
            move = m.trial_moves[below(t, candidates(t, m.trial_moves))]
            flow.step(t, move)
            m.line[length] = move
            length += 1
            if not t.unfinished or t.over or t.revealed or t.seat != me or length == LINE:
                break
        evaluate(t, m.weights[0], m.values)
        if m.values[me] > best:
            best, best_length = m.values[me], length
            for i in range(length):
                m.best_line[i] = m.line[i]
    return best_length


@rule
def _judge(m: Memory, s: Any) -> None:
    """Write the reward of every seat into m.values: place and margin at the end, before that what `evaluate` says."""
    if not s.over:
        evaluate(s, m.weights[0], m.values)
        return
    score(s, m.places)
    seats = s.seats
    for seat in range(seats):
        ties, ahead, rival = -1, 0, -1 << 30
        for other in range(seats):
            ties += m.places[other, 1] == m.places[seat, 1]
            ahead += m.places[other, 1] < m.places[seat, 1]
            if other != seat:
                rival = max(rival, m.places[other, 0])
        place = 0.5 - 0.5 * (ahead + 0.5 * ties) / max(1, seats - 1)  # half for the place,
        if ahead == 0:
            place += 0.5 / (1 + ties)  # half for a win
        margin = m.places[seat, 0] - rival
        m.values[seat] = (1.0 - MARGIN) * place + MARGIN * (0.5 + 0.5 * margin / (10.0 + abs(margin)))
