"""Errors that mean that the database cannot be used, and the log about them."""

from __future__ import annotations

import logging
import sqlite3
import time

from asyncpg import CannotConnectNowError, PostgresConnectionError
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError

from azalai.server import metrics

log = logging.getLogger("azalai.database")

OUTAGES = (
    OSError,
    InterfaceError,
    OperationalError,
    InternalError,
    PostgresConnectionError,
    CannotConnectNowError,
    sqlite3.OperationalError,
)  # it is unreachable, full or read-only
OUTAGE_INTERVAL = 60.0  # seconds between two lines of the log about an outage

_outages = {"logged": float("-inf"), "unsaid": 0.0}  # when an outage was last logged, and how many errors there were since


def is_outage(error: BaseException) -> bool:
    """Return whether an error means that the database cannot be used at the moment."""
    return isinstance(error, OUTAGES) or type(error) is DBAPIError  # the latter: what PostgreSQL says about a full disk


def report_outage(error: BaseException) -> None:
    """Count an error of the database, and log it unless that was done within the last minute."""
    metrics.DATABASE_FAILURES.inc()
    _outages["unsaid"] += 1
    if time.monotonic() - _outages["logged"] >= OUTAGE_INTERVAL:
        original = getattr(error, "orig", None) or error
        why = (str(original).splitlines() or [type(original).__name__])[0][:300]
        log.error("the database cannot be used", extra={"why": why, "errors": int(_outages["unsaid"])})
        _outages.update(logged=time.monotonic(), unsaid=0.0)


def log_failure(what: str, error: Exception) -> None:
    """Log an unexpected error; of an outage of the database only that it is one."""
    if is_outage(error):
        report_outage(error)
    else:
        metrics.ERRORS.inc()
        log.error(what, exc_info=error)
