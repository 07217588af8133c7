"""What is said of a position: the demand of a raid, how much is given, what caused a gain, what decided between equals."""

from __future__ import annotations

import random

import pytest

from azalai.engine.moves import Event
from azalai.engine.words import Words
from azalai.games.targi.extras.reasons import reason
from tests.games.targi.table import BLUE, GAME, WHITE, Table, place

LANGUAGES = {language: Words(GAME, 2, language) for language in ("en", "de")}
EN = LANGUAGES["en"]


def offered(table: Table, words: Words = EN) -> list[str]:
    return [words.move(move, table.position) for move in table.position.moves()]


def told(table: Table, words: Words = EN) -> list[str]:
    return [words.event(event) for event in table.position.events]


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        (1, "1 good or 1 silver cross", "1 Ware oder 1 Silberkreuz"),
        (2, "2 goods or 1 silver cross", "2 Waren oder 1 Silberkreuz"),
        (3, "3 goods or 2 silver crosses", "3 Waren oder 2 Silberkreuze"),
        (4, "1 gold or 3 silver crosses", "1 Gold oder 3 Silberkreuze"),
    ],
)
def test_a_raid_states_what_it_demands(number, english, german):
    table = Table().to_raid(number).own(BLUE, dates=5, gold=1, crosses=5).own(WHITE, crosses=5).play("done")
    assert EN.question(table.position) == f"The robber demands {english}. What do you give?"
    assert LANGUAGES["de"].question(table.position) == f"Der Räuber verlangt {german}. Was gibst du ab?"


@pytest.mark.parametrize(
    ("number", "moves"),
    [
        (1, ["give 1 × date", "give 1 × salt", "give 1 silver cross"]),
        (3, ["give 3 goods, first 1 × date", "give 3 goods, first 1 × salt", "give 2 silver crosses"]),
        (4, ["give 1 gold", "give 3 silver crosses"]),
    ],
)
def test_answers_to_a_raid_say_how_much_is_given(number, moves):
    table = Table().to_raid(number).own(BLUE, dates=5, salt=5, gold=1, crosses=5).own(WHITE, crosses=5).play("done")
    assert offered(table) == moves


def test_goods_still_due_are_counted():
    table = Table().to_raid(3).own(BLUE, dates=3, salt=3, crosses=5).own(WHITE, crosses=5).play("done", "give dates")
    assert EN.question(table.position) == "Which good do you give next? 2 are still due."
    assert offered(table.play("give salt")) == ["give 1 × date", "give 1 × salt"]
    assert EN.question(table.position) == "Which good do you give next? 1 is still due."


def test_who_need_not_pay_is_told_what_paying_brings():
    table = Table().to_raid(1).display(BLUE, "T29 T31").own(BLUE, dates=1, crosses=5).own(WHITE, crosses=5).play("done")
    assert "need not pay" in EN.question(table.position)
    assert offered(table)[-1] == "give nothing"
    assert offered(table, LANGUAGES["de"])[-1] == "nichts abgeben"


def test_a_trade_says_how_many_goods_it_takes():
    table = Table().own(BLUE, dates=3).acting(BLUE, "trader", other="dates7").play("use trader")
    assert offered(table) == [
        "exchange 2 × dates for 1 × salt",
        "exchange 2 × dates for 1 × pepper",
        "exchange 3 × dates for 1 × gold",
    ]
    table = Table().display(BLUE, "T39").own(BLUE, dates=1).acting(BLUE, "trader", other="dates7").play("use trader")
    assert offered(table)[0] == "exchange 1 × date for 1 × salt"


@pytest.mark.parametrize(("language", "one", "two"), [("en", "1 × date.", "2 × dates."), ("de", "1 × Dattel.", "2 × Datteln.")])
def test_one_date_is_a_date(language, one, two):
    words = LANGUAGES[language]
    table = Table().show("b2", "dates").show("a1", "2dates").acting(BLUE, "", "b2 a1", other="dates7")
    assert told(table.play("use b2"), words)[-1].endswith(one)
    assert [line for line in told(table.play("use a1"), words) if line.endswith(two)]
    for text in ("1 dates", "1 × dates", "1 Datteln", "1 × Datteln"):
        assert text not in (GAME.extras / "words" / f"{language}.toml").read_text(encoding="utf-8")


def cause(label: str) -> str:
    return {
        "T36": "Blue gets 1 × salt from Oasis T36, for a round without goods.",
        "T37": "Blue gets 1 × salt from Well T37, for cards laid out.",
        "T41": "Blue gets 1 × salt from Targia T41, as a gift.",
        "T42": "Blue gets 1 × salt from Camel Rider T42, for empty places.",
    }[label]


@pytest.mark.parametrize("label", ["T37", "T41", "T42"])
def test_the_log_names_the_card_that_gives_goods(label):
    table = Table().display(BLUE, "T06").own(BLUE, dates=5, salt=5, pepper=5, gold=3).show("b1", label)
    table.acting(BLUE, "", "b1", other="dates7").play("play b1", "row 2", *(["prize goods"] if label == "T41" else []))
    assert cause(label) in told(table.play("choose salt"))


@pytest.mark.parametrize("prize", ["gold", "cross"])
def test_the_log_names_the_card_that_gives_gold_or_a_cross(prize):
    table = Table().own(BLUE, dates=5, salt=5, pepper=5).show("b1", "T41").acting(BLUE, "", "b1", other="dates7")
    table.play("play b1", "row 1", f"prize {prize}")
    assert table.event("granted")["card"] == 41


def test_a_turn_is_finished_after_the_good_for_idleness_and_after_what_goes_back():
    table = Table().display(BLUE, "T36").own(BLUE, dates=5, salt=5).acting(BLUE, "salt3", other="dates7").play("use salt3")
    assert "ended" not in table.told
    assert cause("T36") in told(table.play("choose salt"))
    assert "ended" not in table.told
    table.play("drop salt", "drop dates")
    assert table.told[:2] == ["dropped", "ended"]


@pytest.mark.parametrize(
    ("blue", "white", "verdict"),
    [
        ({"gold": 3}, {"gold": 2}, "Both have 4 points. Blue wins with more gold: 2 against 1."),
        (
            {"gold": 2, "dates": 1},
            {"gold": 2, "salt": 3},
            "Both have 4 points. Gold is equal too; White wins with more goods: 3 against 1.",
        ),
        ({"gold": 2}, {"gold": 2}, "Both have 4 points. Gold and goods are equal, too: a draw."),
    ],
)
def test_the_end_tells_what_decided_between_equals(blue, white, verdict):
    table = Table().to_raid(4).own(BLUE, crosses=4, **blue).own(WHITE, crosses=4, **white).play("done", "give gold", "give gold")
    assert EN.ending(table.position) == f"{EN.end('fourth raid')} {verdict}"


def test_a_clear_end_needs_no_more_words():
    table = Table().to_raid(4).own(BLUE, gold=1, crosses=5).own(WHITE, gold=1, crosses=4).play("done", "give gold", "give gold")
    assert EN.ending(table.position) == EN.end("fourth raid")


def test_in_german_a_card_of_the_frame_is_named_and_one_inside_has_no_quotation_marks():
    german = LANGUAGES["de"]
    table = Table().acting(BLUE, "salt3", other="dates7")
    assert "Salz (3) nutzen" in offered(table, german)
    inside = Table().show("b2", "dates").acting(BLUE, "", "b2", other="dates7")
    assert "Karte b2 nutzen" in offered(inside, german)
    assert "Blau nutzt „Salz (3)“." in told(table.play("use salt3"), german)
    assert german.event(Event("used", {"seat": BLUE, "place": place("b2")})) == "Blau nutzt b2."


def test_a_placement_says_which_targi_it_is():
    table = Table()
    asked = []
    while table.position.phase == "placing":
        if table.position.seat == BLUE:
            asked.append((EN.question(table.position), LANGUAGES["de"].question(table.position)))
        table.position.play(table.position.moves()[0])
    assert [one for one, _ in asked] == [
        f"Place your {which} Targi on a card of the frame." for which in ("first", "second", "last")
    ]
    assert [one.split()[2] for _, one in asked] == ["ersten", "zweiten", "letzten"]


def test_the_question_counts_the_cards_that_can_still_be_used():
    table = Table().show("b2", "dates").show("a1", "2dates").acting(BLUE, "", "b2 a1", other="dates7")
    assert EN.question(table.position) == "Use your cards in any order: 2 left."
    assert offered(table)[-1] == "done, 2 unused"
    table.play("use b2")
    assert EN.question(table.position) == "Use your last card, or finish."
    assert LANGUAGES["de"].question(table.position) == "Nutze deine letzte Karte, oder sei fertig."
    assert offered(table, LANGUAGES["de"])[-1] == "fertig, 1 ungenutzt"


def test_everybody_may_read_every_question():
    position, chance = GAME.new(seed=4), random.Random(4)
    while not position.over:
        questions = {EN.question(position.seen_by(seat)) for seat in (position.seat, None)}
        assert "" not in questions
        position.play(chance.choice(position.moves()))


def test_a_drawn_card_is_laid_out_kept_or_discarded_in_few_words():
    table = Table().own(BLUE, dates=5, salt=5, pepper=5, gold=3).acting(BLUE, "expansion", other="dates7").play("use expansion")
    assert offered(table) == ["lay it out", "take it in hand", "discard it"]


def test_what_is_done_with_the_hand_card_says_whether_the_noble_does_it():
    table = Table().own(BLUE, dates=5, salt=5, pepper=5, gold=3).display(BLUE, "T38").hold(BLUE, "T06")
    table.acting(BLUE, "noble", other="dates7")
    assert offered(table)[:2] == ["lay out the card in hand by the Noble", "discard the card in hand by the Noble"]
    assert "Handkarte ohne den Adeligen auslegen" in offered(table, LANGUAGES["de"])


def test_who_has_too_many_goods_is_told_how_many_may_be_kept():
    table = Table().own(BLUE, dates=5, salt=6).acting(BLUE, "pepper6", other="dates7").play("use pepper6")
    assert EN.question(table.position) == "You may keep 10 goods: 2 too many. Which one goes back?"


def why_not(table: Table, move: str) -> str:
    return reason(table.position.state, GAME.moves.parse(move), EN)


def test_the_card_in_hand_says_when_it_can_be_laid_out():
    noble = "The card in your hand is laid out with the Noble: a Targi must stand there."
    assert why_not(Table().hold(BLUE, "T06"), "play noble") == noble
    assert why_not(Table().hold(BLUE, "T06").acting(BLUE, "salt3", other="dates7"), "play noble") == noble
    poor = Table().own(BLUE).hold(BLUE, "T06").acting(BLUE, "noble", other="dates7")
    assert why_not(poor, "play noble") == "You cannot pay for this card."
    fresh = Table().hold(BLUE, "T06", taken=5).acting(BLUE, "noble", other="dates7")
    assert why_not(fresh, "play noble") == "You took this card this round: it can be laid out in a later one."
    without = Table().own(BLUE).display(BLUE, "T38").hold(BLUE, "T06").acting(BLUE, "salt3", other="dates7")
    assert why_not(without, "play hand") == "You cannot pay for this card."


def test_a_full_row_takes_no_card_and_says_so():
    table = Table().own(BLUE, dates=5, salt=5, pepper=5, gold=3).display(BLUE, "T00 T01 T02 T03").show("b1", "T06")
    table.acting(BLUE, "", "b1", other="dates7").play("play b1")
    assert table.phase == "laying"
    assert why_not(table, "row 1") == "This row is full."


def test_a_sale_says_what_it_brings():
    table = Table().own(BLUE, dates=4, gold=1).acting(BLUE, "silversmith", other="dates7").play("use silversmith")
    assert {"sell 2 × dates for 1 silver cross", "sell 4 × dates for 3 silver crosses"} <= set(offered(table))
    assert "4 × Datteln für 3 Silberkreuze verkaufen" in offered(table, LANGUAGES["de"])
