"""The review of one game: chances of all seats at every ply, a grade for every decision, luck and decisions told apart.

A decision is judged by a search from what its seat knew. Luck is what the chances, to all-knowing eyes, changed by when something
came to light, apart from what the decision gave away.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from azalai.bots import thought
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.reviews.scout import Array, Scout, share_win

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
LIMITS = {BLUNDER: 0.15, MISTAKE: 0.10, INACCURACY: 0.05, GOOD: 0.005}  # chance given away from which a grade is given
PHASES = ("opening", "middle", "end")  # thirds of the game
WORLDS = 4  # sampled for the view of a seat that does not decide
TURNING = 0.10  # a change of somebody's chance that is a turning point,
TURNING_POINTS = 6  # of which so many are named
ITERATIONS = 800  # of the search for the best move
TRIES, TRY_ITERATIONS = 32, 16  # worlds and iterations in each that compare the move played with it


@dataclass(frozen=True)
class Decision:
    """A decision that was not forced, and what it gave away."""

    ply: int
    seat: int
    move: Move
    best: Move
    after: tuple[float, ...]  # every seat's chance after the move played,
    after_best: tuple[float, ...]  # and after the best one
    line: tuple[tuple[int, Move], ...]  # (seat, move): the expected continuation, from the best move on

    @property
    def loss(self) -> float:
        """The chance to win that the seat gave away."""
        return 0.0 if self.move == self.best else max(0.0, self.after_best[self.seat] - self.after[self.seat])

    @property
    def grade(self) -> str:
        """One of GRADES."""
        return next((grade for grade, limit in LIMITS.items() if self.loss >= limit), BEST)

    @classmethod
    def read(cls, moves: Any, data: Mapping[str, Any]) -> Decision:
        """Make a decision of its `as_dict`; `moves` is the game's move table."""
        return cls(
            data["ply"],
            data["seat"],
            moves.parse(data["move"]),
            moves.parse(data["best"]),
            tuple(data["after"]),
            tuple(data["after_best"]),
            tuple((seat, moves.parse(text)) for seat, text in data["line"]),
        )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "ply": self.ply,
            "seat": self.seat,
            "move": str(self.move),
            "best": str(self.best),
            "after": _rounded(self.after),
            "after_best": _rounded(self.after_best),
            "line": [[seat, str(move)] for seat, move in self.line],
            "loss": round(self.loss, 4),
            "grade": self.grade,
        }


class Review:
    """The review of a game. Its chances are there at once; `judge` judges one decision, `judge_all` every one."""

    def __init__(
        self, position: Position, places: Sequence[int] | None = None, scout: Scout | None = None, seed: int = 0
    ) -> None:
        """Compute the chances. `places` is the result where a game ended before its rules end it."""
        self.position, self.seed = position, seed
        self.first = position.ply - len(position.history)
        self.decisions: dict[int, Decision] = {}
        self._scouts = threading.local()
        self._scouts.own = scout or Scout(position.game)
        self.chances = self._chances(places)  # [moment, view, seat]: views of all seats, the last one is all-knowing
        self.choices = [
            self.first + k for k, (seat, _) in enumerate(position.history) if len(position.before(k).move_ids(seat)) > 1
        ]  # plies of the decisions that were not forced

    def _scout(self) -> Scout:
        if not hasattr(self._scouts, "own"):
            self._scouts.own = Scout(self.position.game)
        found: Scout = self._scouts.own
        return found

    # ------------------------------------------------------------ chances

    def _chances(self, places: Sequence[int] | None) -> Array:
        seats = self.position.seats
        moments = [self._views(self.position.before(k)) for k in range(len(self.position.history))]
        moments.append(self._views(self.position) if places is None else np.tile(share_win(places), (seats + 1, 1)))
        return np.array(moments)

    def _views(self, position: Position) -> Array:
        """Return the chances [view, seat] at one moment."""
        scout, seats = self._scout(), position.seats
        own = scout.chances(position, self.seed)
        if position.over or not position.game.secrets:
            return np.tile(own, (seats + 1, 1))
        views = np.zeros((seats + 1, seats))
        for viewer in range(seats):
            if viewer == position.seat:
                views[viewer] = own
                continue
            seen = position.seen_by(viewer)
            for world in range(WORLDS):
                views[viewer] += scout.chances(seen.imagine(thought(self.seed, world)), self.seed + world) / WORLDS
        views[seats] = combine(views[:seats])
        return views

    def importance(self, ply: int) -> float:
        """Return how much the chance of the seat that decided at `ply` fell by it."""
        k = ply - self.first
        seat = self.position.history[k][0]
        return float(self.chances[k, seat, seat] - self.chances[k + 1, seat, seat])

    def by_importance(self) -> list[int]:
        """Return the plies of all choices, the biggest changes first."""
        return sorted(self.choices, key=lambda ply: -abs(self.importance(ply)))

    def turning_points(self) -> list[int]:
        """Return the plies of the decisions around which the chances changed most."""
        changes = np.abs(np.diff(self.chances[:, -1], axis=0)).max(axis=1)
        order = np.argsort(-changes, kind="stable")[:TURNING_POINTS]
        return sorted(self.first + int(k) for k in order if changes[k] >= TURNING)

    # ------------------------------------------------------------ decisions

    def judge(self, ply: int) -> Decision:
        """Judge one decision and keep it."""
        k, scout = ply - self.first, self._scout()
        seat, move = self.position.history[k]
        seen = self.position.before(k).seen_by(seat)
        number = thought(self.seed, ply)
        scout.forget()
        look = scout.look(seen, ITERATIONS, number, also=move)
        best = look.moves[0]
        line = scout.line(best)
        if best == move.id:
            after = after_best = look.chances[0]
        else:
            after_best, after = scout.compare(seen, (best, move.id), TRIES, TRY_ITERATIONS, number)
            if after[seat] >= after_best[seat]:
                best, line, after_best = move.id, ((seat, move),), after
        decision = Decision(
            ply, seat, move, self.position.game.moves[best], tuple(after.tolist()), tuple(after_best.tolist()), line
        )
        self.decisions[ply] = decision
        return decision

    def judge_all(self, threads: int = 1, report: Callable[[int, int], None] | None = None) -> Review:
        """Judge all decisions; `report` is called with how many are done and how many there are."""
        self._scout().wait()
        plies = self.by_importance()
        with ThreadPoolExecutor(threads) as pool:
            for done, _ in enumerate(pool.map(self.judge, plies), 1):
                if report is not None:
                    report(done, len(plies))
        return self

    # ------------------------------------------------------------ sums

    def luck(self, ply: int) -> tuple[float, ...]:
        """Return what chance, and what came to light, changed for every seat in the step at `ply`."""
        k = ply - self.first
        after = self.position if k + 1 == len(self.position.history) else self.position.before(k + 1)
        if not after.revealed:
            return (0.0,) * self.position.seats
        decision = self.decisions.get(ply)
        changes = []
        for seat in range(self.position.seats):
            change = float(self.chances[k + 1, -1, seat] - self.chances[k, -1, seat])
            if decision is not None:
                change -= decision.after[seat] - decision.after_best[seat]
            changes.append(change)
        return tuple(changes)

    def as_dict(self) -> dict[str, Any]:
        """For JSON, also while other threads judge."""
        decisions = dict(self.decisions)
        plies = range(self.first, self.position.ply)
        luck = {ply: found for ply in plies if any(found := self.luck(ply))}
        return {
            "game": self.position.game.name,
            "seats": self.position.seats,
            "first": self.first,
            "last": self.position.ply,
            "done": len(decisions) == len(self.choices),
            "chances": [[_rounded(view) for view in moment] for moment in self.chances.tolist()],
            "turning_points": self.turning_points(),
            "choices": self.choices,
            "decisions": [decisions[ply].as_dict() for ply in sorted(decisions)],
            "luck": [{"ply": ply, "change": _rounded(changes)} for ply, changes in luck.items()],
            "players": [
                {
                    **self._sum_up([one for one in decisions.values() if one.seat == seat]),
                    "luck": round(sum(changes[seat] for changes in luck.values()), 4),
                }
                for seat in range(self.position.seats)
            ],
        }

    def _sum_up(self, own: Sequence[Decision]) -> dict[str, Any]:
        """Sum up the decisions of one seat."""
        length = max(1, len(self.position.history))
        thirds: dict[str, list[float]] = {phase: [] for phase in PHASES}
        for one in own:
            thirds[PHASES[3 * (one.ply - self.first) // length]].append(one.loss)
        return {
            "accuracy": accuracy([one.loss for one in own]),
            "phases": {phase: accuracy(losses) for phase, losses in thirds.items()},
            "grades": {grade: sum(one.grade == grade for one in own) for grade in GRADES},
            "given_away": round(sum(one.loss for one in own), 4),
        }


def accuracy(losses: Sequence[float]) -> float | None:
    """Return the mean accuracy of decisions that gave away so much, from 0 to 100; None without a decision."""
    if not losses:
        return None
    each = (103.1668 * math.exp(-4.354 * loss) - 3.1669 for loss in losses)  # the curve that lichess uses
    return round(sum(min(100.0, max(0.0, one)) for one in each) / len(losses), 1)


def combine(views: Array) -> Array:
    """Return what somebody knows who knows what all seats know.

    What only one seat knows counts as evidence of its own: it moves the common estimate as much as it moved that seat's.
    """
    common = np.log(np.maximum(views.mean(axis=0), 1e-6))
    found = common + (np.log(np.maximum(views, 1e-6)) - common).sum(axis=0)
    chances = np.exp(found - found.max())
    whole: Array = chances / chances.sum()
    return whole


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 4) for value in values]
