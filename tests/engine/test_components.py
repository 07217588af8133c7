"""Variants: a game with some of its components changed, beside the game as it comes."""

from __future__ import annotations

import json

import pytest

import azalai
from azalai.engine.components import nested
from azalai.engine.errors import BadComponents, BadOption
from azalai.engine.game import load_game

RICH = {"play": {"start_silver": 30}}


def settled(game):
    position = game.new(seats=2, seed=1)
    for _ in range(2):
        position.play(position.moves()[0])
    return position


def test_a_variant_is_played_beside_its_game():
    plain, rich = azalai.game("targui"), azalai.game("targui", components=RICH)
    assert plain.components["play"]["start_silver"] == 10
    assert rich.components["play"]["start_silver"] == 30
    assert settled(plain).state.silver[0] == 10
    assert settled(rich).state.silver[0] == 30
    assert settled(plain).state.silver[0] == 10
    assert plain.schema.dtype != rich.schema.dtype


def test_the_same_changes_are_the_same_variant():
    assert load_game("targui", RICH) is load_game("targui", {"play": {"start_silver": 30}})
    assert load_game("targui") is load_game("targui", {})


def test_changes_may_come_from_a_file(tmp_path):
    (tmp_path / "mine.toml").write_text("[play]\nstart_silver = 30\n")
    assert azalai.game("targui", components=tmp_path / "mine.toml") is azalai.game("targui", components=RICH)


def test_a_saved_game_of_a_variant_is_loaded_with_its_components(tmp_path):
    position = settled(azalai.game("targui", components=RICH))
    azalai.save(position, tmp_path / "game.json")
    assert json.loads((tmp_path / "game.json").read_text())["components"] == RICH
    assert azalai.load(tmp_path / "game.json") == position


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"play": {"start_gold": 1}}, "there is no component play.start_gold; there are colours"),
        ({"camels": 5}, "there is no component camels"),
        ({"play": 5}, "component play is a table"),
        ({"play": {"start_silver": {"a": 1}}}, "component play.start_silver is no table"),
    ],
)
def test_a_component_that_is_not_there_is_refused(changes, message):
    with pytest.raises(BadOption, match=message):
        load_game("targui", changes)


@pytest.mark.parametrize(
    ("game", "changes", "message"),
    [
        ("targui", {"play": {"camel_price": 2}}, "component play.camel_price must be 1: the rules count on it"),
        ("timbuktu", {"goods": {"kinds": ["gold", "salt"]}}, "component goods.kinds must be .'gold', 'coffee'"),
    ],
)
def test_what_the_rules_count_on_cannot_be_changed(game, changes, message):
    with pytest.raises(BadComponents, match=message):
        load_game(game, changes)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "bad.toml").write_text("= 3")
    with pytest.raises(BadOption, match=r"bad\.toml is no TOML file"):
        azalai.game("targui", components=tmp_path / "bad.toml")
    with pytest.raises(BadOption, match="cannot read"):
        azalai.game("targui", components=tmp_path / "none.toml")


def test_settings_by_path_become_tables():
    assert nested({"a.b.c": 1, "a.d": 2, "e": 3}) == {"a": {"b": {"c": 1}, "d": 2}, "e": 3}
