"""What players read: card texts, the log, the picture in the terminal, the help."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import azalai
from azalai.engine.position import Position
from azalai.engine.words import Words, languages, load_help
from azalai.games.targi.extras.terminal import draw
from azalai.games.targi.state import EFFECT_TEXT, FROM_DECK, TRIBE_CARD
from tests.games.targi.table import BLUE, GAME, WHITE, Table

every_language = pytest.mark.parametrize("language", languages(GAME.extras))


@every_language
def test_every_tribe_card_has_a_name_and_says_what_it_does(language):
    words = Words(GAME, 2, language)
    symbols = words.table["symbol"]
    texts = {}
    for number, card in enumerate(GAME.components["cards"]["tribe"]):
        assert words.name(TRIBE_CARD, number) == f"{symbols[card['symbol']]} {card['id']}"
        texts[card["id"]] = words.name(EFFECT_TEXT, number)
        assert 5 < len(texts[card["id"]]) <= 100
        assert card["id"] not in texts[card["id"]]
    plain = {texts[card["id"]] for card in GAME.components["cards"]["tribe"] if "effect" not in card}
    effects = [texts[card["id"]] for card in GAME.components["cards"]["tribe"] if "effect" in card]
    assert len(plain) == 1
    assert len(set(effects)) == len(effects) == 30


@every_language
def test_effects_about_a_symbol_or_a_good_name_it(language):
    words = Words(GAME, 2, language)
    for number, card in enumerate(GAME.components["cards"]["tribe"]):
        text = words.name(EFFECT_TEXT, number)
        if card.get("effect") in ("discount", "end_pairs"):
            assert words.table["symbol"][card["argument"]][:3] in text
        if card.get("effect") == "harvest":
            assert words.table["stuff"][card["argument"]] in text


def picture(position: Position, seat: int | None, language: str) -> str:
    paper = io.StringIO()
    Console(width=100, file=paper, color_system=None).print(draw(position.seen_by(seat), seat, Words(GAME, 2, language)))
    return paper.getvalue()


@every_language
def test_the_picture_shows_frame_centre_pieces_goods_and_displays(language):
    words = Words(GAME, 2, language)
    table = Table().own(BLUE, dates=3, crosses=7).display(BLUE, "T06 T25").hold(WHITE, "T29").show("b1", "T24")
    table.acting(BLUE, "dates2", "b1", other="salt15")
    text = picture(table.position, None, language)
    assert max(map(len, text.splitlines())) <= 100
    for name in words.table["place"].values():
        assert name.split(" (")[0] in text
    for label in ("T06", "T25", "T24", "T29"):
        assert label in text
    for piece in ("▲", "△", "◆", "✖"):
        assert piece in text
    assert words.name(EFFECT_TEXT, 24) in " ".join(text.split())
    assert f"3 {words.table['stuff']['dates']}" in text


@every_language
def test_the_picture_hides_what_a_seat_may_not_see(language):
    table = Table().hold(WHITE, "T29", secret=FROM_DECK).acting(BLUE, "dates2")
    assert "T29" not in picture(table.position, BLUE, language)
    assert "T29" not in picture(table.position, None, language)
    assert "T29" in picture(table.position, WHITE, language)


@every_language
def test_a_whole_game_can_be_drawn(language):
    position = GAME.new(seed=3)
    players = [azalai.bot("greedy", GAME, 1), azalai.bot("random", GAME, 2)]
    while not position.over:
        position.play(players[position.seat].choose(position))
        if position.ply % 9 == 0 or position.over:
            for seat in (BLUE, WHITE, None):
                assert max(map(len, picture(position, seat, language).splitlines())) <= 100


@every_language
def test_the_help_names_house_decks_options_and_every_border_card(language):
    text = load_help(GAME.extras, language)
    for word in ('azalai.game("targi", components="mine.toml")', "tribe_cards", "33"):
        assert word in text
    for name in Words(GAME, 2, language).table["place"].values():
        assert name.split(" (")[0] in text
