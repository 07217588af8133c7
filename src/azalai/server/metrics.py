"""Prometheus metrics."""

from __future__ import annotations

import functools

from prometheus_client import Counter, Gauge, Histogram

FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

REQUESTS = Counter("azalai_requests_total", "HTTP requests answered", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("azalai_request_seconds", "Time to answer an HTTP request", buckets=FAST)
ENTRIES = Counter("azalai_entries_total", "Entries added to journals", ["kind"])
entries_of = functools.cache(ENTRIES.labels)  # cached: the lookup costs more than counting
COMMIT_SECONDS = Histogram("azalai_commit_seconds", "Time of one commit", buckets=FAST)
COMMIT_SIZE = Histogram("azalai_commit_changes", "Changes committed together", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500))
CONFLICTS = Counter("azalai_conflicts_total", "Entries that another process wrote first")
SOCKETS = Gauge("azalai_sockets", "Open WebSockets")
TABLES = Gauge("azalai_tables_in_memory", "Tables in memory")
UNREADABLE = Gauge("azalai_tables_set_aside", "Tables that this process could not replay")
THINKING = Gauge("azalai_bots_thinking", "Computer players at work or waiting for a thread")
THINK_SECONDS = Histogram("azalai_think_seconds", "Time a computer player took for a decision", buckets=(*FAST, 10, 30, 60))
TABLES_CREATED = Counter("azalai_tables_created_total", "Tables created", ["game"])
CALLS = Counter("azalai_calls_total", "Messages to people who are away, by what became of them", ["kind", "result"])
ERRORS = Counter("azalai_errors_total", "Errors nobody expected")
DATABASE_FAILURES = Counter("azalai_database_failures_total", "Times the database could not be reached, read or written")
