"""The end of a turn, of a round, and of the game; the scoring."""

from __future__ import annotations

import pytest

from azalai.games.targi.components import DATES, PRINTED
from tests.games.targi.table import BLUE, WHITE, Table, cell

# ---------------------------------------------------------------- limits


def test_ten_goods_are_kept_and_the_player_chooses_which():
    table = Table().own(BLUE, dates=6, salt=5, pepper=1).acting(BLUE, "salt3", other="dates7").play("done")
    assert (table.phase, table.moves) == ("dropping", {"drop dates", "drop salt", "drop pepper"})
    table.play("drop pepper")
    assert table.phase == "dropping"
    table.play("drop dates")
    assert table.stock(BLUE) == {"dates": 5, "salt": 5}
    assert table.seat == WHITE


def test_goods_of_one_kind_are_cut_down_without_a_question():
    table = Table().own(BLUE, dates=13, crosses=20).acting(BLUE, "salt3", other="dates7").play("done")
    assert table.stock(BLUE) == {"dates": 10, "crosses": 20}
    assert table.event("dropped") == {"seat": BLUE, "stuff": DATES, "count": 3}


def test_three_gold_are_kept():
    table = Table().own(BLUE, gold=5).acting(BLUE, "salt3", other="dates7").play("done")
    assert table.stock(BLUE) == {"gold": 3}


def test_during_the_turn_more_may_be_owned():
    table = Table().own(BLUE, dates=10, gold=3).show("b2", "gold").acting(BLUE, "dates2", "b2", other="dates7")
    table.play("use dates2")
    assert table.stock(BLUE) == {"dates": 11, "gold": 3}
    table.play("use b2")
    assert table.stock(BLUE) == {"dates": 10, "gold": 3}


def test_the_limit_holds_for_the_player_whose_turn_ends_only():
    table = Table().own(WHITE, dates=12).acting(BLUE, "dates2", other="dates7").play("done")
    assert table.stock(WHITE) == {"dates": 12}


# ---------------------------------------------------------------- the round


def test_the_amulet_changes_hands_every_round():
    table = Table()
    starters = []
    while not table.position.over:
        if table.phase == "placing" and not table.s.placed.any():
            starters.append(table.seat)
        table.play(min(table.moves))
    assert starters == [BLUE, WHITE] * 6


# ---------------------------------------------------------------- the two ends

ELEVEN = ("T00 T01 T02 T03", "T04 T05 T07 T08", "T09 T10 T11")


def test_the_twelfth_card_ends_the_game_after_the_round():
    """The start player lays it; the other still has the whole turn; no robber, no raid."""
    table = Table().in_round(3).display(BLUE, *ELEVEN).own(BLUE, salt=1, dates=1, gold=1, crosses=4).own(WHITE, crosses=4)
    table.show("b1", "T06").acting(BLUE, "", "b1", other="dates7 salt15")
    table.play("play b1")
    assert not table.position.over
    table.play("use dates7", "use salt15")
    assert table.position.over
    assert table.position.end == "full display"
    assert table.stock(WHITE) == {"dates": 1, "salt": 1, "crosses": 4}  # no raid after round 3
    assert table.s.robber == 2


def test_the_twelfth_card_of_the_second_player_ends_the_game_at_once():
    table = Table().display(BLUE, *ELEVEN).own(BLUE, salt=1, dates=1, gold=1).show("b1", "T06").acting(WHITE)
    table.s.seat, table.s.pending = BLUE, 1
    table.s.marker[BLUE, 0] = cell("b1")
    table.play("play b1")
    assert table.position.end == "full display"
    assert table.told[-4:] == ["counted", "scored", "counted", "scored"]


def test_the_fourth_raid_is_carried_out_and_ends_the_game():
    table = Table().to_raid(4).own(BLUE, gold=1, crosses=4).own(WHITE, gold=1, crosses=4).play("done", "give gold", "give cross")
    assert table.position.end == "fourth raid"
    assert table.position.scores == (4, 1)
    assert table.position.moves() == []


# ---------------------------------------------------------------- points


def test_the_rulebooks_example_of_scoring_33_points():
    """3 crosses, 21 on cards, 1 for two Wells, 2 for the Camel Rider on the right, 4 for four Oases, 2 for four symbols."""
    table = Table().own(BLUE, crosses=3).display(BLUE, "T00 T01 T02 T15", "T07 T13 T09 T23", "T25 T27 T26 T39")
    assert table.points(BLUE) == 33
    assert table.position.view(BLUE)["notes"]["points"][BLUE] == {"crosses": 3, "cards": 21, "effects": 3, "rows": 6, "total": 33}


@pytest.mark.parametrize(
    ("row", "bonus"),
    [
        ("T06 T07 T08 T25", 4),  # four Wells
        ("T06 T03 T00 T09", 2),  # four symbols
        ("T06 T07 T00 T09", 0),  # one symbol twice
        ("T06 T07 T08 T09", 0),  # one symbol three times
        ("T06 T07 T03 T04", 0),  # two symbols twice
        ("T06 T07 T08", 0),  # not full
        ("T06 T03 T00", 0),
    ],
)
def test_a_full_row_scores_by_its_symbols(row, bonus):
    table = Table().own(BLUE).display(BLUE, row)
    assert table.points(BLUE) == bonus + sum(int(PRINTED[card]) for card in table.s.display[BLUE, 0].tolist() if card >= 0)


def test_goods_and_gold_are_no_points():
    assert Table().own(BLUE, dates=4, salt=4, gold=3, crosses=2).points(BLUE) == 2


@pytest.mark.parametrize(
    ("blue", "white", "ranking"),
    [
        ({"crosses": 5}, {"crosses": 4, "gold": 3}, (1, 2)),
        ({"crosses": 4, "gold": 1, "dates": 9}, {"crosses": 4, "gold": 2}, (2, 1)),
        ({"crosses": 4, "gold": 2, "dates": 2}, {"crosses": 4, "gold": 2, "salt": 1}, (1, 2)),
        ({"crosses": 4, "gold": 2, "dates": 2}, {"crosses": 4, "gold": 2, "salt": 1, "pepper": 1}, (1, 1)),
    ],
)
def test_a_tie_is_broken_by_gold_then_by_goods(blue, white, ranking):
    assert Table().own(BLUE, **blue).own(WHITE, **white).position.ranking == ranking
