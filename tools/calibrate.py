"""Calibrates the chances of reviews: `python -m tools.calibrate` plays games and finds each game's sharpness.

Among moments judged 70 % about 70 % should be won. The bare policy (where a game has no network, the greedy player) plays
against itself; at moments of these games the quick judgement is compared with who won. The power to which judgements are raised,
the sharpness, is the one under which the results were most likely. It goes to the game's `extras/review.toml`, the curve to
`docs/strength.md`.
"""

from __future__ import annotations

import argparse
import re
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import azalai
from azalai.engine.errors import BadOption
from azalai.reviews.scout import Scout, share_win, sharpness

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "strength.md"
PICTURE = ROOT / "docs" / "calibration.svg"
COLOURS = ("#263B73", "#B9733E", "#5E7F4E", "#8C3B2E", "#6A5D50")  # one game each
BEGIN, END = "<!-- calibration -->", "<!-- /calibration -->"
EVERY = 9  # plies between two moments that are judged
POWERS = np.arange(0.5, 2.51, 0.02)
BINS = 10

Moments = list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]  # what was judged, and each seat's share of the win


def play(name: str, seed: int) -> Moments:
    """Play one game and judge some of its moments with sharpness 1."""
    game = azalai.game(name)
    try:
        player = azalai.bot("policy", game, seed=seed)
    except BadOption:
        player = azalai.bot("greedy", game, seed=seed)
    counts = list(game.seats)
    position, scout = game.new(seats=counts[seed % len(counts)], seed=seed), Scout(game)
    judged = []
    while not position.over:
        if position.ply % EVERY == seed % EVERY:
            judged.append(scout.chances(position, seed) ** (1 / sharpness(game)))
        position.play(player.choose(position.seen_by(position.seat)))
    won = share_win(position.ranking)
    return [(one / one.sum(), won) for one in judged]


def fit(moments: Moments) -> float:
    """Return the power under which the results are most likely."""
    losses = []
    for power in POWERS:
        chances = [np.maximum(judged, 1e-6) ** power for judged, _ in moments]
        losses.append(-sum(float(won @ np.log(one / one.sum())) for one, (_, won) in zip(chances, moments, strict=True)))
    return round(float(POWERS[int(np.argmin(losses))]), 2)


def curve(moments: Moments, power: float) -> list[tuple[float, float, int]]:
    """Return, by tenths of the chance, its mean, the share that was won, and how many there were."""
    chances, won = [], []
    for judged, result in moments:
        one = np.maximum(judged, 1e-6) ** power
        chances.extend((one / one.sum()).tolist())
        won.extend(result.tolist())
    judged_all, won_all = np.array(chances), np.array(won)
    tenth = np.minimum(BINS - 1, (judged_all * BINS).astype(int))
    rows = []
    for number in range(BINS):
        inside = tenth == number
        if inside.any():
            rows.append((float(judged_all[inside].mean()), float(won_all[inside].mean()), int(inside.sum())))
    return rows


def main() -> None:
    """Calibrate the games asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(azalai.games()))
    parser.add_argument("--count", type=int, default=2000, help="games played of each")
    parser.add_argument("--processes", type=int, default=2, help="games played at a time")
    args = parser.parse_args()
    tables: dict[str, tuple[float, list[tuple[float, float, int]]]] = {}
    for name in args.games:
        game = azalai.game(name)
        Scout(game).wait()
        with ProcessPoolExecutor(args.processes, get_context("spawn")) as pool:
            found = list(pool.map(partial(play, name), range(args.count), chunksize=8))
        half = len(found) // 2
        power = fit([one for part in found[:half] for one in part])  # one half finds it, the other half shows it
        rows = curve([one for part in found[half:] for one in part], power)
        head = f"# The power that calibrates chances to win: python -m tools.calibrate {name} --count {args.count}"
        (game.extras / "review.toml").write_text(f"{head}\nsharpness = {power}\n", encoding="utf-8")
        tables[name] = (power, rows)
        print(name, power, rows)
    write_page(tables, args.count)


def write_page(tables: dict[str, tuple[float, list[tuple[float, float, int]]]], count: int) -> None:
    """Put the curves into the page between its marks."""
    lines = [f"| judged | {' | '.join(f'{name}: won (of)' for name in tables)} |", f"|---|{'---|' * len(tables)}"]
    for number in range(BINS):
        cells = []
        for _, rows in tables.values():
            row = next((one for one in rows if int(min(one[0] * BINS, BINS - 1)) == number), None)
            cells.append("–" if row is None else f"{row[1]:.0%} ({row[2]})")
        lines.append(f"| {10 * number}–{10 * number + 10} % | {' | '.join(cells)} |")
    powers = ", ".join(f"{name} {power}" for name, (power, _) in tables.items())
    said = f"{count} games each; sharpness: {powers}."
    page = PAGE.read_text(encoding="utf-8")
    image = f"![What was judged, and what was won]({PICTURE.name})"
    block = f"{BEGIN}\n{said}\n\n{image}\n\n" + "\n".join(lines) + f"\n{END}"
    PAGE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: block, page, flags=re.DOTALL), encoding="utf-8")
    PICTURE.write_text(picture({name: rows for name, (_, rows) in tables.items()}), encoding="utf-8")


def picture(curves: dict[str, list[tuple[float, float, int]]]) -> str:
    """Draw the share won over the chance judged, as SVG. On the diagonal both are equal."""
    side, left, top = 400, 60, 20

    def at(judged: float, won: float) -> str:
        return f"{left + side * judged:.1f},{top + side * (1 - won):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 {side + 80}" font-family="sans-serif" font-size="14">',
        f'<rect width="620" height="{side + 80}" fill="#FBF4E6"/>',
        f'<polyline points="{at(0, 0)} {at(1, 1)}" stroke="#6A5D50" stroke-dasharray="4 6"/>',
        f'<text x="{left + side / 2}" y="{top + side + 50}" text-anchor="middle" fill="#2B2622">judged</text>',
        f'<text x="{left + side + 20}" y="{top + 12}" fill="#2B2622">won</text>',
    ]
    for tick in range(0, 101, 20):
        x, y = left + side * tick / 100, top + side * (1 - tick / 100)
        parts.append(f'<path d="M{x} {top}v{side}M{left} {y}h{side}" stroke="#E9D2A8" fill="none"/>')
        parts.append(f'<text x="{x}" y="{top + side + 22}" text-anchor="middle" fill="#6A5D50">{tick} %</text>')
        parts.append(f'<text x="{left - 8}" y="{y + 5}" text-anchor="end" fill="#6A5D50">{tick} %</text>')
    for number, (name, rows) in enumerate(curves.items()):
        colour, y = COLOURS[number % len(COLOURS)], top + 60 + 28 * number
        points = " ".join(at(judged, won) for judged, won, _ in rows)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(f'<path d="M{left + side + 20} {y}h28" stroke="{colour}" stroke-width="4"/>')
        parts.append(f'<text x="{left + side + 58}" y="{y + 5}" fill="#2B2622">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
