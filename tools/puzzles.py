"""Makes puzzles: `python -m tools.puzzles GAME --wanted 200 --minutes 30 --seed 1` adds to the game's `extras/puzzles.jsonl`.

Computer players of different kinds play against each other. At every decision the greedy player's move is compared with the
network's (in a game without one: with a short search's). Where they differ, both are judged; where the difference is large, all
legal moves are, roughly first and then twice, by seeds that have nothing in common. What costs least is asked first, and a
judgement ends as soon as it is clear that nothing comes of it. A decision becomes a puzzle if all this holds:

- every move is either as good as the best or gives away at least as much as a mistake does in a review, under both seeds;
- a deep search finds one of the good ones, under both seeds;
- games played on to the end, by the network where there is one, are won more often after it than after the next move, and also in
  new worlds;
- the greedy player misses them all, and level 3 does so most of the time;
- the game's words can say what the best move brings, and it has a theme;
- the game is not decided, and there is no other puzzle from nearby in the same game.

A move is judged by playing it in worlds sampled from what the seat knows. The others answer as the network would, and when the
seat decides again, a search says what its chances are. In a game without a network, all play greedily to the end instead.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import itertools
import json
import math
import random
import time
import tomllib
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import azalai
from azalai.bots import Player, thought
from azalai.bots.network import Judge
from azalai.bots.policy import Policy
from azalai.engine.compile import wait_compiled
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.record import to_record
from azalai.engine.words import Words
from azalai.puzzles import FILE, Puzzle, puzzle_id
from azalai.reviews.explain import explain, finish_move, follow_line
from azalai.reviews.review import LIMITS, MISTAKE
from azalai.reviews.scout import Scout, calibrate, share_win
from tools.playouts import ANSWERS, Array, Playouts

MARGIN = LIMITS[MISTAKE]  # what every wrong move gives away at least where two play; where more do, chances are smaller
LEAST = 0.06  # but never less than this
EQUAL, ROUGH = 0.3, 0.5  # moves that give away less than this part of the margin are right as well; may be right
AGAIN = 0.6  # part of the margin that must be there under each of both seeds
CHOICES = range(3, 25)  # legal moves that a puzzle may have
DISTANCE = 12  # plies between two puzzles of one game
LOST = 0.5  # no puzzle where the best move leaves less than this part of an equal share
DECIDED, STILL_WON = 0.95, 0.80  # no puzzle where the best move has more than the one and another move more than the other
GLANCE, BROAD, DEEP = 6, (12, 24), (24, 48)  # worlds, and iterations where there is a search, by which moves are judged
SURE, DOUBTED = 0.75, 0.1  # the network gives its own move at least the one, the greedy player's at most the other
OPEN = 0.08  # nobody's chance is less where a puzzle is looked for
PAUSES, PAUSES_OF_GAMES = 3, 2  # parts of a judgement by worlds, or by games, after which it is looked whether it can end
EVEN = 0.7  # so many games are played by players of one kind
NETWORK_PLAYS = 0.55  # so many players are the network; the others are greedy
HOPELESS = 0.25  # a move that is so much worse after the broad judgement is not judged again
FAR = 0.4  # a move that is so much worse when a judgement might end is not judged on
FIRST_ITERATIONS, SHORT_ITERATIONS, DEEP_ITERATIONS = 50, 200, 4000
PLAYOUTS = (32, 64, 192)  # games to the end after the best move and the next that is wrong; more where few leave doubts
FRESH, FRESH_GAMES, STILL = 100_000, 96, 0.5  # games in new worlds at the end, and part of the margin that is left in them
GAMES_FOR = {BROAD: 80, DEEP: 160}  # games to the end by which a game without a network is judged instead
SAME, FEW = 0.1, 4  # part of the collection, and number, that may have the same solution
GREEDY_TRIES = 3
OBVIOUS = "3"  # the level that must not find it,
OBVIOUS_TRIES, LUCKY = 5, 2  # asked so often, but for so many of its answers, which may be luck
TRIES = {"4": 3, "5": 3, "6": 1}  # how often stronger levels are asked
GAMES = 1_000_000  # of one seed
PARTS = ("opening", "", "", "", "endgame")  # fifths of a game
USUAL_RATINGS = {"greedy": 1700, "3": 1500, "4": 1800, "5": 2050, "6": 2200}  # where a game has no ladder


miner: Miner  # of this process


class Miner:
    """Finds puzzles of one game."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.scout = Scout(game)
        self.scout.wait()
        self.greedy = azalai.bot("greedy", game, seed=seed)
        try:
            self.policy: Policy | None = Policy(game, seed)
            self.network = Judge(game)
        except BadOption:
            self.policy = None
        wait_compiled(game, "azalai.bots.player")
        self.playouts = Playouts(game)
        self.ratings = ratings(game)
        self.seen: collections.Counter[str] = collections.Counter()  # decisions by how far they came
        self._completed: dict[int, tuple[Position, int]] = {}  # of the decision that is examined: see `_complete`

    # ------------------------------------------------------------ games

    def mine(self, number: int, enough: Collection[str] = ()) -> Iterator[Puzzle]:
        """Play one game and yield the puzzles in it. There are `enough` puzzles already that have certain solutions."""
        counts = list(self.game.seats)
        chance = random.Random(f"{self.seed}/{number}")
        position = self.game.new(seats=counts[number % len(counts)], seed=self.seed * GAMES + number)
        players = [self._player(chance) for _ in range(position.seats)]
        if chance.random() < EVEN:
            players = players[:1] * position.seats
        found: list[Position] = []
        while not position.over:
            seen = position.seen_by(position.seat)
            if len(position.move_ids()) in CHOICES and self._promises(seen, enough):
                found.append(position.copy())
            position.play(players[position.seat].choose(seen))
        last = -DISTANCE
        for here in found:
            if here.ply - last >= DISTANCE:
                puzzle = self.examine(here, position.ply)
                if puzzle is not None:
                    last = here.ply
                    yield puzzle

    def _player(self, chance: random.Random) -> Player:
        """Draw a player that is quick."""
        number = chance.getrandbits(40)
        if self.policy is None:
            return azalai.bot(chance.choice(("greedy",) * 11 + ("2",)), self.game, seed=number)
        if chance.random() < NETWORK_PLAYS:
            return Policy(self.game, number, temperature=chance.choice((0.0, 0.5, 1.0)))
        return azalai.bot("greedy", self.game, seed=number)

    def _promises(self, seen: Position, enough: Collection[str]) -> bool:
        """Whether the greedy player seems to be badly mistaken here."""
        self.seen["decisions"] += 1
        costly = 0.7 * margin(seen.seats)
        if self.policy is None:
            greedy = self.greedy.choose(seen)
            self.scout.forget()
            for iterations, cost in ((FIRST_ITERATIONS, costly / 2), (SHORT_ITERATIONS, costly)):
                look = self.scout.look(seen, iterations, iterations, also=greedy)
                chances = {move: float(row[seen.seat]) for move, row in zip(look.moves, look.chances, strict=True)}
                best = look.moves[0]
                if chances[best] - chances[greedy.id] < cost or str(self.game.moves[best]) in enough:
                    return False
            self.seen["costly"] += 1
            return True
        moves = seen.move_ids()
        values, priors = self.network.judge(seen, moves)
        best = moves[int(priors.argmax())]
        if priors.max() < SURE or not OPEN < calibrate(self.game, values)[seen.seat] < 1 - OPEN:
            return False
        greedy = self.greedy.choose(seen)
        if priors[moves.index(greedy.id)] > DOUBTED or str(self.game.moves[best]) in enough:
            return False
        self.seen["greedy differs"] += 1
        chances = self.playouts.glance(seen, (best, greedy.id), 0, GLANCE)
        if chances[best] - chances[greedy.id] < costly:
            return False
        self.seen["costly"] += 1
        return split(self.playouts.glance(seen, moves, 0, GLANCE), seen, rough=True) is not None

    # ------------------------------------------------------------ one decision

    def judge(self, seen: Position, moves: Sequence[int], work: tuple[int, int], again: int = 0) -> dict[int, float]:
        """Return the deciding seat's chance after each of some moves, all tried in the same worlds; `again` chooses others.

        It stops early where the best two moves are too close for a puzzle, and leaves out moves that fall far behind.
        """
        seat, (worlds, iterations) = seen.seat, work
        whole: dict[int, list[float]] = {move: [] for move in moves}
        so_far: dict[int, float] = {}
        self.scout.forget()
        total, parts = (worlds, PAUSES) if self.policy is not None else (GAMES_FOR[work], PAUSES_OF_GAMES)
        step = total // parts
        going = list(moves)
        for done in range(0, total, step):
            if self.policy is None:
                for move in going:
                    whole[move] += self.playouts.wins(*self._complete(seen, move), again * total + done, step).tolist()
            else:
                for number in (thought(again, world) for world in range(done, done + step)):
                    start = seen.imagine(number)
                    for move in going:
                        after = start.copy()
                        after.play(move, seat)
                        whole[move].append(self._chance(after, seat, iterations, number))
            so_far = {move: sum(chances) / len(chances) for move, chances in whole.items()}
            if split(so_far, seen, rough=True) is None:
                break
            going = [move for move in going if so_far[move] > max(so_far.values()) - FAR]
        return so_far

    def _complete(self, seen: Position, move: int) -> tuple[Position, int]:
        """Return the last decision of the move that a decision begins: a short search makes those in between.

        With a network the first is enough: it goes on by itself.
        """
        if self.policy is not None:
            return seen, move
        if move not in self._completed:
            here, last = seen, move
            while True:
                after = here.imagine(1)
                after.play(last)
                if after.over or after.revealed or not after.unfinished or after.seat != seen.seat:
                    break
                here = after.seen_by(seen.seat)
                self.scout.forget()
                last = self.scout.look(here, SHORT_ITERATIONS).moves[0]
            self._completed[move] = here, last
        return self._completed[move]

    def _chance(self, after: Position, seat: int, iterations: int, number: int) -> float:
        """Let the others answer until the seat decides again; return its chance then."""
        assert self.policy is not None
        answers = 0
        while not after.over and seat not in after.pending:
            after.play(self.policy.choose(after.seen_by(after.seat)))
            answers += 1
            if answers == ANSWERS:
                return float(self.scout.chances(after, number)[seat])
        if after.over:
            return float(share_win(after.ranking)[seat])
        return float(self.scout.look(after.seen_by(seat), iterations, number).chances[0][seat])

    def examine(self, position: Position, length: int) -> Puzzle | None:
        """Return a decision as a puzzle if it is a good one. `length` is the length of the whole game."""
        self.seen["promising"] += 1
        seat, seats = position.seat, position.seats
        seen = position.seen_by(seat)
        moves = position.move_ids()
        self._completed.clear()
        short = self._short_line(seen)
        if self._themes(seen, short) is None:
            return None
        self.seen["with a theme"] += 1
        answers: dict[str, list[int]] = {"greedy": self._ask("greedy", GREEDY_TRIES, seen), OBVIOUS: []}
        if self.policy is None and self._is_obvious(answers, [short[0][1].id], seen):
            return None  # here this costs less than the judgement that follows
        broad = self.judge(seen, moves, BROAD)
        right = split(broad, seen, rough=True)
        if right is None:
            return None
        self.seen["clear"] += 1
        if self._is_obvious(answers, right, seen):
            return None
        self.seen["not obvious"] += 1
        ranked = sorted(moves, key=lambda move: -broad[move])
        near = [move for rank, move in enumerate(ranked) if rank <= len(right) or broad[move] > broad[ranked[0]] - HOPELESS]
        judged: list[dict[int, float]] = []
        for again in (1, 2):
            judged.append(self.judge(seen, near, DEEP, again))
            if split(judged[-1], seen, rough=True) is None:
                return None
        verdicts = broad | {move: (judged[0][move] + judged[1][move]) / 2 for move in near}
        right = split(verdicts, seen)
        if right is None or min(lead(one, right) for one in judged) < AGAIN * margin(seats):
            return None
        if self._is_obvious(answers, right, seen):
            return None
        self.seen["confirmed"] += 1
        order = sorted(verdicts, key=lambda move: -verdicts[move])
        best = verdicts[order[0]]
        if best < LOST / seats or (best > DECIDED and verdicts[order[1]] > STILL_WON):
            return None
        line = self._line(position, seen, right)
        themes = None if line is None else self._themes(seen, line)
        if line is None or themes is None or not explain(seen, line, Words(self.game, seats)):
            return None
        self.seen["found by a deep search"] += 1
        pair = rivals(verdicts, right)
        if self.policy is not None and not self._wins_more(seen, *pair):
            return None
        self.seen["winning more"] += 1
        if self._lead(seen, *pair, FRESH, FRESH_GAMES).mean() < STILL * margin(seats):
            return None
        self.seen["winning more again"] += 1
        answers[OBVIOUS] += self._ask(OBVIOUS, OBVIOUS_TRIES - len(answers[OBVIOUS]), seen, len(answers[OBVIOUS]))
        if part := PARTS[len(PARTS) * position.ply // length]:
            themes.append(part)
        if verdicts[pair[1]] < verdicts[pair[0]] / 2:
            themes.append("rescue")
        for name, tries in TRIES.items():
            answers[name] = self._ask(name, tries, seen)
            if all(answer in right for answer in answers[name]):
                break  # stronger levels would find it as well
        solved = {name: (sum(answer in right for answer in given), len(given)) for name, given in answers.items()}
        record = to_record(position)
        text = self.game.moves
        return Puzzle(
            id=puzzle_id(record, seat),
            game=self.game.name,
            record=record,
            seat=seat,
            solutions=tuple(str(text[move]) for move in right),
            chance=round(verdicts[right[0]], 3),
            verdicts={str(text[move]): round(verdicts[move], 3) for move in sorted(moves, key=lambda move: -verdicts[move])},
            themes=tuple(themes),
            difficulty=difficulty(self.ratings, solved),
            line=written(position, line),
        )

    def _wins_more(self, seen: Position, best: int, rival: int) -> bool:
        """Whether the best move wins clearly more games than the next that is wrong, when all play on to the end."""
        enough = margin(seen.seats)
        more: list[float] = []
        for games in PLAYOUTS:
            more += self._lead(seen, best, rival, len(more), games - len(more)).tolist()
            mean = sum(more) / games
            if mean < (-0.5 if games == PLAYOUTS[0] else 0.2) * enough or (mean >= enough and games > PLAYOUTS[0]):
                break
        return mean >= 0.7 * enough

    def _lead(self, seen: Position, best: int, rival: int, first: int, games: int) -> Array:
        """Return how much more of the win the best move brings than another, in each of the games from `first` on."""
        ahead, behind = (self.playouts.wins(*self._complete(seen, move), first, games) for move in (best, rival))
        more: Array = ahead - behind
        return more

    def _is_obvious(self, answers: dict[str, list[int]], right: Sequence[int], seen: Position) -> bool:
        """Whether the greedy player finds it, or level 3 most of the time: that is asked no more often than it takes to know."""
        given = answers[OBVIOUS]
        while True:
            hits = sum(answer in right for answer in given)
            if hits > LUCKY or any(answer in right for answer in answers["greedy"]):
                return True
            if len(given) - hits >= OBVIOUS_TRIES - LUCKY:
                return False
            given += self._ask(OBVIOUS, 1, seen, len(given))

    def _ask(self, name: str, tries: int, seen: Position, first: int = 0) -> list[int]:
        """Return what a player answers, by so many seeds from `first` on."""
        return [azalai.bot(name, self.game, seed=first + again).choose(seen).id for again in range(tries)]

    def _short_line(self, seen: Position) -> tuple[tuple[int, Move], ...]:
        """Return how a short search would go on."""
        self.scout.forget()
        return self.scout.line(self.scout.look(seen, SHORT_ITERATIONS).moves[0])

    def _line(self, position: Position, seen: Position, right: Sequence[int]) -> list[tuple[int, Move]] | None:
        """Return the continuation by a deep search, as far as it can be played; None where such searches find another move."""
        line: tuple[tuple[int, Move], ...] = ()
        for again in range(2):
            self.scout.forget()
            if self.scout.look(seen, DEEP_ITERATIONS, again).moves[0] not in right:
                return None
            line = line or self.scout.line(right[0])
        line = line or ((seen.seat, self.game.moves[right[0]]),)
        return list(line[: len(follow_line(position, line))])

    def _themes(self, seen: Position, line: Sequence[tuple[int, Move]]) -> list[str] | None:
        """Return what the move is about; None where the game knows themes but sees none in it."""
        own, after = finish_move(seen, line)
        if after is None:
            return None
        found: list[str] = []
        if (self.game.extras / "themes.py").exists():
            found += importlib.import_module(f"{self.game.package}.extras.themes").themes(seen, after, seen.seat, own)
            if not found:
                return None
        if after.scores[seen.seat] < seen.scores[seen.seat]:
            found.append("sacrifice")
        return found


def most_alike(wanted: int) -> float:
    """Return how many puzzles of a collection may have the same solution, if it is to have so many."""
    return max(FEW, SAME * wanted)


def margin(seats: int) -> float:
    """Return what every wrong move gives away at least: less where more play, since everybody's chance is smaller then."""
    return max(LEAST, MARGIN * 2 / seats)


def split(verdicts: dict[int, float], seen: Position, rough: bool = False) -> list[int] | None:
    """Return the moves that are right, the best first; None where a move is neither right nor clearly wrong, or many are right.

    While a judgement is `rough`, all that may turn out to be right are.
    """
    order, enough = sorted(verdicts, key=lambda move: -verdicts[move]), margin(seen.seats)
    best = verdicts[order[0]]
    right = [move for move in order if best - verdicts[move] <= (ROUGH if rough else EQUAL) * enough]
    wrong = order[len(right) :]
    if not wrong or len(right) > max(1, len(seen.move_ids()) // 3) or (not rough and best - verdicts[wrong[0]] < enough):
        return None
    return right


def lead(verdicts: dict[int, float], right: Sequence[int]) -> float:
    """Return how much better the best of the right moves is than the best of the others."""
    return max(verdicts[move] for move in right) - max(chance for move, chance in verdicts.items() if move not in right)


def rivals(verdicts: dict[int, float], right: Sequence[int]) -> tuple[int, int]:
    """Return the best move and the best of those that are wrong."""
    return right[0], max((move for move in verdicts if move not in right), key=lambda move: verdicts[move])


def written(position: Position, line: Sequence[tuple[int, Move]]) -> tuple[str, ...]:
    """Write a line as a record does: a decision out of turn names its seat."""
    here, texts = position.copy(), []
    for seat, move in line:
        texts.append(str(move) if seat == here.seat else f"{move} @{seat}")
        here.play(move, seat)
    return tuple(texts)


def ratings(game: Game) -> dict[str, float]:
    """Return the ratings of the game's levels."""
    path = game.extras / "ratings.toml"
    if not path.exists():
        return dict(USUAL_RATINGS)
    table: dict[str, Any] = next(iter(tomllib.loads(path.read_text(encoding="utf-8")).values()))
    return {name: float(table[name]["rating"]) for name in USUAL_RATINGS}


def difficulty(rated: dict[str, float], solved: dict[str, tuple[int, int]]) -> int:
    """Return the rating at which a player solves it half of the time, by who solved it how often.

    The likeliest one, where puzzles are taken to lie around the mean of the levels from 4 on with a spread of 300.
    """
    usual = (rated["4"] + rated["5"] + rated["6"]) / 3

    def fit(rating: float) -> float:
        total = -(((rating - usual) / 300) ** 2) / 2
        for name, (hits, tries) in solved.items():
            chance = 1 / (1 + 10 ** ((rating - rated[name]) / 400))
            total += hits * math.log(chance) + (tries - hits) * math.log(1 - chance)
        return total

    return max(range(600, 3401, 10), key=fit)


def load(path: Path) -> list[Puzzle]:
    """Return the puzzles a file has already."""
    return [Puzzle.read(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def begin(name: str, seed: int) -> None:
    """Make the miner of a process."""
    global miner
    game = azalai.game(name)
    miner = Miner(game, seed)


def mine_game(number: int, enough: Collection[str]) -> tuple[list[Puzzle], collections.Counter[str], float]:
    """Return the puzzles of one game, how far its decisions came, and the processor time it took."""
    miner.seen.clear()
    begun = time.process_time()
    found = list(miner.mine(number, enough))
    return found, miner.seen.copy(), time.process_time() - begun


def main(arguments: Sequence[str] | None = None) -> None:
    """Add to the collection of a game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--wanted", type=int, default=200, help="stop when the collection has so many")
    parser.add_argument("--minutes", type=float, default=30.0, help="begin no game after so long")
    parser.add_argument("--seed", type=int, default=1, help="games of another seed are other games")
    parser.add_argument("--processes", type=int, default=1, help="games mined at a time")
    args = parser.parse_args(arguments)
    path = azalai.game(args.game).extras / FILE
    there = {one.id: one for one in load(path)}
    solutions = collections.Counter(one.solutions[0] for one in there.values())
    mined = [one.record["seed"] % GAMES for one in there.values() if one.record["seed"] // GAMES == args.seed]
    numbers = itertools.count(max(mined, default=-1) + 1)
    begun, busy, games, seen = time.monotonic(), 0.0, 0, collections.Counter[str]()
    with ProcessPoolExecutor(args.processes, get_context("spawn"), begin, (args.game, args.seed)) as pool:
        running: set[Future[tuple[list[Puzzle], collections.Counter[str], float]]] = set()
        while True:
            while len(running) < args.processes and len(there) < args.wanted and time.monotonic() - begun < 60 * args.minutes:
                enough = [solution for solution, count in solutions.items() if count >= most_alike(args.wanted)]
                running.add(pool.submit(mine_game, next(numbers), enough))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for found, counts, spent in (one.result() for one in done):
                for puzzle in found:
                    if puzzle.id not in there and solutions[puzzle.solutions[0]] < most_alike(args.wanted):
                        there[puzzle.id] = puzzle
                        solutions[puzzle.solutions[0]] += 1
                        seen["puzzles"] += 1
                        with path.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(puzzle.as_dict(), separators=(",", ":")) + "\n")
                games, busy, seen = games + 1, busy + spent, seen + counts
            rate = 60 * seen["puzzles"] / max(busy, 1)
            told = ", ".join(f"{count} {name}" for name, count in seen.items())
            print(
                f"{args.game}: {len(there)} puzzles; {games} games in {time.monotonic() - begun:.0f} s, "
                f"{rate:.1f} a minute of processor; {told}",
                flush=True,
            )


if __name__ == "__main__":
    main()
