"""How well the evaluation plays."""

from __future__ import annotations

from azalai.arena.simulate import simulate
from azalai.engine.dispatch import evaluate
from azalai.engine.rule import numbers
from tests.games.targi.table import BLUE, GAME, WHITE, Table


def chances(table: Table) -> list[float]:
    out = numbers(5, float)
    evaluate(table.position.state, table.position.game.weights[0], out)
    return [float(out[seat]) for seat in (BLUE, WHITE)]


def test_greedy_beats_random_in_at_least_98_of_100_games():
    results = simulate(GAME, ("greedy", "random"), 100, seed=3)
    assert results.by_player["greedy"].wins >= 98


def test_chances_add_up_to_one_and_points_raise_them():
    even = Table()
    assert chances(even) == [0.5, 0.5]
    ahead = chances(Table().own(BLUE, dates=2, salt=2, pepper=2, gold=1, crosses=9))
    assert ahead[BLUE] > 0.6
    assert abs(sum(ahead) - 1) < 1e-9


def test_a_finished_game_is_won_lost_or_drawn():
    table = Table().to_raid(4).own(BLUE, gold=2, crosses=4).own(WHITE, gold=1, crosses=4).play("done", "give gold", "give gold")
    assert chances(table) == [1.0, 0.0]  # by gold
    table = Table().to_raid(4).own(BLUE, gold=1, crosses=4).own(WHITE, gold=1, crosses=4).play("done", "give gold", "give gold")
    assert chances(table) == [0.5, 0.5]


def test_free_goods_are_taken_first():
    """Among the moves worth thinking about, an action that only brings goods stands alone."""
    from azalai.engine.dispatch import candidates

    table = Table().own(BLUE, dates=4).show("b1", "T06").acting(BLUE, "trader salt3", "b1")
    out = GAME.move_buffer()
    assert candidates(table.position.state, out) == 1
    assert str(GAME.moves[int(out[0])]) == "use salt3"
