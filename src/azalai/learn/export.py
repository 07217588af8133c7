"""Writes the network that a game ships from a training's file: `python -m azalai.learn export FILE GAME`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

import azalai
from azalai.bots.network import ARRAYS, CRITIC_FILE, DIMENSIONS, FILE, TAPS, WHOLE_NUMBERS, layout_version
from azalai.engine.game import Game
from azalai.learn.form import DENSE, Form, sight_of
from azalai.learn.networks import make_network
from azalai.learn.training import WrongFile

LARGEST = 2_000_000  # bytes of a shipped file

Array = np.ndarray[Any, Any]


def main(arguments: Sequence[str]) -> None:
    """Write the network that a game ships from a training's file."""
    parser = argparse.ArgumentParser(prog="python -m azalai.learn export", description=main.__doc__)
    parser.add_argument("file", type=Path, help="where the training is kept")
    parser.add_argument("game", help="the game it has learnt")
    parser.add_argument("--machine", default="", help="what it was trained on, in words")
    parser.add_argument("--components", help="a file with some of the game's components changed, as it was trained with")
    parser.add_argument("--out", type=Path, help="the file to write, instead of the game's own")
    args = parser.parse_args(arguments)
    found = export(args.file, azalai.game(args.game, args.components), args.machine, args.out)
    print(f"{found}: {found.stat().st_size:,} bytes")


def export(path: Path, game: Game, machine: str, out: Path | None = None) -> Path:
    """Write the network of a training's file as the game's own, in half precision; return where it is."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    if state["game"] != game.name or state["layout"] != layout_version(game):
        raise WrongFile(f"{path} is of {state['game']} with another layout of observations or moves: train anew")
    form = Form.read(state["form"])
    facts = {
        "game": game.name,
        "layout": layout_version(game),
        "form": form.as_dict(),
        "decisions": state["decisions"],
        "seconds": round(state["seconds"]),
        "machine": machine,
    }
    target = out or game.extras / FILE
    _write(target, facts, arrays_of(game, form, _in_numpy(state["network"])))
    if form.critic:
        _write(target.with_name(CRITIC_FILE), {**facts, "told": form.critic}, critic_arrays(_in_numpy(state["critic"])))
    return target


def _write(target: Path, facts: Mapping[str, Any], arrays: dict[str, Any]) -> None:
    np.savez_compressed(target, about=np.array(json.dumps(facts)), **arrays)
    if target.stat().st_size > LARGEST:
        target.unlink()
        raise WrongFile(f"{target.name} would be too large to be shipped: more than {LARGEST:,} bytes")


def _in_numpy(weights: Mapping[str, Any]) -> dict[str, Array]:
    return {name: tensor.float().numpy() for name, tensor in weights.items()}


def arrays_of(game: Game, form: Form, weights: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of a `bots.network.Network` from a module's weights."""
    found: dict[str, Array] = {}
    moves = np.full((game.moves.count, 3), -1)
    if form.kind == DENSE:
        found |= _dense_body(weights)
        found["policy"], found["policy_bias"] = weights["policy.weight"], weights["policy.bias"]
        moves[:, 0] = np.arange(len(moves))
    else:
        sight = sight_of(game, form)
        fields = np.arange(form.rows * form.columns)
        moves[sight.other_moves, 0] = np.arange(len(sight.other_moves))
        for row, first in enumerate(sight.field_kinds):
            moves[first + fields, 0], moves[first + fields, 1], moves[first + fields, 2] = (
                len(sight.other_moves) + row,
                fields,
                row,
            )
        layers = range(2 * form.blocks)
        found |= {
            "value": weights["value.weight"],
            "value_bias": weights["value.bias"],
            "read": weights["gather.weight"].T,
            "read_bias": weights["gather.bias"],
            "policy": np.concatenate([weights["policy.weight"], weights["kind_policy.weight"]]),
            "policy_bias": np.concatenate([weights["policy.bias"], weights["kind_policy.bias"] + weights["field_policy.bias"]]),
            "planes": sight.planes.T,
            "pointers": sight.pointers,
            "rest": sight.rest,
            "targets": _targets(form.rows, form.columns),
            "board": _taps(weights["read.weight"]),
            "board_rest": weights["read_rest.weight"].T,
            "board_bias": weights["read.bias"] + weights["read_rest.bias"],
            "blocks": np.stack([_taps(weights[f"blocks.{layer}.weight"]) for layer in layers]),
            "blocks_bias": np.stack([weights[f"blocks.{layer}.bias"] for layer in layers]),
            "field_policy": weights["field_policy.weight"],
        }
    return _complete({**found, "moves": moves})


def critic_arrays(weights: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of a critic, which judges no moves, from a module's weights."""
    return _complete(_dense_body(weights))


def _dense_body(weights: Mapping[str, Array]) -> dict[str, Array]:
    found = {"value": weights["value.weight"], "value_bias": weights["value.bias"]}
    for name in ("read", "first", "second"):
        found[name], found[f"{name}_bias"] = weights[f"{name}.weight"].T, weights[f"{name}.bias"]
    return found


def _complete(found: Mapping[str, Array]) -> dict[str, Array]:
    """All arrays of a network; those that are not there are empty."""
    empty = {name: np.zeros((0,) * DIMENSIONS[name]) for name in ARRAYS}
    return {
        name: np.ascontiguousarray(array, np.int16 if name in WHOLE_NUMBERS else np.float16)
        for name, array in {**empty, **found}.items()
    }


def weights_of(game: Game, form: Form, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """A module's weights from the arrays of a `bots.network.Network`. What `arrays_of` adds up is not taken apart again."""
    found: dict[str, Array] = {"value.weight": arrays["value"], "value.bias": arrays["value_bias"]}
    if form.kind == DENSE:
        for name in ("read", "first", "second"):
            found[f"{name}.weight"], found[f"{name}.bias"] = arrays[name].T, arrays[f"{name}_bias"]
        found["policy.weight"], found["policy.bias"] = arrays["policy"], arrays["policy_bias"]
        return found
    others, channels = len(sight_of(game, form).other_moves), len(arrays["board_bias"])
    found |= {
        "gather.weight": arrays["read"].T,
        "gather.bias": arrays["read_bias"],
        "policy.weight": arrays["policy"][:others],
        "policy.bias": arrays["policy_bias"][:others],
        "kind_policy.weight": arrays["policy"][others:],
        "kind_policy.bias": arrays["policy_bias"][others:],
        "read.weight": _weights(arrays["board"], channels),
        "read.bias": arrays["board_bias"],
        "read_rest.weight": arrays["board_rest"].T,
        "read_rest.bias": np.zeros(channels),
        "field_policy.weight": arrays["field_policy"],
        "field_policy.bias": np.zeros(len(arrays["field_policy"])),
    }
    for layer, (block, bias) in enumerate(zip(arrays["blocks"], arrays["blocks_bias"])):
        found[f"blocks.{layer}.weight"], found[f"blocks.{layer}.bias"] = _weights(block, channels), bias
    return found


def load_network(game: Game, path: Path | None = None) -> Any:
    """The network that a game ships, or that of another such file, as a PyTorch module."""
    found = path or game.extras / FILE
    if not found.exists():
        raise WrongFile(f"{game.name} has no network; python -m azalai.learn {game.name} trains one")
    with np.load(found) as file:
        facts, arrays = json.loads(str(file["about"])), {name: file[name] for name in ARRAYS}
    if facts["game"] != game.name or facts["layout"] != layout_version(game):
        raise WrongFile(f"{found.name} is of {facts['game']} with another layout of observations or moves: train anew")
    form = Form.read(facts["form"])
    network = make_network(game, form)
    weights = weights_of(game, form, arrays)
    network.load_state_dict({name: torch.from_numpy(np.array(array, np.float32)) for name, array in weights.items()})
    return network.eval()


def _weights(taps: Array, channels: int) -> Array:
    """From [input, tap and output] to [output, input, row, column]."""
    return taps.reshape(len(taps), 3, 3, channels).transpose(3, 0, 1, 2)


def _taps(weights: Array) -> Array:
    """From [output, input, row, column] to [input, tap and output]."""
    return weights.transpose(1, 2, 3, 0).reshape(weights.shape[1], -1)


def _targets(rows: int, columns: int) -> Array:
    """For each field and tap, the field to which its numbers go; -1 off the board."""
    found = np.full((rows * columns, TAPS), -1)
    for row in range(rows):
        for column in range(columns):
            for tap in range(TAPS):
                to_row, to_column = row + 1 - tap // 3, column + 1 - tap % 3
                if 0 <= to_row < rows and 0 <= to_column < columns:
                    found[row * columns + column, tap] = to_row * columns + to_column
    return found
