"""Games on disk as samples to learn from."""

import numpy as np
import pytest

pytest.importorskip("pyarrow")
import azalai
from azalai.arena.dataset import replay
from azalai.arena.series import Series
from azalai.arena.simulate import simulate
from azalai.engine.errors import BadOption
from azalai.engine.playing import GAME, MOVE, PLY, SEAT

GAMES = 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("games")
    simulate(
        azalai.game("targui"), ["greedy", "random", "random"], GAMES, seed=3, threads=1, folder=made, decisions=True, first=4
    )
    return made


def test_every_decision_is_a_sample_with_what_its_seat_saw(folder):
    series = Series.of(azalai.game("targui"), ["greedy", "random", "random"], 3, decisions=True)
    log = series.play(4, GAMES).log
    assert log is not None
    found = [(game, one.ply, seat, move) for one in replay(folder) for game, seat, move in zip(one.game, one.seat, one.move)]
    assert sorted(found) == sorted(tuple(row) for row in log[:, [GAME, PLY, SEAT, MOVE]].tolist())
    for one in replay(folder):
        assert one.mask[np.arange(len(one.move)), one.move].all()
        assert one.observation.shape == (len(one.move), series.game.observation.size)


def test_a_sample_has_conclusions_where_they_are_asked_for(tmp_path):
    game = azalai.game("timbuktu")
    simulate(game, ["random"] * 3, 2, seed=3, threads=1, folder=tmp_path, decisions=True)
    for without, one in zip(replay(tmp_path), replay(tmp_path, conclusions=True), strict=True):
        assert one.observation.shape == (len(one.move), game.observation.with_conclusions.size)
        assert (one.observation[:, : game.observation.size] == without.observation).all()


def test_a_sample_says_who_won_in_the_end(folder):
    shares: dict[tuple[int, int], float] = {}
    for one in replay(folder):
        for game, seat, won in zip(one.game, one.seat, one.won):
            assert shares.setdefault((game, seat), won) == won
    by_game = {game: sum(share for (other, _), share in shares.items() if other == game) for game, _ in shares}
    assert by_game == dict.fromkeys(range(4, 4 + GAMES), 1.0)


def test_a_folder_without_decisions_is_refused(tmp_path):
    with pytest.raises(BadOption, match="holds no series"):
        next(replay(tmp_path))
    simulate(azalai.game("targui"), ["random", "random"], 2, threads=1, folder=tmp_path / "few")
    with pytest.raises(BadOption, match="without --decisions"):
        next(replay(tmp_path / "few"))


def test_a_network_learns_to_play_as_the_games_were_played(folder):
    pytest.importorskip("torch")
    from examples.imitate import train, win_rate

    assert 0 <= win_rate(train(folder, passes=1), "targui", games=4, opponents="random") <= 1
