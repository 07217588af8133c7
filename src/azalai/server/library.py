"""The games as the server needs them: compiled before anybody waits for them, and in every language."""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import re
import threading
import time
from typing import Any

import orjson

import azalai
from azalai import bots
from azalai.bots.levels import level_name
from azalai.bots.player import Search
from azalai.engine.discovery import find, installed
from azalai.engine.errors import BadOption, UnknownGame
from azalai.engine.game import Game, load_game
from azalai.engine.moves import Domain, Event
from azalai.engine.position import Position
from azalai.engine.words import ENGLISH, Words, languages, load_help, load_words, spoken
from azalai.server.acts import Refused

log = logging.getLogger("azalai.library")
LANGUAGE = "[a-z]{2}"  # what may be asked for


class Library:
    """Knows every game; the first use of each, and of its computer players, happens in a thread, away from the players."""

    def __init__(self) -> None:
        self._ready: dict[str, asyncio.Future[Game]] = {}
        self._asked: list[str] = []  # games somebody waits for, or did

    def open(self) -> None:
        """Begin to prepare all games, one after the other, those first that somebody waits for."""
        loop = asyncio.get_running_loop()
        self._ready = {name: loop.create_future() for name in installed()}
        threading.Thread(target=self._prepare_all, args=(loop,), name="prepare", daemon=True).start()

    def _prepare_all(self, loop: asyncio.AbstractEventLoop) -> None:
        games: list[Game] = []
        left = dict(self._ready)
        while left:
            name = next((one for one in self._asked if one in left), next(iter(left)))
            ready = left.pop(name)
            begun = time.perf_counter()
            try:
                game = prepare(name)
            except Exception as error:
                log.exception("a game cannot be played", extra={"game": name})
                _call(loop, _fail, ready, error)
                continue
            log.info("ready to play", extra={"game": name, "seconds": round(time.perf_counter() - begun, 2)})
            _call(loop, _set, ready, game)
            games.append(game)
        for game in games:
            rehearse(game)
        gc.collect()
        gc.freeze()  # what is here now stays: no later collection, during which everybody waits, need look at it again
        gc.set_threshold(20_000, 20, 20)

    async def game(self, name: str) -> Game:
        """A game by name, as soon as it can be played."""
        ready = self._ready.get(name)
        if ready is None:
            raise Refused(404, "no_such_game", f"there is no game {name[:40]!r}; there are {', '.join(installed())}")
        if name not in self._asked:
            self._asked.append(name)
        try:
            return await asyncio.shield(ready)
        except asyncio.CancelledError:
            raise
        except Exception:
            raise Refused(503, "game_unavailable", f"{name} cannot be played on this server at the moment") from None

    def ready(self) -> dict[str, bool]:
        """Which games have been prepared."""
        return {name: one.done() and not one.cancelled() and one.exception() is None for name, one in self._ready.items()}


def _call(loop: asyncio.AbstractEventLoop, function: Any, *args: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *args)


def _set(ready: asyncio.Future[Game], game: Game) -> None:
    if not ready.done():
        ready.set_result(game)


def _fail(ready: asyncio.Future[Game], error: Exception) -> None:
    if not ready.done():
        ready.set_exception(error)
        ready.exception()  # it has been logged


def prepare(name: str) -> Game:
    """Load a game and run once through all that a table calls."""
    game = azalai.game(name)
    position = game.new(seed=1)
    player = bots.make("greedy", game, 1)
    for _ in range(3):
        if not position.over:
            seen = position.seen_by(position.seat)
            seen.moves()
            position.view(position.seat)
            position.play(player.choose(seen))
    return game


def rehearse(game: Game) -> None:
    """Let a computer player of the higher levels think for a moment, so that nobody at a table waits for it to be compiled."""
    position = game.new(seed=1)
    player = Search(game, 1)
    player.choose(position)
    player.analyse(position, 1, games=1)


def check_bot(name: str, game: Game) -> str:
    """The name of a computer player; refuses one that does not exist."""
    if name not in bots.names():
        raise Refused(422, "no_such_bot", f"there is no computer player {name[:40]!r}; there are {', '.join(bots.names())}")
    return name


def check_options(game: Game, seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """The options as the game understands them."""
    try:
        return Position.begin(game, seats, 1, options).options
    except (BadOption, UnknownGame) as error:
        raise Refused(422, "bad_options", str(error)) from None
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError):
        raise Refused(422, "bad_options", "an option does not have the form the game expects") from None


# ---------------------------------------------------------------- in words


class Speaker:
    """Says moves and events of one game, with so many seats, in one language; remembers what it has said."""

    def __init__(self, game: Game, seats: int, language: str) -> None:
        self.words = Words(game, seats, language)
        self.title = self.words.title
        self.game = game
        self.seat_names = [self.words.seat(seat) for seat in range(seats)]
        self._moves: dict[int, orjson.Fragment] = {}
        self._events: dict[tuple[Any, ...], str] = {}

    def move(self, number: int) -> orjson.Fragment:
        """A move as JSON: id, text, name, args and words."""
        said = self._moves.get(number)
        if said is None:
            move = self.game.moves[number]
            parts = {"id": move.id, "text": move.text, "name": move.name, "args": move.args, "words": self.words.move(move)}
            said = self._moves[number] = orjson.Fragment(orjson.dumps(parts))
        return said

    def event(self, event: Event) -> str:
        """An event as a line of the log."""
        key = (event.kind, *event.args.items())
        line = self._events.get(key)
        if line is None:
            line = self.words.event(event)
            if len(self._events) < 20_000:
                self._events[key] = line
        return line


def speaker(game: Game, seats: int, language: str) -> Speaker:
    """The one speaker for a game, a number of seats and a language; English for a language that the game does not have."""
    return _speaker(game, seats, spoken(game.extras, language))


@functools.cache
def _speaker(game: Game, seats: int, language: str) -> Speaker:
    return Speaker(game, seats, language)


@functools.cache
def known_languages() -> frozenset[str]:
    """All languages that some game has."""
    return frozenset(one for name in installed() for one in languages(find(name).extras))


def language(asked: str | None, header: str | None) -> str:
    """The language asked for, else the first of those a browser prefers that some game has, else English."""
    if asked is not None:
        if not re.fullmatch(LANGUAGE, asked):
            raise Refused(422, "no_such_language", f"a language has two letters, such as 'en': {asked[:20]!r} is none")
        return asked
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate((header or "").split(",")[:20]):
        tag, _, parameter = part.partition(";")
        try:
            weight = float(parameter.partition("=")[2]) if parameter else 1.0
        except ValueError:
            weight = 0.0
        ranked.append((-weight, place, tag.strip().lower()[:2]))
    return next((tag for weight, _, tag in sorted(ranked) if tag in known_languages() and weight < 0), ENGLISH)


@functools.lru_cache(64)
def describe(name: str, language: str) -> dict[str, Any]:
    """What a page needs to offer a game, before it is compiled."""
    import tomllib

    words = load_words(find(name).extras, language)
    about = tomllib.loads((find(name).folder / "components.toml").read_text(encoding="utf-8"))["game"]
    fewest, most = about["players"][0], about["players"][-1]
    game = load_game(name)
    return {
        "name": name,
        "title": words["title"],
        "blurb": words.get("blurb", ""),
        "designers": about.get("designers", []),
        "publisher": about.get("publisher", ""),
        "year": about.get("year"),
        "minutes": about.get("minutes"),
        "seats": list(range(fewest, most + 1)),
        "rules": game.rules,
        "options": [{"name": one.name, "choices": list(one.choices), "free": one.read is not None} for one in game.options],
        "bots": [{"bot": one, "name": bot_name(one, language)} for one in bots.names()],
    }


def bot_name(bot: str, language: str) -> str:
    """What a computer player is called: the levels have names."""
    return level_name(int(bot), language) if bot in bots.LEVELS else bot


@functools.lru_cache(64)
def details(name: str, language: str) -> dict[str, Any]:
    """All names and shapes a page or a program meets in a game's views, moves and events."""
    game = load_game(name)
    words = load_words(find(name).extras, language)
    domains: dict[str, Domain] = {}
    for kind in (*game.moves.kinds.values(), *game.events.kinds.values()):
        domains.update({domain.name: domain for _, domain in kind.args})
    return {
        **describe(name, language),
        "labels": {str(count): list(game.seat_labels(count)) for count in game.seats},
        "phases": list(game.phases),
        "ends": list(game.ends),
        "moves": {kind.name: {arg: domain.name for arg, domain in kind.args} for kind in game.moves.kinds.values()},
        "events": {kind.name: {arg: domain.name for arg, domain in kind.args} for kind in game.events.kinds.values()},
        "domains": {one.name: {"first": one.first, "labels": list(one.labels)} for one in domains.values()},
        "fields": {one.name: {"shape": list(one.shape), "about": one.about} for one in game.schema.fields if not one.internal},
        "words": words,
        "components": game.components,
    }


def rule_help(name: str, language: str) -> str:
    """The rules as we teach them, in Markdown."""
    return load_help(find(name).extras, language)
