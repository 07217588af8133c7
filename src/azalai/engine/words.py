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

from azalai.engine.moves import Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from azalai.engine.game import Game
    from azalai.engine.moves import Domain, Move
    from azalai.engine.position import Position

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
        self._moves: dict[int, str] = {}  # what the words file says of moves, by their ids

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

    def move(self, move: Move, position: Position | None = None) -> str:
        """Return what a move does, as a short phrase; in a position, with what only that tells."""
        tell = self.game.wording.move
        told = None if tell is None else tell(position, move, self)
        if told is None:
            told = self._moves.get(move.id)
        if told is None:
            told = self._moves[move.id] = self.plain(move)
        return told

    def event(self, event: Event) -> str:
        """Return what happened, as a sentence of the log. Empty where the words file leaves an event untold."""
        tell = self.game.wording.event
        return self.plain(event) if tell is None else tell(event, self)

    def plain(self, told: Move | Event, **values: object) -> str:
        """Return the sentence of the words file for a move or an event: its arguments by name, or as `values` say instead."""
        if isinstance(told, Event):
            key, kind = f"events.{told.kind}", self.game.events.kinds[told.kind]
        else:
            key, kind = f"moves.{told.name}", self.game.moves.kinds[told.name]
        domains = dict(kind.args)
        return self(key, **{name: self.name(domains[name], value) for name, value in told.args.items()} | values)

    def question(self, position: Position) -> str:
        """Return what the seat to decide is asked; empty when the game is over."""
        if position.over:
            return ""
        ask = self.game.wording.question
        return self.phase(position.phase) if ask is None else ask(position, self)

    def ending(self, position: Position) -> str:
        """Return how the game ended, and what decided between equals; empty while it runs."""
        if position.end is None:
            return ""
        tell = self.game.wording.ending
        return self.end(position.end) if tell is None else tell(position, self)

    def phase(self, phase: str) -> str:
        """Return what is asked in a phase, whatever the position."""
        return self(f"phases.{phase}")

    def end(self, end: str) -> str:
        """Return a way to end, whatever the position."""
        return self(f"ends.{end}")

    def tie_break(self, level: Sequence[int], points: int, worth: Sequence[int], share: str) -> str:
        """What decided among the seats in `level`, which have the same points: their worth, told by the sentence `share`."""
        order = sorted(level, key=lambda seat: -worth[seat])
        equal = self("asked.level", seats=self.listed([self.seat(seat) for seat in order]), n=points)
        if worth[order[0]] == worth[order[1]]:
            return f"{equal} {self('asked.shared')}"
        shares = self.listed([self(share, seat=self.seat(seat), n=worth[seat]) for seat in order])
        return f"{equal} {self('asked.decided', shares=shares)}"

    def listed(self, phrases: Sequence[str], joint: str = "and") -> str:
        """Return phrases in a row: "a, b and c", with the word that `[joints]` has for `joint`."""
        if len(phrases) < 2:
            return "".join(phrases)
        return f"{', '.join(phrases[:-1])} {self(f'joints.{joint}')} {phrases[-1]}"
