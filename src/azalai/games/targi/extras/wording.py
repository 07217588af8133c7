"""Sentences that depend on the position: what a raid demands, how many goods a trade takes, what decided between equals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from azalai.engine.game import Wording

from ..components import (
    BORDER_LABELS,
    BORDERS,
    CROSSES,
    FOR_GOLD,
    FOR_GOOD,
    GOLD,
    KINDS,
    MOST_GOODS,
    OFFERS,
    POWER_EVEN_TRADE,
    POWER_RAID_FREE,
    RAID_CROSSES,
    RAID_GOLD,
    RAID_GOODS,
)
from ..state import FROM_HAND, FROM_NOBLE, ORIGIN, PLACE_NAME, STUFF

if TYPE_CHECKING:
    from azalai.engine.moves import Event, Move
    from azalai.engine.position import Position
    from azalai.engine.words import Words

HAND_MOVES = {("play", FROM_NOBLE), ("play", FROM_HAND), ("discard", FROM_NOBLE)}  # what is done with the card in hand


def question(position: Position, words: Words) -> str:
    """What is asked, with which Targi it is, what the raid demands and how many cards or goods are still to go."""
    s, phase = position.state, position.phase
    seat = position.seat
    if phase == "placing":
        last = s.placed[seat] + 1 >= s.targis[seat]
        return words("asked.placing", which=words("asked.last" if last else f"asked.targi_{s.placed[seat] + 1}"))
    if phase == "acting":
        left = usable(position)
        return words("asked.acting" if left > 1 else f"asked.acting_{left}", n=left)
    if phase == "raid":
        return words("asked.spared" if s.power[seat, POWER_RAID_FREE] else "asked.raid", demand=demand(s, words))
    if phase == "raid_goods" or (phase == "choosing" and s.choices > 1):
        return words(f"asked.{phase}", n=int(s.choices))
    if phase == "dropping":
        return words("asked.dropping", n=goods_of(s, seat) - MOST_GOODS, most=MOST_GOODS)
    return words.phase(phase)


def goods_of(s: Any, seat: int) -> int:
    """How many goods a seat has."""
    return int(s.stock[seat, :KINDS].sum())


def usable(position: Position) -> int:
    """How many cards the seat to decide can still use, besides a hand card that needs no Noble."""
    places = set()
    for move in position.moves():
        if move.name == "use":
            places.add(move.args["place"])
        elif "origin" in move.args and move.args["origin"] != FROM_HAND:
            places.add(BORDERS + move.args["origin"] if move.args["origin"] < FROM_NOBLE else 0)
    return len(places)


def demand(s: Any, words: Words) -> str:
    """What the present raid demands, such as "2 goods or 1 silver cross"."""
    goods, gold, crosses = (int(table[s.robber]) for table in (RAID_GOODS, RAID_GOLD, RAID_CROSSES))
    first = words("asked.gold", n=gold) if gold else words("asked.goods", n=goods)
    return words.listed([first, words("asked.crosses", n=crosses)], "or")


def counted(words: Words, stuff: int, count: int) -> str:
    """What so much of something is called: 1 date, 2 dates."""
    label = STUFF.label(stuff)
    return words.find(f"{'single' if count == 1 else 'stuff'}.{label}", label)


def move(position: Position | None, move: Move, words: Words) -> str | None:
    """What a move does, with how much is given at a raid or at the Trader, and what it brings at the Silversmith."""
    args = move.args
    one = {name: counted(words, args[name], 1) for name in ("good", "stuff") if name in args}
    if move.name == "sell":
        stuff, count = args["stuff"], args["count"]
        return words("asked.sell", count=count, stuff=counted(words, stuff, count), n=int(OFFERS[stuff, count]))
    if position is not None and position.phase == "drawn" and move.name in ("play", "keep", "discard"):
        return words(f"asked.drawn_{move.name}")
    if (move.name, args.get("origin")) in HAND_MOVES:
        return words(f"asked.{move.name}_{ORIGIN.label(args['origin'])}")
    if move.name == "use" and args["place"] >= BORDERS:
        return words.plain(move, place=words("asked.cell", place=words.name(PLACE_NAME, args["place"])))
    if position is not None and move.name == "trade":
        for_good = 1 if position.state.power[position.seat, POWER_EVEN_TRADE] else FOR_GOOD
        count = FOR_GOLD if args["stuff"] == GOLD else for_good
        return words("asked.trade", n=count, good=counted(words, args["good"], count), stuff=one["stuff"])
    if position is not None and move.name == "give":
        return _gift(position.state, position.phase, args["stuff"], words)
    if position is not None and move.name == "done" and position.phase == "raid":
        return words("asked.nothing")
    if position is not None and move.name == "done" and position.phase == "acting" and (left := usable(position)):
        return words("asked.unused", n=left)
    return words.plain(move, **one) if one and move.name not in ("give", "trade") else None


def _gift(s: Any, phase: str, stuff: int, words: Words) -> str:
    if stuff == CROSSES:
        return words("asked.give", what=words("asked.crosses", n=int(RAID_CROSSES[s.robber])))
    if stuff == GOLD:
        return words("asked.give", what=words("asked.gold", n=int(RAID_GOLD[s.robber])))
    one = words("asked.one", good=counted(words, stuff, 1))
    goods = int(RAID_GOODS[s.robber])
    if phase == "raid" and goods > 1:
        return words("asked.give_first", what=words("asked.goods", n=goods), one=one)
    return words("asked.give", what=one)


def event(event: Event, words: Words) -> str:
    """What happened, with dates and crosses in singular or plural."""
    args = event.args
    if event.kind in ("used", "took"):
        return words.plain(event, place=_called(args["place"], words))
    if "stuff" not in args:
        return words.plain(event)
    count = args.get("count", 1)
    if event.kind == "traded":  # so many goods for one thing
        return words.plain(event, good=counted(words, args["good"], count), stuff=counted(words, args["stuff"], 1))
    return words.plain(event, stuff=counted(words, args["stuff"], count))


def _called(place: int, words: Words) -> str:
    """What a place is called in the log: a card of the frame by its name, one inside by column and row."""
    name = words.name(PLACE_NAME, place)
    return words("asked.border", place=name) if place < len(BORDER_LABELS) else name


def ending(position: Position, words: Words) -> str:
    """How the game ended; with equal points also whether gold, goods or nothing decided."""
    told, s = words.end(str(position.end)), position.state
    if position.scores[0] != position.scores[1]:
        return told
    points = words("asked.points", n=position.scores[0])
    for name, have in (("gold", s.stock[:, GOLD].tolist()), ("goods", [goods_of(s, seat) for seat in range(2)])):
        if have[0] != have[1]:
            first = 0 if have[0] > have[1] else 1
            decided = words(f"asked.by_{name}", seat=words.seat(first), n=have[first], other=have[1 - first])
            return f"{told} {points} {decided}"
    return f"{told} {points} {words('asked.draw')}"


WORDING = Wording(question, move, event, ending)
