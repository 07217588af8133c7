"""The figures as tables, on the screen and in the documentation."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

END = "<!-- end of figures -->"

Rows = list[list[str]]


def show(found: dict[str, Any]) -> None:
    """Print all tables."""
    console = Console(width=max(100, Console().width))
    for title, head, rows in tables(found):
        shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for number, column in enumerate(head):
            shown.add_column(column, justify="left" if number == 0 else "right")
        for row in rows:
            shown.add_row(*row)
        console.print(title, style="bold")
        console.print(shown, "")
    for line in notes(found):
        console.print(line, style="dim", highlight=False)


def begin(chosen: Sequence[str]) -> str:
    """Return the mark before the figures of those tasks and games that a command has chosen: of all, if that is nothing."""
    return f"<!-- figures: written by `{shlex.join(['python', '-m', 'benchmarks', *chosen, '--write'])}` -->"


def write(found: dict[str, Any], path: Path, chosen: Sequence[str]) -> None:
    """Put all tables into a Markdown file, between its marks for what was chosen."""
    text, mark_before = path.read_text(encoding="utf-8"), begin(chosen)
    before, _, rest = text.partition(mark_before)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"{path} has no lines {mark_before!r} and {END!r}")
    host = found["machine"]
    lines = ["", f"Measured on {host['processor']}, {host['cores']} cores, {host['system']}, Python {host['python']}.", ""]
    for title, head, rows in tables(found):
        lines += [f"**{title}**", "", f"| {' | '.join(head)} |", f"|{'---|' + '---:|' * (len(head) - 1)}"]
        lines += [f"| {' | '.join(row)} |" for row in rows] + [""]
    lines += [f"- {line}" for line in notes(found)] + [""]
    path.write_text(before + mark_before + "\n" + "\n".join(lines) + END + after, encoding="utf-8")


def tables(found: dict[str, Any]) -> list[tuple[str, list[str], Rows]]:
    """Title, columns and rows of every table."""
    by_task: dict[str, list[dict[str, Any]]] = {}
    for figure in found["figures"]:
        by_task.setdefault(figure["task"], []).append(figure)
    made = [_ratios(task, figures) for task, figures in by_task.items()]
    if "threads" in found:
        made.append(_threads(found["threads"]))
    if "growth" in found:
        made.append(_growth(found["growth"]))
    return made


def _ratios(task: str, figures: list[dict[str, Any]]) -> tuple[str, list[str], Rows]:
    """A line each; where it is a peer's, how many times as fast each game of ours is."""
    own = [figure for figure in figures if figure["ours"]]
    rivals = own if len(own) < len(figures) else []
    head = ["one core", "a second", *(f"{figure['game']} ÷" for figure in rivals)]
    rows = []
    for figure in figures:
        ratios = [
            "" if figure["ours"] else _short(one["per_second"] / figure["per_second"]) for one in own if len(own) < len(figures)
        ]
        rows.append([f"{figure['name']} {figure['game']}", _count(figure["per_second"]), *ratios])
    units = {
        "search": "simulations", "search at level 5": "iterations", "network": "evaluations",
        "copies": "copies", "copies from Python": "copies", "move lists from Python": "lists",
    }  # fmt: skip
    return f"{task[0].upper()}{task[1:]}: {units.get(task, 'decisions')} a second", head, rows


def _threads(found: list[dict[str, Any]]) -> tuple[str, list[str], Rows]:
    counts = list(found[0]["per_second"])
    head = [
        "batch of 4096",
        *(f"{count} thread{'s' if count > 1 else ''}" for count in counts),
        *(f"× with {n}" for n in counts[1:]),
    ]
    rows = []
    for one in found:
        speeds = [one["per_second"][count] for count in counts]
        extra = ", observations" if "observations" in one["task"] else ""
        rows.append([f"{one['game']}{extra}", *map(_count, speeds), *(f"{speed / speeds[0]:.2f}" for speed in speeds[1:])])
    return "Threads: decisions a second by the clock on the wall", head, rows


def _growth(found: list[dict[str, Any]]) -> tuple[str, list[str], Rows]:
    head = ["nanoseconds a decision", "mean length", "first quarter", "second", "third", "last"]
    rows = [[one["game"], str(one["length"]), *(f"{value:.0f}" for value in one["nanoseconds"])] for one in found]
    return "Cost of a decision as a random game grows longer", head, rows


def notes(found: dict[str, Any]) -> list[str]:
    """Who was measured, and how."""
    ours = {figure["task"]: figure["note"] for figure in found["figures"] if figure["ours"]}
    theirs = [figure for figure in found["figures"] if not figure["ours"]]
    return [
        *(f"azalai, {task}: {note}" for task, note in ours.items()),
        *(f"{one['name']} {one['version']}, {one['game']}, {one['task']}: {one['note']}" for one in theirs),
    ]


def _count(value: float) -> str:
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit:
            return f"{value / unit:.3g}{name}"
    return f"{value:.3g}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
