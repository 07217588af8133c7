"""The ladder on the smallest game."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from azalai.arena.ladder import Pairing, Standing, pairings, picture, read, run
from azalai.bots.levels import levels, named
from azalai.engine.errors import BadRecord
from tests.engine.nim import NIM

PAIRS = [Pairing("greedy", "random"), Pairing("random'", "random")]


def test_greedy_stands_above_random_and_a_twin_is_even(tmp_path):
    ladder = run(NIM, PAIRS, 60, tmp_path / "ladder.jsonl")
    above, control = ladder.standings
    assert above.games == control.games == 60
    assert above.low > 0.5
    assert control.pairing.is_control
    assert control.holds
    assert [one.player for one in ladder.ratings] == ["greedy", "random"]
    assert "greedy" in picture(ladder)


def test_a_stopped_ladder_goes_on_where_it_was(tmp_path):
    path = tmp_path / "ladder.jsonl"
    run(NIM, PAIRS, 10, path)
    begun = path.read_text()
    path.write_text(begun + '{"key": "cut off in the mid')
    progress: list[tuple[int, int]] = []
    more = run(NIM, PAIRS, 20, path, progress=lambda done, total: progress.append((done, total)))
    assert progress[0] == (20, 40)
    assert path.read_text().startswith(begun)
    assert len(read(path)) == 40
    whole = run(NIM, PAIRS, 20, tmp_path / "other.jsonl")
    assert more == whole


def test_the_same_ladder_gives_the_same_games(tmp_path):
    one, two = ([*sorted(map(str, read(_run(tmp_path / name))))] for name in ("one", "two"))
    assert one == two


def _run(path: Path) -> Path:
    run(NIM, PAIRS, 6, path, threads=2)
    return path


def test_each_deal_is_played_from_every_seat(tmp_path):
    run(NIM, PAIRS[:1], 6, tmp_path / "l")
    assert sorted(result.players for result in read(tmp_path / "l")) == [("greedy", "random")] * 3 + [("random", "greedy")] * 3


def test_strong_players_may_play_fewer_games(tmp_path):
    ladder = run(NIM, PAIRS, 20, tmp_path / "l", fewer={"greedy": 8})
    assert [one.games for one in ladder.standings] == [8, 20]


def test_a_control_alone_gives_no_ratings(tmp_path):
    ladder = run(NIM, pairings(["random"]), 4, tmp_path / "l")
    assert ladder.standings[0].pairing == Pairing("random'", "random")
    assert ladder.ratings == ()
    assert picture(ladder).startswith("<svg")


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "l").write_text(json.dumps({"some": "thing"}) + "\n")
    with pytest.raises(BadRecord, match="not the file of a ladder"):
        run(NIM, PAIRS, 2, tmp_path / "l")


def test_neighbours_meet_and_everybody_meets_greedy():
    pairs = pairings()
    assert Pairing("6", "5") in pairs
    assert Pairing("6", "greedy") in pairs
    assert Pairing("6", "2") not in pairs
    assert Pairing("6", "2") in pairings(everyone=True)
    assert Pairing("1", "random") in pairs
    assert Pairing("2'", "2") in pairs
    assert Pairing("3x4", "3") in pairs
    for game, worker in (("targi", "5"), ("targui", "6")):
        guided = set(pairings(strengths=levels(game))) - set(pairs)
        assert guided == {Pairing(f"{worker}x4", worker), Pairing("6", "search6")}
    assert set(pairings(strengths=levels("timbuktu"))) - set(pairs) == {Pairing("6", "search6")}


def test_a_level_with_more_work_is_a_player_of_its_own_and_a_twin_is_not_rated(tmp_path):
    ladder = run(NIM, [Pairing("3x4", "3"), Pairing("3'", "3")], 2, tmp_path / "l")
    assert [one.games for one in ladder.standings] == [2, 2]
    assert {one.player for one in ladder.ratings} == {"3", "3x4"}
    more_work = [row for row in read(tmp_path / "l") if "3x4" in row.players]
    assert {row.settings[row.players.index("3x4")] for row in more_work} == {"1600/8/8/0.6/0.3"}


def test_the_higher_level_must_not_lose_but_greedy_may_be_anywhere():
    def standing(one, others, low, high):
        return Standing(Pairing(one, others), 100, (low + high) / 2, low, high, 0.5)

    assert standing("2", "1", 0.4, 0.6).holds
    assert not standing("2", "1", 0.2, 0.4).holds
    assert not standing("3x4", "3", 0.2, 0.4).holds
    assert standing("3x4", "3", 0.6, 0.8).holds
    assert standing("1", "greedy", 0.0, 0.1).holds
    assert not standing("1'", "1", 0.6, 0.8).holds


def test_games_of_a_level_that_was_changed_are_played_again(tmp_path, monkeypatch):
    path = tmp_path / "l"
    pairs = [Pairing("1", "random")]
    run(NIM, pairs, 4, path)
    assert all("100/0/2" in result.settings[result.players.index("1")] for result in read(path))
    level = named(NIM, "1")
    assert level is not None
    changed = {"1": replace(level, iterations=level.iterations + 1)}
    monkeypatch.setattr("azalai.arena.ladder.named", lambda game, name: changed.get(name))
    played: list[tuple[int, int]] = []
    run(NIM, pairs, 4, path, progress=lambda done, total: played.append((done, total)))
    assert played[0] == (0, 4)
