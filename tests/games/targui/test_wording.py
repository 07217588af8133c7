"""What is said of a position: a settlement about to stand empty, an attack that begins at once, what decided between equals."""

from __future__ import annotations

import re

import azalai
from azalai.engine.position import Position
from azalai.engine.words import Words
from azalai.games.targui.extras.reasons import reason
from tests.games.targui.desert import GREEN, YELLOW, clear, desert, lay, money, pack, pass_turn, play, put, turn

GAME = azalai.game("targui")
EN, DE = Words(GAME, 2), Words(GAME, 2, "de")


def test_marching_from_the_settlement_warns_that_it_may_stand_empty() -> None:
    position = desert(2)
    play(position, "march b2", "to c3")
    assert EN.question(position) == "How many camels march? If all go, your settlement stands empty."
    assert DE.question(position) == "Wie viele Kamele ziehen? Ziehen alle, steht deine Siedlung leer."


def test_the_only_camel_of_the_settlement_is_warned_of_before_it_goes() -> None:
    position = desert(2)
    play(position, "march b2")
    assert EN.question(position) == "Which neighbouring field do the camels go to?"
    position = desert(2)
    put(position, GREEN, b2=1)
    play(position, "march b2")
    assert EN.question(position).endswith("It is the only one in your settlement, which then stands empty.")
    assert DE.question(position).endswith("Es ist das einzige deiner Siedlung, sie steht dann leer.")


def test_a_click_on_the_camels_that_are_about_to_march_asks_where_they_go() -> None:
    position = desert(2)
    play(position, "march b2")
    said = reason(position.state, GAME.moves.parse("to b2"), EN)
    assert said == "The camels stand on b2 already: choose where they go."


def test_marching_from_elsewhere_warns_of_nothing() -> None:
    position = desert(2)
    put(position, GREEN, c3=5)
    play(position, "march c3", "to c4")
    assert EN.question(position) == "How many camels march?"


def cornered() -> Position:
    """Green stands in the corner a1, between salt seas; Yellow holds the only way out."""
    position = desert(2)
    lay(position, a2="chott", b1="chott")
    put(position, GREEN, a1=5)
    put(position, YELLOW, b2=3)
    turn(position, GREEN)
    return position


def test_a_march_that_can_only_be_an_attack_says_so() -> None:
    position = cornered()
    move = next(move for move in position.moves() if str(move) == "march a1")
    assert EN.move(move, position) == "march from a1: an attack on Yellow on b2"
    assert DE.move(move, position) == "von a1 losziehen: Angriff auf Gelb auf b2"
    assert EN.move(move) == "march from a1"
    assert "attacked" in [event.kind for event in play(position, "march a1")]


def test_a_march_with_a_choice_of_ways_is_no_attack_yet() -> None:
    position = cornered()
    lay(position, a2="erg")
    assert EN.move(GAME.moves.parse("march a1"), position) == "march from a1"


def test_going_where_camels_of_others_stand_is_called_an_attack() -> None:
    position = cornered()
    lay(position, a2="erg")
    play(position, "march a1")
    words = {str(move): EN.move(move, position) for move in position.moves()}
    assert words == {"to a2": "to a2", "to b2": "attack Yellow on b2"}
    assert DE.move(GAME.moves.parse("to b2"), position) == "Gelb auf b2 angreifen"


def test_a_six_means_two_turns_a_card() -> None:
    for seed in range(40):
        position = GAME.new(2, seed)
        events = [event for home in ("settle b2", "settle f6") for event in position.play(home)]
        for event in events:
            if event.kind == "rolled":
                assert ("two turns" in EN.event(event)) == (event.args["die"] == 6)
                assert ("zwei Züge" in DE.event(event)) == (event.args["die"] == 6)


def test_the_drawing_shows_no_income_without_the_own_settlement() -> None:
    position = desert(2)
    put(position, YELLOW, b2=1)
    put(position, GREEN, c3=2, d4=1)
    assert position.scores[GREEN] == 0
    assert f"{int(position.state.silver[GREEN])} silver · ■ 0" in position.to_svg()


def test_the_drawing_counts_silver_in_the_mountains() -> None:
    position = desert(2)
    lay(position, c3="mountain")
    put(position, GREEN, c3=1)
    position.state.fate = 16
    assert f"■ {position.scores[GREEN]}" in position.to_svg()
    assert position.scores[GREEN] == 4 + 3


def test_the_drawing_names_what_players_have() -> None:
    position = desert(2)
    put(position, GREEN, c3=120)
    drawing = position.to_svg(language="de")
    assert re.search(r">\d+ Kamele · \d+ Silber · ■ \d+<", drawing)
    assert ">▲4 ■4<" in drawing
    size = re.search(r'font-size="([\d.]+)"[^>]*>120<', drawing)
    assert size
    assert float(size[1]) * 3 * 0.6 < 30  # within its disc


def test_a_german_drawing_speaks_german() -> None:
    drawing = desert(2).to_svg(language="de")
    assert ">settlement<" not in drawing
    assert ">Siedlung<" in drawing


def test_equal_incomes_are_parted_by_camels_and_silver_and_the_end_says_so() -> None:
    position = desert(2)
    money(position, 3, 5)
    turn(position, 0)
    pack(position, later=())
    pass_turn(position)
    assert position.scores == (4, 4)
    capital = [int(position.state.herd[seat] + position.state.silver[seat]) for seat in range(2)]
    assert position.ranking == (2, 1)
    assert EN.ending(position) == (
        f"{EN.end('last round')} Yellow and Green have the same income, 4. "
        f"Camels and silver together decide: Yellow has {capital[YELLOW]} and Green has {capital[GREEN]}."
    )


def test_the_last_survivor_wins_whatever_the_income() -> None:
    position = desert(2)
    clear(position, "f6")
    put(position, YELLOW, c3=0)
    pack(position, 2, 2, fate=1, later=(6,))
    events = play(position, "march b2", "to c3", "camels 1")
    assert EN.event(events[-1]) == "Green wins."
    assert EN.ending(position) == "Only one tribe is left in the desert. It wins at once, whatever its income."


def test_german_uses_the_terms_of_the_rulebook() -> None:
    folder = GAME.extras
    for path in (folder / "words" / "de.toml", folder / "help" / "de.md"):
        text = path.read_text(encoding="utf-8")
        for wrong in ("Sandebene", "Salzsee", "Einkommen", "Sumpf"):
            assert wrong not in text, path


def test_fate_cards_say_that_each_field_loses_camels() -> None:
    for words, each in ((EN, "each"), (DE, "ede")):
        for card in ("6", "9", "11", "14"):
            assert each in words(f"fate.{card}"), card
    assert "rounded down" in EN("fate.9")
    assert "abgerundet" in DE("fate.9")
