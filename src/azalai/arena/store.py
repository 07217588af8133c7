"""A series on disk: a folder of Parquet files, a row a game, and a row a decision if asked for.

A folder holds `series.json`, which says what is played, and parts: `games-000000001000.parquet` has the games from 1000 on. A
part is written whole or not at all. An interrupted series goes on where it stopped. Folders of the same series, filled on
different machines with different games, can be merged. Any tool that reads Parquet reads all parts: `games-*.parquet`.
"""

from __future__ import annotations

import bisect
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from azalai.arena.series import Part, Series
from azalai.engine.errors import BadOption
from azalai.engine.playing import CHOICES, DECISIONS, END, GAME, MOVE, PHASE, PLACES, PLY, POINTS, ROW, SEAT
from azalai.engine.record import write_atomically

ABOUT = "series.json"
PARTS = 1000  # the number of files aimed at, as long as a file has
PART, SMALL_PART, LARGE_PART = 1_000, 10, 100_000  # so many games: at least (with compiled players, with others), at most


class SeriesStore:
    """A folder with the games of one series; `games` is about how many there will be."""

    def __init__(self, folder: str | os.PathLike[str], series: Series, games: int = 0) -> None:
        self.folder = Path(folder)
        self.series = series
        about = self.folder / ABOUT
        if about.exists():
            data = json.loads(about.read_text(encoding="utf-8"))
            self.part = int(data.pop("part"))
            if data != json.loads(json.dumps(series.as_dict())):
                raise BadOption(f"{self.folder} holds another series ({_summary(data)}); choose another folder")
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.part = min(LARGE_PART, max(PART if series.compiled else SMALL_PART, games // PARTS))
            write_atomically(about, json.dumps({**series.as_dict(), "part": self.part}, indent=1) + "\n")

    def parts(self) -> dict[int, int]:
        """Return the parts there are: the number of the first game, and how many games."""
        parquet = _library("pyarrow.parquet")
        found = {}
        for path in sorted(self.folder.glob("games-*.parquet")):
            first = int(path.stem.partition("-")[2])
            if not self.series.decisions or self._path("decisions", first).exists():
                found[first] = int(parquet.read_metadata(path).num_rows)
        return found

    def write(self, part: Part) -> None:
        """Write a part, or replace it."""
        if part.log is not None:
            self._write("decisions", part.first, _decision_columns(self.series, part.log))
        self._write("games", part.first, _game_columns(self.series, part))

    def read(self, first: int) -> Part:
        """Read a part, without its decisions."""
        table = _library("pyarrow.parquet").read_table(self._path("games", first))
        rows: Any = np.zeros((table.num_rows, ROW), np.int32)
        ends = {name: number for number, name in enumerate(self.series.game.ends, 1)}
        rows[:, END] = [ends[name] for name in table["end"].to_pylist()]
        rows[:, DECISIONS] = table["decisions"].to_numpy()
        for seat in range(self.series.seats):
            rows[:, POINTS + seat] = table[f"points_{seat}"].to_numpy()
            rows[:, PLACES + seat] = table[f"place_{seat}"].to_numpy()
        return Part(first, rows, None)

    def read_moves(self, first: int) -> tuple[Any, Any]:
        """Read the decisions of a part: the number of the game and the move of each, in order."""
        table = _library("pyarrow.parquet").read_table(self._path("decisions", first), columns=["game", "ply", "move"])
        table = table.sort_by([("game", "ascending"), ("ply", "ascending")])
        return table["game"].to_numpy(), table["move"].to_numpy()

    def _path(self, kind: str, first: int) -> Path:
        return self.folder / f"{kind}-{first:012d}.parquet"

    def _write(self, kind: str, first: int, columns: dict[str, Any]) -> None:
        arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
        path = self._path(kind, first)
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        parquet.write_table(arrow.table(columns), temporary, compression="zstd")
        temporary.replace(path)


def merge(folders: Iterable[str | os.PathLike[str]], target: str | os.PathLike[str]) -> int:
    """Copy the parts of several folders of one series to `target`; return how many games it then has."""
    sources = [Path(folder) for folder in folders]
    for source in sources:
        if not (source / ABOUT).exists():
            raise BadOption(f"{source} holds no series")
    series = Series.from_dict(json.loads((sources[0] / ABOUT).read_text(encoding="utf-8")))
    store = SeriesStore(target, series)
    for source in sources:
        other = SeriesStore(source, series)
        for first in other.parts():
            for kind in ("games", "decisions"):
                if other._path(kind, first).exists() and not store._path(kind, first).exists():
                    shutil.copyfile(other._path(kind, first), store._path(kind, first))
    _check_no_overlap(store)
    return sum(store.parts().values())


def _check_no_overlap(store: SeriesStore) -> None:
    end = 0
    for first, count in sorted(store.parts().items()):
        if first < end:
            raise BadOption(f"{store.folder} has game {first} twice: its parts do not fit together")
        end = first + count


def missing(parts: Mapping[int, int], first: int, games: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield what is still to be played of the games `first` …, in parts of a size: (number of the first game, how many)."""
    begins = sorted(parts)
    now, end = first, first + games
    while now < end:
        place = bisect.bisect_right(begins, now) - 1
        if place >= 0 and now < begins[place] + parts[begins[place]]:  # there already
            now = begins[place] + parts[begins[place]]
            continue
        stop = min(end, now - now % size + size, *begins[place + 1 : place + 2])
        yield now, stop - now
        now = stop


def _summary(data: dict[str, Any]) -> str:
    return f"{data['game']}, {', '.join(data['players'])}, seed {data['seed']}"


def _game_columns(series: Series, part: Part) -> dict[str, Any]:
    arrow = _library("pyarrow")
    rows, seats = part.rows, series.seats
    numbers = np.arange(part.first, part.first + len(rows), dtype=np.int64)
    columns: dict[str, Any] = {
        "game": numbers,
        "deal": numbers // seats,
        "end": _names(arrow, rows[:, END] - 1, series.game.ends),
        "decisions": rows[:, DECISIONS].astype(np.int32),
    }
    for seat in range(seats):
        columns[f"player_{seat}"] = _names(arrow, (seat - numbers) % seats, series.players)
        columns[f"points_{seat}"] = rows[:, POINTS + seat].astype(np.int32)
        columns[f"place_{seat}"] = rows[:, PLACES + seat].astype(np.int8)
    return columns


def _decision_columns(series: Series, log: Any) -> dict[str, Any]:
    arrow, game = _library("pyarrow"), series.game
    played, places = np.unique(log[:, MOVE], return_inverse=True)
    return {
        "game": log[:, GAME],
        "ply": log[:, PLY].astype(np.int32),
        "seat": log[:, SEAT].astype(np.int8),
        "phase": _names(arrow, log[:, PHASE], game.phases),
        "choices": log[:, CHOICES].astype(np.int32),
        "move": log[:, MOVE].astype(np.int32),
        "text": _names(arrow, places, [str(game.moves[int(move)]) for move in played]),
    }


def _names(arrow: Any, indices: Any, names: Iterable[str]) -> Any:
    return arrow.DictionaryArray.from_arrays(
        arrow.array(np.asarray(indices).astype(np.int32)), arrow.array(list(names), arrow.string())
    )


def _library(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadOption("Parquet files need one more package: pip install 'azalai[parquet]'") from error
