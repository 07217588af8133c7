"""A series on disk, as Parquet."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import azalai
from azalai.arena.series import Series
from azalai.arena.simulate import simulate
from azalai.arena.store import SeriesStore, merge, missing
from azalai.engine.errors import BadOption
from tests.engine.nim import NIM
from tests.harness.play import EVERY_GAME

parquet = pytest.importorskip("pyarrow.parquet")

PLAYERS = ["greedy", "random"]


def rows(folder, kind="games"):
    """All rows of a folder, in order."""
    return [row for path in sorted(folder.glob(f"{kind}-*.parquet")) for row in parquet.read_table(path).to_pylist()]


def test_every_game_is_a_row(tmp_path):
    results = simulate(NIM, PLAYERS, 250, seed=4, folder=tmp_path)
    found = rows(tmp_path)
    assert [row["game"] for row in found] == list(range(250))
    assert [row["deal"] for row in found] == [number // 2 for number in range(250)]
    assert all({row["player_0"], row["player_1"]} == set(PLAYERS) for row in found)
    assert sum(row["decisions"] for row in found) == results.decisions
    won = [row[f"player_{seat}"] for row in found for seat in range(2) if row[f"place_{seat}"] == 1]
    assert won.count("greedy") == results.by_player["greedy"].wins


def test_every_decision_is_a_row_if_asked_for(tmp_path):
    """Replaying the noted moves leads through the same games to the same ends."""
    name = EVERY_GAME[0]
    game = azalai.game(name)
    players = ["greedy", *["random"] * (game.seats[0] - 1)]
    simulate(game, players, 12, seed=4, folder=tmp_path, decisions=True)
    log = rows(tmp_path, "decisions")
    games = rows(tmp_path)
    assert len(log) == sum(row["decisions"] for row in games)
    first = [row for row in log if row["game"] == 0]
    position = game.new(game.seats[0], 4)
    for row in first:
        assert (row["ply"], row["seat"], row["phase"]) == (position.ply, position.seat, position.phase)
        assert row["choices"] == len(position.moves())
        assert row["text"] == str(game.moves[row["move"]])
        position.play(row["move"])
    assert position.over
    assert [games[0][f"points_{seat}"] for seat in range(position.seats)] == list(position.scores)
    assert games[0]["end"] == position.end


def test_decisions_of_searching_players_are_noted_too(tmp_path):
    simulate(NIM, ["1", "random"], 4, seed=4, folder=tmp_path, decisions=True)
    assert len(rows(tmp_path, "decisions")) == sum(row["decisions"] for row in rows(tmp_path))


def test_a_series_broken_off_goes_on_where_it_was(tmp_path):
    whole = simulate(NIM, PLAYERS, 4500, seed=6, folder=tmp_path / "whole").as_dict()
    simulate(NIM, PLAYERS, 1700, seed=6, folder=tmp_path / "broken")
    (tmp_path / "broken" / "games-000000000000.parquet").unlink()
    (tmp_path / "broken" / ".games-000000002000.parquet.123").write_bytes(b"half a file")
    kept = (tmp_path / "broken" / "games-000000001000.parquet").stat().st_mtime_ns
    assert simulate(NIM, PLAYERS, 4500, seed=6, folder=tmp_path / "broken").as_dict() == whole
    assert (tmp_path / "broken" / "games-000000001000.parquet").stat().st_mtime_ns == kept
    assert rows(tmp_path / "broken") == rows(tmp_path / "whole")
    assert simulate(NIM, PLAYERS, 4500, seed=6, folder=tmp_path / "broken").as_dict() == whole  # nothing is left to play


def test_a_killed_run_leaves_only_whole_parts(tmp_path):
    """A process killed in the middle, and then the same command again: the same rows as an undisturbed run."""
    command = (
        "from tests.engine.nim import NIM; from azalai.arena.simulate import simulate;"
        f"simulate(NIM, {PLAYERS!r}, 60000, seed=9, folder={str(tmp_path / 'killed')!r}, decisions=True)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen([sys.executable, "-c", command], env=environment)
    while len(list((tmp_path / "killed").glob("games-*.parquet"))) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    again = simulate(NIM, PLAYERS, 6000, seed=9, folder=tmp_path / "killed", decisions=True)
    assert again.as_dict() == simulate(NIM, PLAYERS, 6000, seed=9).as_dict()


def test_folders_filled_apart_can_be_merged(tmp_path):
    name = EVERY_GAME[0]
    game = azalai.game(name)
    players = ["random"] * game.seats[0]
    simulate(game, players, 60, seed=8, folder=tmp_path / "whole")
    simulate(game, players, 25, seed=8, folder=tmp_path / "a")
    simulate(game, players, 35, seed=8, first=25, folder=tmp_path / "b")
    assert merge([tmp_path / "a", tmp_path / "b"], tmp_path / "both") == 60
    assert rows(tmp_path / "both") == rows(tmp_path / "whole")
    simulate(game, players, 10, seed=8, first=20, folder=tmp_path / "c")
    with pytest.raises(BadOption, match="twice"):
        merge([tmp_path / "b", tmp_path / "c"], tmp_path / "muddle")
    with pytest.raises(BadOption, match="holds no series"):
        merge([tmp_path], tmp_path / "nothing")


def test_a_folder_holds_one_series_only(tmp_path):
    simulate(NIM, PLAYERS, 10, seed=1, folder=tmp_path)
    with pytest.raises(BadOption, match=r"holds another series \(nim, greedy, random, seed 1\)"):
        simulate(NIM, PLAYERS, 10, seed=2, folder=tmp_path)


def test_what_is_missing_is_played_in_parts_of_one_size():
    assert list(missing({}, 0, 25, 10)) == [(0, 10), (10, 10), (20, 5)]
    assert list(missing({}, 7, 10, 10)) == [(7, 3), (10, 7)]
    assert list(missing({0: 10, 20: 5}, 0, 30, 10)) == [(10, 10), (25, 5)]
    assert list(missing({0: 30}, 5, 20, 10)) == []
    assert list(missing({3: 4}, 0, 10, 10)) == [(0, 3), (7, 3)]


def test_large_series_have_larger_parts(tmp_path):
    series = Series.of(NIM, PLAYERS)
    assert [SeriesStore(tmp_path / str(games), series, games).part for games in (10, 10**7, 10**12)] == [1000, 10_000, 100_000]
    assert SeriesStore(tmp_path / "10", series, 10**12).part == 1000  # as it was begun


def test_a_part_read_back_is_the_part_written(tmp_path):
    series = Series.of(NIM, PLAYERS, seed=2)
    store = SeriesStore(tmp_path, series)
    part = series.play(30, 20)
    store.write(part)
    assert (store.read(30).rows == part.rows).all()
    assert store.parts() == {30: 20}
    assert Series.of(NIM, PLAYERS, 2).as_dict() == json.loads(json.dumps(series.as_dict()))


def test_memory_does_not_grow_with_the_number_of_games(tmp_path):
    """What a run holds at any time: the parts under way, and sums."""
    code = """
import resource, sys
from tests.engine.nim import NIM
from azalai.arena.simulate import simulate
simulate(NIM, ["random", "random"], 2000, threads=1, folder=sys.argv[1] + "/a")
small = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
simulate(NIM, ["random", "random"], 100_000, threads=1, folder=sys.argv[1] + "/b")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - small) / small)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], env=environment, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 0.2


def test_rows_are_the_same_for_any_number_of_threads(tmp_path):
    for threads in (1, 3):
        simulate(NIM, PLAYERS, 3300, seed=3, threads=threads, folder=tmp_path / str(threads))
    assert rows(tmp_path / "1") == rows(tmp_path / "3")
    assert np.all(np.diff([row["game"] for row in rows(tmp_path / "1")]) == 1)
