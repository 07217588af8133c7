"""What a network looks like, as a game's data file `extras/network.toml` says.

A *dense* network sees the observation as one row of numbers. A network of *fields* is for games on a board of rows and columns:
it sees the features that have a number for each field as planes, and looks at each field together with its neighbours.

Where luck decides much, a game may ask for a *critic*: a second network, which judges decisions while the first learns. It sees
the record with other numbers in some fields, so that less is hidden from it, and then what these fields really hold.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.observe import ONE_OF

DENSE, FIELDS = "dense", "fields"
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Form:
    """The size of a network; `rows` to `blocks` are those of a network of fields."""

    kind: str = DENSE
    width: int = 256  # of the hidden layers
    rows: int = 0
    columns: int = 0
    channels: int = 0
    blocks: int = 0
    critic: dict[str, int] = field(default_factory=dict)  # fields of the record, as the critic sees them; empty: no critic

    @classmethod
    def of(cls, game: Game) -> Form:
        """The form a game's data file asks for."""
        path = game.extras / "network.toml"
        return cls.read(tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {})

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Form:
        """A form from a table of its numbers."""
        form = cls(**table)
        if form.kind not in (DENSE, FIELDS):
            raise ValueError(f"a network is {DENSE} or of {FIELDS}, not {form.kind!r}")
        return form

    def as_dict(self) -> dict[str, Any]:
        """For files."""
        return asdict(self)


@dataclass(frozen=True)
class Sight:
    """Where the parts of an observation lie that a network of fields looks at."""

    planes: Array  # [plane, field]: a number of the observation
    pointers: Array  # the planes that point to one field
    rest: Array  # the numbers that belong to no field
    field_kinds: Array  # the first moves of the kinds of moves that name a field
    other_moves: Array  # all moves of other kinds


def sight_of(game: Game, form: Form) -> Sight:
    """Divide a game's observation and its moves into what is about fields and what is not."""
    layout, fields = game.observation.with_conclusions, form.rows * form.columns
    planes: list[Array] = []
    pointers: list[int] = []
    rest: list[Array] = []
    for feature in layout.features:
        part, shape = layout.slices[feature.name], layout.shapes[feature.name]
        cells = np.arange(part.start, part.stop).reshape(shape)
        if fields not in shape:
            rest.append(cells.ravel())
            continue
        if shape == (fields,) and feature.encoding == ONE_OF:
            pointers.append(sum(len(rows) for rows in planes))
        planes.append(np.moveaxis(cells, shape.index(fields), -1).reshape(-1, fields))
    about = [kind for kind in game.moves.kinds.values() if len(kind.args) == 1 and kind.count == fields]
    named = {move for kind in about for move in range(kind.base, kind.base + kind.count)}
    return Sight(
        np.concatenate(planes),
        np.array(pointers, np.int64),
        np.concatenate(rest),
        np.array([kind.base for kind in about], np.int64),
        np.array([move for move in range(game.moves.count) if move not in named], np.int64),
    )
