"""What players read: notes, the log, the help, the picture in the terminal."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from rich.console import Console

from azalai.engine.words import Words, languages, load_help
from azalai.games.timbuktu.components import PARTS, PEN_NAMES, SETS
from azalai.games.timbuktu.extras.terminal import EMBLEM, draw
from tests.games.timbuktu.table import BLUE, GAME, GREEN, RED, choose_all, deal, new, on_the_way, play, wander

PALM, LAMP, STAR, SCIMITAR, MOON = range(5)


# ---------------------------------------------------------------- notes


def seen_sets(position, *sets: str) -> dict[str, Any]:
    """Blue's notes after seeing the given sets, the first one in hand from the start."""
    position.state.passes = len(sets) - 1
    numbers = [0, 4, 3][: len(sets)]  # along the ring to the right, from where sets come
    rows: list[str] = [""] * SETS
    for number, text in zip(numbers, sets, strict=True):
        rows[number] = text
    left = [
        [name for name in names if name not in [text.split()[column] for text in sets]]
        for column, names in enumerate(
            (
                PEN_NAMES,
                ["+".join(map(str, pair)) for pair in PARTS["thieves"]["stall_cards"]],
                ["+".join(pair) for pair in PARTS["thieves"]["goods_cards"]],
            )
        )
    ]
    for number in range(SETS):
        rows[number] = rows[number] or " ".join(column.pop() for column in left)
    deal(position, *rows)
    notes: dict[str, Any] = position.view(BLUE)["notes"]
    return notes


def test_the_notes_work_out_the_first_example_of_the_help():
    notes = seen_sets(on_the_way(5), "lamp 1+3 water+gold")
    assert notes["visited"][LAMP] == [1, 0, 1, 0, 0]
    assert notes["visited"][STAR] == [0.25, 0.5, 0.25, 0.5, 0.5]
    assert notes["stolen"][LAMP][0] == [1, 0, 0, 0, 1]
    assert notes["stolen"][LAMP][1] == [0] * 5
    chances = [round(chance / 0.25, 4) for chance in notes["stolen"][STAR][0]]
    assert chances == [0.25, 0.5, 0.5, 0.5, 0.25]  # gold, coffee, pepper, salt, water
    camel_d = {4: 2, 3: 1, 2: 1}
    for stall, loss in ((0, 0.375), (1, 0.75)):
        assert sum(notes["stolen"][STAR][stall][good] * count for good, count in camel_d.items()) == loss
    assert notes["plans"] == 576
    assert len(notes["combinations"]) == 64


def test_the_notes_work_out_the_second_example_of_the_help():
    notes = seen_sets(on_the_way(5), "lamp 1+3 water+gold", "palm 2+4 gold+salt", "moon 2+5 salt+pepper")
    assert notes["left"] == {"pens": [STAR, SCIMITAR], "stalls": [1, 4], "goods": [3, 4]}
    assert notes["plans"] == 4
    assert sorted(notes["combinations"]) == [[pen, stalls, goods] for pen in (2, 3) for stalls in (1, 4) for goods in (3, 4)]
    for pen in (STAR, SCIMITAR):
        assert notes["visited"][pen] == [0.5, 0, 0.5, 0.5, 0.5]
        assert notes["stolen"][pen][0] == [0, 0.5, 0.25, 0, 0.25]


@pytest.mark.parametrize("language", languages(GAME.extras))
def test_the_help_tells_what_the_notes_work_out(language):
    text = load_help(GAME.extras, language)
    for number in ("25 %", "50 %", "0.375" if language == "en" else "0,375"):
        assert number in text


def test_the_notes_chances_are_those_of_the_guesses():
    position = wander(on_the_way(4), 6, until=lambda now: now.state.passes == 1)
    seen = position.seen_by(GREEN)
    notes = position.view(GREEN)["notes"]
    visits: Counter[Any] = Counter()
    tries = 3000
    for seed in range(tries):
        s = seen.imagine(seed).state
        for number in range(SETS):
            for stall in PARTS["thieves"]["stall_cards"][int(s.thief_stalls[number])]:
                visits[int(s.thief_pen[number]), stall - 1] += 1
    for pen in range(5):
        for stall in range(5):
            assert visits[pen, stall] / tries == pytest.approx(notes["visited"][pen][stall], abs=0.05)


def test_the_notes_hold_what_was_seen_and_no_more():
    position = on_the_way(4)
    for seat in range(4):
        notes = position.view(seat)["notes"]
        known = [one for one in notes["sets"] if one["pen"] is not None]
        assert [one["holder"] for one in known] == [seat]
        assert len(notes["left"]["pens"]) == 4
    spectator = position.view()["notes"]
    assert spectator["visited"] == [[0.4] * 5] * 5
    assert all(one["stalls"] is None and one["goods"] is None for one in spectator["sets"])


def test_before_the_cards_are_dealt_there_is_nothing_to_note():
    notes = new(3).view(RED)["notes"]
    assert notes["sets"] == []
    assert notes["oasis"] == "taghaza"
    assert notes["exchange"] == [[PALM, 1], [STAR, 2]]


# ---------------------------------------------------------------- the log


def test_the_log_tells_a_move_in_both_languages():
    position = on_the_way(3)
    position.state.place[BLUE, 0] = 10  # camel A waits in the Star pen
    choose_all(position, "AAA")
    events = play(position, "to moon", "pay gold")
    english = ["Blue pays gold from camel A.", "Blue leads camel A from the Star pen to stall Moon 1.", "Red turns over camel A."]
    german = [
        "Blau gibt Gold von Kamel A ab.",
        "Blau führt Kamel A vom Pferch Stern auf den Platz Mond 1.",
        "Rot deckt Kamel A auf.",
    ]
    assert [Words(GAME, 3, "en").event(event) for event in events] == english
    assert [Words(GAME, 3, "de").event(event) for event in events] == german


def asked(position, language: str) -> tuple[str, str, str]:
    """What Blue is asked, and what two moves from the Star pen are called: to the Moon pen off the arrows, and to its own."""
    words, moves = Words(GAME, 3, language), position.moves(BLUE)
    named = {str(move): words.move(move, position) for move in moves}
    return words.question(position), named["to moon"], named["to star"]


def test_the_price_of_a_way_is_said_before_it_is_chosen():
    position = on_the_way(3)
    position.state.place[BLUE, 0] = 10  # camel A waits in the Star pen, from where arrows lead to Star and Lamp
    choose_all(position, "AAA")
    free = "Which pen does your camel go to?"
    said = f"{free} Lamp and Star are free, any other costs a good."
    assert asked(position, "en") == (said, "to the Moon pen, paying a good", "to the Star pen")
    position.state.load[BLUE, 0] = [0, 0, 2, 0, 0]
    assert asked(position, "en") == (said, "to the Moon pen, paying pepper", "to the Star pen")
    german = "In welchen Pferch zieht dein Kamel? Frei sind Lampe und Stern, sonst zahlst du eine Ware."
    assert asked(position, "de") == (german, "in den Pferch Mond gegen Pfeffer", "in den Pferch Stern")
    position.state.load[BLUE, 0] = 0  # with nothing to pay every way is free
    assert asked(position, "en") == (free, "to the Moon pen", "to the Star pen")


def test_the_question_which_good_is_paid_says_for_which_way():
    position = on_the_way(3)
    position.state.place[BLUE, 0] = 10
    choose_all(position, "AAA")
    play(position, "to moon")
    assert Words(GAME, 3, "en").question(position) == "The way to the Moon pen costs a good. Which one?"
    assert Words(GAME, 3, "de").question(position.seen_by(RED)) == "Der Weg zum Pferch Mond kostet eine Ware. Welche?"


def test_with_one_camel_to_place_there_is_no_choice_among_camels():
    position = wander(new(3), 1, until=lambda now: len({move.args.get("camel") for move in now.moves()}) == 1)
    assert position.phase == "placing"
    camel = "ABCDEFGH"[position.moves()[0].args["camel"]]
    assert Words(GAME, 3, "en").question(position) == f"Camel {camel} is your last one. Which pen does it start in?"


@pytest.mark.parametrize("language", languages(GAME.extras))
def test_a_game_with_free_loads_can_be_told_to_everyone(language):
    words = Words(GAME, 3, language)
    position = new(3, loads="free")
    while not position.over:
        for seat in (*range(3), None):
            for event in position.seen_by(seat).events:
                assert not re.search(r"[{}?]", words.event(event))
        seat = position.pending[-1]
        position.play(position.moves(seat)[position.ply % len(position.moves(seat))], seat)


# ---------------------------------------------------------------- the picture


def picture(position, seat: int | None, language: str = "en", width: int = 100) -> str:
    """A picture as plain text."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(draw(position.seen_by(seat), seat, Words(GAME, position.seats, language)))
    return capture.get()


@pytest.mark.parametrize("language", languages(GAME.extras))
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("loads", ["printed", "free"])
def test_every_position_can_be_drawn_in_a_hundred_columns(seats, language, loads):
    position = new(seats, loads=loads)
    while True:
        for seat in (0, None):
            for width in (100, 72):
                lines = picture(position, seat, language, width).splitlines()
                assert max(map(len, lines)) <= width
                assert not [line for line in lines if "…" in line]
        if position.over:
            break
        wander(position, seats, until=lambda now, ply=position.ply: now.ply > ply + 40)


def test_the_picture_shows_every_camel_where_it_stands():
    position = wander(on_the_way(4), 1, until=lambda now: now.state.round_no == 3)
    shown = picture(position, RED)
    for colour in ("blue", "red", "green", "yellow"):
        for letter in "ABCDEF":
            assert shown.count(EMBLEM[colour] + letter) == 1


def test_the_picture_shows_loads_values_and_points():
    position = wander(on_the_way(4), 1, until=lambda now: now.state.stage == 2)
    shown = picture(position, RED)
    for good, name in enumerate(("gold", "coffee", "pepper", "salt", "water")):
        row = next(line for line in shown.splitlines() if f"│{name} " in line).split(f"│{name} ")[1]
        kept = position.state.kept[:4, good].tolist()
        assert [int(number) for number in re.findall(r"\d+", row)] == [int(position.state.lost[good]), *kept]
    points = next(line for line in shown.splitlines() if "│points" in line).split("│points")[1]
    assert [int(number) for number in re.findall(r"\d+", points)] == list(position.scores)


def test_the_picture_shows_the_own_sets_and_no_others():
    position = on_the_way(3)
    deal(position, "lamp 1+3 water+gold", "moon 2+5 salt+pepper", "palm 2+4 gold+salt", "star 1+5 coffee+water")
    shown = picture(position, BLUE)
    sets = shown[shown.index("Thief sets") :].splitlines()
    assert any(re.search(r"Blue.*Lamp.*1\+3.*water and gold", line) for line in sets)
    assert sum(line.count("│?") for line in sets) == 12
    assert shown == picture(position.seen_by(BLUE).imagine(5), BLUE)
    assert "?" not in picture(wander(position, 1), None)


def test_a_card_face_down_is_shown_as_such():
    position = on_the_way(3)
    play(position, "choose D", seat=RED)
    row = {seat: next(line for line in picture(position, seat).splitlines() if "│card" in line) for seat in (BLUE, RED)}
    assert re.sub(r"[│ ]+", " ", row[BLUE]).split()[:4] == ["card", "–", "▒", "–"]
    assert re.sub(r"[│ ]+", " ", row[RED]).split()[:4] == ["card", "–", "D", "–"]
