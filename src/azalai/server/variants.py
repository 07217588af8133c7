"""Variants of games that founders of tables bring along: read, checked, tried out, and kept in memory while they are played.

A variant is a file with some of the tables of a game's `components.toml`. What strangers bring must not cost much: its rules are
never compiled, a process of its own with little time and memory plays some games before any table has it, and only so many
variants are in memory at a time.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from azalai.bots.network import Network
from azalai.engine import encode
from azalai.engine.compile import never_compile
from azalai.engine.discovery import find
from azalai.engine.errors import brief
from azalai.engine.game import Game, load_game, unload_variant
from azalai.reviews import scout
from azalai.server.errors import ApiError

MOST = 32  # variants in memory; each takes one to five megabytes
QUEUE = 8  # variants that wait until they are tried out
TRIED = 256  # variants of which is remembered that they can be played
TRIAL_SECONDS = 90.0  # for starting the process, too; the time it may compute is limited in trial.py
ENDLESS = "a game with these components does not come to an end, or needs too much memory"
FIXED = ("game", "reconstructed")  # tables that say something about the game and are no part of it
TEXT = re.compile(r"[\w .'-]{0,40}")
MOST_ENTRIES, MOST_DEPTH, LARGEST = 400, 6, 1000

Changes = dict[str, Any]


class Variants:
    """The variants in this process's memory, the one used last at the end."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[str, str], Game] = OrderedDict()
        self._tried: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._loading, self._trial = asyncio.Lock(), asyncio.Lock()
        self._waiting = 0
        self.release: Callable[[Game], bool] = lambda game: False  # drops all tables of a variant; False where one is in use

    def __len__(self) -> int:
        return len(self._games)

    async def game(self, name: str, changes: Changes) -> Game:
        """Return a variant that has been tried out before a table was stored with it."""
        key = _key(name, changes)
        async with self._loading:
            if key not in self._games:
                self._make_room()
                try:
                    self._games[key] = await asyncio.to_thread(_load, name, changes)
                except Exception:
                    message = f"this server's version of {name} cannot be played with the components of this table"
                    raise ApiError(409, "variant_unavailable", message) from None
            self._games.move_to_end(key)
            return self._games[key]

    async def check(self, name: str, changes: Changes) -> None:
        """Let a process of its own play some games with changed components; raise an error where it cannot."""
        key = _key(name, changes)
        if key in self._games or key in self._tried:
            return
        if self._waiting >= QUEUE:
            raise ApiError(503, "busy", "too many variants are being tried out at the moment; try again in a minute")
        self._waiting += 1
        try:
            async with self._trial:
                problem = await try_out(name, changes)
        finally:
            self._waiting -= 1
        if problem:
            raise ApiError(422, "endless" if problem == ENDLESS else "bad_components", problem)
        self._tried[key] = None
        if len(self._tried) > TRIED:
            self._tried.popitem(last=False)

    def _make_room(self) -> None:
        """Unload variants that nobody plays, the one used longest ago first, until one more has room."""
        for key, game in list(self._games.items()):
            if len(self._games) < MOST:
                return
            if self.release(game):
                del self._games[key]
                unload_variant(game)
                for cache in (Network.of, Network.critic_of, encode.program, scout.sharpness):
                    cache.cache_clear()
        if len(self._games) >= MOST:
            raise ApiError(503, "too_many_variants", f"{MOST} variants are being played at the moment; try again later")


def _key(name: str, changes: Changes) -> tuple[str, str]:
    return name, json.dumps(changes, sort_keys=True)


def _load(name: str, changes: Changes) -> Game:
    game = load_game(name, changes)
    never_compile(game)
    return game


async def try_out(name: str, changes: Changes) -> str:
    """Play with changed components in a process of its own; return what is wrong with them, or nothing."""
    environment = {**os.environ, "AZALAI_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "azalai.server.trial",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    try:
        asked = json.dumps({"game": name, "changes": changes}).encode()
        answer, _ = await asyncio.wait_for(process.communicate(asked), TRIAL_SECONDS)
        return str(json.loads(answer)["problem"])
    except (TimeoutError, ValueError):
        return ENDLESS
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


# ---------------------------------------------------------------- what is changed


def read_changes(name: str, text: str) -> Changes:
    """Return what a file changes in a game's components; raise an error where that is nothing, or nothing sensible."""
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ApiError(422, "no_toml", f"this is no TOML file: {brief(error)}") from None
    return check_changes(name, tables)


def check_changes(name: str, tables: Mapping[str, Any]) -> Changes:
    """Return what of `tables` differs from a game's components; raise an error where that is nothing, or nothing sensible."""
    changes = _differing(_components(name), tables)
    for table in FIXED:
        if table in changes:
            raise ApiError(422, "bad_components", f"{table} cannot be changed: it says something about the game")
    if not changes:
        raise ApiError(422, "no_changes", f"nothing in it differs from the components of {name}")
    _check(changes, "", 0)
    return changes


def _components(name: str) -> Changes:
    return tomllib.loads((find(name).folder / "components.toml").read_text(encoding="utf-8"))


def _differing(base: Mapping[str, Any], tables: Mapping[str, Any]) -> Changes:
    changes: Changes = {}
    for name, value in tables.items():
        if isinstance(value, Mapping) and isinstance(base.get(name), Mapping):
            if inner := _differing(base[name], value):
                changes[name] = inner
        elif name not in base or base[name] != value or type(base[name]) is not type(value):
            changes[name] = value
    return changes


def _check(value: Any, where: str, depth: int) -> None:
    """Raise an error for values that no game has: huge numbers, long texts, dates."""
    if isinstance(value, dict | list) and (len(value) > MOST_ENTRIES or depth > MOST_DEPTH):
        raise ApiError(422, "bad_components", f"{where or 'the file'} is too long or too deep")
    if isinstance(value, dict):
        for name, one in value.items():
            if not TEXT.fullmatch(name):
                raise ApiError(422, "bad_components", f"{brief(name)} is no name of a component")
            _check(one, f"{where}.{name}" if where else name, depth + 1)
    elif isinstance(value, list):
        for index, one in enumerate(value, 1):
            _check(one, f"{where}.{index}", depth + 1)
    elif isinstance(value, str):
        if not TEXT.fullmatch(value):
            raise ApiError(422, "bad_components", f"{where} must be a short text of letters and digits, not {brief(value)}")
    elif not isinstance(value, int) or not -LARGEST <= value <= LARGEST:
        raise ApiError(422, "bad_components", f"{where} must be a whole number up to {LARGEST}, not {brief(value)}")


def changed_components(game: Game) -> list[dict[str, Any]]:
    """Return what a variant has changed: each component, and its value before and after; None where there is none."""
    if not game.variant:
        return []
    found = _compare("", _components(game.name), game.components)
    return [{"component": path, "before": before, "after": after} for path, before, after in found]


def _compare(path: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, list) and isinstance(after, list):
        left, right = _by_name(before), _by_name(after)
        if left is not None and right is not None:
            before, after = left, right
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            yield from _compare(f"{path}.{name}" if path else name, before.get(name), after.get(name))
    elif before != after:
        yield path, before, after


def _by_name(entries: list[Any]) -> dict[str, Any] | None:
    """Return a list of tables as one table, by what names them; None for other lists."""
    if not all(isinstance(one, dict) for one in entries):
        return None
    names = [str(one.get("id") or one.get("name") or number) for number, one in enumerate(entries, 1)]
    return dict(zip(names, entries, strict=True)) if len(set(names)) == len(names) else None
