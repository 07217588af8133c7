"""What others' decisions say of the thieves they knew, when these are compared with all else that they could have done."""

from __future__ import annotations

import numpy as np
import pytest

import azalai
from azalai.bots.levels import levels, named, searches
from azalai.bots.search import draw_world, memory, weigh_worlds
from azalai.engine.dispatch import chapter, likelihood
from azalai.games.timbuktu.components import CAMELS, EXCHANGE, FREE, MAX_CAMELS, PEN_NAMES, PENS, ROUTE, STALLS
from azalai.games.timbuktu.evaluate import ONE_EACH, prospects
from azalai.games.timbuktu.rules_stage import set_after
from azalai.games.timbuktu.secrets_motives import chance_of_camel, chance_of_decisions, knowledge
from azalai.games.timbuktu.state import GOODS_CARD, STALL_CARD
from tests.games.timbuktu.table import (
    BLUE,
    GAME,
    GREEN,
    RED,
    camel,
    carry,
    choose_all,
    deal,
    evening,
    new,
    on_the_way,
    origin,
    wander,
)

PENS_BY_NAME = {name: number for number, name in enumerate(PEN_NAMES)}


def chance(position, *sets: str) -> float:
    """How likely the others' decisions are for Blue if the thieves are these."""
    deal(position, *sets)
    return float(chance_of_decisions(position.state, BLUE))


def after_first_move(pay: bool):
    """A game in which Red, who begins, has led camel A along an arrow or, with `pay`, elsewhere; pens with arrows, and others."""
    position = on_the_way(3)
    position.state.stage_stone = position.state.round_stone = RED
    deal(position, "lamp 1+3 gold+salt")
    choose_all(position, "AAA")
    start = origin(position, RED, "A")
    free = [pen for pen in PENS_BY_NAME if FREE[PENS_BY_NAME[start], PENS_BY_NAME[pen]]]
    paid = [pen for pen in PENS_BY_NAME if pen not in free]
    to = paid[0] if pay else free[0]
    position.play(f"to {to}")
    if pay:
        position.play("pay coffee")
    return position, free, paid


def test_nobody_is_thought_to_lead_a_camel_to_thieves_they_know_of():
    """Camel A carries two gold, a pepper and a coffee; Red holds the first of these sets."""
    position, free, _ = after_first_move(pay=False)
    other = next(pen for pen in PENS_BY_NAME if pen not in free)
    robbed = chance(position, f"{free[0]} 1+3 gold+salt")
    spared = chance(position, f"{free[0]} 2+4 gold+salt")
    nowhere_near = chance(position, f"{other} 1+3 gold+salt")
    assert robbed < spared
    assert robbed < nowhere_near


def test_whoever_pays_for_a_way_is_thought_to_flee_from_where_it_is_free():
    """The place where the camel went is as safe in both guesses; that it did not go where it was free says which is likelier."""
    position, free, paid = after_first_move(pay=True)
    fled = chance(position, f"{free[0]} 1+3 water+gold")
    no_reason = chance(position, f"{paid[1]} 1+3 water+gold")
    assert fled > no_reason


def test_a_camel_that_stays_behind_is_thought_to_be_in_danger():
    """Only one pen is open, and Red knows its thieves: whoever sends the camel without gold there fears for the gold."""
    position = on_the_way(3)
    for letter in "BCDEFGH":
        carry(position, RED, letter, "gold", "gold", "coffee", "coffee")
    carry(position, RED, "A", "pepper", "pepper", "coffee", "coffee")
    full = sum(STALLS << 3 * pen for name, pen in PENS_BY_NAME.items() if name != "lamp")
    holder = set_after(position.state, RED, 0)

    def chance_of_a(cards: str) -> float:
        s = position.state
        s.thief_pen[holder], s.thief_stalls[holder] = PENS_BY_NAME["lamp"], STALL_CARD.value("1+3")
        s.thief_goods[holder] = GOODS_CARD.value(cards)
        return float(chance_of_camel(s, RED, camel("A"), 0, knowledge(s, RED, 0), full, ONE_EACH))

    assert chance_of_a("gold+salt") > 1 / CAMELS[3] > chance_of_a("salt+pepper")


def test_own_decisions_say_nothing_and_before_the_first_move_nobodys_do():
    position = on_the_way(3)
    assert likelihood(position.seen_by(BLUE).imagine(1).state, BLUE, True) == 1
    position.state.stage_stone = position.state.round_stone = BLUE
    choose_all(position, "AAA")
    position.play(position.moves()[0])
    assert likelihood(position.seen_by(BLUE).imagine(1).state, BLUE, True) == 1
    assert likelihood(position.seen_by(RED).imagine(1).state, RED, True) < 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_record_tells_how_every_camel_moved(seats):
    """From the round and the origin of every camel, all places follow in the order of play, and how often sets were passed."""
    for seed in range(3):
        position = wander(on_the_way(seats, seed), seed, until=lambda now: now.state.round_no == 3 and now.state.turn == 2)
        s = position.state
        filled, passes = [0] * PENS, 0
        for round_no in range(s.round_no + 1):
            for turn in range(seats if round_no < s.round_no else s.turn):
                seat = (s.stage_stone + round_no + turn) % seats
                rounds = s.journey[seat] % MAX_CAMELS
                moved = [one for one in range(CAMELS[seats]) if s.used[seat] >> one & 1 and rounds[one] == round_no]
                assert len(moved) == 1
                pen, stall = divmod(int(s.place[seat, moved[0]]), STALLS)
                assert stall == filled[pen]
                filled[pen] += 1
                passes += EXCHANGE[ROUTE[seats, s.stage], pen * STALLS + stall]
        assert filled == s.filled.tolist()
        assert passes == s.passes


def test_worlds_that_were_weighed_are_drawn_by_what_others_did():
    """With two sets unseen there are eight ways; the true one must come up far more often than one time in eight."""
    room = memory(GAME, 1024, worlds=256)
    cards = ["thief_pen", "thief_stalls", "thief_goods"]
    right = []
    for seed in range(12):
        position = new(3, seed)
        players = [azalai.bot("greedy", GAME, seed + seat) for seat in range(3)]
        while not position.over:
            if position.state.passes == 2 and position.phase == "moving":
                room.root[0] = position.seen_by(position.seat).state
                weigh_worlds(room, 1)
                for number in range(10):
                    draw_world(room, number)
                    right.append(all((getattr(room.work[0], kind) == getattr(position.state, kind)).all() for kind in cards))
            position.play(players[position.seat].choose(position))
    assert np.mean(right) > 0.45


def test_a_search_judges_its_own_seat_by_what_it_believes():
    """What weighed worlds say of a pen that Red knows nothing of counts for Red alone, and in this stage alone."""
    position = evening(standing={"star1": (RED, "D")})
    for letter in "ABCEF":
        carry(position, RED, letter)
    deal(position, "moon 2+5 salt+pepper", "lamp 1+3 water+gold")
    w = GAME.weights.copy()
    usual = float(prospects(position.state, w[0], RED, ONE_EACH))
    position.state.seat = RED
    room = memory(GAME, 1024, worlds=2)
    room.weights["believer"], room.weights["stage"] = RED, position.state.stage
    assert float(prospects(position.state, room.weights[0], RED, ONE_EACH)) == 4  # nothing is believed to be stolen
    assert float(prospects(position.state, room.weights[0], GREEN, ONE_EACH)) == float(
        prospects(position.state, w[0], GREEN, ONE_EACH)
    )
    room.weights["stage"] = position.state.stage + 1
    assert float(prospects(position.state, room.weights[0], RED, ONE_EACH)) == usual
    assert GAME.weights["believer"] == -1


def test_beliefs_are_the_chance_of_each_theft_in_all_worlds_together():
    position = wander(on_the_way(3), 2, until=lambda now: now.state.round_no == 5)
    room = memory(GAME, 1024, worlds=512)
    room.root[0] = position.seen_by(position.seat).state
    weigh_worlds(room, 1)
    risk = room.weights["risk"][0]
    assert risk.sum() == pytest.approx(5 * 4)  # five sets, each takes two goods at two stalls
    assert (risk >= 0).all()
    assert (risk <= 1 + 1e-9).all()
    assert room.weights["believer"] == position.seat


def test_a_stage_is_a_chapter():
    position = new(3)
    before = int(chapter(position.state))
    position = on_the_way(3)
    first = int(chapter(position.state))
    wander(position, 1, until=lambda now: now.state.stage == 1)
    assert len({before, first, int(chapter(position.state))}) == 3


def test_level_6_weighs_worlds_and_the_searches_do_not():
    assert levels("timbuktu")[-1].worlds > 0
    assert levels("timbuktu")[:-1] == searches("timbuktu")[:-1]
    assert all(one.worlds == 0 for one in searches("timbuktu"))
    strongest = levels("timbuktu")[-1]
    spelled = named("timbuktu", strongest.settings)
    assert spelled is not None
    assert spelled.settings == strongest.settings
