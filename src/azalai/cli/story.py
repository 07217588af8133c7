"""What happened in a game, told in words, for each pair of eyes that follow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words

Viewer = int | None  # a seat, or a spectator
Told = tuple[int, str]  # a line with the number of its decision; the deal is number 0


class Story:
    """The log of a game, decision by decision, as each of some viewers may know it."""

    def __init__(self, words: Words, viewers: Sequence[Viewer], whole: bool = False) -> None:
        self.words = words
        self.whole = whole  # everything is told, secrets too
        self.chapters: dict[Viewer, list[list[str]]] = {viewer: [] for viewer in viewers}

    def add(self, position: Position, note: str = "") -> None:
        """Tell what the last decision of `position` did, or the deal; before that a `note` to whoever decided."""
        decider = position.last[0] if position.last else None
        for viewer, chapters in self.chapters.items():
            seen = position if self.whole else position.seen_by(viewer)
            told = [self.words.event(event) for event in seen.events]
            chapters.append([line for line in (note if viewer == decider else "", *told) if line])

    def take_back(self) -> None:
        """Forget the last decision."""
        for chapters in self.chapters.values():
            chapters.pop()

    def since(self, viewer: Viewer, chapter: int) -> list[Told]:
        """The lines a viewer was told from decision `chapter` on."""
        return [(number, line) for number, lines in enumerate(self.chapters[viewer]) if number >= chapter for line in lines]


def retell(position: Position, words: Words, viewers: Sequence[Viewer], whole: bool = False) -> Story:
    """The story of a game so far."""
    story = Story(words, viewers, whole)
    for moment in moments(position):
        story.add(moment)
    return story


def moments(position: Position) -> Iterator[Position]:
    """A game from the deal up to `position`: one board, which goes on with every step."""
    moment = position.game.new(position.seats, position.seed, **position.options)
    yield moment
    for seat, move in position.history:
        moment.play(move, seat)
        yield moment
