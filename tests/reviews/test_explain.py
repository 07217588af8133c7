"""Reasons in words: what a move brings."""

from __future__ import annotations

import re

import pytest

import azalai
from azalai.engine.words import Words
from azalai.reviews.explain import explain, follow_line, name_luck
from azalai.reviews.scout import Scout
from benchmarks.connect_four import CONNECT_FOUR


@pytest.mark.parametrize("name", azalai.games())
def test_most_moves_have_a_reason_in_both_languages(name):
    game = azalai.game(name)
    position, player, scout = game.new(seed=5), azalai.bot("greedy", game, seed=2), Scout(game)
    words = [Words(game, position.seats, language) for language in ("en", "de")]
    reasons: list[list[str]] = []
    while not position.over and len(reasons) < 25:
        if position.ply % 4 == 1:
            seen = position.seen_by(position.seat)
            line = scout.line(scout.look(seen, 200).moves[0])
            reasons.append([explain(seen, line, one) for one in words])
        position.play(player.choose(position.seen_by(position.seat)))
    given = [both for both in reasons if both[0]]
    assert len(given) > len(reasons) / 2
    for english, german in given:
        assert english != german
        assert not re.search(
            r"\?|explain\.|joints\.|[{}]|\b1 (dates|Datteln|crosses|Silberkreuze|camels|Kamele)\b", english + german
        )


def test_who_takes_a_field_is_told_whose_it_was_and_what_it_earns():
    game = azalai.game("targui")
    position = game.new(seats=2, seed=5)
    player = azalai.bot("greedy", game, seed=2)
    words = Words(game, 2)
    told = set()
    while not position.over:
        seen, seat = position.seen_by(position.seat), position.seat
        before = list(seen.state.owner)
        move = player.choose(seen)
        position.play(move)
        won = [field for field, owner in enumerate(position.state.owner) if owner == seat != before[field]]
        if won and before[won[0]] >= 0 and not position.revealed:
            told.add(explain(seen, [(seat, move)], words).split(" and ")[0])
            assert any(re.match(r"takes [a-g][1-7] from \w+$", one) or "drives" in one for one in told)
    assert told


def test_who_ends_a_turn_with_a_thief_left_saves_it():
    game = azalai.game("tuareg")
    position, player, words = game.new(seats=2, seed=5), azalai.bot("greedy", game, seed=2), Words(game, 2)
    while position.phase != "after" or not position.state.thieves[position.seat]:
        position.play(player.choose(position.seen_by(position.seat)))
    end = next(move for move in position.moves() if str(move) == "end")
    told = explain(position.seen_by(position.seat), [(position.seat, end)], words)
    assert re.match(r"saves (a cave or thief|your caves and thieves) for a better moment", told)


def test_who_leads_the_camel_away_that_a_thief_waits_for_is_told_so():
    game = azalai.game("timbuktu")
    position, player, words = game.new(seats=3, seed=5), azalai.bot("greedy", game, seed=2), Words(game, 3)
    reasons = set()
    while not position.over:
        for seat in position.pending:
            if position.phase == "choosing":
                seen = position.seen_by(seat)
                reasons |= {explain(seen, [(seat, move)], words) for move in position.moves(seat)} if seen.seat == seat else set()
        position.play(player.choose(position.seen_by(position.seat)))
    fled = [one for one in reasons if one.startswith("takes camel")]
    assert fled
    assert all(re.match(r"takes camel [A-H] out of a thief’s reach in the \w+ pen: it carries \w+", one) for one in fled)
    assert any(one.startswith("moves camel") for one in reasons)


def test_a_line_is_followed_until_something_comes_to_light():
    game = azalai.game("tuareg")
    position = game.new(seats=2, seed=1)
    draw = next(move for move in position.moves() if str(move) == "draw")
    steps = follow_line(position, [(position.seat, draw), (position.seat, draw)])
    assert len(steps) == 1
    assert steps[0].revealed


@pytest.mark.parametrize("name", azalai.games())
def test_whatever_comes_to_light_has_a_name_in_both_languages(name):
    game = azalai.game(name)
    position, player = game.new(seed=5), azalai.bot("greedy", game, seed=2)
    words = [Words(game, position.seats, language) for language in ("en", "de")]
    named = set()
    while not position.over:
        position.play(player.choose(position.seen_by(position.seat)))
        if position.revealed:
            english, german = (name_luck(position, one) for one in words)
            assert english != german, [event.kind for event in position.events]
            assert not english.startswith("luck.")
            named.add(english)
    assert len(named) > 1


def test_the_dice_of_a_battle_are_what_was_lucky():
    game = azalai.game("targui")
    position, words = game.new(seats=2, seed=5), Words(game, 2)
    player = azalai.bot("greedy", game, seed=2)
    while not any(event.kind == "struck" for event in position.events):
        position.play(player.choose(position.seen_by(position.seat)))
    assert name_luck(position, words) == "the dice of the battle"


def test_a_game_that_says_nothing_has_no_reasons():
    position = CONNECT_FOUR.new(seed=1)
    assert explain(position.seen_by(0), [(0, position.moves()[0])], Words(azalai.game("targui"), 2)) == ""
    assert name_luck(position, Words(azalai.game("targui"), 2)) == ""
