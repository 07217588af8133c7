"""What is asked fits what can be done, and the end tells what decided between equals."""

from __future__ import annotations

import azalai
from azalai.engine.words import Words
from azalai.games.tuareg.components import PRICE
from azalai.games.tuareg.extras.reasons import reason
from tests.games.tuareg.table import table

GAME = azalai.game("tuareg")
EN, DE = Words(GAME, 2), Words(GAME, 2, "de")


def asked(position, words=EN):
    return words.question(position.seen_by(position.seat))


def test_a_turn_names_the_actions_that_are_open():
    assert asked(table(hands={0: "salt"}, market="gold")) == ("One action: draw goods, load an animal or take from the market.")
    assert asked(table(hands={0: "water"}), DE) == "Eine Aktion: Waren ziehen, ein Tier beladen oder eine Sonderkarte kaufen."


def test_in_the_last_round_nobody_is_offered_to_draw_and_ending_is_passing():
    position = table(hands={0: "salt"}, deck="")
    assert asked(position) == "Last round: load an animal or pass."
    assert EN.move(GAME.moves.parse("end"), position) == "pass"
    assert DE.move(GAME.moves.parse("end"), position) == "passen"


def test_in_the_last_round_a_cave_or_a_thief_alone_is_something_to_do():
    position = table(thieves={0: 1}, hands={1: "salt"}, deck="")
    assert asked(position) == "Last round: send out a thief or pass."
    assert asked(position, DE) == "Letzte Runde: einen Dieb losschicken oder passen."
    position = table(caves={0: 1}, loads={(0, "camel1"): "salt"}, deck="")
    assert asked(position) == "Last round: hide a good in a cave or pass."


def test_caves_and_thieves_are_named_beside_the_actions():
    position = table(hands={0: "salt"}, thieves={0: 1}, caves={0: 1}, loads={(1, "camel1"): "gold"})
    assert asked(position) == "One action: draw goods or load an animal; plus a cave and a thief."
    position = table(hands={0: "salt"}, thieves={0: 1}, loads={(1, "camel1"): "gold"}, deck="")
    assert asked(position) == "Last round: load an animal or pass; plus a thief."
    assert asked(position, DE) == "Letzte Runde: ein Tier beladen oder passen; dazu ein Dieb."


def test_in_the_last_round_whoever_can_do_nothing_is_told_so():
    assert asked(table(deck="")) == "Last round: there is nothing to do but pass."


def test_after_an_action_only_what_is_there_is_offered():
    """No cave, no thief: after drawing, more goods may go into the market."""
    position = table(hands={0: "salt"})
    position.play("draw")
    while position.phase == "give":
        position.play(position.moves()[0])
    assert (position.phase, position.seat) == ("after", 0)
    assert asked(position) == "You keep 3 cards. End your turn, or lay more into the market."
    assert asked(position, DE) == "Du behältst 3 Karten. Beende den Zug, oder lege noch mehr in den Markt."
    position = table(hands={0: "salt millet", 1: "gold"}, thieves={0: 1})
    position.play("load camel1")
    position.play("put salt")
    position.play("done")
    assert asked(position) == "Now send out a thief, or end your turn."
    assert EN.move(GAME.moves.parse("end"), position) == "end the turn"


def test_what_is_taken_from_the_market_is_named_while_it_is_decided_how():
    position = table(market="salt salt", loads={(0, "camel1"): "salt"})
    position.play("take salt")
    assert asked(position) == "Which animal carries the salt?"
    assert asked(position, DE) == "Welches Tier trägt Salz vom Markt?"
    position.play("onto camel1")
    assert asked(position) == "How much salt do you take?"
    assert asked(position, DE) == "Wie viel Salz nimmst du?"


def test_a_question_to_others_gives_nothing_away():
    position = table(hands={0: "water"})
    assert EN.question(position.seen_by(1)) == EN.phase("turn")


def test_the_price_is_told_from_the_components_and_counts_down():
    position = table(hands={0: "gold salt millet millet"})
    position.play("buy cave")
    assert asked(position) == f"The price is {PRICE} dinar. Which good do you pay with?"
    position.play("pay salt")
    assert asked(position) == f"{PRICE - 1} of {PRICE} dinar are still due. Which good do you pay with?"
    for language in ("en", "de"):
        text = (GAME.extras / "words" / f"{language}.toml").read_text(encoding="utf-8")
        assert "three dinar" not in text
        assert "drei Dinar" not in text


def test_the_end_tells_whose_hand_was_worth_more():
    position = table(stage=2, hands={0: "gold", 1: "water salt"}, deck="", turns_left=0)
    position.play("end")
    assert position.scores == (0, 0)
    assert EN.ending(position) == (
        f"{EN.end('second stage')} Red and Blue have the same points, 0. "
        "The worth of the hand decides: Red 4 dinar and Blue 2 dinar."
    )
    assert position.view(None)["hand"][1][:2] == [1, 0]  # hands are laid open


def test_a_clear_end_needs_no_more_words():
    position = table(stage=2, maps={0: 1}, deck="", turns_left=0, hands={0: "salt"})
    position.play("end")
    assert EN.ending(position) == EN.end("second stage")


def test_equal_hands_share_the_win_and_the_end_says_so():
    position = table(stage=2, hands={0: "gold", 1: "salt millet"}, deck="", turns_left=0)
    position.play("end")
    assert position.ranking == (1, 1)
    assert EN.ending(position).endswith("Their hands are worth the same, too: the win is shared.")


def why_not(position, text, words=EN):
    return reason(position.state, GAME.moves.parse(text), words)


def test_a_card_clicked_too_early_is_told_that_the_animal_comes_first():
    position = table(hands={0: "salt gold"}, loads={(0, "camel1"): "water", (0, "camel2"): "gold gold"})
    assert why_not(position, "put salt") == "First choose the animal that is to carry it."
    assert why_not(position, "put salt", DE) == "Wähle zuerst das Tier, das die Ware tragen soll."
    position = table(hands={0: "gold"}, loads={(0, "camel1"): "water", (0, "camel2"): "gold gold", (0, "camel3"): "gold gold"})
    assert why_not(position, "put gold") == "None of your animals can take gold on top."


def test_a_card_clicked_after_the_action_is_told_that_there_is_but_one():
    position = table(hands={0: "salt millet", 1: "gold"}, thieves={0: 1})
    position.play("load camel1")
    position.play("put salt")
    position.play("done")
    assert why_not(position, "put millet") == "You have had your one action this turn."


def test_what_only_some_see_is_told_in_words_that_fit_them_all():
    """Blue reads this about Blue, the victim about a thief, everybody in a replay."""
    position = table(hands={0: "salt"})
    told = [EN.event(event) for event in position.play("draw")]
    assert len([text for text in told if text and text.startswith("Unseen by the others: ")]) == 3
