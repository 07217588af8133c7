"""The rules told to players say what a table of cardboard leaves to people."""

from __future__ import annotations

import re

import pytest

import azalai
from azalai.engine.words import load_help

BY_ITSELF = {"en": "happens by itself|is made for you", "de": "geschieht von selbst|wird sie dir abgenommen"}


@pytest.mark.parametrize("language", BY_ITSELF)
@pytest.mark.parametrize("name", ["targui", "tuareg", "timbuktu", "targi"])
def test_the_rules_say_which_choices_are_made_by_themselves(name, language):
    text = " ".join(load_help(azalai.game(name).extras, language).split())
    told = re.search(rf"- [^-]*?({BY_ITSELF[language]})[^-]*?:[^-]+?,", text)  # and then a list
    assert told, text[-2000:]


def test_the_rules_of_targui_say_that_colours_are_not_drawn_by_lot():
    extras = azalai.game("targui").extras
    assert "not drawn by lot" in load_help(extras, "en")
    assert "nicht zugelost" in load_help(extras, "de")


@pytest.mark.parametrize(("language", "printed"), [("en", "printed"), ("de", "bedruckt")])
def test_loads_that_are_reconstructed_are_not_called_printed(language, printed):
    text = load_help(azalai.game("timbuktu").extras, language)
    assert printed not in text
