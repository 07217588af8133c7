"""Nothing leaks: what is sent to a viewer follows from what that viewer may know, and from nothing else.

Whole games are played over real sockets, one for each seat and one for a spectator. Every message is recomputed from concealed
positions alone. And at many moments the true position is exchanged for one that differs only in what a viewer cannot know: the
bytes sent to that viewer must be the same. `AZALAI_LEAK_GAMES` sets how many games of each game and number of seats are played.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson
import pytest
from websockets.asyncio.client import ClientConnection, connect

import azalai
from azalai.engine.discovery import installed
from azalai.engine.game import load_game
from azalai.engine.position import Position
from azalai.engine.words import Words
from tests.server.running import PATIENCE, Guest, InThread, quick

GAMES = int(os.environ.get("AZALAI_LEAK_GAMES", "1"))
TOGETHER = 8  # games at a time
EXCHANGES = 0.1  # how often positions are exchanged, per decision
SPECTATOR = None
SHORTER: dict[str, dict[str, Any]] = {"targui": {"rounds": 4}}  # all games but the first of each kind


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that tests can reach into, where it is always the same time."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("broadcast", "registry", "routes.socket", "routes.common"):
            patch.setattr(f"azalai.server.{module}.now", lambda: 1_700_000_000_000)
        with InThread(quick(f"sqlite:///{tmp_path_factory.mktemp('leaks') / 'azalai.db'}")) as running:
            yield running


@dataclass
class Knowledge:
    """What one viewer may know: the true game seen with their eyes, step by step."""

    seat: int | None
    seen: list[Position] = field(default_factory=list)
    deciders: list[int] = field(default_factory=list)

    def learn(self, truth: Position) -> None:
        self.seen.append(truth.seen_by(self.seat))
        if truth.history:
            self.deciders.append(truth.history[-1][0])

    def expected(self, since: int, words: Words) -> dict[str, Any]:
        """The part of a message that is about the game."""
        now = self.seen[-1]
        moves = now.moves(self.seat) if self.seat is not None and self.seat in now.pending else []
        events = [
            {
                "ply": ply,
                "seat": self.deciders[ply - 1] if ply else None,
                "kind": one.kind,
                "args": one.args,
                "text": words.event(one),
            }
            for ply in range(since + 1, len(self.seen))
            for one in self.seen[ply].events
        ]
        return {
            "ply": now.ply,
            "phase": now.phase,
            "question": words.question(now) or None,
            "pending": list(now.pending),
            "view": now.view(self.seat),
            "moves": [{"id": m.id, "text": m.text, "name": m.name, "args": m.args, "words": words.move(m, now)} for m in moves],
            "events": events,
            "undo_to": self.undo_to(),
            "result": {
                "end": now.end,
                "text": words.ending(now),
                "scores": list(now.scores),
                "ranking": list(now.ranking),
            }
            if now.end
            else None,
        }

    def undo_to(self) -> int | None:
        """How far back this seat can go: its own decisions, as long as nothing was revealed."""
        now = self.seen[-1]
        ply = now.ply
        while (
            ply and not now.over and self.seat is not None and self.deciders[ply - 1] == self.seat and not self.seen[ply].revealed
        ):
            ply -= 1
        return ply if ply < now.ply else None


# The parts of a message that are not about the game's secrets, and so must be the same for whatever was dealt.
PUBLIC = {
    "type", "id", "version", "game", "title", "options", "status", "public", "clock", "time_out", "created", "time", "language",
    "seat", "seats", "watchers", "from", "take_back_to", "take_back_needs", "proposal", "hints",
    "chat", "rematch", "rated", "tournament", "deal_known", "substitute", "founder", "changes",
}  # fmt: skip


class Viewer:
    """One socket, and what may be heard from it."""

    def __init__(self, connection: ClientConnection, seat: int | None) -> None:
        self.connection = connection
        self.knowledge = Knowledge(seat)

    async def raw(self) -> bytes:
        """The next message about the table, as it came."""
        while True:
            message = await asyncio.wait_for(self.connection.recv(decode=False), 60)
            if orjson.loads(message)["type"] == "table":
                return bytes(message)

    async def check(self, truth: Position, since: int, words: Words, seed: int) -> dict[str, Any]:
        """Take the next message and recompute it."""
        message = await self.raw()
        told: dict[str, Any] = orjson.loads(message)
        self.knowledge.learn(truth)
        expected = self.knowledge.expected(since, words)
        assert {key: value for key, value in told.items() if key not in PUBLIC} == expected
        assert set(told) == PUBLIC | set(expected)
        assert truth.over or str(seed).encode() not in message
        return told

    async def look(self) -> bytes:
        """Everything anew."""
        await self.connection.send('{"type": "look"}')
        return await self.raw()


async def play_one(server: InThread, game: str, seats: int, number: int) -> int:
    """A whole game by chance; how many messages were checked."""
    chance = random.Random(f"{game} {seats} {number}")
    guests = [Guest(server.address) for _ in range(seats + 1)]
    try:
        options = SHORTER.get(game, {}) if number else {}
        table = await asyncio.to_thread(partial(guests[0].found, game, "me", *["open"] * (seats - 1), options=options))
        for guest in guests[1:seats]:
            await asyncio.to_thread(guest.act, table, "seats")
        await asyncio.to_thread(guests[seats].get, "/me")
        inside = server.app.state.server.registry.slots[table["id"]].table
        truth = azalai.game(game).new(seats, inside.seed, **inside.options)
        words = Words(truth.game, seats, "en")
        url = f"ws://127.0.0.1:{server.port}/api/tables/{table['id']}/live?lang=en"
        viewers = []
        for seat, guest in enumerate(guests):
            cookie = "; ".join(f"{one.name}={one.value}" for one in guest.http.cookies.jar)
            connection = await connect(
                url,
                additional_headers={"cookie": cookie},
                compression=None,
                max_size=None,
                open_timeout=PATIENCE,
                ping_timeout=PATIENCE,
            )
            viewers.append(Viewer(connection, seat if seat < seats else SPECTATOR))
        told = {viewer.knowledge.seat: await viewer.check(truth, -1, words, inside.seed) for viewer in viewers}
        checked = len(viewers)
        while not truth.over:
            seat = chance.choice(truth.pending)
            move = chance.choice(told[seat]["moves"])
            before = truth.ply
            await viewers[seat].connection.send(json.dumps({"type": "play", "ply": before, "move": move["text"]}))
            truth.play(move["text"], seat)
            told = {viewer.knowledge.seat: await viewer.check(truth, before, words, inside.seed) for viewer in viewers}
            checked += len(viewers)
            if told[None]["status"] == "playing" and chance.random() < EXCHANGES:
                await exchange(server, inside, truth, chance.choice(viewers), chance.randrange(2**40))
        for viewer in viewers:
            await viewer.connection.close()
        assert inside.position.tobytes() == truth.tobytes()
        return checked
    finally:
        for guest in guests:
            guest.http.close()


async def exchange(server: InThread, inside: Any, truth: Position, viewer: Viewer, number: int) -> None:
    """Put a position that differs only in what the viewer cannot know in place of the true one: they must not notice."""
    seat = viewer.knowledge.seat
    before = await viewer.look()
    other = truth.seen_by(seat).imagine(number)
    true_current = inside.position._current
    inside.position._current = other._current
    try:
        after = await viewer.look()
    finally:
        inside.position._current = true_current
    assert before == after


async def play_many(server: InThread, game: str, seats: int) -> int:
    running = asyncio.Semaphore(TOGETHER)

    async def one(number: int) -> int:
        async with running:
            return await play_one(server, game, seats, number)

    return sum(await asyncio.gather(*(one(number) for number in range(GAMES))))


CASES = [(name, seats) for name in installed() for seats in load_game(name).seats]


@pytest.mark.timeout(300 + 60 * GAMES)
@pytest.mark.parametrize(("game", "seats"), CASES, ids=[f"{game}-{seats}" for game, seats in CASES])
def test_every_message_follows_from_what_its_reader_may_know(server, game, seats):
    checked = asyncio.run(play_many(server, game, seats))
    assert checked > GAMES * 10


@pytest.mark.parametrize("game", installed())
def test_no_address_tells_a_secret_before_the_game_is_over(server, game):
    seats = load_game(game).seats[0]
    guests = [Guest(server.address) for _ in range(seats + 1)]
    *players, watcher = guests
    table = players[0].found(game, "me", *["open"] * (seats - 1), public=True)
    for one in players[1:]:
        one.act(table, "seats")
    inside = server.app.state.server.registry.slots[table["id"]].table
    for step in range(40):
        seat = players[0].look(table)["pending"][0]
        own = players[seat].look(table)
        players[seat].play(own, own["moves"][step % len(own["moves"])]["text"])
    for seat, one in enumerate([*players, watcher]):
        eyes = seat if seat < seats else None
        assert one.get(f"/tables/{table['id']}/record", 403)["error"] == "not_over"
        for ply in range(0, inside.ply + 1, 7):
            past = one.get(f"/tables/{table['id']}/plies/{ply}")
            assert past["decision"] is None
            assert past["view"] == inside.at_ply(ply).view(eyes)
            drawing = one.http.get(f"/tables/{table['id']}/drawing?ply={ply}&lang=en&theme=light")
            assert drawing.headers["content-type"].startswith("image/svg+xml")
            assert drawing.text == inside.at_ply(ply).seen_by(eyes).to_svg("light", "en")
        for other in range(seats):
            if other != eyes:
                one.get(f"/tables/{table['id']}/plies/3", 403, seat=other)
                one.get(f"/tables/{table['id']}/drawing", 403, seat=other)
                one.get(f"/tables/{table['id']}", 403, seat=other)
        assert one.post(f"/tables/{table['id']}/review", None, 409)["error"] == "not_over"
        assert one.get(f"/tables/{table['id']}/review", 409)["error"] == "not_over"
        assert one.get(f"/tables/{table['id']}/review/3", 409)["error"] == "not_over"
        assert one.post(f"/tables/{table['id']}/review/3", {"move": 0}, 409)["error"] == "not_over"
        assert one.post(f"/tables/{table['id']}/jobs", {"kind": "hint", "ply": 3}, 403)["error"] in ("no_hints", "not_seated")
        for path in (
            f"/tables/{table['id']}",
            f"/tables/{table['id']}/plies/9",
            "/tables?list=watch",
            "/tables?list=mine",
            "/me",
        ):
            text = one.http.get(path).text
            assert str(inside.seed) not in text
            assert "rng" not in text
    for one in guests:
        one.http.close()
