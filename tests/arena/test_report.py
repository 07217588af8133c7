"""Reports on balance: what they count, and what a game's `report.toml` asks for."""

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import azalai
from azalai.arena import charts
from azalai.arena.charts import Mark
from azalai.arena.report import POLICY, Counts, Mean, Study, Topic, declared, lead_in, leader_wins, study, study_variant
from azalai.arena.series import Series
from azalai.arena.simulate import simulate
from azalai.arena.tally import share_interval
from azalai.engine.playing import EVENT_ARGS, EVENT_KIND, MOVE, SEAT
from azalai.engine.words import load_words
from tests.engine.nim import NIM
from tests.harness.interpreted import run_interpreted
from tests.harness.play import EVERY_GAME

every_game = pytest.mark.parametrize("name", EVERY_GAME)


def moves_of(series):
    """Of the first game."""
    return series.play(0, 1).log[:, MOVE]


@every_game
def test_a_traced_game_has_the_same_events_and_points(name):
    series = Series.of(azalai.game(name), ["random"] * azalai.game(name).seats[-1], 3, decisions=True)
    moves = moves_of(series)
    events, points = series.trace(0, moves)
    position = series.game.new(series.seats, 3)
    told = [(0, event) for event in position.events]
    for ply, move in enumerate(moves, 1):
        assert list(points[ply - 1]) == list(position.scores)
        told += [(ply, event) for event in position.play(int(move))]
    assert list(points[-1]) == list(position.scores)
    kinds = list(series.game.events.kinds.values())
    again = [
        (row[0], kinds[row[EVENT_KIND]].name, [value for value in row[EVENT_ARGS:] if value != -1]) for row in events.tolist()
    ]
    assert again == [(ply, event.kind, list(event.args.values())) for ply, event in told]


@every_game
def test_a_study_counts_what_a_simulation_counts(name):
    game = azalai.game(name)
    seats = game.seats[0]
    found = study(game, seats, 30, seed=2, threads=1)
    counted = simulate(game, ["greedy"] * seats, 30, seed=2, threads=1)
    assert [mean.share for mean in found.seats] == [tally.share for tally in counted.by_seat]
    assert found.lengths.estimate[0] == pytest.approx(counted.length[0])
    assert {end: count for end, count in found.ends.items() if count} == {end: n for end, n in counted.ends.items() if n}
    assert json.dumps(found.summary())
    again = Study.of(game, seats)
    for _ in range(2):
        again.merge(json.loads(json.dumps(found.as_dict())))
    assert again.games == 60
    assert [mean.share[0] for mean in again.seats] == [mean.share[0] for mean in found.seats]
    assert again.summary()["half"][0] == found.summary()["half"][0]


@every_game
def test_what_a_report_asks_for_is_there(name):
    game = azalai.game(name)
    told = declared(game)
    Study.of(game, game.seats[0])
    entries = [
        entry for kind in ("cards", "actions", "prices", "happenings", "knowledge", "variants") for entry in told.get(kind, [])
    ]
    parts = [[""] + [f".{part}" for part in (*entry.get("kinds", []), *["sums"] * ("sum" in entry))] for entry in entries]
    keys = [f"{entry['words']}{part}" for entry, some in zip(entries, parts, strict=True) for part in some]
    assert sorted(keys) == sorted(load_words(game.extras, "en")["report"])
    for variant in told.get("variants", []):
        game.header(game.new(seed=1).state, game.seats[0], variant.get("options", {}))
        for path, value in variant.get("set", {}).items():
            branch = game.components
            for step in path.split("."):
                branch = branch[step]
            assert type(branch) is type(value)
            assert branch != value, f"{path} is {value!r} anyway"


@pytest.mark.parametrize(("name", "seats"), [("targi", 2), ("tuareg", 3), ("timbuktu", 4), ("targui", 2)])
def test_another_seed_gives_the_same_figures_within_their_intervals(name, seats):
    """Counts from another seed lie beside those of the reports: of figures with 95 % intervals few may lie outside, none far."""
    game, folder = azalai.game(name), Path(__file__).parents[2] / "docs/reports/counts"
    studies = [Counts(path / f"{name}.json").study(game, POLICY, seats) for path in (folder, folder / "again")]
    figures = []
    for one in studies:
        ends = [share_interval(count, one.games) for count in one.ends.values() if count]
        values = [mean.share for mean in one.seats] + [spread.estimate for spread in one.points] + ends
        values += [one.best.estimate, one.margins.estimate, one.lengths.estimate]
        values += [mean.share for topic in one.cards for mean in topic.found]
        figures.append(values)
    assert len(figures[0]) == len(figures[1]) > 5
    apart = [abs(b[0] - a[0]) / math.hypot(a[2] - a[0], b[2] - b[0]) for a, b in zip(*figures, strict=True) if a[2] > a[0]]
    assert sum(one > 1 for one in apart) <= 0.15 * len(apart)
    assert max(apart) < 2.2


def test_every_value_that_is_reconstructed_and_matters_has_a_variant():
    paths = {
        path for name in EVERY_GAME for one in declared(azalai.game(name)).get("variants", []) for path in one.get("set", {})
    }
    assert {"goods.water.dinar", "goods.salt.dinar", "goods.water.points", "goods.salt.points", "goods.millet.points"} <= paths
    assert {"route.arrows", "route.exchange", "thieves.stall_cards", "thieves.goods_cards", "loads"} <= paths
    assert {"board.sectors", "fates.shorter", "players.2.map"} <= paths


def test_things_are_counted_by_seat_and_by_weight():
    topic = Topic.of(NIM, {"event": "took", "what": "heap", "weight": "stones"})
    series = Series.of(NIM, ["random", "random"], 1, decisions=True)
    events, _ = series.trace(0, moves_of(series))
    counts = topic.counts(events, 2)
    position = NIM.new(2, 1)
    assert counts.sum(axis=0).tolist() == position.state.heap.tolist()  # every stone has been taken by somebody
    kinds = Topic.of(NIM, {"kinds": {"took": {}, "rolled": {}}})
    assert kinds.counts(events, 2).sum() == np.isin(events[:, EVENT_KIND], kinds.kinds).sum()


@pytest.mark.parametrize("seats", [2, 4])
def test_every_theft_and_every_hidden_good_of_a_record_is_counted(seats):
    """A theft from a hand and one from an animal are different events; both begin with a move called rob."""
    game = azalai.game("tuareg")
    series = Series.of(game, ["random"] * seats, 5, decisions=True)
    topic = next(one for one in Study.of(game, seats).actions if one.entry["words"] == "actions")
    seen = set()
    for number in range(4):
        log = series.play(number, 1).log
        assert log is not None
        by_moves = np.zeros((seats, 2))
        for seat, move in zip(log[:, SEAT], log[:, MOVE], strict=True):
            name = game.moves[int(move)].name
            if name in ("cave", "rob"):
                by_moves[seat, ("cave", "rob").index(name)] += 1
        events, _ = series.trace(number, log[:, MOVE])
        counted = topic.counts(events, seats)[:, [topic.labels.index("hid"), topic.labels.index("stole")]]
        assert (counted == by_moves).all()
        seen |= set(events[:, EVENT_KIND].tolist())
    assert {game.events.kinds[name].base for name in ("hid", "hid_seen", "stole", "stole_seen")} <= seen


def test_a_lead_is_somebodys_alone():
    assert lead_in(np.array([3, 7, 5])) == (1, 2)
    assert lead_in(np.array([7, 7, 5])) is None
    assert leader_wins({1: Mean(1, 1.0), 2: Mean(2, 0.5), 3: Mean(1, 1.0)})[0] == 0.625


def test_a_variant_by_option_is_played_as_such():
    game = azalai.game("targi")
    options = {"tribe_cards": "rulebook"}
    there = study_variant(game, {"options": options}, 2, 20, 1, 1).summary()
    here = study(game, 2, 20, 1, 1, options=options).summary()
    assert there == here


STUDY_A_VARIANT = """
import azalai
from azalai.arena.report import study_variant

points = {f"goods.{good}.points": 50 for good in ("water", "gold", "salt", "millet")}
rich = study_variant(azalai.game("tuareg"), {"set": points}, 2, 1, 1, 1).summary()
assert rich["winner"][0] > 100, rich
"""


def test_a_variant_by_component_changes_the_rules():
    """With other points for majorities, other points come out."""
    run_interpreted(STUDY_A_VARIANT)


# ---------------------------------------------------------------- charts


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.31, 0.36), (-3, 250), (0, 1_300_000), (12, 12.5)])
def test_ticks_are_few_round_numbers_inside(low, high):
    found = charts.ticks(low, high)
    assert 2 <= len(found) <= 8
    assert all(low - 1e-9 <= value <= high + 1e-9 for value in found)
    assert len({charts.short(value) for value in found}) == len(found)


def test_charts_are_drawings_that_stay_on_their_sheet():
    rows = [Mark("a & b", 0.5, 0.4, 0.6, "n = 3"), Mark("c" * 80, 0.1, 0.0, 0.2)]
    drawn = [
        charts.marks("t", rows, 0.5, "l"),
        charts.histogram("t", [("a", "blue", {1: 1, 2: 2, 9: 1}), ("b", "red", {4: 3})], 1, "x", "y"),
        charts.shares_by("t", [(1, rows[0]), (5, rows[1])], "x", "y", 0.5),
    ]
    for svg in drawn:
        sheet = ElementTree.fromstring(svg)
        width, height = float(sheet.get("width", 0)), float(sheet.get("height", 0))
        for shape in sheet.iter():
            for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
                assert 0 <= float(shape.get(name, 0)) <= most, shape.attrib
