"""The counts of a report from millions of games, many side by side on a GPU: `python -m azalai.arena.count GAME`.

All seats are played by the game's network, each taking the move that it likes best or, as `ahead`, one that proves itself where
the network plays on (`arena/lookahead.py`); or they are played at random. What `report.toml` asks
for is counted where the games are played; only finished records come back, for their points. Nothing is known there of points
during a game. Any other player, such as level `5`, plays in processes on the CPU, and `arena/report.py` counts its games one by
one, leads included. `azalai report GAME --counts FILE` makes the page.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

import azalai
from azalai.arena.lookahead import NEVER, Lookahead
from azalai.arena.report import (
    AHEAD,
    CONTROL,
    MOST,
    OPENINGS,
    POLICY,
    RANDOM,
    Counts,
    Mean,
    Study,
    Topic,
    count_deals,
    declared,
    played_variant,
)
from azalai.arena.series import Series
from azalai.bots.levels import named
from azalai.engine import flow
from azalai.engine.errors import AzalaiError, BadOption
from azalai.engine.game import Game, score_buffer
from azalai.engine.playing import EVENT_ARGS
from azalai.engine.record import write_atomically
from azalai.engine.rule import RuleEntry
from azalai.learn.export import load_network

SIDE_BY_SIDE = 65536  # games of a part
AT_ONCE = 65536  # positions that a network sees in one go
KIND, ARGS = 0, 2  # columns of an event in a record
DEALS = 4  # games of a part of players that search

PLAYERS_HELP = """who plays, with commas (default: policy,openings,random). openings: policy after a first move drawn evenly.
ahead: policy, but the moves it likes best are tried out; in games without secrets.
Any other name is a computer player, which plays on the CPU: `5`, or `5+WORDS` where one seat of every game knows more than it
should, as the entry WORDS under `knowledge` in the game's report.toml says"""
VARIANT_HELP = f"""play with other values: the `words` of a variant in the game's report.toml. {CONTROL}: with the game's own
values, by a network that has learnt on as long as those of the variants; the report then compares these with it"""

Think = Callable[[Tensor], Tensor]  # from observations to what is thought of all moves


class PartCounter(Protocol):
    """Plays games of one kind part by part and counts them; the same part has always the same games."""

    game: Game
    seats: int
    size: int  # games of a part
    settings: str  # what makes the players' strength, where that can change between versions

    def parts(self, skip: int = 0) -> Iterator[Study]:
        """Yield the counts of one part after another, without the first `skip`."""


class TopicCounter:
    """How much of each thing of a topic every seat had in every game."""

    def __init__(self, topic: Topic, games: int, seats: int, device: torch.device) -> None:
        self.topic = topic
        self.counts = torch.zeros((games, seats, len(topic.labels)), dtype=torch.float32, device=device)
        places = topic.counts_as or dict.fromkeys(topic.kinds, -1)
        self.thing_of = torch.full((256,), -1, dtype=torch.int64, device=device)  # by the kind of event
        self.about = torch.zeros(256, dtype=torch.bool, device=device)
        for kind, place in places.items():
            self.thing_of[kind] = place
            self.about[kind] = True

    def things(self, events: Tensor) -> Tensor:
        """Return the number of the thing that each event is about."""
        if self.topic.domain is None:
            return self.thing_of[events[:, KIND].long()]
        return events[:, self.topic.what - EVENT_ARGS + ARGS].long() - self.topic.domain.first

    def count(self, games: Tensor, events: Tensor) -> None:
        """Count events, each of one of these games."""
        here = self.about[events[:, KIND].long()]
        games, events = games[here], events[here]
        things, seats = self.things(events), events[:, self.topic.seat - EVENT_ARGS + ARGS].long()
        known = (things >= 0) & (things < self.counts.shape[2]) & (seats >= 0)
        column = self.topic.weight - EVENT_ARGS + ARGS
        amounts = events[:, column].float() if self.topic.weight >= 0 else torch.ones_like(things, dtype=torch.float32)
        where = games[known], seats[known], things[known]
        self.counts.index_put_(where, amounts[known], accumulate=True)

    def close_cards(self, won: Tensor) -> None:
        """Add to the topic how often a seat that had a thing won."""
        had = (self.counts > 0).double()
        sums = torch.stack([had.sum((0, 1)), torch.einsum("gst,gs->t", had, won), torch.einsum("gst,gs->t", had, won * won)])
        for mean, values in zip(self.topic.found, sums.T.tolist()):
            mean.add_sums(*values)

    def close_actions(self, won: Tensor) -> None:
        """Add to the topic how much winners had, and the others."""
        winners, counts = (won > 0).double(), self.counts.double()
        many = winners.sum(1, keepdim=True)
        rest = won.shape[1] - many
        by_winner = torch.einsum("gst,gs->gt", counts, winners) / many
        by_others = torch.einsum("gst,gs->gt", counts, 1 - winners) / rest.clamp(min=1)
        some = (rest > 0).expand_as(by_others)
        _add_columns(self.topic.extra, by_winner, torch.ones_like(some))
        _add_columns(self.topic.others, by_others, some)
        _add_columns(self.topic.found, by_winner - by_others, some)
        flat = counts.flatten(0, 1)
        _add_columns(self.topic.usual, flat, torch.ones_like(flat, dtype=torch.bool))
        capped = flat.clamp(0, MOST).long()
        shares = won.flatten()[:, None].expand_as(flat)
        tables = torch.zeros((3, MOST + 1, flat.shape[1]), dtype=torch.float64, device=won.device)
        for power, sums in enumerate(tables):
            sums.scatter_add_(0, capped, shares**power)
        for thing, by_count in enumerate(self.topic.by_count):
            for count, values in enumerate(tables[:, :, thing].T.tolist()):
                if values[0]:
                    by_count.setdefault(count, Mean()).add_sums(*values)


def _add_columns(means: list[Mean], values: Tensor, where: Tensor) -> None:
    """Add each column's values, where they count, to its mean."""
    kept = torch.where(where, values, 0.0)
    sums = torch.stack([where.sum(0).double(), kept.sum(0), (kept * kept).sum(0)])
    for mean, one in zip(means, sums.T.tolist()):
        mean.add_sums(*one)


class HappeningCounter(TopicCounter):
    """What followed from each happening: events right after it, from the same decision."""

    def __init__(self, topic: Topic, device: torch.device) -> None:
        super().__init__(topic, 0, 1, device)
        self.sums = torch.zeros((3, len(topic.labels)), dtype=torch.float64, device=device)

    def count(self, games: Tensor, events: Tensor) -> None:
        """Count happenings among the events of one decision in every game, which are in order."""
        kinds = events[:, KIND].long()
        here = self.about[kinds]
        if not bool(here.any()):
            return
        places = torch.arange(len(events), device=events.device)
        last = torch.where(here, places, -1).cummax(0).values  # the happening before each event
        amounts = torch.zeros(len(events), dtype=torch.float64, device=events.device)
        if self.topic.sum_kind >= 0:
            follows = (kinds == self.topic.sum_kind) & (last >= 0)
            follows &= games[last.clamp(min=0)] == games
            column = self.topic.sum_weight - EVENT_ARGS + ARGS
            amounts.index_add_(0, last[follows], events[follows, column].double())
        things, found = self.things(events)[here], amounts[here]
        known = (things >= 0) & (things < self.sums.shape[1])
        for power, sums in enumerate(self.sums):
            sums.index_add_(0, things[known], found[known] ** power)

    def close(self) -> None:
        """Add to the topic what was counted."""
        for mean, values in zip(self.topic.extra, self.sums.T.tolist()):
            mean.add_sums(*values)


class Counter:
    """Plays many games side by side, part after part, and counts them."""

    def __init__(
        self, game: Game, seats: int, think: Think | None, device: str = "cpu", seed: int = 0, count: int = SIDE_BY_SIDE,
        options: Mapping[str, Any] | None = None, openings: bool = False, network: Any = None,
    ) -> None:  # fmt: skip
        """With `openings` the first move of every game is drawn evenly from all legal ones. With a `network`, that of `think`,
        the moves that it likes best are tried out."""
        self.game, self.seats, self.size, self.think, self.openings = game, seats, count, think, openings
        self.device = torch.device(device)
        self.gpu = self.device.type == "cuda"
        self.batch: Any = game.batch(count, seats, seed, device=device, **(options or {}))
        self.kind = torch.float16 if self.gpu else torch.float32
        sees = 0 if think is None else game.observation.with_conclusions.size
        self.seen = torch.zeros((count, sees), dtype=self.kind, device=self.device)
        self.mask = self._tensor(self.batch.legal_mask())
        self.ahead = None if network is None else Lookahead(self.batch, network, device, seed)
        self.settings = "" if self.ahead is None else self.ahead.settings
        states = self.batch.states
        self.events, self.event_count = self._tensor(states["events"]), self._tensor(states["event_count"])
        self.over, self.decider = self._tensor(states["over"]), self._tensor(states["seat"])
        self.score = RuleEntry(flow.score_first)
        self.generator = torch.Generator(self.device).manual_seed(seed)

    def _tensor(self, array: Any) -> Tensor:
        return torch.as_tensor(array if self.gpu else np.asarray(array), device=self.device)

    def parts(self, skip: int = 0) -> Iterator[Study]:
        """Yield the counts of one part of the games after another. Part i has always the same deals."""
        self.batch.deal()
        for _ in range(skip):
            self.batch.restart(True)
        while True:
            yield self.count_part()
            self.batch.restart(True)

    def count_part(self) -> Study:
        """Play the games that have been dealt to their ends."""
        count, study = len(self.batch), Study.of(self.game, self.seats)
        cards = [TopicCounter(topic, count, self.seats, self.device) for topic in study.cards]
        actions = [TopicCounter(topic, count, self.seats, self.device) for topic in study.actions]
        happenings = [HappeningCounter(topic, self.device) for topic in study.happenings]
        running = self.over == 0
        first_move = first_seat = torch.zeros(0)
        began = False
        while True:
            self._count_events(running, [*cards, *actions, *happenings])
            running = self.over == 0
            if not bool(running.any()):
                break
            moves = self._draw() if self.openings and not began else self._decide(running)
            if not began:
                first_move, first_seat, began = moves.clone(), self.decider.long(), True
            self.batch.step(moves if self.gpu else moves.numpy())
        won = self._add_results(study)
        for topic in cards:
            topic.close_cards(won)
        for topic in actions:
            topic.close_actions(won)
        for topic in happenings:
            topic.close()
        shares = won.gather(1, first_seat[:, None])[:, 0].cpu().numpy()
        chosen = first_move.cpu().numpy()
        for move in np.unique(chosen).tolist():
            study.add_first_move(move, shares[chosen == move])
        return study

    def _count_events(self, running: Tensor, topics: list[Any]) -> None:
        """Count the events of the last decision in the games that ran before it."""
        slots = torch.arange(self.events.shape[1], device=self.device)
        games, slot = ((slots < self.event_count[:, None]) & running[:, None]).nonzero(as_tuple=True)
        events = self.events[games, slot]
        for topic in topics:
            topic.count(games, events)

    def _decide(self, running: Tensor) -> Tensor:
        """The move that the network likes best in every game that runs."""
        if self.think is None:
            return self._draw()
        kind = str(self.kind).removeprefix("torch.")
        self.batch.observe(out=self.seen if self.gpu else self.seen.numpy(), kind=kind, conclusions=True)
        moves = torch.zeros(len(self.batch), dtype=torch.int64, device=self.device)
        for games in running.nonzero()[:, 0].split(AT_ONCE):
            logits = self.think(self.seen[games].float()).masked_fill(~self.mask[games], NEVER)
            moves[games] = logits.argmax(1) if self.ahead is None else self.ahead.choose(games, logits)
        return moves

    def _draw(self) -> Tensor:
        """A legal move for every game, all equally likely."""
        noise = torch.rand(self.mask.shape, generator=self.generator, device=self.device)
        return (noise + self.mask).argmax(1) * (self.over == 0)

    def _add_results(self, study: Study) -> Tensor:
        """Count how the games went; return each seat's share of the win."""
        records = np.asarray(self.batch.states.numpy() if self.gpu else self.batch.states)
        places = np.zeros((len(records), self.seats, 2), np.int64)
        out = score_buffer()
        for game in range(len(records)):
            self.score.call(records[game : game + 1], out)
            places[game] = out[: self.seats, :2]
        won = study.add_results(places[:, :, 1], places[:, :, 0], records["ply"], records["over"])
        return torch.as_tensor(won, device=self.device)


class ProcessCounter:
    """Plays games of any player in processes, every deal once, and counts them one by one."""

    def __init__(
        self, game: Game, seats: int, player: str, seed: int, processes: int, options: Mapping[str, Any] | None = None,
        knowledge: str = "",
    ) -> None:  # fmt: skip
        """With `knowledge`, the `words` of an entry in `report.toml`, one seat of every game knows that more than it should."""
        self.game, self.seats, self.size, self.processes, self.knowledge = game, seats, DEALS, processes, knowledge
        self.series = Series.of(game, [player] * seats, seed, options, decisions=True).as_dict()
        level = named(game, player)
        self.settings = "" if level is None else level.settings

    def parts(self, skip: int = 0) -> Iterator[Study]:
        """Yield the counts of one part after another, in order. Part i has always the same games."""
        count_deals(self.series, 0, 1, self.knowledge)  # compiles what is not compiled yet, once for all processes
        with ProcessPoolExecutor(self.processes, get_context("spawn")) as pool:
            waiting: deque[Future[dict[str, Any]]] = deque()
            part = skip
            try:
                while True:
                    while len(waiting) < 2 * self.processes:
                        waiting.append(pool.submit(count_deals, self.series, part * DEALS, DEALS, self.knowledge))
                        part += 1
                    counted = Study.of(self.game, self.seats)
                    counted.merge(waiting.popleft().result())
                    yield counted
            finally:
                pool.shutdown(cancel_futures=True)


def policy(game: Game, device: str, path: Path | None = None) -> Think:
    """A game's network, as what it thinks of moves."""
    network = _network(game, device, path)

    def think(seen: Tensor) -> Tensor:
        logits: Tensor = network(seen)[0]
        return logits

    return think


def _network(game: Game, device: str, path: Path | None) -> Any:
    return load_network(game, path).to(device).requires_grad_(False)


def go_on(counts: Counts, counter: PartCounter, name: str, games: int, seed: int, seconds: float = float("inf")) -> Study:
    """Count until a file has so many games, or the time is up; the file is written after every part.

    The name of a variant follows that of the players after a colon.
    """
    began, key = time.monotonic(), f"{name} {counter.seats}"
    found = counts.study(counter.game, name, counter.seats)
    wanted = {"seed": seed, "side_by_side": counter.size, **({"settings": counter.settings} if counter.settings else {})}
    entry = counts.data.setdefault(key, {**wanted, "parts": 0, "seconds": 0.0})
    kept = {name: entry.get(name) for name in wanted}
    if kept != wanted:
        raise AzalaiError(f"{counts.path} has other games of {key}: {kept} instead of {wanted}")
    entry["study"], before = found.as_dict(), entry["seconds"]
    parts = counter.parts(entry["parts"])
    while found.games < games and time.monotonic() - began < seconds:
        found.merge(next(parts).as_dict())
        entry["parts"] += 1
        entry["seconds"] = round(before + time.monotonic() - began, 1)
        entry["study"] = found.as_dict()
        write_atomically(counts.path, json.dumps(counts.data))
    return found


def main() -> None:
    """Play very many games by a network and count what a report shows."""
    parser = argparse.ArgumentParser(prog="python -m azalai.arena.count", description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("--file", type=Path, required=True, help="where the counts are kept; one that exists is gone on with")
    parser.add_argument("--seats", default="", help="numbers of seats, with commas (default: all of the game)")
    parser.add_argument("--players", default=f"{POLICY},{OPENINGS},{RANDOM}", help=PLAYERS_HELP)
    parser.add_argument("--games", type=int, default=1_000_000, help="for each number of seats (default: a million)")
    parser.add_argument("--few", type=int, default=250_000, help="of openings and of random play (default: 250,000)")
    parser.add_argument("--side-by-side", type=int, default=SIDE_BY_SIDE, help=f"games of a part (default: {SIDE_BY_SIDE})")
    parser.add_argument("--variant", help=VARIANT_HELP)
    parser.add_argument("--network", type=Path, help="a network's file, instead of the game's own")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="for players that search (default: as many as cores)"
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    args = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    began, mark = time.monotonic(), f":{args.variant}" if args.variant else ""
    shipped = azalai.game(args.game)
    game, options = variant_of(shipped, args.variant) if args.variant else (shipped, {})
    counts, device = Counts(args.file), args.device
    numbers = [int(seats) for seats in args.seats.split(",")] if args.seats else list(game.seats)
    for name, seats in ((name, seats) for name in args.players.split(",") for seats in numbers):
        wanted, left = args.few if name in (OPENINGS, RANDOM) else args.games, args.seconds - (time.monotonic() - began)
        counter: PartCounter
        if name in (POLICY, OPENINGS, RANDOM, AHEAD):
            think = None if name == RANDOM else policy(game, device, args.network)
            network = _network(game, device, args.network) if name == AHEAD else None
            counter = Counter(game, seats, think, device, args.seed, args.side_by_side, options, name == OPENINGS, network)
        else:
            player, _, knowledge = name.partition("+")
            counter = ProcessCounter(game, seats, player, args.seed, args.processes, options, knowledge)
        found = go_on(counts, counter, name + mark, wanted, args.seed, left)
        shares = ", ".join(f"{mean.share[0]:.4f}" for mean in found.seats)
        facts = counts.facts(name + mark, seats)
        print(f"{game.name} {seats} {name}{mark}: {found.games:,} games, {facts}, won by seat {shares}", flush=True)


def variant_of(game: Game, words: str) -> tuple[Game, dict[str, Any]]:
    """The game with the values of one of its declared variants, and the options it is played with."""
    if words == CONTROL:
        return game, {}
    variants = {one["words"]: one for one in declared(game).get("variants", [])}
    if words not in variants:
        raise BadOption(f"{game.name} has no variant {words!r}; there are: {', '.join(variants)}")
    return played_variant(game, variants[words])


if __name__ == "__main__":
    try:
        main()
    except AzalaiError as error:
        sys.exit(f"error: {error}")
