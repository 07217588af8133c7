"""Catalogs of sentences: the cases that the page's catalogs must pass, too, and what a language lacks."""

import json
from pathlib import Path

import pytest

from azalai.engine.words import MessageCatalog, languages, load_help

SHARED = json.loads((Path(__file__).parent / "catalog.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the shared catalogs, the other one called `xx`."""
    (tmp_path / "words").mkdir()
    for language, tables in (("en", SHARED["english"]), ("xx", SHARED["other"])):
        lines = [f"{name} = {json.dumps(text)}" for name, text in tables.items() if isinstance(text, str)]
        for section, sentences in tables.items():
            if isinstance(sentences, dict):
                lines += [f"[{section}]", *(f"{json.dumps(name)} = {json.dumps(text)}" for name, text in sentences.items())]
        (tmp_path / "words" / f"{language}.toml").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("case", SHARED["cases"], ids=json.dumps)
def test_a_catalog_says_what_the_page_says(folder, case):
    assert MessageCatalog(folder, "xx")(case["key"], **case.get("values", {})) == case["text"]


def test_a_language_without_a_file_is_english(folder):
    assert languages(folder) == ("en", "xx")
    assert MessageCatalog(folder, "yy")("title") == "Oasis"


def test_a_rule_help_that_is_not_translated_is_english(folder):
    (folder / "help").mkdir()
    (folder / "help" / "en.md").write_text("# Oasis", encoding="utf-8")
    assert load_help(folder, "xx") == "# Oasis"
