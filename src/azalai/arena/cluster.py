"""A series on a Ray cluster: the same games, played wherever there is a free core."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from azalai.arena.series import Part, Series
from azalai.engine.errors import BadOption

RETRIES = 20  # of a part whose worker has died
AHEAD = 2  # parts per core that are asked for in advance


def play_on_ray(series: Series, parts: Iterable[tuple[int, int]]) -> Iterator[Part]:
    """Play parts on the cluster that RAY_ADDRESS names, or that runs here; where none does, one is begun on this machine.

    A worker that dies is replaced and its part played again: every game follows from its number, so nothing changes.
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
        told = ray.put(series.as_dict())
        todo, waiting = iter(parts), deque[Any]()
        while True:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(waiting) < room and (part := next(todo, None)) is not None:
                waiting.append(play.remote(told, *part))
            if not waiting:
                return
            yield Part(*ray.get(waiting.popleft()))
    finally:
        if began:
            ray.shutdown()


def play_part(told: Mapping[str, Any], first: int, count: int) -> tuple[Any, ...]:
    """One part, in a worker of the cluster."""
    return tuple(_series(repr(sorted(told.items())), told).play(first, count))


_series_of: dict[str, Series] = {}


def _series(key: str, told: Mapping[str, Any]) -> Series:
    if key not in _series_of:
        _series_of[key] = Series.from_dict(told)
    return _series_of[key]
