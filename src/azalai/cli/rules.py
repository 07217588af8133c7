"""`azalai rules`: the rules of a game, explained."""

from __future__ import annotations

import argparse

from azalai.cli.screen import open_screen, rules_page
from azalai.cli.texts import Texts
from azalai.engine.discovery import find
from azalai.engine.words import load_help


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Show a game's rule help, by the pager on a terminal."""
    open_screen().page(rules_page(load_help(find(args.game).extras, texts.language)))
    return 0
