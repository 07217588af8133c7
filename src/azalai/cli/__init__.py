"""The `azalai` command. Each of its commands is a module here, imported only when it is called."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence

from azalai.engine.errors import AzalaiError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status. Errors are one line on standard error and status 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a strange byte or an old terminal is no reason to stop
    try:
        status = run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on, as with `| head`: what is still to be written goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def run(words: Sequence[str]) -> int:
    """Find the command and carry it out."""
    from azalai.cli.parser import build_parser
    from azalai.cli.texts import Texts, choose_language

    try:
        texts = Texts(choose_language(words))
        if sys.platform == "win32":
            raise AzalaiError(texts("cli.windows"))
        parser = build_parser(texts)
        args = parser.parse_args(words)
        if args.command is None:  # plain `azalai`: the page
            args = parser.parse_args([*words, "serve", "--open"])
        return int(importlib.import_module(f"azalai.cli.{args.command}").run(args, texts))
    except AzalaiError as error:
        print(f"azalai: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.filename is None:  # not about a file somebody named
            raise
        print(f"azalai: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except SystemExit as stop:  # argparse has said what there is to say
        return int(stop.code or 0)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
