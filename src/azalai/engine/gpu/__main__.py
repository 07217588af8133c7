"""`python -m azalai.engine.gpu --emit FOLDER GAME …`: write kernels for machines on which they cannot be compiled."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from azalai.engine import discovery
from azalai.engine.game import Game, load_game
from azalai.engine.gpu.compile import emit_kernels


def main() -> None:
    """Write the kernels of games into a folder. There, AZALAI_INTERPRET=1 and AZALAI_KERNELS=FOLDER use them."""
    parser = argparse.ArgumentParser(prog="python -m azalai.engine.gpu", description=main.__doc__)
    parser.add_argument("--emit", type=Path, required=True, metavar="FOLDER", help="where to write the kernels")
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="an installed game, or module:NAME; by default all installed ones"
    )
    args = parser.parse_args()
    for name in args.games or discovery.installed():
        for path in emit_kernels(find(name), args.emit):
            print(path, flush=True)


def find(name: str) -> Game:
    """A game by its name, or by the module and the name it has there: `benchmarks.connect_four:CONNECT_FOUR`."""
    module, _, variable = name.partition(":")
    if not variable:
        return load_game(name)
    game: Game = getattr(importlib.import_module(module), variable)
    return game


if __name__ == "__main__":
    main()
