"""Whole games of a series on a GPU: the same games, with the same results, that a CPU plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.gpu.array import DeviceArray
from azalai.engine.gpu.compile import ENTRY, kernel_text
from azalai.engine.gpu.driver import Launch, device_called
from azalai.engine.gpu.signatures import KERNELS
from azalai.engine.playing import ROW
from azalai.engine.rule import records


class RandomSeries:
    """Games between random players on a GPU."""

    def __init__(self, game: Game, seats: int, seed: int, device: str, options: Mapping[str, Any]) -> None:
        self._device = device_called(device)
        self._function = self._device.function(self._device.load(kernel_text(game, game.schema.dtype, "simulate")), ENTRY)
        blank = records(1, game.schema.without_events)
        game.header(blank[0], seats, options)
        words = np.asarray(blank).view(np.int64)
        self._blank = DeviceArray(self._device, words.shape, np.int64)
        self._blank.assign(words)
        self._seed = seed

    def play(self, first: int, count: int) -> np.ndarray[Any, Any]:
        """Play the games `first` to `first + count - 1`; return a row per game, see `engine.playing`."""
        results = DeviceArray(self._device, (count, ROW), np.int32)
        arguments = {"blank": self._blank, "results": results, "first": first, "seed": self._seed}
        Launch(self._device, self._function, count, [arguments[name] for name in KERNELS["simulate"]])()
        return results.numpy()
