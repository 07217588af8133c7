"""What random games leave behind, as hashes: to compare a GPU with a CPU that is elsewhere.

python -m tests.harness.digests --write digests.json targui                      # where rules are compiled
AZALAI_INTERPRET=1 AZALAI_KERNELS=FOLDER python -m tests.harness.digests --check digests.json       # where the GPU is
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from azalai.engine import discovery
from azalai.engine.gpu.__main__ import find

GAMES, DECISIONS, EVERY = 4096, 400, 100


def digests(batch: Any) -> Iterator[str]:
    """Play at random; after every so many decisions, hash all that a batch has to tell."""
    for decision in range(1, DECISIONS + 1):
        batch.step(batch.random_moves(), restart=True)
        if decision % EVERY == 0:
            arrays = [batch.states, batch.legal_mask(), batch.rewards, batch.done, batch.seat, batch.seen_by(), batch.seen_by(-1)]
            if batch.game.features:
                arrays += [
                    batch.observe(kind=kind, conclusions=wanted) for kind in ("float32", "bits") for wanted in (False, True)
                ]
                arrays += [batch.observe(1, kind="uint8"), batch.observe(1, kind="float16", conclusions=True)]
            digest = hashlib.sha256()
            for array in arrays:
                digest.update(on_host(array).tobytes())
            yield digest.hexdigest()


def on_host(array: Any) -> Any:
    """An array of a batch, wherever that lies."""
    return np.ascontiguousarray(array) if isinstance(array, np.ndarray) else array.numpy()


def main() -> None:
    """Write digests of the CPU's games, or check the GPU's against them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--check", type=Path, metavar="FILE")
    parser.add_argument("games", nargs="*", metavar="GAME")
    args = parser.parse_args()
    expected = json.loads(args.check.read_text()) if args.check else {}
    found: dict[str, list[str]] = {}
    for name in args.games or [*discovery.installed()]:
        game = find(name)
        for seats in game.seats:
            key = f"{name} {seats}"
            found[key] = list(digests(game.batch(GAMES, seats, seed=7, device="cuda" if args.check else "cpu")))
            if args.check:
                print(key, "equal" if found[key] == expected[key] else f"DIFFERENT: {found[key]}", flush=True)
    if args.write:
        args.write.write_text(json.dumps(found, indent=1) + "\n")
    elif any(found[key] != expected[key] for key in found):
        raise SystemExit("the GPU's games differ from the CPU's")


if __name__ == "__main__":
    main()
