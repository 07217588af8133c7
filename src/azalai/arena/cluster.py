"""A series on a Ray cluster: the same games, played wherever there is a free core."""

from __future__ import annotations

import functools
import json
import platform
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from azalai.arena.series import Part, Series
from azalai.engine.errors import AzalaiError, BadOption

RETRIES = 20  # of a part whose worker has died
AHEAD = 2  # parts per worker that are asked for in advance


def play_on_ray(series: Series, parts: Iterable[tuple[int, int]], gpus: float = 0) -> Iterator[Part]:
    """Play parts on the cluster that RAY_ADDRESS names, or that runs here; otherwise start one on this machine.

    A worker that dies is replaced and its part is played again. Every game follows from its number, so the results are the same.
    With `gpus` each part is played on a GPU, of which a worker is given so much: by 0.5 two workers share one.
    """
    try:
        import ray
    except ModuleNotFoundError as error:
        raise BadOption("a cluster needs one more package: pip install 'azalai[ray]'") from error
    began = not ray.is_initialized()
    if began:
        ray.init(log_to_driver=False, logging_level="warning", include_dashboard=False)
    try:
        if gpus and not ray.cluster_resources().get("GPU"):
            raise BadOption("no node of the Ray cluster has a GPU: leave out the device, or ray start --num-gpus=1")
        needs = {"num_cpus": 1, "num_gpus": gpus, "max_calls": 0}  # a worker is kept for many parts, on a GPU, too
        play = ray.remote(**needs, max_retries=RETRIES, retry_exceptions=False)(play_part_on_gpu if gpus else play_part)
        data = ray.put(series.as_dict())
        todo, waiting = iter(parts), deque[Any]()
        while True:
            found = ray.cluster_resources()
            room = AHEAD * max(1, int(found.get("GPU", 1) / gpus if gpus else found.get("CPU", 1)))
            while len(waiting) < room and (part := next(todo, None)) is not None:
                waiting.append(play.remote(data, *part))
            if not waiting:
                return
            yield Part(*ray.get(waiting.popleft()))
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, AzalaiError):  # which says what to do; Ray's own text is the worker's traceback
            raise error.cause from None
        raise
    finally:
        if began:
            ray.shutdown()


def play_part(data: Mapping[str, Any], first: int, count: int) -> tuple[Any, ...]:
    """Play one part of a series, in a worker of the cluster. The worker finds the game by its name."""
    return tuple(_series(json.dumps(data)).play(first, count))


def play_part_on_gpu(data: Mapping[str, Any], first: int, count: int) -> tuple[Any, ...]:
    """Play one part of a series on the GPU that Ray has given to this worker."""
    return first, _games_on_gpu(json.dumps(data)).play(first, count), None


@functools.cache
def _games_on_gpu(data: str) -> Any:
    from azalai.engine.gpu.driver import NoDevice
    from azalai.engine.gpu.series import RandomSeries

    series = _series(data)
    try:
        return RandomSeries(series.game, series.seats, series.seed, "cuda", series.options)
    except NoDevice as error:
        raise NoDevice(f"on {platform.node()}, which has a GPU as Ray was told, {error}") from error


@functools.cache
def _series(data: str) -> Series:
    return Series.from_dict(json.loads(data))
