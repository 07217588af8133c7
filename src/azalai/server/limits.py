"""Rate limits: a token bucket for each kind of request and each guest or network address."""

from __future__ import annotations

import time

from azalai.server.errors import TooManyRequests
from azalai.server.settings import Limits, Rate


class TokenBucket:
    """A token bucket for each key."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """Take one token; return 0, or the seconds to wait for the next one."""
        time_now = time.monotonic()
        left, at = self._left.get(key, (float(self.rate.burst), time_now))
        left = min(self.rate.burst, left + (time_now - at) * self.rate.each)
        if left < 1:
            self._left[key] = left, time_now
            return (1 - left) / self.rate.each
        self._left[key] = left - 1, time_now
        return 0.0

    def prune(self) -> None:
        """Drop keys whose bucket is full again."""
        time_now = time.monotonic()
        full = self.rate.burst / self.rate.each
        self._left = {key: (left, at) for key, (left, at) in self._left.items() if time_now - at < full}


class RateLimiter:
    """The rate limits of one process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.requests = TokenBucket(limits.requests)
        self.address = TokenBucket(limits.address)
        self.arrivals = TokenBucket(limits.arrivals)
        self.creations = TokenBucket(limits.creations)
        self.chat = TokenBucket(limits.chat)
        self.jobs = TokenBucket(limits.jobs)
        self.creations_of_address = TokenBucket(limits.creations_of_address)
        self.variants = TokenBucket(limits.variants)
        self.renames = TokenBucket(limits.renames)
        self.contacts = TokenBucket(limits.contacts)
        self.mails = TokenBucket(limits.mails)
        self.renames_of_address = TokenBucket(limits.renames_of_address)
        self.sign_ins = TokenBucket(limits.sign_ins)
        self.puzzles = TokenBucket(limits.puzzles)
        self.puzzles_of_address = TokenBucket(limits.puzzles_of_address)
        self.downloads = TokenBucket(limits.downloads)

    def check(self, bucket: TokenBucket, key: str, what: str) -> None:
        """Take a token of `key` from a bucket; raise TooManyRequests if there is none."""
        wait = bucket.take(key)
        if wait:
            raise TooManyRequests(what, wait)

    def check_creation(self, guest: str, address: str, what: str) -> None:
        """Take a token for something that a guest creates, theirs and their network address's."""
        self.check(self.creations, guest, what)
        self.check(self.creations_of_address, address, f"{what} from this address")

    def prune(self) -> None:
        """Drop buckets that are full again."""
        for bucket in vars(self).values():
            if isinstance(bucket, TokenBucket):
                bucket.prune()
