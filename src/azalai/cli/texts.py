"""What the commands say, in the user's language."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from azalai.engine.words import LANGUAGES, load_words

HERE = Path(__file__).resolve().parent


def choose_language(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """The language asked for by `--lang`, else by AZALAI_LANG, else by the locale, else English."""
    for index, word in enumerate(arguments):
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
        if word == "--lang" and index + 1 < len(arguments):
            return arguments[index + 1]
    env = os.environ if environment is None else environment
    if env.get("AZALAI_LANG"):
        return env["AZALAI_LANG"]
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "de" if locale.lower().startswith("de") else "en"


class Texts:
    """The sentences of one language: `texts("play.saved", file=path)`."""

    def __init__(self, language: str) -> None:
        self._table = load_words(HERE, language)
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """The sentence called `section.name`, with its braces filled in."""
        section, _, name = key.partition(".")
        return str(self._table[section][name]).format(**values)

    def table(self, section: str) -> dict[str, str]:
        """All sentences of a section, as they are written."""
        return dict(self._table[section])

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this language writes it: 12,345.6 or 12.345,6."""
        text = f"{value:,.{digits}f}"
        return text.translate(str.maketrans(",.", ".,")) if self.language == "de" else text


__all__ = ["LANGUAGES", "Texts", "choose_language"]
