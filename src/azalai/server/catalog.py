"""The installed games: loaded, compiled in the background, and described in every language."""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import re
import threading
from typing import Any

import orjson

from azalai import bots
from azalai.bots.levels import level_name
from azalai.engine.compile import compile_later, compile_next, finish_compiling
from azalai.engine.discovery import find, installed
from azalai.engine.errors import BadOption, UnknownGame
from azalai.engine.game import Game, load_game
from azalai.engine.moves import Domain, Event, Move
from azalai.engine.position import Position
from azalai.engine.words import ENGLISH, Words, languages, load_help, load_words, spoken
from azalai.reviews.scout import parts
from azalai.server.errors import ApiError
from azalai.server.ratings import levels
from azalai.server.variants import Changes, Variants

log = logging.getLogger("azalai.catalog")
LANGUAGE = "[a-z]{2}"  # what may be asked for


class Catalog:
    """All installed games. A background thread loads them, and another process compiles what is not compiled yet."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self.variants = Variants()

    def open(self) -> None:
        """Start to load all games."""
        threading.Thread(target=self._load_all, name="load", daemon=True).start()

    def _load_all(self) -> None:
        for name in installed():
            try:
                self._load(name)
            except Exception:
                log.exception("a game cannot be played", extra={"game": name})
        for game in self._games.values():
            for part in (*bots.PARTS, *parts(game)):
                finish_compiling(game, part)
            log.info("compiled", extra={"game": game.name})
        gc.collect()
        gc.freeze()  # later collections, which stop all threads, need not visit what stays anyway
        gc.set_threshold(20_000, 20, 20)

    def _load(self, name: str) -> Game:
        """Load a game. Its rules are interpreted until they are compiled, which no table waits for."""
        game = self._games[name] = load_game(name)
        compile_later(game, (*bots.PARTS, *parts(game)))
        return game

    async def game(self, name: str, changes: Changes | None = None) -> Game:
        """Return a game by name, since somebody wants to play it: it is compiled before all others.

        With changed components, which were tried out before, it is a variant, which is never compiled.
        """
        if name not in installed():
            raise ApiError(404, "no_such_game", f"there is no game {name[:40]!r}; there are {', '.join(installed())}")
        try:
            game = self._games[name] if name in self._games else await asyncio.to_thread(self._load, name)
        except Exception:
            raise ApiError(503, "game_unavailable", f"{name} cannot be played on this server at the moment") from None
        if changes:
            return await self.variants.game(name, changes)
        compile_next(game)
        return game

    def playable(self) -> dict[str, bool]:
        """Return for each game whether it can be played."""
        return {name: name in self._games for name in installed()}


def check_bot(name: str, game: Game) -> str:
    """Return the name of a computer player; raise an error for an unknown one."""
    if name not in bots.names():
        raise ApiError(422, "no_such_bot", f"there is no computer player {name[:40]!r}; there are {', '.join(bots.names())}")
    return name


def check_options(game: Game, seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """Validate options; return them as the game stores them."""
    try:
        return Position.begin(game, seats, 1, options).options
    except (BadOption, UnknownGame) as error:
        raise ApiError(422, "bad_options", str(error)) from None
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError):
        raise ApiError(422, "bad_options", "an option does not have the form the game expects") from None


# ---------------------------------------------------------------- texts


class Translator:
    """Renders moves and events of one game, with a number of seats, in one language. Caches what it has rendered."""

    def __init__(self, game: Game, seats: int, language: str) -> None:
        self.words = Words(game, seats, language)
        self.title = self.words.title
        self.game = game
        self.seat_names = [self.words.seat(seat) for seat in range(seats)]
        self._tell = game.wording.move  # what a position has more to say about a move; not in every game
        self._plain: dict[int, tuple[Move, orjson.Fragment]] = {}  # moves as they are said where it says nothing, by their ids
        self._told: dict[tuple[int, str], orjson.Fragment] = {}  # the others, by what is said
        self._events: dict[tuple[Any, ...], str] = {}

    def move(self, number: int, position: Position | None = None) -> orjson.Fragment:
        """Return a move as JSON: id, text, name, args and words. A position may have more to say about it."""
        known = self._plain.get(number)
        if known is None:
            move = self.game.moves[number]
            known = self._plain[number] = move, _move_json(move, self.words.plain(move))
        move, plain = known
        words = None if self._tell is None else self._tell(position, move, self.words)
        if words is None:
            return plain
        said = self._told.get((number, words))
        if said is None:
            said = self._told[number, words] = _move_json(move, words)
        return said

    def event(self, event: Event) -> str:
        """Return an event as a line of the log."""
        key = (event.kind, *event.args.items())
        line = self._events.get(key)
        if line is None:
            line = self.words.event(event)
            if len(self._events) < 20_000:
                self._events[key] = line
        return line


def _move_json(move: Move, words: str) -> orjson.Fragment:
    parts = {"id": move.id, "text": move.text, "name": move.name, "args": move.args, "words": words}
    return orjson.Fragment(orjson.dumps(parts))


@functools.lru_cache(4096)  # two letters are a language, whether or not anything is written in it
def translator_for(game: Game, seats: int, language: str) -> Translator:
    """Return the shared translator for a game, a number of seats and a language; English where the game lacks that language."""
    return _translator(game, seats, spoken(game.extras, language))


@functools.cache
def _translator(game: Game, seats: int, language: str) -> Translator:
    return Translator(game, seats, language)


def forget_translators() -> None:
    """Forget all translators, because one of them belongs to a variant that is unloaded; they are made anew when needed."""
    translator_for.cache_clear()
    _translator.cache_clear()


@functools.cache
def known_languages() -> frozenset[str]:
    """Return all languages that some game has."""
    return frozenset(one for name in installed() for one in languages(find(name).extras))


def negotiate_language(asked: str | None, header: str | None) -> str:
    """Return the requested language, else the first of the `Accept-Language` header that some game has, else English."""
    if asked is not None:
        if not re.fullmatch(LANGUAGE, asked):
            raise ApiError(422, "no_such_language", f"a language has two letters, such as 'en': {asked[:20]!r} is none")
        return asked
    ranked: list[tuple[float, int, str]] = []
    for slot, part in enumerate((header or "").split(",")[:20]):
        tag, _, parameter = part.partition(";")
        try:
            weight = float(parameter.partition("=")[2]) if parameter else 1.0
        except ValueError:
            weight = 0.0
        ranked.append((-weight, slot, tag.strip().lower()[:2]))
    return next((tag for weight, _, tag in sorted(ranked) if tag in known_languages() and weight < 0), ENGLISH)


@functools.lru_cache(64)
def game_info(name: str, language: str) -> dict[str, Any]:
    """Return what a page needs to offer a game, before it is compiled."""
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
        "ratings": {str(count): {bot: round(one[0]) for bot, one in rated.items()} for count, rated in levels(name).items()},
    }


def bot_name(bot: str, language: str) -> str:
    """Return the display name of a computer player: levels have translated names."""
    return level_name(int(bot), language) if bot in bots.LEVELS else bot


@functools.lru_cache(64)
def game_details(name: str, language: str) -> dict[str, Any]:
    """Return all names and shapes that occur in a game's views, moves and events."""
    return details_of(load_game(name), language)


def details_of(game: Game, language: str) -> dict[str, Any]:
    """Return the same of a game that may be a variant."""
    words = load_words(game.extras, language)
    domains: dict[str, Domain] = {}
    for kind in (*game.moves.kinds.values(), *game.events.kinds.values()):
        domains.update({domain.name: domain for _, domain in kind.args})
    return {
        **game_info(game.name, language),
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
    """Return the rules in Markdown."""
    return load_help(find(name).extras, language)
