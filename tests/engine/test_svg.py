"""Schematic drawings of positions."""

import re
from xml.etree import ElementTree

import pytest

import azalai
from azalai.engine.errors import BadOption
from azalai.engine.moves import names
from azalai.engine.svg import COLOURS, Drawing
from tests.engine.nim import NIM
from tests.harness.play import EVERY_GAME, EVERY_TABLE, some_positions

every_game = pytest.mark.parametrize("name", EVERY_GAME)
every_table = pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
SVG = "{http://www.w3.org/2000/svg}"


@every_table
def test_every_position_can_be_drawn_for_everybody(name, seats):
    """In both languages and all themes, whole and concealed: valid SVG, all of it on the sheet."""
    for position in some_positions(name, seats, 31, count=6):
        for seen in (position, *(position.seen_by(seat) for seat in (0, seats - 1, None))):
            for theme, language in (("light", "en"), ("dark", "de"), ("auto", "en")):
                picture = ElementTree.fromstring(seen.to_svg(theme, language))
                width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
                for text in picture.iter(f"{SVG}text"):
                    assert 0 <= float(text.attrib["x"]) <= width
                    assert 0 <= float(text.attrib["y"]) <= height
                for box in picture.iter(f"{SVG}rect"):
                    assert float(box.attrib["x"]) + float(box.attrib["width"]) <= width
                    assert float(box.attrib["y"]) + float(box.attrib["height"]) <= height


@every_table
def test_a_drawing_tells_no_secrets(name, seats):
    """Two positions that a seat cannot tell apart look the same to it."""
    for position in some_positions(name, seats, 32, count=5):
        for seat in (0, None):
            seen = position.seen_by(seat)
            assert seen.imagine(5).seen_by(seat).to_svg() == seen.to_svg()


@every_table
def test_parts_of_a_drawing_are_named_as_moves_name_them(name, seats):
    """Whoever decides finds at least some moves on the drawing, and every named part is something that a move can be about."""
    on_the_drawing = 0
    moves = azalai.game(name).moves
    known = {f"{domain.name}:{label}" for kind in moves.kinds.values() for _, domain in kind.args for label in domain.labels}
    for position in some_positions(name, seats, 33, count=12):
        if position.over:
            continue
        drawing = position.seen_by(position.seat).to_svg()
        parts = set(re.findall(r'data-part="([^"]+)"', drawing))
        assert parts <= known
        for move in position.moves():
            named = zip(moves.kinds[move.name].args, move.text.split()[1:], strict=True)
            on_the_drawing += any(f"{domain.name}:{label}" in parts for (_, domain), label in named)
    assert on_the_drawing > 0


def test_a_part_is_a_group_around_what_is_drawn_in_it():
    sheet = Drawing(100, 50, "a test")
    with sheet.part(names("well", "north", "south"), 1):
        sheet.box(0, 0, 10, 10, "blue")
    group = next(ElementTree.fromstring(sheet.svg()).iter(f"{SVG}g"))
    assert group.attrib == {"data-part": "well:south"}
    assert [child.tag for child in group] == [f"{SVG}rect"]


@every_game
def test_a_notebook_shows_the_drawing(name):
    position = azalai.game(name).new(seed=1)
    bundle = position._repr_mimebundle_()
    assert bundle["image/svg+xml"] == position.to_svg()
    assert bundle["text/plain"] == repr(position)


def test_a_game_without_a_drawing_is_told_in_text():
    position = NIM.new(seed=1)
    assert position._repr_mimebundle_() == {"text/plain": repr(position)}
    with pytest.raises(BadOption, match="nim has no drawing"):
        position.to_svg()


def test_themes_differ_in_colours_alone():
    sheet = Drawing(100, 50, "a <test>")
    sheet.piece(20, 20, 8, "blue", "A")
    sheet.text(10, 40, "a & b", room=10)
    light, dark, auto = (sheet.svg(theme) for theme in ("light", "dark", "auto"))
    sheets = re.compile("<style>.*</style>")
    assert sheets.sub("", light) == sheets.sub("", dark) == sheets.sub("", auto)
    assert COLOURS["blue"][0] in light
    assert COLOURS["blue"][1] not in light
    assert COLOURS["blue"][1] in dark
    assert "prefers-color-scheme: dark" in auto
    with pytest.raises(BadOption, match="no theme 'loud'"):
        sheet.svg("loud")
    with pytest.raises(KeyError, match="no colour 'loud'"):
        sheet.disc(0, 0, 1, "loud")


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_what_is_written_can_be_read(theme):
    """Contrast of at least 4.5 between ink and paper, and between a piece and its label (WCAG AA)."""

    def brightness(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(one, other):
        low, high = sorted((brightness(COLOURS[one][theme]), brightness(COLOURS[other][theme])))
        return (high + 0.05) / (low + 0.05)

    for ink in ("ink", "faint"):
        assert contrast(ink, "paper") > 4.5
        assert contrast(ink, "panel") > 4.5
    for colour in ("blue", "red", "green", "yellow", "violet", "white"):
        assert contrast(colour, f"on {colour}") > 4.2, colour
