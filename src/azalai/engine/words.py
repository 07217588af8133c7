"""Catalogs of sentences, one file `words/<language>.toml` for each language, and a game in a person's language.

A key is `section.name`: a sentence called `name` in the table `[section]`. In a sentence, `{camels}` is a value and
`{camels|camel|camels}` a word chosen by that number. What a language lacks comes from English. The page reads its catalogs by the
same rules (`web/src/lib/i18n/catalog.ts`).

A game's catalog has tables of names, one for each domain (`[field]`, `[goods]`, …), and sentences for moves, events, phases and
ends, whose values are the arguments: `{seat} leads {camels} {camels|camel|camels} to {field}`.
"""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from azalai.engine.game import Game
    from azalai.engine.moves import Domain, Event, Move

ENGLISH = "en"
_BRACE = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")


@functools.cache
def languages(folder: Path) -> tuple[str, ...]:
    """Return the languages of the catalogs in `folder`, English first."""
    return tuple(sorted((path.stem for path in (folder / "words").glob("*.toml")), key=lambda name: (name != ENGLISH, name)))


def spoken(folder: Path, language: str) -> str:
    """Return `language` if `folder` has a catalog of it, else English."""
    return language if language in languages(folder) else ENGLISH


def load_words(folder: Path, language: str) -> dict[str, Any]:
    """Return the tables of a catalog, completed by English."""
    return _load(folder, spoken(folder, language))


@functools.cache
def _load(folder: Path, language: str) -> dict[str, Any]:
    table = tomllib.loads((folder / "words" / f"{language}.toml").read_text(encoding="utf-8"))
    if language == ENGLISH:
        return table
    complete = dict(_load(folder, ENGLISH))
    for name, entry in table.items():
        complete[name] = {**complete.get(name, {}), **entry} if isinstance(entry, dict) else entry
    return complete


def load_help(folder: Path, language: str) -> str:
    """Return the rule help of a game's folder, in Markdown; in English where it is not translated."""
    path = folder / "help" / f"{language}.md"
    return (path if path.exists() else folder / "help" / f"{ENGLISH}.md").read_text(encoding="utf-8")


def fill(sentence: str, values: Mapping[str, object]) -> str:
    """Put values into the braces of a sentence; a value that is not there is a question mark."""

    def one(match: re.Match[str]) -> str:
        name, single, several = match.groups()
        shown = str(values.get(name, "?"))
        return shown if single is None else single if shown == "1" else several

    return _BRACE.sub(one, sentence)


class MessageCatalog:
    """The sentences of one folder in one language: `catalog("play.saved", file=path)`."""

    def __init__(self, folder: Path, language: str = ENGLISH) -> None:
        self.language = language
        self.table = load_words(folder, language)

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a sentence with its values; a key that no catalog has is returned itself."""
        return fill(self.find(key, key), values)

    def find(self, key: str, otherwise: str = "") -> str:
        """Return the sentence of a key as it is written, or `otherwise` where there is none."""
        section, dot, name = key.partition(".")
        found = self.table.get(section, {})
        if dot:
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, str) else otherwise


class Words(MessageCatalog):
    """What is said of one game, with so many seats, in one language."""

    def __init__(self, game: Game, seats: int, language: str = ENGLISH) -> None:
        super().__init__(game.extras, language)
        self.game = game
        self.seat_labels = game.seat_labels(seats)

    @property
    def title(self) -> str:
        """The game's name."""
        return self("title")

    def seat(self, seat: int) -> str:
        """Return what a seat is called."""
        return self.find(f"seat.{self.seat_labels[seat]}", self.seat_labels[seat])

    def name(self, domain: Domain, value: int) -> str:
        """Return the name of a value; domains of plain numbers and labels have none but their label."""
        if domain.name == "seat":
            return self.seat(value)
        label = domain.label(value)
        return self.find(f"{domain.name}.{label}", label)

    def move(self, move: Move) -> str:
        """Return what a move does, as a short phrase."""
        return self._told(f"moves.{move.name}", dict(self.game.moves.kinds[move.name].args), move.args)

    def event(self, event: Event) -> str:
        """Return what happened, as a sentence of the log. Empty where the words file leaves an event untold."""
        return self._told(f"events.{event.kind}", dict(self.game.events.kinds[event.kind].args), event.args)

    def phase(self, phase: str) -> str:
        """Return what the deciding player is asked."""
        return self(f"phases.{phase}")

    def end(self, end: str) -> str:
        """Return how the game ended."""
        return self(f"ends.{end}")

    def _told(self, key: str, domains: Mapping[str, Domain], args: Mapping[str, int]) -> str:
        return self(key, **{name: self.name(domains[name], value) for name, value in args.items()})
