"""The shorter game: which fate cards stay in the box. One card a round, so fewer cards are fewer rounds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from azalai.engine.errors import BadOption, brief
from azalai.engine.game import Option

from ..components import FATES, GIFTS, NEVER_OUT, REMOVED, SHORTER

ALL = "all"
WITHOUT = "without"
_HOW = f"rounds must be a number, {ALL!r}, or the fate cards to leave out, such as '{WITHOUT} 6, 7, 10'"


def read_rounds(value: Any, seats: int) -> int:
    """The cards left out, a bit each, from a number of rounds, `all`, `without 6, 7, 10` or a list of cards."""
    if isinstance(value, str):
        text = value.strip().lower()
        if text == ALL:
            return 0
        if re.fullmatch(r"\d{1,9}", text):
            return _bits(_cards_for(int(text), seats), seats)
        if re.fullmatch(rf"{WITHOUT}\s+\d{{1,9}}(\s*[\s,]\s*\d{{1,9}})*", text):
            return _bits((int(card) for card in re.findall(r"\d+", text)), seats)
    elif isinstance(value, int) and not isinstance(value, bool):
        return _bits(_cards_for(value, seats), seats)
    elif isinstance(value, list | tuple | set | frozenset) and all(isinstance(card, int) for card in value):
        return _bits(value, seats)
    raise BadOption(f"{_HOW}, not {brief(value)}")


def write_rounds(number: int, seats: int) -> str:
    """What a record says: `all`, or the cards that are left out."""
    out = [str(card) for card in range(1, FATES + 1) if number >> card - 1 & 1]
    return f"{WITHOUT} {', '.join(out)}" if out else ALL


def _cards_for(rounds: int, seats: int) -> list[int]:
    """The cards a game of so many rounds leaves out: single cards as `components.toml` orders them, then the gifts as a block."""
    gifts = _gifts(seats)
    longest = FATES - len(REMOVED[seats])
    if not 1 <= rounds <= longest:
        raise BadOption(f"with {seats} players a game has 1 to {longest} rounds, not {brief(rounds)}")
    surplus = longest - rounds
    if surplus <= len(SHORTER):
        return list(SHORTER[:surplus])
    return [*SHORTER[: surplus - len(gifts)], *gifts]


def _bits(cards: Iterable[int], seats: int) -> int:
    """A bit for each card left out, once they are seen to be within the rules."""
    out = set(cards)
    unknown = sorted(card for card in out if not 1 <= card <= FATES)
    if unknown:
        raise BadOption(f"there is no fate card {brief(unknown[0])}; they go from 1 to {FATES}")
    kept = sorted(out.intersection(NEVER_OUT))
    if kept:
        raise BadOption(f"fate card {kept[0]} always stays in the game")
    gifts = _gifts(seats)
    if out & gifts and not gifts <= out:  # ruling 30: the block is smaller with fewer players
        block = ", ".join(str(card) for card in sorted(gifts))
        raise BadOption(f"with {seats} players the fate cards {block} stay in the game or leave it together")
    return sum(1 << card - 1 for card in out.difference(REMOVED[seats]))


def _gifts(seats: int) -> set[int]:
    return set(GIFTS).difference(REMOVED[seats])


ROUNDS = Option("rounds", read=read_rounds, write=write_rounds, default=ALL)
