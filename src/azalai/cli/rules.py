"""`azalai rules`: the rules of a game, explained."""

from __future__ import annotations

import argparse

from azalai.cli.screen import open_screen, rules_page
from azalai.cli.texts import Texts
from azalai.engine.words import load_help
from azalai.games import folder


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Show a game's rule help, by the pager on a terminal."""
    open_screen().page(rules_page(load_help(folder(args.game), texts.language)))
    return 0
