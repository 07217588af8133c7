"""`python -m azalai.learn GAME --file FILE`: a network learns a game by playing against itself."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Train a network, or go on training it; the file keeps everything. Ctrl-C loses at most the last seconds.

    `export FILE GAME` writes the network that a game ships, `curves FILE … PICTURE` draws how trainings went.
    """
    if sys.argv[1:2] == ["export"]:
        from azalai.learn import export

        return export.main(sys.argv[2:])
    if sys.argv[1:2] == ["curves"]:
        from azalai.learn import curves

        return curves.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m azalai.learn", description=main.__doc__)
    parser.add_argument("game", help="the game to learn")
    parser.add_argument("--file", type=Path, required=True, help="where the training is kept; one that exists is gone on with")
    parser.add_argument("--minutes", type=float, default=8.0, help="how long to learn now (default: 8)")
    parser.add_argument("--decisions", type=float, help="how many decisions the whole training has (default: 1e9)")
    parser.add_argument("--device", default="", help="cuda or cpu (default: cuda where there is one)")
    parser.add_argument("--games", type=int, help="games played side by side")
    parser.add_argument("--steps", type=int, help="decisions in each game between two updates")
    parser.add_argument("--minibatch", type=int, help="decisions that one step of the optimiser looks at")
    parser.add_argument("--width", type=int, help="of the network's hidden layers, instead of what the game says")
    parser.add_argument("--against", type=Path, help="the file of a training whose network, as it is, plays all other seats")
    parser.add_argument("--components", help="a file with some of the game's components changed: learn this variant")
    parser.add_argument(
        "--network",
        type=Path,
        help="a new training begins with this network's file (`shipped`: the game's own), which may be narrower",
    )
    parser.add_argument("--rate", type=float, help="the rate of learning at first (default: 1e-3)")
    parser.add_argument("--entropy", type=float, help="how much being undecided counts at first (default: 0.02)")
    parser.add_argument("--trace", type=float, help="how far ahead surprises count, from 0 to 1 (default: 0.95)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("Learning needs PyTorch: pip install 'azalai[learn]'")
    from contextlib import suppress
    from dataclasses import replace

    import azalai
    from azalai.learn.export import load_network
    from azalai.learn.form import Form
    from azalai.learn.networks import widen
    from azalai.learn.ppo import LearningSettings
    from azalai.learn.training import Training, WrongFile

    device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    game = azalai.game(args.game, args.components)
    changes: dict[str, Any] = {
        name: value
        for name in ("games", "steps", "minibatch", "decisions", "trace")
        if (value := getattr(args, name)) is not None
    }
    if args.rate is not None:
        changes["rate"] = (args.rate, LearningSettings.rate[1])
    if args.entropy is not None:
        changes["entropy"] = (args.entropy, LearningSettings.entropy[1])
    if args.file.exists():
        training = Training.load(args.file, game, device, **changes)
    else:
        form = Form.of(game)
        training = Training(game, replace(form, width=args.width) if args.width else form, LearningSettings(**changes), device)
        if args.network:
            widen(training.learner.network, load_network(game, None if args.network == Path("shipped") else args.network))
    if args.against:
        training.opponent = Training.load(args.against, game, device).learner
    with suppress(WrongFile):  # a game without a network has no such rival
        training.rivals["shipped"] = load_network(game)
    training.run(
        60 * args.minutes, args.seed + training.learner.decisions, args.file, lambda line: print(json.dumps(line), flush=True)
    )


if __name__ == "__main__":
    main()
