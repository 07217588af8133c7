"""Reviews: chances of all seats at every moment, and what decisions gave away."""

from __future__ import annotations

import numpy as np
import pytest

import azalai
from azalai.engine.position import Position
from azalai.reviews import review as reviews
from azalai.reviews.review import Decision, Review, accuracy, combine
from azalai.reviews.scout import Scout
from benchmarks.connect_four import CONNECT_FOUR


def played(name: str, seats: int, seed: int = 5) -> Position:
    """A game that greedy players have finished."""
    game = azalai.game(name)
    position = game.new(seats=seats, seed=seed)
    player = azalai.bot("greedy", game, seed=seed)
    while not position.over:
        position.play(player.choose(position.seen_by(position.seat)))
    return position


SIZES = [(name, seats) for name in azalai.games() for seats in azalai.game(name).seats]


@pytest.mark.parametrize(("name", "seats"), SIZES)
def test_chances_of_all_seats_add_up_to_one_in_every_view_and_the_last_are_the_result(name, seats):
    position = played(name, seats)
    review = Review(position)
    assert review.chances.shape == (position.ply + 1, seats + 1, seats)
    assert np.allclose(review.chances.sum(axis=-1), 1)
    assert review.chances.min() >= 0
    winners = [seat for seat in range(seats) if position.ranking[seat] == 1]
    assert np.flatnonzero(review.chances[-1, -1]).tolist() == winners
    ply = review.by_importance()[0]
    decision = review.judge(ply)
    assert (decision.seat, decision.move) == position.history[ply]
    assert sum(decision.after) == pytest.approx(1)
    assert decision.loss >= 0


def test_the_view_of_a_seat_knows_nothing_that_the_seat_does_not_know():
    position = azalai.game("tuareg").new(seats=2, seed=1)
    scout = Scout(position.game)
    seen = position.seen_by(0)
    other = seen.imagine(99)
    assert other != position
    mine = [Review(one, scout=scout).chances[0, 0] for one in (position, other)]
    assert mine[0].tolist() == mine[1].tolist()


@pytest.fixture(scope="module")
def blundered() -> Review:
    """Connect Four, which has no network: the second player lets the first complete a row."""
    position = CONNECT_FOUR.new(seed=1)
    for column in (1, 7, 2, 7, 3, 6, 4):
        position.play(f"drop {column}")
    return azalai.review(position)


def test_a_blunder_is_named_with_the_better_move(blundered):
    blunder = blundered.decisions[5]
    assert (blunder.grade, str(blunder.move), str(blunder.best)) == ("blunder", "drop 6", "drop 4")
    assert blunder.line[0] == (1, blunder.best)
    assert blundered.decisions[6].grade == "best"


def test_accuracy_counts_what_was_given_away(blundered):
    players = blundered.as_dict()["players"]
    assert players[0]["accuracy"] > players[1]["accuracy"]
    assert players[1]["grades"]["blunder"] == 1
    assert players[1]["given_away"] >= blundered.decisions[5].loss - 1e-4
    assert accuracy([]) is None
    assert accuracy([0.0]) == 100
    assert accuracy([0.0, 1.0]) == 50


def test_without_chance_and_secrets_there_is_no_luck(blundered):
    assert blundered.as_dict()["luck"] == []


def test_a_move_that_is_no_candidate_is_judged_too():
    position = azalai.game("tuareg").new(seats=2, seed=3)
    while not position.over:
        position.play(position.moves()[-1])
    review = Review(position)
    for ply in review.by_importance()[:6]:
        decision = review.judge(ply)
        assert decision.move == position.history[ply][1]
        assert decision.loss == 0 or decision.after[decision.seat] < decision.after_best[decision.seat]


def test_the_same_game_is_judged_the_same_in_any_order():
    position = played("targui", 2)
    forth, back = Review(position), Review(position)
    plies = forth.by_importance()[:5]
    for ply in plies:
        forth.judge(ply)
    for ply in reversed(plies):
        back.judge(ply)
    assert forth.decisions == back.decisions
    assert (forth.chances == back.chances).all()


def test_luck_and_decisions_of_all_seats_add_up_to_nothing():
    review = Review(played("targui", 3))
    for ply in review.choices[:6]:
        review.judge(ply)
    for one in review.as_dict()["luck"]:
        assert sum(one["change"]) == pytest.approx(0, abs=2e-3)
    assert review.as_dict()["luck"]


def test_a_running_game_is_reviewed_up_to_where_it_stands():
    position = played("targui", 2).before(9)
    review = Review(position)
    assert len(review.chances) == 10
    assert 0 < review.chances[-1, -1, 0] < 1
    assert max(review.choices) == 8


def test_a_game_that_was_given_up_ends_with_its_result():
    review = Review(played("targui", 2).before(9), places=(2, 1))
    assert review.chances[-1].tolist() == [[0, 1]] * 3


def test_simultaneous_choices_are_judged_for_the_seat_that_made_them():
    position = azalai.game("timbuktu").new(seats=3, seed=2)
    while len(position.pending) < 2:
        position.play(position.moves()[0])
    late = position.pending[-1]
    ply = position.ply
    position.play(position.moves(late)[0], late)
    decision = Review(position).judge(ply)
    assert decision.seat == late
    assert decision.line[0][0] == late


def test_all_knowing_eyes_believe_whoever_knows_more():
    nobody = combine(np.array([[0.5, 0.5], [0.5, 0.5]]))
    one = combine(np.array([[0.8, 0.2], [0.5, 0.5]]))
    assert nobody.tolist() == [0.5, 0.5]
    assert one[0] > 0.65


def test_a_decision_survives_being_written_down(blundered):
    for decision in blundered.decisions.values():
        again = Decision.read(CONNECT_FOUR.moves, decision.as_dict())
        assert (again.move, again.best, again.grade, again.line) == (
            decision.move,
            decision.best,
            decision.grade,
            decision.line,
        )


def test_grades_follow_from_the_chance_given_away():
    move, better = CONNECT_FOUR.moves.parse("drop 1"), CONNECT_FOUR.moves.parse("drop 2")
    grades = [Decision(0, 0, move, better, (0.6 - loss, 0.4 + loss), (0.6, 0.4), ()).grade for loss in (0, 0.02, 0.06, 0.12, 0.3)]
    assert tuple(grades) == reviews.GRADES
