"""`azalai merge`: parts of one series, played apart, in one folder."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from azalai.arena.store import merge

if TYPE_CHECKING:
    from azalai.cli.texts import Texts


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Bring the folders together and tell how many games there are."""
    print(texts("merge.done", folder=args.into, games=texts.number(merge(args.folders, args.into))))
    return 0
