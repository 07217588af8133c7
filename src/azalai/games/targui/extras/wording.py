"""Sentences that depend on the position: a settlement left empty, an attack that begins at once, what decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azalai.engine.game import Wording

from ..components import DOUBLE_TURN, FIELD_LABELS, NEIGHBOURS

if TYPE_CHECKING:
    from azalai.engine.moves import Event, Move
    from azalai.engine.position import Position
    from azalai.engine.words import Words

# Every view is worded here, so this goes the quick way: NumPy's numbers, and fields as attributes, take several times as long.
_NEAR = [int(fields) for fields in NEIGHBOURS]


def question(position: Position, words: Words) -> str:
    """What is asked, with a warning where the settlement can be left empty."""
    phase = position.phase
    if phase in ("leading", "entering", "heading"):
        s = position.state
        origin = s["origin"]
        from_home = origin == s["home"][position.seat]
        if from_home and (phase != "heading" or s["camels"][origin] == 1):  # one camel: no number is asked
            return words(f"asked.{phase}")
    return words.phase(phase)


def move(position: Position | None, move: Move, words: Words) -> str | None:
    """What a move does. Going where an enemy's camels stand is an attack; so is marching where that is the only way out."""
    if position is None or move.name not in ("march", "to"):
        return None
    field = move.args["field"]
    victim = forced_attack(position, field) if move.name == "march" else field if is_enemy(position, field) else None
    if victim is None:
        return None
    seat = words.seat(int(position.state.owner[victim]))
    if move.name == "to":
        return words("asked.assault", field=FIELD_LABELS[field], seat=seat)
    return words("asked.attack", field=FIELD_LABELS[field], target=FIELD_LABELS[victim], seat=seat)


def forced_attack(position: Position, field: int) -> int | None:
    """Return the field that camels from `field` attack at once because no other way is open to them; None if they do not."""
    s = position.state
    ways = _NEAR[field] & int(s["land"])
    if ways.bit_count() != 1:
        return None
    only = ways.bit_length() - 1
    return only if is_enemy(position, only) else None


def is_enemy(position: Position, field: int) -> bool:
    """Return whether camels of somebody else than the seat to decide stand on a field."""
    s = position.state
    return s["owner"][field] not in (-1, position.seat) and bool(s["camels"][field])


def event(event: Event, words: Words) -> str:
    """What happened. A six brings one card each, which means two turns."""
    if event.kind == "rolled" and event.args["die"] == DOUBLE_TURN:
        return words("asked.double", round=event.args["round"], die=DOUBLE_TURN)
    return words.plain(event)


def ending(position: Position, words: Words) -> str:
    """How the game ended; with equal incomes also the camels and silver that decided."""
    told = words.end(str(position.end))
    best = max(position.scores)
    level = [seat for seat in range(position.seats) if position.scores[seat] == best and int(position.state.marks[seat])]
    if position.end != "last round" or len(level) < 2:
        return told
    capital = [int(position.state.herd[seat] + position.state.silver[seat]) for seat in range(position.seats)]
    return f"{told} {words.tie_break(level, best, capital, 'asked.capital')}"


WORDING = Wording(question, move, event, ending)
