"""Every sentence exists in every language, with the same things to fill in, and none is missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import azalai.cli
from azalai.cli.texts import HERE, Texts, choose_language

EN, DE = (tomllib.loads((HERE / "words" / f"{language}.toml").read_text(encoding="utf-8")) for language in ("en", "de"))
OWN = [section for section in EN if section != "argparse"]  # argparse speaks English by itself
SOURCES = "".join(path.read_text(encoding="utf-8") for path in Path(azalai.cli.__file__).parent.glob("*.py"))


def braces(sentence: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)", sentence)))


@pytest.mark.parametrize("section", OWN)
def test_german_says_all_that_english_says(section: str):
    assert EN[section].keys() == DE[section].keys()
    for name, sentence in EN[section].items():
        assert sentence
        assert DE[section][name]
        assert braces(sentence) == braces(DE[section][name]), name


def test_every_sentence_that_is_said_is_written_and_every_written_one_is_said():
    said = set(re.findall(r'"([a-z]+\.[A-Za-z_]+)"', SOURCES)) - {"components.toml"}
    written = {f"{section}.{name}" for section in OWN for name in EN[section]}
    assert said - written == set()
    assert written - said == {key for key in written if key.startswith(("commands.", "help."))} - {"help.moves"}


def test_every_command_is_explained_and_no_two_are_spelled_alike():
    for words in (EN, DE):
        assert words["commands"].keys() <= words["help"].keys()
        spellings = " ".join(words["commands"].values()).split()
        assert len(spellings) == len(set(spellings))


def test_the_language_is_the_one_asked_for_else_the_set_one_else_that_of_the_system():
    german = {"LANG": "de_AT.UTF-8"}
    assert choose_language([], {}) == "en"
    assert choose_language([], german) == "de"
    assert choose_language([], {"LANG": "fr_FR.UTF-8"}) == "en"
    assert choose_language([], {"LC_ALL": "C", **german}) == "en"
    assert choose_language([], {"LC_ALL": "", **german}) == "de"
    assert choose_language([], {"AZALAI_LANG": "en", **german}) == "en"
    assert choose_language(["games", "--lang", "en"], german) == "en"
    assert choose_language(["games", "--lang=de"], {"AZALAI_LANG": "en"}) == "de"


def test_numbers_are_written_as_the_language_writes_them():
    assert Texts("en").number(12345.67, 1) == "12,345.7"
    assert Texts("de").number(12345.67, 1) == "12.345,7"
