"""A game in a person's language: names, log lines, prompts, the rule help.

A words file has tables of names, one per domain (`[field]`, `[goods]`, …), and sentences for moves, events, phases and ends. A
sentence names its arguments in braces: `{seat} leads {camels} {camels|camel|camels} to {field}`. `{n|one|many}` picks a word by
number.
"""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from azalai.engine.errors import BadOption

if TYPE_CHECKING:
    from azalai.engine.game import Game
    from azalai.engine.moves import Domain, Event, Move

LANGUAGES = ("en", "de")
_BRACE = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")


@functools.cache
def load_words(folder: Path, language: str) -> dict[str, Any]:
    """The words file of a game's folder."""
    if language not in LANGUAGES:
        raise BadOption(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    return tomllib.loads((folder / "words" / f"{language}.toml").read_text(encoding="utf-8"))


def load_help(folder: Path, language: str) -> str:
    """The rule help of a game's folder, in Markdown."""
    load_words(folder, language)  # for the error
    return (folder / "help" / f"{language}.md").read_text(encoding="utf-8")


class Words:
    """Speaks of one game, with so many seats, in one language."""

    def __init__(self, game: Game, seats: int, language: str = "en") -> None:
        self.game = game
        self.table = load_words(game.extras, language)
        self.seat_labels = game.seat_labels(seats)

    @property
    def title(self) -> str:
        """The game's name."""
        return str(self.table["title"])

    def seat(self, seat: int) -> str:
        """What a seat is called."""
        return str(self.table["seat"].get(self.seat_labels[seat], self.seat_labels[seat]))

    def name(self, domain: Domain, value: int) -> str:
        """The name of a value; domains of plain numbers and labels have none but their label."""
        if domain.name == "seat":
            return self.seat(value)
        label = domain.label(value)
        return str(self.table.get(domain.name, {}).get(label, label))

    def move(self, move: Move) -> str:
        """What a move does, as a short phrase."""
        kind = self.game.moves.kinds[move.name]
        return self._fill(self.table["moves"][move.name], dict(kind.args), move.args)

    def event(self, event: Event) -> str:
        """What happened, as a sentence of the log. Empty where the words file leaves an event untold."""
        kind = self.game.events.kinds[event.kind]
        return self._fill(self.table["events"][event.kind], dict(kind.args), event.args)

    def phase(self, phase: str) -> str:
        """What the deciding player is asked."""
        return str(self.table["phases"][phase])

    def end(self, end: str) -> str:
        """How the game ended."""
        return str(self.table["ends"][end])

    def _fill(self, sentence: str, domains: dict[str, Domain], args: dict[str, int]) -> str:
        def one(match: re.Match[str]) -> str:
            name, single, several = match.groups()
            if single is not None:
                return single if args.get(name) == 1 else several
            return self.name(domains[name], args[name]) if name in args else "?"

        return _BRACE.sub(one, sentence)
