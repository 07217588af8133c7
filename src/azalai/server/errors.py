"""Errors that clients see: an HTTP status, a code for programs and a sentence for people."""

from __future__ import annotations


class ApiError(Exception):
    """An error shown to the client."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class TooManyRequests(ApiError):
    """A rate limit was exceeded; `wait` is the number of seconds until a retry can succeed."""

    def __init__(self, what: str, wait: float) -> None:
        super().__init__(429, "too_much", f"too many {what}; try again in {int(wait) + 1} s")
        self.wait = int(wait) + 1
