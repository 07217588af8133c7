"""Sentences that depend on the position: which actions are open, what is still to be paid, what decided between equals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azalai.engine.game import Wording

from ..components import DINAR, KINDS, PRICE
from ..state import GOOD_NAMES

if TYPE_CHECKING:
    from azalai.engine.moves import Move
    from azalai.engine.position import Position
    from azalai.engine.words import Words

ACTIONS = ("draw", "load", "take", "buy")  # the main actions, by their moves
USES = ("give", "cave", "rob")  # what may follow one
BESIDES = {"cave": "a_cave", "rob": "a_thief"}  # what may be used beside one, and how it is called there


def question(position: Position, words: Words) -> str:
    """What is asked, naming only what the seat can do now."""
    s, phase = position.state, position.phase
    if phase == "pay":
        paid = int(s.paid_dinar.sum())
        return words("asked.pay_on" if paid else "asked.pay", price=PRICE, left=PRICE - paid)
    if phase in ("onto", "amount"):
        return words(f"asked.{phase}", good=words.name(GOOD_NAMES, int(s.good)))
    if phase not in ("turn", "after") or position.viewer not in (None, position.seat):
        return words.phase(phase)  # others do not know what the seat holds
    names = {move.name for move in position.moves()}
    acts = phase == "turn" and not names.isdisjoint(ACTIONS)  # in the last round there may be nothing but a cave or a thief
    todo = [words(f"asked.{name}") for name in (ACTIONS if acts else USES) if name in names]
    listed = words.listed(todo, "or")
    if phase == "after" and names == {"give", "end"}:  # the usual one
        return words("asked.keep", n=int(s.hand_size[position.seat]))
    if phase == "after":
        return words("asked.after", uses=listed)
    uses = [words(f"asked.{called}") for name, called in BESIDES.items() if acts and name in names]
    besides = words("asked.besides", uses=words.listed(uses)) if uses else ""
    if int(s.deck_size) > 0:
        return words("asked.turn", actions=listed, besides=besides)
    if not todo:
        return words("asked.last_nothing")
    return words("asked.last", actions=words.listed([*todo, words("asked.pass")], "or"), besides=besides)


def move(position: Position | None, move: Move, words: Words) -> str | None:
    """What a move does: a turn without an action ends by passing."""
    passes = move.name == "end" and position is not None and position.phase == "turn"
    return words("asked.pass") if passes else None


def ending(position: Position, words: Words) -> str:
    """How the game ended; with equal points also the worth of the hands, which decided."""
    told = words.end(str(position.end))
    best = max(position.scores)
    level = [seat for seat in range(position.seats) if position.scores[seat] == best]
    if len(level) < 2:
        return told
    hands = [sum(int(hand[good]) * int(DINAR[good]) for good in range(KINDS)) for hand in position.state.hand[: position.seats]]
    return f"{told} {words.tie_break(level, best, hands, 'asked.hand')}"


WORDING = Wording(question, move, ending=ending)
