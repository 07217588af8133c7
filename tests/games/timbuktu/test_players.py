"""How the game is judged: what a seat has to fear by all that it knows; and what the greedy player makes of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import azalai
from azalai.bots.search import memory, sample_world
from azalai.engine.dispatch import evaluate, likelihood
from azalai.games.timbuktu.components import CAMELS, PEN_NAMES
from azalai.games.timbuktu.evaluate import ONE_EACH, prospects
from azalai.games.timbuktu.secrets_deduction import goods_feared_for
from tests.games.timbuktu.table import (
    BLUE,
    GAME,
    GREEN,
    RED,
    carry,
    choose_all,
    deal,
    evening,
    new,
    on_the_way,
    origin,
    place_all,
    wander,
)


def judged(position) -> np.ndarray:
    """Each seat's chance of winning."""
    out = np.zeros(5)
    evaluate(position.state, position.game.weights[0], out)
    return out[: position.seats]


def hopes(position, seat: int) -> float:
    """The points a seat can hope for, all goods being worth one point."""
    return float(prospects(position.state, position.game.weights[0], seat, ONE_EACH))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_chances_of_winning_add_up_to_one(seats):
    for seed in range(3):
        position = new(seats, seed)
        while not position.over:
            assert judged(position).sum() == pytest.approx(1)
            wander(position, seed, until=lambda now, ply=position.ply: now.ply > ply + 12)
        winners = [place == 1 for place in position.ranking]
        assert judged(position).tolist() == [win / sum(winners) for win in winners]


def test_a_seat_is_judged_by_what_it_knows_and_nothing_else():
    position = wander(on_the_way(4), 4, until=lambda now: now.state.round_no == 4 and now.phase == "choosing")
    for seat in range(4):
        seen = position.seen_by(seat)
        assert len({hopes(seen.imagine(seed), seat) for seed in range(20)}) == 1


def test_a_camel_where_thieves_are_known_to_come_counts_less():
    safe, struck = evening(standing={"lamp2": (RED, "A")}), evening(standing={"lamp1": (RED, "A")})
    for position in (safe, struck):
        for other in range(1, CAMELS[4]):
            carry(position, RED, "ABCDEF"[other])
        deal(position, "star 1+5 coffee+water", "lamp 1+3 gold+salt")  # the second set is Red's
    assert hopes(safe, RED) == pytest.approx(4)
    assert hopes(struck, RED) == pytest.approx(2)


def test_an_unknown_pen_is_judged_by_even_odds():
    """The example of the help: camel D in Star 1 loses 0.375 goods on average, in Star 2 twice as much."""
    for place, loss in (("star1", 0.375), ("star2", 0.75)):
        position = evening(standing={place: (RED, "D")})
        for letter in "ABCEF":
            carry(position, RED, letter)
        deal(position, "moon 2+5 salt+pepper", "lamp 1+3 water+gold")
        assert hopes(position, RED) == pytest.approx(4 - loss)


def test_all_sets_seen_in_a_stage_are_remembered():
    """The second example of the help: with three sets known, stall 2 is safe in both pens that are left, stall 1 is not."""
    for place, loss in (("star1", 0.5 * 1.5), ("star2", 0), ("palm2", 1), ("moon5", 2)):
        position = evening(free=("scimitar5", "lamp5"), standing={place: (RED, "D")})
        for letter in "ABCEF":
            carry(position, RED, letter)
        carry(position, RED, "D", "pepper", "salt", "coffee")
        position.state.passes = 2
        deal(
            position,
            "palm 2+4 gold+salt",
            "lamp 1+3 water+gold",
            "star 1+5 coffee+water",
            "scimitar 3+4 pepper+coffee",
            "moon 2+5 salt+pepper",
        )
        assert hopes(position, RED) == pytest.approx(3 - loss)


def test_greedy_leads_a_camel_past_the_thieves_it_knows():
    for seed in range(8):
        position = on_the_way(5, seed)
        choose_all(position, "AAAAA")
        pen = origin(position, BLUE, "A")
        deal(position, f"{pen} 1+3 water+gold")
        assert str(azalai.bot("greedy", GAME, seed).choose(position)) == f"to {PEN_NAMES[PEN_NAMES.index(pen) - 1]}"
        deal(position, f"{pen} 2+4 water+gold")
        assert str(azalai.bot("greedy", GAME, seed).choose(position)) == f"to {pen}"


def test_greedy_places_camels_by_their_letters_in_any_pen():
    position = new(4)
    assert str(azalai.bot("greedy", GAME).choose(position)).startswith("place A ")
    place_all(position)
    assert position.phase == "choosing"


def test_greedy_beats_three_random_players():
    """At least half of the games, where a fair share would be a quarter."""
    wins = 0.0
    for seed in range(24):
        position = new(4, seed)
        hero = seed % 4
        players = [azalai.bot("greedy" if seat == hero else "random", GAME, seed) for seat in range(4)]
        while not position.over:
            position.play(players[position.seat].choose(position))
        wins += (position.ranking[hero] == 1) / position.ranking.count(1)
    assert wins >= 12


def feared_for(place: str, *sets: str, seen: int = 0) -> float:
    """The goods that Red had to fear for when its camel A was led to a place, having seen the second of these sets, or both."""
    position = evening(standing={place: (RED, "A")})
    for letter in "BCDEF":
        carry(position, RED, letter)
    position.state.passes = 1
    position.state.knew[RED] = seen
    deal(position, *sets)
    return float(goods_feared_for(position.state, RED))


def test_nobody_is_thought_to_lead_a_camel_to_thieves_they_know_of():
    """Camel A carries two gold, a pepper and a coffee."""
    elsewhere = "star 1+5 coffee+water"
    assert feared_for("lamp1", elsewhere, "lamp 1+3 gold+salt") == 2
    assert feared_for("lamp1", elsewhere, "lamp 1+3 salt+pepper") == 1
    assert feared_for("lamp1", elsewhere, "lamp 2+4 gold+salt") == 0
    assert 0 < feared_for("moon1", elsewhere, "lamp 2+4 gold+salt") < 1


def test_what_was_seen_after_a_move_is_not_held_against_it():
    sets = ("lamp 1+3 gold+salt", "star 1+5 coffee+water")
    assert feared_for("lamp1", *sets, seen=1) == 2
    assert 0 < feared_for("lamp1", *sets, seen=0) < 1


def test_the_less_others_had_to_fear_the_likelier_a_guess():
    position = wander(on_the_way(3), 2, until=lambda now: now.state.round_no == 5)
    guesses = [position.seen_by(BLUE).imagine(seed).state for seed in range(30)]
    guesses.sort(key=lambda s: goods_feared_for(s, RED) + goods_feared_for(s, GREEN))
    likely = [likelihood(s, BLUE, False) for s in guesses]
    assert likely == sorted(likely, reverse=True)
    assert 0 < likely[-1] < likely[0] < 1


def test_while_no_camel_has_moved_nothing_is_given_away():
    position = on_the_way(3)
    assert likelihood(position.seen_by(BLUE).imagine(1).state, BLUE, False) == 1


def test_the_search_guesses_the_thieves_from_what_others_did():
    """With two sets unseen there are eight ways; the true one must come up far more often than one time in eight."""
    room = memory(GAME, 1024)
    cards = ["thief_pen", "thief_stalls", "thief_goods"]
    right = []
    for seed in range(12):
        position = new(3, seed)
        players = [azalai.bot("greedy", GAME, seed + seat) for seat in range(3)]
        while not position.over:
            if position.state.passes == 2 and position.phase == "moving":
                room.root[0] = position.seen_by(position.seat).state
                for number in range(10):
                    sample_world(room.root, room.work, room.trial, number)
                    right.append(all((getattr(room.work[0], kind) == getattr(position.state, kind)).all() for kind in cards))
            position.play(players[position.seat].choose(position))
    assert np.mean(right) > 0.25


@pytest.mark.parametrize("loads", ["printed", "free"])
def test_a_computer_player_can_be_asked_for_every_seat_that_owes_a_decision(loads):
    position = new(3, loads="free") if loads == "free" else on_the_way(3)
    assert position.pending == (0, 1, 2)
    for name in ("random", "greedy", "1", "policy"):
        player = azalai.bot(name, GAME, seed=1)
        for seat in position.pending:
            assert player.choose(position.seen_by(seat)).id in position.move_ids(seat)


def test_greedy_plays_with_free_loads_too():
    for seats, seed in itertools.product((3, 5), range(2)):
        position = new(seats, seed, loads="free")
        players = [azalai.bot("greedy", GAME, seed + seat) for seat in range(seats)]
        while not position.over:
            position.play(players[position.seat].choose(position))
        assert position.end == "arrival"
