"""How the computer plays, and how the game is shown."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

import azalai
from azalai.engine.dispatch import candidates, evaluate
from azalai.engine.position import Position
from azalai.engine.rng import seed
from azalai.engine.rule import INTERPRET, numbers
from azalai.engine.words import Words, languages
from azalai.games.targui.extras.terminal import draw
from tests.games.targui.desert import GREEN, YELLOW, desert, lay, money, pack, play, put
from tests.harness.play import wander

GAME = azalai.game("targui")
whole_games = pytest.mark.skipif(INTERPRET, reason="many whole games take long without compiling")


def wins(*rivals: str, games: int) -> float:
    """The share of games that greedy wins against these rivals, from every seat in turn."""
    won = 0.0
    for number in range(games):
        position = GAME.new(seats=1 + len(rivals), seed=1000 + number)
        mine = number % position.seats
        players = [azalai.bot(name, GAME, number) for name in rivals]
        players.insert(mine, azalai.bot("greedy", GAME, number))
        while not position.over:
            position.play(players[position.seat].choose(position.seen_by(position.seat)))
        if position.ranking[mine] == 1:
            won += 1 / position.ranking.count(1)
    return won / games


@whole_games
def test_greedy_beats_random_in_nine_of_ten_games_for_two() -> None:
    assert wins("random", games=40) > 0.9


@whole_games
def test_greedy_beats_three_random_players_in_seven_of_ten_games() -> None:
    assert wins("random", "random", "random", games=20) > 0.7


def judged(position: Position) -> list[float]:
    out = numbers(5, float)
    evaluate(position.state, position.game.weights[0], out)
    return [float(value) for value in out[: position.seats]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_prospects_are_shares_of_one_in_every_position(seats: int) -> None:
    for position in wander(GAME.new(seats=seats, seed=2), 2):
        values = judged(position)
        assert abs(sum(values) - 1) < 1e-9
        assert min(values) >= 0


def test_prospects_are_even_when_everything_is() -> None:
    assert judged(desert(2)) == pytest.approx([0.5, 0.5])


def better(change: str) -> bool:
    position = desert(2)
    lay(position, c3="guelta", d3="reg")
    match change:
        case "a rich field":
            put(position, GREEN, c3=0)
        case "more camels":
            put(position, GREEN, b2=15)
        case "more silver":
            money(position, 20, 10)
        case "the rival's settlement lost":
            put(position, GREEN, f6=3)
            put(position, YELLOW, g7=10)
        case "the rival's settlement in danger":
            put(position, GREEN, e5=30)
            put(position, YELLOW, f6=1, g7=29)
    return judged(position)[GREEN] > 0.5


@pytest.mark.parametrize(
    "change",
    ["a rich field", "more camels", "more silver", "the rival's settlement lost", "the rival's settlement in danger"],
)
def test_prospects_rise_with(change: str) -> None:
    assert better(change)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_candidates_are_some_of_the_legal_moves_and_never_none(seats: int) -> None:
    out = numbers(GAME.max_moves)
    few = 0
    for position in wander(GAME.new(seats=seats, seed=4), 4):
        if position.over:
            break
        legal = position.move_ids()
        chosen = [int(number) for number in out[: candidates(position.state, out)]]
        assert chosen
        assert len(chosen) == len(set(chosen))
        assert set(chosen) <= set(legal)
        few += len(chosen) < len(legal)
    assert few > 0


def test_of_many_numbers_of_camels_a_handful_is_thought_about() -> None:
    out = numbers(GAME.max_moves)
    position = desert(2)
    put(position, GREEN, b2=80)
    play(position, "march b2", "to c3")
    found = {str(GAME.moves[int(number)]) for number in out[: candidates(position.state, out)]}
    assert found == {"camels 1", "camels 40", "camels 79", "camels 80"}


def test_greedy_takes_an_undefended_settlement() -> None:
    position = desert(2)
    put(position, YELLOW, f6=0, a7=10)
    put(position, GREEN, e5=3)
    money(position, 0, 0)
    pack(position, 1, 1)
    player = azalai.bot("greedy", GAME, 1)
    for text in ("march e5", "to f6"):
        move = player.choose(position.seen_by(GREEN))
        assert str(move) == text
        position.play(move)


def test_greedy_breaks_off_a_hopeless_fight() -> None:
    position = desert(2)
    put(position, GREEN, c3=3)
    put(position, YELLOW, d3=30)
    money(position, 0, 0)
    pack(position, 1, 1)
    play(position, "march c3")
    for number in range(50):
        twin = position.copy()
        seed(twin.state, number, 0)
        twin.play("to d3")
        if twin.phase == "fighting":
            assert str(azalai.bot("greedy", GAME, number).choose(twin.seen_by(GREEN))) == "retreat"
            return
    raise AssertionError("no fight went on")


# ---------------------------------------------------------------- the picture


def picture(position: Position, seat: int | None, language: str, width: int, **how: Any) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO(), **how)
    console.print(draw(position.seen_by(seat), seat, Words(GAME, position.seats, language)))
    return console.export_text().splitlines()


@pytest.mark.parametrize("language", languages(GAME.extras))
@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_picture_fits_the_terminal_in_every_position(seats: int, width: int, language: str) -> None:
    for position in wander(GAME.new(seats=seats, seed=6), 6):
        if position.ply % 40 and not position.over:
            continue
        for seat in (None, 0):
            lines = picture(position, seat, language, width)
            assert max(map(len, lines)) <= width
            text = "\n".join(lines)
            for label in ("a1", "d4", "g7"):
                assert label in text
            for one in range(seats):
                assert Words(GAME, seats, language).seat(one) in text


def test_the_picture_shows_owner_camels_and_values_without_colour() -> None:
    position = desert(2)
    lay(position, c3="guelta")
    put(position, GREEN, c3=17)
    text = "\n".join(picture(position, None, "en", 100, no_color=True))
    assert "♣ 17" in text
    assert "c3  ▲3 ■3" in text


def test_the_picture_marks_what_the_viewer_may_choose() -> None:
    position = desert(2)
    assert any("b2•" in line for line in picture(position, GREEN, "en", 100))
    assert not any("•" in line for line in picture(position, YELLOW, "en", 100))
    play(position, "march b2")
    lines = picture(position, GREEN, "en", 100)
    assert any("b2→" in line for line in lines)
    assert any("c3•" in line for line in lines)


def test_a_view_has_the_values_of_every_area_as_they_count_now() -> None:
    position = desert(2)
    lay(position, c3="erg", d3="mountain")

    def area(field: int) -> dict[str, Any]:
        view = position.view()
        found: dict[str, Any] = view["notes"]["areas"][view["terrain"][field]]
        return found

    assert area(16) == {"area": "erg", "strategic": 0, "economic": 1}
    position.state.fate = 13
    assert area(16)["strategic"] == 3
    position.state.fate = 16
    assert area(17) == {"area": "mountain", "strategic": area(17)["strategic"], "economic": 3}
