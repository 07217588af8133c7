"""The end of the game, and who has won it (section 6 of the rulebook)."""

from __future__ import annotations

from azalai.engine.position import Position
from tests.games.targui.desert import (
    GREEN,
    YELLOW,
    camels,
    clear,
    desert,
    dice,
    kinds,
    lawful,
    lay,
    money,
    only,
    owner,
    pack,
    pass_turn,
    play,
    put,
    turn,
)


def last_turn(position: Position) -> None:
    """Nothing is left but this turn: no card in the pack, no fate card."""
    turn(position, 0)
    pack(position, later=())


def test_ruling_29_the_last_one_left_wins_at_once() -> None:
    position = desert(2)
    clear(position, "f6")
    put(position, YELLOW, c3=0)
    pack(position, 2, 2, fate=1, later=(6,))
    events = play(position, "march b2", "to c3", "camels 1")
    assert kinds(events) == ["marched", "took", "eliminated", "won"]
    assert position.end == "last survivor"
    assert position.ranking == (1, 2)
    assert lawful(position)


def test_ruling_29_who_destroys_the_last_rival_in_a_fight_is_not_asked_how_many_move_in() -> None:
    position = desert(2)
    clear(position, "f6")
    put(position, YELLOW, c3=1)
    play(position, "march b2")
    events = dice(position, "to c3", 6)
    assert kinds(events) == ["attacked", "struck", "conquered", "eliminated", "marched", "won"]
    assert position.end == "last survivor"
    assert (owner(position, "c3"), camels(position, "c3"), camels(position, "b2")) == (GREEN, 1, 9)
    assert lawful(position)


def test_the_last_survivor_wins_even_without_his_settlement() -> None:
    position = desert(2)
    clear(position)
    put(position, GREEN, c3=2)
    put(position, YELLOW, d3=0)
    money(position, 0, 30)
    play(position, "march c3", "to d3", "camels 1")
    assert position.scores == (0, 0)
    assert position.ranking == (1, 2)


def test_the_game_ends_after_the_last_fate_card_and_the_highest_last_income_wins() -> None:
    position = desert(2)
    put(position, YELLOW, d4=1)
    last_turn(position)
    money(position, 0, 0)
    events = play(position, "stay")
    assert position.end == "last round"
    assert position.scores == (4, 9)
    assert position.ranking == (2, 1)
    assert only(events, "won") == [{"seat": YELLOW, "points": 9}]


def test_money_and_camels_do_not_count_while_incomes_differ() -> None:
    position = desert(2)
    lay(position, c3="erg")
    put(position, YELLOW, c3=0, f6=1)
    put(position, GREEN, b2=200)
    last_turn(position)
    money(position, 100, 0)
    play(position, "stay", "done")
    assert position.scores == (4, 5)
    assert position.ranking == (2, 1)


def test_a_player_without_his_settlement_has_no_last_income() -> None:
    position = desert(2)
    put(position, YELLOW, b2=1)
    put(position, GREEN, d4=50)
    last_turn(position)
    money(position, 0, 0)
    play(position, "stay")
    assert position.scores == (0, 8)
    assert position.ranking == (2, 1)


def test_a_tie_is_decided_by_camels_and_silver_together() -> None:
    position = desert(2)
    put(position, GREEN, b2=12)
    put(position, YELLOW, f6=5)
    last_turn(position)
    money(position, 1, 9)
    play(position, "stay", "done")
    assert position.scores == (4, 4)
    assert position.ranking == (2, 1)  # 12 + 1 against 5 + 9


def test_ruling_26_paying_the_last_income_does_not_change_a_tie() -> None:
    position = desert(2)
    last_turn(position)
    money(position, 0, 0)
    events = play(position, "stay")
    assert [args["silver"] for args in only(events, "income")] == [4, 4]
    assert list(position.state.silver[:2]) == [4, 4]
    assert position.ranking == (1, 1)


def test_ruling_27_if_nobody_holds_his_settlement_camels_and_silver_decide() -> None:
    position = desert(2)
    put(position, GREEN, f6=3, d4=1)
    put(position, YELLOW, b2=6)
    last_turn(position)
    money(position, 0, 0)
    play(position, "stay")
    assert position.scores == (0, 0)
    assert position.ranking == (2, 1)


def test_ruling_28_if_everything_is_level_the_victory_is_shared() -> None:
    position = desert(3)
    last_turn(position)
    put(position, 2, f7=4)
    money(position, 5, 5, 5)
    events = pass_turn(position)
    assert position.ranking == (1, 1, 3)
    assert [args["seat"] for args in only(events, "won")] == [0, 1]


def test_an_eliminated_player_is_behind_one_who_has_only_a_field_left() -> None:
    position = desert(3)
    clear(position, "a4", "f1")
    put(position, 0, c3=0)
    turn(position, 2)
    pack(position, later=())
    money(position, 0, 0, 0)
    play(position, "stay")
    assert position.scores == (0, 0, 4)
    assert position.ranking == (2, 3, 1)


def test_before_the_end_scores_are_the_income_as_things_stand() -> None:
    position = desert(2)
    put(position, GREEN, d4=1)
    assert position.scores == (9, 4)
    assert position.ranking == (1, 2)


def test_while_settlements_are_chosen_nobody_is_ahead() -> None:
    import azalai

    position = azalai.game("targui").new(seats=4, seed=1)
    assert position.scores == (0, 0, 0, 0)
    assert position.ranking == (1, 1, 1, 1)
