"""Many games on a GPU. What `engine/batch.py` says of a batch holds here, too; the arrays are the GPU's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from azalai.engine.encode import layout_for, program
from azalai.engine.errors import BadOption, IllegalMove
from azalai.engine.game import Game
from azalai.engine.gpu.array import DeviceArray
from azalai.engine.gpu.compile import ENTRY, kernel_text
from azalai.engine.gpu.driver import BLOCK, Launch, device_called
from azalai.engine.gpu.signatures import (
    ANY,
    DEAL,
    DECIDER,
    KERNELS,
    NO_GAME,
    RESTART,
    SORTED_BLOCK,
    STEP,
    STEP_AND_RESTART,
    WARP,
    padded,
    rollout_kernels,
    sort_keys,
)
from azalai.engine.rule import records


class DeviceEncoder(NamedTuple):
    """What writes observations of one kind, with or without conclusions."""

    launch: Launch
    concluded: DeviceArray  # memory for conclusions; it has no columns where they are not wanted
    own: DeviceArray  # the batch's own array of observations


def check_room(out: Any, shape: tuple[int, ...], size: int) -> None:
    """Refuse an array on a GPU into which rows of numbers of that size do not fit one behind the other."""
    there = out.__cuda_array_interface__
    gapless = tuple(size * shape[1] if axis == 0 else size for axis in range(2))
    if tuple(there["shape"]) != shape or np.dtype(there["typestr"]).itemsize != size:
        raise BadOption(f"observations are {shape[0]} rows of {shape[1]} columns, {size} bytes each; `out` has others")
    if there.get("strides") not in (None, gapless):
        raise BadOption("`out` must lie in one piece, without gaps between its rows: copy from such an array, or .contiguous()")


class DeviceBatch:
    """`count` games side by side on a GPU. With the same seed and the same moves all bytes are those of a batch on the CPU.

    Without `events` records have no buffer of events: they are smaller, and games are faster.
    """

    states: DeviceArray  # the records themselves
    rewards: DeviceArray  # [game, seat]
    done: DeviceArray  # [game]
    ended: DeviceArray  # [game], how many games ended in the last rollout

    def __init__(
        self, game: Game, count: int, seats: int | None, seed: int, device: str, events: bool, options: Mapping[str, Any]
    ) -> None:
        if count < 1:
            raise BadOption(f"there must be at least one game, not {count}")
        self.game = game
        self.seed = seed
        self.seats = game.check_seats(seats)
        self.device = device_called(device)
        self.dtype = game.schema.dtype if events else game.schema.without_events
        blank = records(1, self.dtype)
        game.header(blank[0], seats, options)
        words = self.dtype.itemsize // 8
        self.states = self._array(count, self.dtype)
        self.rewards = self._array((count, self.seats), np.float32)
        self.done = self._array(count, np.bool_)
        self.ended = self._array(count, np.int32)
        self._over = self._array(count, np.bool_)
        self._mask = self._array((count, game.moves.count), np.bool_)
        self._random = self._array(count, np.int32)
        self._found = self._array(2, np.int32)
        self._arrays = {
            "words": self.states.view((count, words), np.int64),
            "blank": self._array(words, np.int64),
            "chosen": self._array(count, np.int32),
            "moves": self._array((game.max_moves, count), np.int32),
            "counts": self._array(count, np.int32),
            "mask": self._mask,
            "rewards": self.rewards,
            "done": self.done,
            "over": self._over,
            "ended": self.ended,
            **{name: self._array(count, np.int64) for name in ("seeds", "firsts", "strides", "dealt")},
            "where": self._array(count, np.bool_),
            "found": self._found,
        }
        self._arrays["blank"].assign(np.asarray(blank).view(np.int64))
        self._arrays["seeds"].assign(np.full(count, seed))
        self._arrays["firsts"].assign(np.arange(count))
        self._arrays["strides"].assign(np.full(count, count))
        self._everywhere = self._array(count, np.bool_)
        self._everywhere.assign(np.ones(count, np.bool_))
        self._found.assign([NO_GAME, 0])
        self._launches: dict[str, Launch] = {}
        self._encoders: dict[tuple[str, bool], DeviceEncoder] = {}
        self._draws = 0
        self.deal()

    def __len__(self) -> int:
        return len(self.states)

    # ------------------------------------------------------------ looking

    @property
    def seat(self) -> DeviceArray:
        """The seat to decide, per game: a view of the records."""
        return self.states["seat"]

    @property
    def over(self) -> DeviceArray:
        """Whether a game is over, per game."""
        return self._over

    @property
    def dealt(self) -> DeviceArray:
        """How many games have been dealt in each place since it was given its seed."""
        return self._arrays["dealt"]

    @property
    def seeds(self) -> DeviceArray:
        """The seed of each place."""
        return self._arrays["seeds"]

    def contents(self) -> tuple[DeviceArray, DeviceArray, DeviceArray, DeviceArray]:
        """What makes up every game: its record as 64-bit words, its legal moves, how many they are, and their mask; [game, …].

        See the method of the same name of a batch on the CPU.
        """
        arrays = self._arrays
        return arrays["words"], arrays["moves"].transposed(), arrays["counts"], self._mask

    def legal_mask(self) -> DeviceArray:
        """Which of all move ids are legal: [game, move id]. The batch's own array, which every step brings up to date."""
        return self._mask

    def observe(self, seat: Any = None, out: Any = None, kind: str = "float32", conclusions: bool = False) -> Any:
        """What `seat` may know in every game, as numbers: [game, number], see `game.observation`.

        `seat` is one for all or one per game; without it each game is seen by the seat to decide. The numbers are written into
        `out`, or else into the batch's own array, which the next call overwrites. `kind` is float32, float16, uint8 (0 to 255) or
        bits (8 to a byte, see `game.packed_observation`). With `conclusions` those of the game follow, see
        `Layout.with_conclusions`.
        """
        encoder = self._encoders.get((kind, conclusions)) or self._encoder(kind, conclusions)
        if seat is None or isinstance(seat, int):
            self._launch("hide", seat=DECIDER if seat is None else seat, concluded=encoder.concluded)
        else:
            self._arrays["viewers"].assign(np.broadcast_to(seat, len(self)))
            self._launch("hide", seat=ANY, concluded=encoder.concluded)
        if out is not None:
            check_room(out, encoder.own.shape, encoder.own.dtype.itemsize)
        tensors = encoder.own if out is None else out
        encoder.launch.set(KERNELS[f"observe_{kind}"].index(f"out_{kind}"), tensors)
        encoder.launch()
        return tensors

    def _encoder(self, kind: str, conclusions: bool) -> DeviceEncoder:
        """Bring to the GPU what such observations are written with."""
        layout = layout_for(self.game, kind, conclusions)
        count, size = len(self), self.game.schema.without_events.itemsize
        if "hidden" not in self._arrays:
            hidden = self._array((count, size // 8), np.int64)
            self._arrays |= {"hidden": hidden, "viewers": self._array(count, np.int8)}
            self._arrays |= {f"hidden_{width}": hidden.view((count, size // width), f"i{width}") for width in (1, 2, 4)}
        arrays = {
            "concluded": self._array((count, self.game.conclusions.dtype.itemsize // 2 * layout.concludes), np.int16),
            f"out_{kind}": self._array((count, layout.columns(kind)), np.uint8 if kind == "bits" else kind),
        }
        for name, column in program(layout, kind, runs=False)._asdict().items():
            parameter = f"{name}_{kind}" if name in ("rows", "one") else name
            arrays[parameter] = self._array(column.shape, column.dtype)
            arrays[parameter].assign(column)
        launch = self._prepare(f"observe_{kind}", arrays, WARP * count)
        self._encoders[kind, conclusions] = DeviceEncoder(launch, arrays["concluded"], arrays[f"out_{kind}"])
        return self._encoders[kind, conclusions]

    def seen_by(self, seat: int | None = None) -> DeviceArray:
        """Copies of all records, blanked of all that `seat` may not know; without a seat, as each game's decider sees it."""
        seen = self.states.copy()
        words = seen.view(self._arrays["words"].shape, np.int64)
        self._launch("conceal", words=words, seat=DECIDER if seat is None else seat)
        return seen

    # ------------------------------------------------------------ playing

    def random_moves(self, out: Any = None) -> Any:
        """A legal move for every game, all equally likely: the same as on the CPU; 0 where a game is over.

        They are written into `out`, or else into the batch's own array, which the next call overwrites.
        """
        moves = self._random if out is None else out
        self._launch("choose", chosen=moves, number=self._next_number())
        return moves

    def step(self, moves: Any, restart: bool = False, where: Any = True) -> None:
        """Play one decision in every game, or in those `where` is true. Games that are over stay as they are.

        `moves` and `where` may lie on the GPU, in an array of any library, or not. An illegal move raises IllegalMove and changes
        nothing. With `restart` a new game is dealt at once wherever one has ended; `rewards` and `done` then describe the old
        one.
        """
        given = moves if hasattr(moves, "__cuda_array_interface__") else self._to_device(moves)
        interface = given.__cuda_array_interface__
        if interface["shape"] != (len(self),):
            raise IllegalMove(f"a batch of {len(self)} games takes as many moves, not {interface['shape']}")
        places = self._places(where)
        if interface["typestr"] == "<i4":
            self._launch("check", given=given, where=places)
        elif interface["typestr"] == "<i8":
            self._launch("check_long", given_long=given, where=places)
        else:
            raise IllegalMove(f"moves are numbers of type int32 or int64, not {np.dtype(interface['typestr'])}")
        self._launch("step", command=STEP_AND_RESTART if restart else STEP, where=places)
        bad = int(self._found.numpy()[0])
        if bad != NO_GAME:
            self._found.assign([NO_GAME, 0])
            raise IllegalMove(f"move {self._arrays['chosen'].numpy()[bad]} is not legal in game {bad}")

    def rollout(self, decisions: int) -> None:
        """Make `decisions` random decisions in every game, as so many `step(random_moves(), restart=True)` do, but faster.

        Afterwards `ended` tells how many games ended in each place, `done` whether any did, and `rewards` holds the sum of their
        rewards.
        """
        number = self._next_number()
        if self._rollout == "rollout_waves":
            self._arrays["tallies"].fill_zero()
            for wave in range(decisions + 2):
                self._launch("rollout_waves", decisions=decisions, number=number, wave=wave)
        else:
            self._launch(self._rollout, decisions=decisions, number=number)
        self._draws += decisions - 1

    def restart(self, where: Any = None) -> int:
        """Deal the next game in the places `where` is true, by default wherever one is over; return how many those are."""
        if where is None:
            self._launch("step", command=RESTART)
        else:
            self._launch("step", command=DEAL, where=self._places(where))
        fresh = int(self._found.numpy()[1])
        self._found.assign([NO_GAME, 0])
        return fresh

    def reseed(self, seeds: Any, where: Any = True) -> None:
        """Let the next games in the places `where` is true be the games 0, 1, 2 … of these seeds."""
        places = np.broadcast_to(_on_host(where), len(self))
        for name, values in {"seeds": _on_host(seeds), "firsts": 0, "strides": 1, "dealt": 0}.items():
            array = self._arrays[name]
            array.assign(np.where(places, values, array.numpy()))

    def deal(self) -> None:
        """Begin all over, with the very first games of the seed."""
        for array in (self._arrays["dealt"], self.rewards, self.done, self.ended):
            array.fill_zero()
        self._draws = 0
        self.restart(True)

    # ------------------------------------------------------------ kernels

    def _next_number(self) -> int:
        self._draws += 1
        return (self.seed + self._draws * len(self)) & 0x7FFFFFFFFFFFFFFF

    def _places(self, where: Any) -> Any:
        """Which places are meant, as an array on the GPU."""
        if where is True:
            return self._everywhere
        if hasattr(where, "__cuda_array_interface__"):
            interface = where.__cuda_array_interface__
            if interface["shape"] != (len(self),) or np.dtype(interface["typestr"]) != np.bool_:
                raise BadOption(f"{len(self)} games need as many truth values to choose from, not {interface['shape']}")
            return where
        self._arrays["where"].assign(np.broadcast_to(where, len(self)))
        return self._arrays["where"]

    def _to_device(self, moves: Any) -> DeviceArray:
        given = np.asarray(moves)
        array = self._array(given.shape, np.int64)
        array.assign(given)
        return array

    def _array(self, shape: int | tuple[int, ...], dtype: Any) -> DeviceArray:
        return DeviceArray(self.device, (shape,) if isinstance(shape, int) else shape, dtype)

    def _launch(self, name: str, **arguments: Any) -> None:
        """Start a kernel on all games. Its arguments are the batch's own arrays, unless others are given."""
        launch = self._launches.get(name)
        if launch is None:
            launch = self._launches[name] = self._prepare(name, arguments, len(self))
        for index, one in enumerate(KERNELS[name]):
            if one in arguments:
                launch.set(index, arguments[one])
        launch()

    @cached_property
    def _rollout(self) -> str:
        """The kernel for rollouts, with what it needs: see `rollout_kernels`. One that sorts a block must hold enough games."""
        name = rollout_kernels(self.game)[0]
        if name == "rollout_waves":
            self._arrays["order"] = self._array((2, sort_keys(self.game), len(self)), np.int32)
            self._arrays["tallies"] = self._array((3, sort_keys(self.game)), np.int32)
            return name
        if name == "rollout_sorted":
            module = self.device.load(kernel_text(self.game, self.dtype, "rollout_sorted"))
            function = self.device.function(module, ENTRY)
            space = 8 * padded(self.dtype.itemsize // 8)
            block = min(self.device.room(function) // space // WARP * WARP, SORTED_BLOCK)
            if block >= BLOCK:
                arguments = self._arguments("rollout_sorted", {})
                launch = Launch(self.device, function, len(self), arguments, block, block * space)
                self._launches["rollout_sorted"] = launch
                return "rollout_sorted"
        return "rollout"

    def _prepare(self, name: str, arguments: Mapping[str, Any], threads: int) -> Launch:
        """Load a kernel, with these arguments and otherwise the batch's own."""
        module = self.device.load(kernel_text(self.game, self.dtype, name))
        return Launch(self.device, self.device.function(module, ENTRY), threads, self._arguments(name, arguments))

    def _arguments(self, name: str, given: Mapping[str, Any]) -> list[Any]:
        usual = {"seats": self.seats, **self._arrays, **given}
        return [usual.get(one, 0) for one in KERNELS[name]]


def _on_host(array: Any) -> Any:
    """An array of any library, or a number, for NumPy to read."""
    if hasattr(array, "__cuda_array_interface__"):
        return array.numpy() if isinstance(array, DeviceArray) else array.cpu().numpy() if hasattr(array, "cpu") else array.get()
    return array
