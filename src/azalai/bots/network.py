"""The networks that the games ship, evaluated without PyTorch.

A network reads what the deciding seat may know, with the conclusions of the game. It gives every seat's chance to win, and every
legal move's chance to be the best. `azalai.learn` trains networks and writes their files: in a game's folder,
`extras/network.npz`.

Where luck decides much, a game has a second network, `extras/critic.npz`: its *critic*. It judges whole positions, in which the
deciding seat knows more than it may. A search asks it about the worlds that it imagines.

A *dense* network has one layer that reads the observation, and a residual block of two. A network of *fields* reads the numbers
of each field of a board, has residual blocks of 3×3 convolutions, and sums up in one dense layer what they say of the board.
Layers leave negative numbers out, and most of what they read is zero: only numbers that are not cost time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from azalai.engine.compile import Task, is_ready, use_compiled
from azalai.engine.dispatch import hide
from azalai.engine.encode import (
    BASE,
    CONCLUDED,
    COUNT,
    HOT,
    LENGTH,
    LOW,
    PLACE,
    ROW,
    SCALED,
    SET,
    START,
    STEP,
    STRIDE,
    VIEWS,
    WIDTH,
    draw_conclusions,
    encode,
    number_views,
    program,
)
from azalai.engine.errors import AzalaiError, BadOption
from azalai.engine.game import Game
from azalai.engine.position import Position
from azalai.engine.rule import INTERPRET, numbers, records, rule
from azalai.engine.schema import MAX_SEATS

DENSE, FIELDS = 0, 1
TAPS = 9  # fields that a convolution looks at
FILE, CRITIC_FILE = "network.npz", "critic.npz"

Array = np.ndarray[Any, Any]


class WrongNetwork(AzalaiError):
    """A network's file that does not fit its game."""


class Network(NamedTuple):
    """A network's numbers. All games have arrays of the same types; those that a form does not use are empty."""

    form: int  # DENSE or FIELDS
    sees: int  # numbers of an observation
    program: Any  # how an observation is written
    told: Array  # of a critic, [field, 3]: where a field of the record is, what the critic sees there, room for what it holds
    read: Array  # [input, width]: the layer that reads the observation or, of a network of fields, what the board said
    read_bias: Array
    first: Array  # [width, width]: the residual block
    first_bias: Array
    second: Array
    second_bias: Array
    policy: Array  # [row, width]
    policy_bias: Array
    value: Array  # [seat from the own one on, width]
    value_bias: Array
    moves: Array  # [move, 3]: its row of `policy`; its field or -1, and its row of `field_policy`
    planes: Array  # [field, plane]: a number of the observation
    pointers: Array  # planes that point to one field
    rest: Array  # numbers of the observation that belong to no field
    targets: Array  # [field, tap]: the field to which a field's numbers go through that tap, or -1
    board: Array  # [plane, tap and channel]
    board_rest: Array  # [rest, channel]
    board_bias: Array
    blocks: Array  # [layer, channel, tap and channel]
    blocks_bias: Array  # [layer, channel]
    field_policy: Array  # [row, channel]

    @classmethod
    @functools.cache
    def of(cls, game: Game) -> Network:
        """The network that a game ships; raises BadOption where it has none, WrongNetwork where it does not fit."""
        path = game.extras / FILE
        if not path.exists():
            raise BadOption(f"{game.name} has no network; python -m azalai.learn {game.name} trains one")
        return read_network(path, game)

    @classmethod
    @functools.cache
    def critic_of(cls, game: Game) -> Network | None:
        """The critic that a game ships with its network, if it has one."""
        path = game.extras / CRITIC_FILE
        return read_network(path, game) if path.exists() else None


ARRAYS = Network._fields[4:]
WHOLE_NUMBERS = ("moves", "planes", "pointers", "rest", "targets")
VECTORS = ("pointers", "rest")
DIMENSIONS = {
    name: 1 if name in VECTORS or (name.endswith("_bias") and name != "blocks_bias") else 3 if name == "blocks" else 2
    for name in ARRAYS
}


class Eyes(NamedTuple):
    """Memory in which one thread looks at records with a network."""

    network: Network
    cells: Any  # [0]: the record that is looked at,
    concluded: Any  # [0]: and what follows from it
    views: Any  # `number_views` of both
    priors: Array  # what was thought of the moves
    row: Array  # the observation
    active: Array  # which numbers of an input are not zero
    inputs: Array  # of a network of fields: what the dense layer reads
    body: Array
    hidden: Array
    inner: Array
    logits: Array  # for the own seat, the next seat, …
    fields: Array  # [field, channel]: three boards
    fields_read: Array
    fields_inner: Array
    spread: Array  # what one field says through its taps

    @classmethod
    def of(cls, game: Game, network: Network, cells: Any) -> Eyes:
        """Allocate memory to look at the record in `cells`."""
        (inputs, width), planes = network.read.shape, network.board.shape[0]
        fields, channels = len(network.targets), len(network.board_bias)
        concluded = records(1, game.conclusions.dtype)
        return cls(
            network=network,
            cells=cells,
            concluded=concluded,
            views=number_views(cells, concluded),
            priors=numbers(game.max_moves + 1, np.float64),
            row=numbers(network.sees, np.float32),
            active=numbers(max(network.sees, inputs, width, channels) + 1),
            inputs=numbers(inputs, np.float32),
            body=numbers(width, np.float32),
            hidden=numbers(width, np.float32),
            inner=numbers(width, np.float32),
            logits=numbers(MAX_SEATS, np.float64),
            fields=numbers((fields, channels), np.float32),
            fields_read=numbers((fields, max(planes, channels)), np.float32),
            fields_inner=numbers((fields, channels), np.float32),
            spread=numbers(TAPS * channels, np.float32),
        )

    @classmethod
    def pair(cls, game: Game, cells: Any) -> tuple[Eyes, Eyes]:
        """Those of the network, for the record in `cells`, and of the critic: the same ones where a game has no critic."""
        eyes, critic = cls.of(game, Network.of(game), cells), Network.critic_of(game)
        return eyes, eyes if critic is None else cls.of(game, critic, records(1, game.schema.dtype))


def read_network(path: Path, game: Game) -> Network:
    """The network of a file."""
    with np.load(path) as file:
        facts = json.loads(str(file["about"]))
        if facts["game"] != game.name or facts["layout"] != layout_version(game):
            raise WrongNetwork(
                f"{path.name} was trained for {facts['game']} with the layout {facts['layout']} of observations and moves, "
                f"but {game.name} has the layout {layout_version(game)}: train a new network, or convert this one"
            )
        arrays = (np.ascontiguousarray(file[name], np.int32 if name in WHOLE_NUMBERS else np.float32) for name in ARRAYS)
        form = DENSE if facts["form"]["kind"] == "dense" else FIELDS
        layout = game.observation.with_conclusions
        places: Any = game.schema.dtype.fields
        told = [(places[name][1], number, 0) for name, number in facts.get("told", {}).items()]
        if any(places[name][0] != np.int8 for name in facts.get("told", {})):
            raise WrongNetwork(f"{path.name} is told of fields that are more than one byte: train a new critic")
        return Network(
            form, layout.size + len(told), program(layout, "float32"), np.array(told, np.int64).reshape(-1, 3), *arrays
        )


@functools.cache
def network_version(game: Game) -> str:
    """A hash of the networks that a game ships."""
    files = [game.extras / name for name in (FILE, CRITIC_FILE)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files if path.exists())).hexdigest()[:8]


def layout_version(game: Game) -> str:
    """A hash of all that a network's numbers refer to: the meaning of every number of an observation, and of every move."""
    layout = game.observation.with_conclusions
    features = [
        (
            *(one.name, one.field, one.encoding, one.low, one.width, one.seat_axis, layout.shapes[one.name]),
            None if one.rows is None else np.asarray(one.rows).tolist(),
        )
        for one in layout.features
    ]
    kinds = [(kind.name, [(name, domain.labels) for name, domain in kind.args]) for kind in game.moves.kinds.values()]
    return hashlib.sha256(json.dumps([features, game.phases, kinds]).encode()).hexdigest()[:16]


# ---------------------------------------------------------------- compiled


@rule
def judge(eyes: Eyes, me: Any, seats: Any, moves: Any, chances: Any) -> None:
    """Look at the record in eyes.cells, which is hidden for seat `me`, which decides: write every seat's chance to win into
    `chances`, and the chances of the moves into eyes.priors."""
    network, priors = eyes.network, eyes.priors
    _observe(eyes, me, seats)
    _judge_seats(eyes, me, seats, chances)
    for k in range(len(moves)):
        row, field, field_row = network.moves[moves[k], 0], network.moves[moves[k], 1], network.moves[moves[k], 2]
        priors[k] = _dot(network.policy[row], eyes.body) + network.policy_bias[row]
        if field >= 0:
            priors[k] += _dot(network.field_policy[field_row], eyes.fields_read[field])
    _soften(priors, len(moves))


@rule
def criticize(critic: Eyes, world: Any, chances: Any) -> None:
    """Let a critic judge a whole position: write every seat's chance to win into `chances`."""
    told, cells = critic.network.told, critic.views[0]
    critic.cells[0] = world
    me, seats = critic.cells[0].seat, critic.cells[0].seats
    for k in range(len(told)):
        told[k, 2] = cells[told[k, 0]]
        cells[told[k, 0]] = told[k, 1]
    hide(critic.cells[0], me)
    _observe(critic, me, seats)
    tail = len(critic.row) - len(told)
    for k in range(len(told)):
        critic.row[tail + k] = np.float32(told[k, 2]) / np.float32(told[k, 1])
    _judge_seats(critic, me, seats, chances)


@rule
def _observe(eyes: Eyes, me: Any, seats: Any) -> None:
    """Write the observation of the record in eyes.cells."""
    draw_conclusions(eyes.cells[0], me, eyes.concluded[0], eyes.views[CONCLUDED])
    eyes.row[:] = 0
    encode(eyes.views, me, seats, eyes.network.program, eyes.row, 0, 1)


@rule
def _judge_seats(eyes: Eyes, me: Any, seats: Any, chances: Any) -> None:
    """Write every seat's chance to win by the observation; eyes.body is what else there is to say about it."""
    network = eyes.network
    if network.form == FIELDS:
        _look_at_fields(network, eyes)
        _set(eyes.body, network.read_bias)
        _add_product(eyes.inputs, network.read, eyes.active, eyes.body)
        _rectify(eyes.body)
    else:
        _set(eyes.body, network.read_bias)
        _add_product(eyes.row, network.read, eyes.active, eyes.body)
        _rectify(eyes.body)
        _set(eyes.hidden, network.first_bias)
        _add_product(eyes.body, network.first, eyes.active, eyes.hidden)
        _rectify(eyes.hidden)
        _set(eyes.inner, network.second_bias)
        _add_product(eyes.hidden, network.second, eyes.active, eyes.inner)
        for k in range(len(eyes.body)):
            eyes.body[k] += max(eyes.inner[k], np.float32(0))
    for seat in range(seats):
        eyes.logits[seat] = _dot(network.value[seat], eyes.body) + network.value_bias[seat]
    _soften(eyes.logits, seats)
    for seat in range(seats):
        chances[(me + seat) % seats] = eyes.logits[seat]


@rule
def _look_at_fields(network: Network, eyes: Eyes) -> None:
    """Write what the board says into eyes.inputs; eyes.fields_read are the fields as they say it."""
    count, channels = eyes.fields.shape
    planes, rest = network.planes.shape[1], len(network.rest)
    fields, seen = eyes.fields, eyes.fields_read
    tail = len(eyes.inputs) - rest
    for k in range(rest):
        eyes.inputs[tail + k] = eyes.row[network.rest[k]]
    _set(fields[0], network.board_bias)
    _add_product(eyes.inputs[tail:], network.board_rest, eyes.active, fields[0])
    for field in range(1, count):
        _set(fields[field], fields[0])
    for field in range(count):
        for plane in range(planes):
            seen[field, plane] = eyes.row[network.planes[field, plane]]
    _convolve(network.targets, seen[:, :planes], network.board, eyes, fields)
    for layer in range(0, len(network.blocks), 2):
        for field in range(count):
            for k in range(channels):
                seen[field, k] = max(fields[field, k], np.float32(0))
            _set(eyes.fields_inner[field], network.blocks_bias[layer])
        _convolve(network.targets, seen[:, :channels], network.blocks[layer], eyes, eyes.fields_inner)
        for field in range(count):
            _rectify(eyes.fields_inner[field])
            for k in range(channels):
                fields[field, k] += network.blocks_bias[layer + 1, k]
        _convolve(network.targets, eyes.fields_inner, network.blocks[layer + 1], eyes, fields)
    for k in range(tail):
        eyes.inputs[k] = 0
    for field in range(count):
        for k in range(channels):
            x = max(fields[field, k], np.float32(0))
            seen[field, k] = x
            eyes.inputs[k] += x / np.float32(count)
            eyes.inputs[channels + k] = max(eyes.inputs[channels + k], x)
        for pointer in range(len(network.pointers)):
            weight = eyes.row[network.planes[field, network.pointers[pointer]]]
            if weight != 0:
                for k in range(channels):
                    eyes.inputs[(2 + pointer) * channels + k] += weight * seen[field, k]


@rule
def _convolve(targets: Any, fields: Any, weights: Any, eyes: Eyes, out: Any) -> None:
    """Add to each field of `out` what its neighbours and the field itself say through their taps."""
    channels = out.shape[1]
    for field in range(len(fields)):
        eyes.spread[:] = 0
        _add_product(fields[field], weights, eyes.active, eyes.spread)
        for tap in range(TAPS):
            target = targets[field, tap]
            if target >= 0:
                for k in range(channels):
                    out[target, k] += eyes.spread[tap * channels + k]


@rule
def _add_product(x: Any, weights: Any, active: Any, out: Any) -> None:
    """Add a vector times a matrix [input, output] to `out`.

    Rows of numbers that are zero are left out. Taking four rows at a time, it reads and writes `out` less often.
    """
    count = 0
    for k in range(len(x)):
        active[count] = k
        count += x[k] != 0
    for k in range(0, count - 3, 4):
        i, j, m, n = active[k], active[k + 1], active[k + 2], active[k + 3]
        a, b, c, d = x[i], x[j], x[m], x[n]
        w, u, v, y = weights[i], weights[j], weights[m], weights[n]
        for o in range(len(out)):
            out[o] += a * w[o] + b * u[o] + (c * v[o] + d * y[o])
    for k in range(count - count % 4, count):
        a = x[active[k]]
        w = weights[active[k]]
        for o in range(len(out)):
            out[o] += a * w[o]


@rule
def _set(out: Any, x: Any) -> None:
    for k in range(len(out)):
        out[k] = x[k]


@rule
def _rectify(x: Any) -> None:
    for k in range(len(x)):
        x[k] = max(x[k], np.float32(0))


@rule
def _dot(x: Any, y: Any) -> Any:
    """A dot product."""
    total = np.float32(0)
    for k in range(len(x)):
        total += x[k] * y[k]
    return total


@rule
def _soften(x: Any, count: Any) -> None:
    """Turn logits into chances that add up to 1."""
    most = x[0]
    for k in range(1, count):
        most = max(most, x[k])
    total = 0.0
    for k in range(count):
        x[k] = math.exp(x[k] - most)
        total += x[k]
    for k in range(count):
        x[k] /= total


# ---------------------------------------------------------------- in NumPy


def judge_in_numpy(eyes: Eyes, me: int, seats: int, moves: Any) -> tuple[Array, Array]:
    """The same as `judge` without compiled code: every seat's chance to win, and the chances of the moves."""
    network = eyes.network
    row = observe_in_numpy(eyes, me, seats)
    chosen = network.moves[np.asarray(moves)]
    if network.form == FIELDS:
        body, board = _read_fields(network, row)
        on_field = np.where(chosen[:, 1] >= 0, (network.field_policy[chosen[:, 2]] * board[chosen[:, 1]]).sum(1), 0)
    else:
        body = np.maximum(row @ network.read + network.read_bias, 0)
        hidden = np.maximum(body @ network.first + network.first_bias, 0)
        body = body + np.maximum(hidden @ network.second + network.second_bias, 0)
        on_field = np.zeros(len(chosen))
    chances = _softmax(network.value[:seats] @ body + network.value_bias[:seats])
    return np.roll(chances, me), _softmax(network.policy[chosen[:, 0]] @ body + network.policy_bias[chosen[:, 0]] + on_field)


def _read_fields(network: Network, row: Array) -> tuple[Array, Array]:
    """What the dense layer says of the board, and what the fields say."""
    planes, rest = row[network.planes], row[network.rest]
    board = _convolved(network, planes, network.board) + rest @ network.board_rest + network.board_bias
    for layer in range(0, len(network.blocks), 2):
        inner = _convolved(network, np.maximum(board, 0), network.blocks[layer]) + network.blocks_bias[layer]
        board = board + _convolved(network, np.maximum(inner, 0), network.blocks[layer + 1]) + network.blocks_bias[layer + 1]
    board = np.maximum(board, 0)
    pointed = planes[:, network.pointers].T @ board
    inputs = np.concatenate([board.mean(0), board.max(0), pointed.ravel(), rest])
    return np.maximum(inputs @ network.read + network.read_bias, 0), board


def _convolved(network: Network, fields: Array, weights: Array) -> Array:
    spread = (fields @ weights).reshape(len(fields), TAPS, -1)
    out = np.zeros((len(fields) + 1, spread.shape[2]), np.float32)  # the last row is what falls off the board
    for tap in range(TAPS):
        out[network.targets[:, tap]] += spread[:, tap]
    return out[:-1]


def _softmax(logits: Array) -> Array:
    chances = np.exp(logits - logits.max())
    found: Array = chances / chances.sum()
    return found


def observe_in_numpy(eyes: Eyes, me: int, seats: int) -> Array:
    """The observation of the record in eyes.cells, as `encode` writes it."""
    draw_conclusions(eyes.cells[0], me, eyes.concluded[0], eyes.views[CONCLUDED])
    program, row = eyes.network.program, np.zeros(eyes.network.sees, np.float32)
    bounds = program.bounds[seats, me]
    for number, cells in enumerate(eyes.views):
        for action in (HOT, SCALED, ROW, SET):
            runs = program.lines[:, bounds[VIEWS * action + number] : bounds[VIEWS * action + number + 1]]
            line = np.repeat(runs, runs[COUNT], axis=1)  # one for each cell
            nth = np.arange(line.shape[1]) - np.repeat(np.cumsum(runs[COUNT]) - runs[COUNT], runs[COUNT])  # of its run
            values = np.asarray(cells).ravel()[line[PLACE] + nth * line[STEP]].astype(np.int64)
            starts, lows, widths = line[START] + nth * line[STRIDE], line[LOW], line[WIDTH]
            if action == HOT:
                inside = (values >= lows) & (values < lows + widths)
                row[(starts + values - lows)[inside]] = 1
            elif action == SET:
                for start, width, value in zip(starts, widths, values >> lows):
                    row[start : start + width] = value >> np.arange(width) & 1
            else:
                lengths, places = line[LENGTH], np.clip(values - lows, 0, widths - 1)
                for start, length, base in zip(starts, lengths, line[BASE] + places * lengths):
                    row[start : start + length] = program.rows[base : base + length]
    return row


# ---------------------------------------------------------------- for Python


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a judge calls."""
    found = Judge(game)
    return [lambda: found.judge_compiled(0, game.seats[0], [0])]


class Judge:
    """Evaluates a game's network: in compiled code, or in NumPy as long as that is not compiled."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._cells = records(1, game.schema.dtype)
        self._eyes = Eyes.of(game, Network.of(game), self._cells)
        self._moves, self._chances = game.move_buffer(), numbers(MAX_SEATS, np.float64)
        use_compiled(game, __name__)

    def judge(self, position: Position, moves: Sequence[int]) -> tuple[Array, Array]:
        """Return every seat's chance to win, and the chances of some legal moves, as the deciding seat sees them."""
        self._cells[0] = position.seen_by(position.seat).state
        if INTERPRET or not is_ready(self._game, __name__):
            return judge_in_numpy(self._eyes, position.seat, position.seats, moves)
        return self.judge_compiled(position.seat, position.seats, moves)

    def judge_compiled(self, seat: int, seats: int, moves: Sequence[int]) -> tuple[Array, Array]:
        """Do so in compiled code."""
        self._moves[: len(moves)] = moves
        judge(self._eyes, seat, seats, self._moves[: len(moves)], self._chances)
        return np.array(self._chances[:seats]), np.array(self._eyes.priors[: len(moves)])
