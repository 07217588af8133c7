"""What a player may know: everything open and the own hand; of the other's hand only what was seen."""

from __future__ import annotations

from collections import Counter

from azalai.games.targi.components import TRIBE_COUNT, TRIBE_PILE
from azalai.games.targi.state import FACE_DOWN, FROM_DECK, UNKNOWN
from tests.games.targi.table import BLUE, WHITE, Table, cell, tribe


def unseen(table: Table, seat: int | None) -> set[int]:
    """The cards in the deck as a seat sees it."""
    deck = int(table.position.seen_by(seat).state.deck[TRIBE_PILE])
    return {card for card in range(TRIBE_COUNT) if deck >> card & 1}


def kept_unseen(seed: int = 1) -> Table:
    """Blue has taken T06 in hand from Tribal Expansion, and the discards are back in the deck."""
    table = Table(seed).own(BLUE).own(WHITE).next_drawn("T06").acting(BLUE, "expansion dates2", other="salt3")
    table.play("use expansion", "keep expansion")
    s = table.s
    s.deck[TRIBE_PILE], s.discard[TRIBE_PILE] = s.discard[TRIBE_PILE], 0
    s.left[TRIBE_PILE] = TRIBE_COUNT - 5
    table.check()
    return table


def test_a_card_from_tribal_expansion_is_known_to_its_owner_only():
    table = kept_unseen()
    assert table.position.seen_by(BLUE).state.hand[BLUE] == tribe("T06")
    assert table.position.seen_by(WHITE).state.hand[BLUE] == UNKNOWN
    assert table.position.seen_by(None).state.hand[BLUE] == UNKNOWN
    assert tribe("T06") in unseen(table, WHITE)
    assert tribe("T06") not in unseen(table, BLUE)


def test_a_card_from_the_open_centre_is_known_to_all():
    table = Table().own(BLUE).show("b1", "T06").acting(BLUE, "dates2", "b1", other="salt3").play("keep b1")
    for seat in (BLUE, WHITE, None):
        assert table.position.seen_by(seat).state.hand[BLUE] == tribe("T06")


def test_the_drawn_card_is_seen_by_its_player_only():
    table = Table().own(BLUE).next_drawn("T06").acting(BLUE, "expansion dates2", other="salt3").play("use expansion")
    assert table.position.seen_by(BLUE).state.card == tribe("T06")
    assert "drawn" in [event.kind for event in table.position.seen_by(BLUE).events]
    for seat in (WHITE, None):
        assert table.position.seen_by(seat).state.card == UNKNOWN
        assert "drawn" not in [event.kind for event in table.position.seen_by(seat).events]


def test_a_card_that_is_played_or_discarded_is_open():
    table = Table().own(BLUE, salt=1, dates=1, gold=1).next_drawn("T06").acting(BLUE, "expansion dates2", other="salt3")
    table.play("use expansion", "play expansion")
    assert table.position.seen_by(WHITE).state.card == tribe("T06")
    table = kept_unseen().in_round(2)
    s = table.s
    s.targi[BLUE] = [0, -1, -1]
    table.play("discard noble")
    assert table.position.seen_by(WHITE).state.discard[TRIBE_PILE] == 1 << tribe("T06")


def test_no_view_shows_deck_or_generator():
    view = kept_unseen().position.view(WHITE)
    assert not {"deck", "aside", "discard", "rng"} & set(view)


def test_after_the_game_all_is_open():
    table = kept_unseen()
    table.s.over = 2
    assert table.position.seen_by(WHITE).state.hand[BLUE] == tribe("T06")


def spread(counts: Counter[int], options: int) -> float:
    """Chi squared per degree of freedom against an even distribution."""
    expected = sum(counts.values()) / options
    return sum((counts[value] - expected) ** 2 / expected for value in counts) / (options - 1)


def test_an_unknown_hand_card_is_guessed_evenly_among_the_cards_not_seen():
    table = kept_unseen()
    seen = table.position.seen_by(WHITE)
    possible = unseen(table, WHITE)
    assert len(possible) == TRIBE_COUNT - 4
    counts = Counter(int(seen.imagine(seed).state.hand[BLUE]) for seed in range(8200))
    assert set(counts) == possible
    assert spread(counts, len(possible)) < 1.8  # about ten in a million by chance


def test_a_spectator_guesses_both_hands_evenly_and_never_the_same_card():
    table = kept_unseen()
    card = next(card for card in sorted(unseen(table, BLUE)) if card != tribe("T06"))
    table.take(TRIBE_PILE, card)
    table.s.hand[WHITE], table.s.hand_round[WHITE], table.s.hand_secret[WHITE] = card, 1, FROM_DECK
    table.check()
    seen = table.position.seen_by(None)
    guesses = [seen.imagine(seed).state.hand.tolist() for seed in range(8200)]
    assert all(one != other for one, other in guesses)
    for seat in (BLUE, WHITE):
        assert spread(Counter(guess[seat] for guess in guesses), TRIBE_COUNT - 4) < 1.8


def test_a_player_knows_the_own_hand_when_guessing():
    table = kept_unseen()
    seen = table.position.seen_by(BLUE)
    assert {int(seen.imagine(seed).state.hand[BLUE]) for seed in range(50)} == {tribe("T06")}


def test_after_a_shuffle_the_hand_card_can_only_be_one_that_was_missing():
    """The old pile is all seen but for the hand card and what lay face down: those are the cards it may be."""
    table = Table().own(BLUE).own(WHITE).show("a1", "gold").show("c3", "2salt").show("b1", "T00")
    table.acting(BLUE, "expansion dates2", "a1", other="salt3", other_markers="c3").next_drawn("T06")
    s = table.s
    s.discard[TRIBE_PILE] &= ~(1 << tribe("T10"))
    s.deck[TRIBE_PILE] |= 1 << tribe("T10")  # two cards are left in the pile
    s.left[TRIBE_PILE] = 2
    table = next(one for number in range(50) if (one := table.chance(number).play("use expansion")).s.card == tribe("T06"))
    table.play("keep expansion", "use a1")  # the other one lies face down now, and the pile is empty
    assert table.s.left[TRIBE_PILE] == 0
    table.play("done", "use c3")  # White's goods card is replaced after a shuffle
    assert "shuffled" in table.told
    seen = table.position.seen_by(WHITE)
    assert {int(seen.imagine(number).state.hand[BLUE]) for number in range(60)} == {tribe("T06"), tribe("T10")}
    assert seen.imagine(1).seen_by(WHITE) == seen


def test_a_drawn_card_is_guessed_among_those_that_leave_a_choice():
    """With a full hand the question means that the card can be paid: nobody is asked without a choice."""
    table = (
        Table().own(BLUE, pepper=1, gold=1).hold(BLUE, "T44").next_drawn("T00").acting(BLUE, "expansion dates2", other="salt3")
    )
    table.play("use expansion")
    s = table.s
    s.deck[TRIBE_PILE], s.discard[TRIBE_PILE] = s.discard[TRIBE_PILE], 0
    s.left[TRIBE_PILE] = TRIBE_COUNT - 6
    seen = table.position.seen_by(WHITE)
    affordable = {tribe(label) for label in ("T00", "T09", "T15", "T19", "T20", "T24", "T26", "T27")}
    guesses = {int(seen.imagine(seed).state.card) for seed in range(400)}
    assert guesses == affordable & (unseen(table, WHITE))


def test_face_down_cards_are_unknown_to_all():
    table = Table().show("b2", "gold").acting(BLUE, "dates2", "b2", other="salt3").play("use b2")
    for seat in (BLUE, WHITE, None):
        assert table.position.seen_by(seat).state.centre[TRIBE_PILE, cell("b2")] == FACE_DOWN


def test_a_face_down_card_turns_out_to_be_any_card_not_seen():
    counts: Counter[int] = Counter()
    table = Table().show("b2", "gold").acting(WHITE, other="dates2", other_markers="b2")
    table.s.seat, table.s.pending = BLUE, 1
    table.play("use b2")
    for number in range(2000):
        counts[int(table.chance(number).play("use dates2").s.centre[TRIBE_PILE, cell("b2")])] += 1
    assert len(counts) == TRIBE_COUNT - 4
    assert spread(counts, len(counts)) < 1.8
