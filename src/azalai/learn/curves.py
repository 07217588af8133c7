"""Draws how trainings went: `python -m azalai.learn curves FILE … PICTURE`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

COLOURS = ("#263B73", "#B9733E", "#5E7F4E", "#8C3B2E", "#6A5D50")  # one training each
FACTS = {"entropy": "how undecided the policy is (entropy)", "error": "how wrong the chances are (cross-entropy)"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 360, 220, 50, 50, 80

Curves = Mapping[str, Sequence[Mapping[str, Any]]]  # a training's name and its lines of figures


def main(arguments: Sequence[str]) -> None:
    """Draw the figures of trainings' files."""
    parser = argparse.ArgumentParser(prog="python -m azalai.learn curves", description=main.__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="where the trainings are kept; the last name is the picture's")
    *files, out = parser.parse_args(arguments).files
    out.write_text(picture({path.stem: read(path) for path in files}), encoding="utf-8")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the lines of figures of a training's file."""
    history = torch.load(path, map_location="cpu", weights_only=True)["history"]
    return [line for line in history if "entropy" in line]


def picture(curves: Curves) -> str:
    """Draw entropy and error of trainings over their decisions, as SVG."""
    most = max(line["decisions"] for lines in curves.values() for line in lines)
    width, height = LEFT + 2 * WIDTH + GAP + 30, TOP + HEIGHT + 50 + 22 * len(curves)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#FBF4E6"/>',
    ]
    for number, (fact, title) in enumerate(FACTS.items()):
        left = LEFT + number * (WIDTH + GAP)
        top = max(line[fact] for lines in curves.values() for line in lines)
        parts.append(f'<text x="{left}" y="{TOP - 20}" font-size="15" fill="#2B2622">{title}</text>')
        for tick in range(5):
            x, y = left + WIDTH * tick / 4, TOP + HEIGHT * (1 - tick / 4)
            parts.append(f'<path d="M{x} {TOP}v{HEIGHT}M{left} {y}h{WIDTH}" stroke="#E9D2A8" fill="none"/>')
            parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end" fill="#6A5D50">{top * tick / 4:.2f}</text>')
            shown = f"{most * tick / 4e6:,.0f} M"
            parts.append(f'<text x="{x}" y="{TOP + HEIGHT + 18}" text-anchor="middle" fill="#6A5D50">{shown}</text>')
        for lines, colour in zip(curves.values(), COLOURS, strict=False):
            points = " ".join(
                f"{left + WIDTH * line['decisions'] / most:.1f},{TOP + HEIGHT * (1 - line[fact] / top):.1f}" for line in lines
            )
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for number, (name, colour) in enumerate(zip(curves, COLOURS, strict=False)):
        y = TOP + HEIGHT + 46 + 22 * number
        parts.append(f'<path d="M{LEFT} {y}h28" stroke="{colour}" stroke-width="4"/>')
        parts.append(f'<text x="{LEFT + 38}" y="{y + 5}" fill="#2B2622">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
