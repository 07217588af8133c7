"""A series on a Ray cluster: the same games, played wherever there is a free core."""

from __future__ import annotations

import functools
import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from azalai.arena.series import Part, Series
from azalai.engine.errors import BadOption

RETRIES = 20  # of a part whose worker has died
AHEAD = 2  # parts per core that are asked for in advance


def play_on_ray(series: Series, parts: Iterable[tuple[int, int]]) -> Iterator[Part]:
    """Play parts on the cluster that RAY_ADDRESS names, or that runs here; otherwise start one on this machine.

    A worker that dies is replaced and its part is played again. Every game follows from its number, so the results are the same.
    """
    try:
        import ray
    except ModuleNotFoundError as error:
        raise BadOption("a cluster needs one more package: pip install 'azalai[ray]'") from error
    began = not ray.is_initialized()
    if began:
        ray.init(log_to_driver=False, logging_level="warning", include_dashboard=False)
    try:
        play = ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)(play_part)
        data = ray.put(series.as_dict())
        todo, waiting = iter(parts), deque[Any]()
        while True:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(waiting) < room and (part := next(todo, None)) is not None:
                waiting.append(play.remote(data, *part))
            if not waiting:
                return
            yield Part(*ray.get(waiting.popleft()))
    finally:
        if began:
            ray.shutdown()


def play_part(data: Mapping[str, Any], first: int, count: int) -> tuple[Any, ...]:
    """Play one part of a series, in a worker of the cluster. The worker finds the game by its name."""
    return tuple(_series(json.dumps(data)).play(first, count))


@functools.cache
def _series(data: str) -> Series:
    return Series.from_dict(json.loads(data))
