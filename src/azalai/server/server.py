"""One server process: its parts, how they are put together, and what a request does with them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from azalai.engine.position import Position
from azalai.engine.record import to_record
from azalai.server import acts, metrics, requests
from azalai.server.acts import Refused, Who
from azalai.server.database import address, migrate, open_engine
from azalai.server.guests import Guests, clean_text
from azalai.server.house import House, players, summary
from azalai.server.jobs import Jobs
from azalai.server.library import Library, check_bot, check_options
from azalai.server.limits import Doorkeeper
from azalai.server.live import Live
from azalai.server.settings import Settings
from azalai.server.store import Conflict, Store, new_id, now
from azalai.server.table import BOT, HUMAN, OPEN, Entry, Table, layout
from azalai.server.thinkers import Thinkers, Threads
from azalai.server.watch import Peers, Watch


class Server:
    """All parts of one process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process = secrets.token_hex(4)
        self.database = address(settings.database)
        self.store = Store(open_engine(settings.database), self.process)
        self.library = Library()
        self.guests = Guests(self.store, settings)
        self.keeper = Doorkeeper(settings.limits)
        self.live = Live(settings)
        self.house = House(self.store, self.library, settings)
        self.threads = Threads(settings.threads)
        self.thinkers = Thinkers(self.house, self.threads)
        self.jobs = Jobs(self.store, self.house, self.threads, settings)
        self.watch = Watch(self.store, self.house, self.thinkers, self.live, self.keeper, settings)
        self.peers = Peers(self.store, self.house, self.live, self.database)
        self.house.told = self.live.tell
        self.live.moved = self.peers.tell_presence
        self.house.asked = self.thinkers.look
        self.house.planned = self.thinkers.follow_plans
        self.house.busy = lambda table_id: table_id in self.live.sockets or table_id in self.thinkers.at_work()
        self.closing = asyncio.Event()

    async def open(self) -> None:
        """Migrate the database and begin."""
        await migrate(self.store.engine)
        await self.store.open()
        await self.guests.open()
        self.library.open()
        await self.jobs.open()
        await self.peers.open()
        await self.watch.open()

    async def close(self) -> None:
        """Stop in order: nothing new, what is under way to its end, then the database."""
        self.closing.set()
        await self.watch.close()
        await self.thinkers.close()
        await self.jobs.close()
        await self.peers.close()
        await self.store.close()

    # ------------------------------------------------------------ acts by request

    async def perform(self, who: Who, table_id: str, wish: Any, then: Callable[[Table], Any]) -> Any:
        """Do what a request or a socket message asks for at a table."""
        if isinstance(wish, requests.MakePlan):
            return await self._plan(who, table_id, wish, then)
        decide = self._deciding(who, wish)
        return await self.house.act(table_id, decide, then=then)

    def _deciding(self, who: Who, wish: Any) -> Callable[[Table, int], list[Entry]]:
        match wish:
            case requests.Play():
                return lambda table, at: acts.play(table, who, wish.seat, wish.ply, wish.version, wish.move, at)
            case requests.Undo():
                return lambda table, at: acts.undo(table, who, wish.seat, wish.to)
            case requests.TakeBack():
                return lambda table, at: acts.propose(table, who, wish.seat, wish.to)
            case requests.Answer():
                return lambda table, at: acts.answer(table, who, wish.seat, wish.agree)
            case requests.Resign():
                return lambda table, at: acts.resign(table, who, wish.seat)
            case requests.Say():
                self.keeper.pass_by(self.keeper.chat, who.id, "chat lines")
                text = clean_text(wish.text, self.settings.limits.chat_length)
                if not text:
                    raise Refused(422, "empty", "there is nothing to read in this")
                return lambda table, at: acts.chat(table, who, wish.seat, text)
        raise TypeError(wish)

    async def _plan(self, who: Who, table_id: str, wish: requests.MakePlan, then: Callable[[Table], Any]) -> Any:
        def plans(table: Table) -> dict[int, Any]:
            seat, planned = acts.plan(table, who, wish.seat, list(wish.moves))
            return {seat: planned}

        return await self.house.act(table_id, lambda table, at: [], plans, then)

    async def take(self, who: Who, table_id: str, wish: requests.TakeSeat, then: Callable[[Table], Any]) -> Any:
        """Sit down."""
        seat, handed = wish.seat, None
        if wish.code is not None:
            seat, handed = self.guests.read_seat_code(wish.code, table_id)
        await self._check_tables(who)
        await self.store.name_guest(who.id, who.name)
        return await self.house.act(table_id, lambda table, at: acts.take(table, who, seat, handed), then=then)

    async def put_bot(self, who: Who, table_id: str, seat: int, bot: str, then: Callable[[Table], Any]) -> Any:
        """Let a computer player have a seat."""

        def decide(table: Table, at: int) -> list[Entry]:
            return acts.put_bot(table, who, seat, check_bot(bot, table.game), self.live.absent(table_id, seat))

        return await self.house.act(table_id, decide, then=then)

    async def start(self, who: Who, table_id: str, bot: str | None, then: Callable[[Table], Any]) -> Any:
        """Begin without waiting for more players."""

        def decide(table: Table, at: int) -> list[Entry]:
            return acts.start(table, who, None if bot is None else check_bot(bot, table.game))

        return await self.house.act(table_id, decide, then=then)

    async def rename(self, guest: str, name: str) -> Who:
        """Take a name, at every unfinished table too."""
        who = await self.guests.rename(guest, name)
        rows = await self.store.list_tables(guest=guest, statuses=("waiting", "playing"), game=None, before=None, limit=100)
        for row in rows:
            await self.house.act(row["id"], lambda table, at: renamed(table, who))
        return who

    # ------------------------------------------------------------ new tables

    async def create(self, who: Who, wish: requests.NewTable) -> str:
        """A new table; its id."""
        self.keeper.pass_by(self.keeper.creations, who.id, "new tables")
        await self._check_tables(who)
        game = await self.library.game(wish.game)
        acts.check_count(game, len(wish.seats))
        origin = await self._origin(wish, game) if wish.origin is not None else None
        options = check_options(game, len(wish.seats), wish.options) if origin is None else origin.options
        setup = {
            "seats": len(wish.seats),
            "clock": wish.clock.model_dump(),
            "time_out": wish.time_out,
            "substitute": check_bot(wish.substitute, game) if wish.substitute else None,
            "hints": wish.hints,
            "wait": wish.wait,
        }
        check_clock(wish.clock)
        sits = [Entry("sit", number, sitting(one, who, game)) for number, one in enumerate(wish.seats)]
        table = self._blank(game, who, options, setup, public=wish.public)
        entries = acts.started(table, sits)
        if origin is not None:
            if entries[-1].kind != "start":
                raise Refused(422, "open_seats", "a game that goes on from a moment cannot have open seats")
            table.seed = origin.seed if origin.seed is not None else table.seed
            entries += [Entry("move", seat, {"move": move.text}) for seat, move in origin.history]
        await self.store.name_guest(who.id, who.name)
        await self._found(table, entries)
        return table.id

    async def _origin(self, wish: requests.NewTable, game: Any) -> Position:
        assert wish.origin is not None
        async with self.house.at(wish.origin.table) as table:
            if not table.open:
                raise Refused(409, "not_over", "one can only go on from games that are over")
            if table.game is not game or len(table.seats) != len(wish.seats) or table.skipped:
                raise Refused(422, "bad_origin", f"that game is {table.game.name} for {len(table.seats)}")
            if wish.origin.ply > table.ply or (position := table.at_ply(wish.origin.ply)).over:
                raise Refused(422, "bad_origin", f"that game can be gone on with from ply 0 to ply {table.ply - 1}")
            return position.copy()

    async def import_record(self, who: Who, position: Position) -> str:
        """A table to look at a game that was played elsewhere."""
        self.keeper.pass_by(self.keeper.creations, who.id, "imports")
        assert position.seed is not None
        table = self._blank(position.game, who, position.options, {"seats": position.seats, "imported": True})
        table.seed = position.seed
        sits = [Entry("sit", seat, {"kind": OPEN}) for seat in range(position.seats)]
        sits[0] = Entry("sit", 0, {"kind": OPEN, "guest": who.id})
        moves = [Entry("move", seat, {"move": move.text}) for seat, move in position.history]
        await self._found(table, [*sits, Entry("start"), *moves])
        return table.id

    async def rematch(self, who: Who, table_id: str) -> str:
        """The same again: players find the new table through the old one, computer players come along."""
        old: Table = await self.house.act(table_id, lambda table, at: acts.rematch(table, who), then=lambda table: table)
        assert old.rematch is not None
        if await self.store.table(old.rematch) is None:
            await self._check_tables(who)
            table = self._blank(old.game, who, old.options, {**old.setup, "seats": len(old.seats), "wait": False}, public=False)
            table.id = old.rematch
            wishes = []
            for seat in old.seats:
                bot = seat.kind == BOT and seat.guest is None
                wishes.append(
                    requests.SeatWish(
                        kind="bot" if bot else "me" if seat.guest == who.id else "open", bot=seat.bot if bot else None
                    )
                )
            sits = [Entry("sit", number, sitting(one, who, old.game)) for number, one in enumerate(wishes)]
            with suppress(Conflict):  # others may ask for it at the same time
                await self._found(table, acts.started(table, sits))
        return old.rematch

    def _blank(self, game: Any, who: Who, options: dict[str, Any], setup: dict[str, Any], public: bool = False) -> Table:
        row = {
            "id": new_id(),
            "rules": game.rules,
            "options": options,
            "seed": secrets.randbits(63),
            "setup": setup,
            "public": public,
            "creator": who.id,
            "created": now(),
        }
        return Table(game, row)

    async def _found(self, table: Table, entries: list[Entry]) -> None:
        """Store a new table with its first entries."""
        numbered = [Entry(one.kind, one.seat, one.data, number, table.created) for number, one in enumerate(entries, 1)]

        def fold() -> dict[str, Any]:
            for entry in numbered:
                table.apply(entry)
            return summary(table, table.created, int(self.settings.lease * 1000))

        stands = await asyncio.to_thread(fold) if len(numbered) > 100 else fold()
        row = {
            "id": table.id,
            "game": table.game.name,
            "rules": table.rules,
            "layout": layout(table.game),
            "options": table.options,
            "seed": table.seed,
            "setup": table.setup,
            "public": table.public,
            "creator": table.creator,
            "created": table.created,
            **stands,
        }
        await self.store.create(row, numbered, players(table))
        async with self.house.at(table.id) as stored:
            self.thinkers.look(stored)
        metrics.TABLES_CREATED.labels(table.game.name).inc()

    async def _check_tables(self, who: Who) -> None:
        if await self.store.unfinished(who.id) >= self.settings.limits.open_tables:
            raise Refused(
                409,
                "too_many_tables",
                f"you sit at {self.settings.limits.open_tables} unfinished tables; finish or leave one first",
            )

    # ------------------------------------------------------------ records

    async def record(self, table_id: str) -> dict[str, Any]:
        """A table's record, once nothing in it is secret any more."""
        async with self.house.at(table_id) as table:
            if not table.open or table.position is None:
                raise Refused(403, "not_over", "the record holds every secret of the game: it can be had when the game is over")
            if table.skipped:
                raise Refused(
                    409, "old_rules", "this game was played by more than one version of the rules and cannot be replayed"
                )
            position = table.position.copy()
            names = [seat.name or seat.bot or "" for seat in table.seats]
            end = table.ended
        record = await asyncio.to_thread(to_record, position)
        return {**record, "players": names, **({"ended": end} if end else {})}


def sitting(wish: requests.SeatWish, who: Who, game: Any) -> dict[str, Any]:
    """The entry's data for who shall sit somewhere at a new table."""
    if wish.kind == "bot":
        if wish.bot is None:
            raise Refused(422, "no_such_bot", "say which computer player: bot")
        return {"kind": BOT, "bot": check_bot(wish.bot, game)}
    return {"kind": HUMAN, "guest": who.id, "name": who.name} if wish.kind == "me" else {"kind": OPEN}


def renamed(table: Table, who: Who) -> list[Entry]:
    """The entries that give a guest's seats their new name."""
    return [Entry("sit", seat, {"kind": HUMAN, "guest": who.id, "name": who.name}) for seat in table.of_guest(who.id)]


def check_clock(clock: requests.Clock) -> None:
    """Refuse a clock that has run out before it begins."""
    if (clock.kind == "live" and not clock.minutes) or (clock.kind == "slow" and not clock.days):
        raise Refused(422, "bad_clock", "a live clock needs minutes, a slow one days")
