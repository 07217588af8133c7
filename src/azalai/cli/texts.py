"""What the commands say, in the user's language."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from azalai.engine.errors import BadOption
from azalai.engine.words import ENGLISH, MessageCatalog, languages, spoken

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
    return spoken(HERE, re.split(r"\W|_", locale.lower())[0])


class Texts(MessageCatalog):
    """The sentences of the commands in one language: `texts("play.saved", file=path)`."""

    def __init__(self, language: str = ENGLISH) -> None:
        if language not in languages(HERE):
            raise BadOption(f"there is no language {language!r}; there are {', '.join(languages(HERE))}")
        super().__init__(HERE, language)

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this language writes it: 12,345.6 or 12.345,6."""
        signs = {ord(","): self("format.thousands"), ord("."): self("format.decimal")}
        return f"{value:,.{digits}f}".translate(signs)
