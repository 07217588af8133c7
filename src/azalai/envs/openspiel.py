"""OpenSpiel: every game registered as `azalai_<name>`, for its bots and algorithms.

>>> import azalai
>>> import azalai.envs.openspiel
>>> import pyspiel
>>> game = pyspiel.load_game(f"azalai_{azalai.games()[0]}")
>>> state = game.new_initial_state()

A decision that draws from the game's generator is followed by a chance node. With `chance=explicit` (the default) it has
`outcomes` equally likely outcomes, each of which stands for one way the generator may go on; the first number drawn takes each of
its values equally often whenever their number divides `outcomes`. With `chance=sampled` there is a single outcome, and the game
draws.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

import azalai
from azalai.engine import dispatch, flow
from azalai.engine.compile import Task, use_compiled
from azalai.engine.encode import layout_for
from azalai.engine.game import Game, load_game
from azalai.engine.observer import Observer
from azalai.engine.position import Position
from azalai.engine.rng import seed
from azalai.engine.rule import duplicate, record_of, records
from azalai.engine.worker_pool import WorkerPool
from azalai.envs.common import Array, rewards

OUTCOMES = 840  # of a chance node; divided by 1 to 8, 10, 12, 14, 15, 20, 21, 24, 28, 30 …
AT_REST = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)  # the generator's state while nothing is drawn
DEAL = -1  # the chance event before any move
WORD = (1 << 64) - 1
NO_MOVE = -2


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a state calls, besides those of a position."""
    cells = record_of(game.new(seed=1).tobytes(), game.schema.dtype)
    move = game.new(seed=1).move_ids()[0]
    return [
        lambda: flow.step(duplicate(cells)[0], move),
        lambda: dispatch.setup(duplicate(cells)[0]),
        lambda: seed(duplicate(cells)[0], 1, 0),
    ]


def _type(name: str, game: Game, chance: str) -> Any:
    mode = pyspiel.GameType.ChanceMode
    modes = {"explicit": mode.EXPLICIT_STOCHASTIC, "sampled": mode.SAMPLED_STOCHASTIC}
    if chance not in modes:
        raise azalai.BadOption(f"chance must be explicit or sampled, not {chance!r}")
    return pyspiel.GameType(
        short_name=f"azalai_{name}",
        long_name=f"Azalai: {name.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes[chance],
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,  # chance is hidden from all
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.seats[0],
            "chance": "explicit",
            "outcomes": OUTCOMES,
            "seed": 0,
            **{option.name: "" for option in game.options},
        },
    )


class SpielGame(pyspiel.Game):
    """A game of ours as OpenSpiel sees it; `register` makes a subclass for each."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = params or {}
        self.game = azalai.game(self.name)
        use_compiled(self.game, __name__)
        self.seats = self.game.check_seats(parameters.get("players"))
        self.sampled = parameters.get("chance", "explicit") == "sampled"
        self.outcomes = 1 if self.sampled else int(parameters.get("outcomes", OUTCOMES))
        self.random = random.Random(parameters.get("seed", 0))  # what is sampled comes from here
        options = {option.name: parameters.get(option.name, "") for option in self.game.options}
        blank = records(1, self.game.schema.dtype)
        self.game.header(blank[0], self.seats, {key: _number(text) for key, text in options.items() if text != ""})
        self.blank = bytes(blank.tobytes())
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.moves.count,
            max_chance_outcomes=self.outcomes,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.game.longest,
        )
        super().__init__(_type(self.name, self.game, parameters.get("chance", "explicit")), info, parameters)

    def new_initial_state(self) -> SpielState:
        """Before the deal, which is the first chance event."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        """What a player may know, as a tensor with named parts and as a string; None where only a part of that is wanted."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SpielObserver(self, wanted.perfect_recall, params)

    def max_chance_nodes_in_history(self) -> int:
        """The deal, and at most one after every decision."""
        return self.game.longest + 1


def _number(text: Any) -> Any:
    return int(text) if isinstance(text, str) and text.isdecimal() else text


class SpielState(pyspiel.State):
    """A game in play. All of it is plain, unchangeable data, so that OpenSpiel can copy and pickle it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.record: bytes = game.blank
        self.chance_of: int = DEAL  # the move whose chance is to be drawn next, or NO_MOVE
        self.memories: tuple[bytes, ...] = (b"",) * game.seats  # per seat, a hash of all it has seen and done

    # ------------------------------------------------------------ OpenSpiel's questions

    def current_player(self) -> int:
        """Return the seat to decide, or OpenSpiel's number for chance or for the end."""
        if self.chance_of != NO_MOVE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self._cells()["seat"][0])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.chance_of == NO_MOVE and bool(self._cells()["over"][0])

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position().move_ids())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes, all equally likely."""
        count = self.get_game().outcomes
        return [(outcome, 1.0 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        if self.chance_of == NO_MOVE:
            cells = self._cells()
            seat = int(cells["seat"][0])
            self._remember(seat, f"move {action}")
            flow.step(cells[0], action)
            if tuple(cells["rng"][0].tolist()) == AT_REST:
                self._take(cells)
            else:  # something was drawn: let chance choose first
                self.chance_of = action
        else:
            game: SpielGame = self.get_game()
            cells, move = self._cells(), self.chance_of
            share = game.random.random() if game.sampled else (action + 0.5) / game.outcomes
            salt = game.random.getrandbits(62) if game.sampled else (action << 32) + int(cells["ply"][0])
            cells["rng"][0] = generator_words(share, salt)
            if move == DEAL:
                dispatch.setup(cells[0])
            else:
                flow.step(cells[0], move)
            self.chance_of = NO_MOVE
            self._take(cells)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"outcome {action}" if player == pyspiel.PlayerId.CHANCE else str(self.get_game().game.moves[action])

    def returns(self) -> list[float]:
        """Return each seat's reward; 0 while the game runs."""
        return rewards(self.position()) if self.is_terminal() else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Return a state that `player` cannot tell from this one, with hidden information sampled; `sampler()` is below 1."""
        state: SpielState = self.get_game().new_initial_state()
        seen = self.position().seen_by(player)
        cells = record_of(seen.imagine(int(sampler() * (1 << 53))).tobytes(), self.get_game().game.schema.dtype)
        cells["rng"][0] = AT_REST
        state.record = bytes(cells.tobytes())
        state.chance_of = NO_MOVE
        state.memories = tuple(
            memory if seat == player else _hash(b"", state.position().seen_by(seat).tobytes())
            for seat, memory in enumerate(self.memories)
        )
        return state

    def __str__(self) -> str:
        if self.chance_of == DEAL:
            return "the deal"
        position = self.position()
        what = f"; chance decides what comes of {self.chance_of}" if self.chance_of != NO_MOVE else ""
        return f"{position!r}{what} {hashlib.sha256(self.record).hexdigest()[:16]}"

    # ------------------------------------------------------------ ours

    def position(self) -> Position:
        """Return the game as a Position, to look at."""
        return Position(self.get_game().game, None, self.record)

    def _cells(self) -> Any:
        game: SpielGame = self.get_game()
        return record_of(self.record, game.game.schema.dtype)

    def _take(self, cells: Any) -> None:
        """Take over a record; every seat remembers what it sees."""
        cells["rng"][0] = AT_REST
        self.record = bytes(cells.tobytes())
        position = self.position()
        for seat in range(self.num_players()):
            self._remember(seat, position.seen_by(seat).tobytes())

    def _remember(self, seat: int, what: str | bytes) -> None:
        data = what.encode() if isinstance(what, str) else what
        kept = list(self.memories)
        kept[seat] = _hash(kept[seat], data)
        self.memories = tuple(kept)


def _hash(memory: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16, key=memory).digest()


class SpielObserver:
    """What a player may know now, in the named parts that `game.observation` describes.

    With the parameter `conclusions` those of the game follow. The string of an information state tells all that the player has
    seen and done so far; tensors tell the present.
    """

    def __init__(self, game: SpielGame, perfect_recall: bool, parameters: Any) -> None:
        wanted = {"conclusions": False, **(parameters or {})}
        conclusions = wanted.pop("conclusions")
        if wanted:
            raise ValueError(f"observers have the parameter conclusions alone, {parameters!r} was given")
        layout = layout_for(game.game, "float32", conclusions)
        self._recall = perfect_recall
        self._cells = record_of(game.blank, game.game.schema.dtype)
        self._observer = Observer(game.game, self._cells, WorkerPool(1, 1), conclusions)
        self.tensor: Array = np.zeros(layout.size, np.float32)
        self.dict: dict[str, Array] = layout.split(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what `player` may know into `tensor`, of which `dict` has views."""
        if state.chance_of == DEAL:
            self.tensor[:] = 0.0
        else:
            self._cells[:] = state._cells()
            self._observer.write(player, self.tensor[None])

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a line that is the same whenever `player` knows the same."""
        if state.chance_of == DEAL:
            return f"seat {player}: the deal"
        seen = state.position().seen_by(player)
        known = state.memories[player] if self._recall else hashlib.blake2b(seen.tobytes(), digest_size=16).digest()
        return f"seat {player}: {seen!r} {known.hex()}"


class PlayoutEvaluator:
    """An evaluator for OpenSpiel's searches: random games to the end, in compiled code."""

    def __init__(self, playouts: int = 1, seed: int = 0) -> None:
        self.playouts = playouts
        self._random = random.Random(seed)

    def evaluate(self, state: SpielState) -> Array:
        """Return each seat's mean reward."""
        total = np.zeros(state.num_players())
        for _ in range(self.playouts):
            world = state.clone()
            while world.is_chance_node():
                world.apply_action(self._random.randrange(state.get_game().outcomes))
            cells = world._cells()
            seed(cells[0], self._random.getrandbits(62), 0)
            flow.play_out(cells[0], state.get_game().game.move_buffer())
            total += rewards(Position(state.get_game().game, None, cells.tobytes()))
        return total / self.playouts

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Return the same prior for all moves."""
        legal = state.chance_outcomes() if state.is_chance_node() else [(move, 1.0) for move in state.legal_actions()]
        return [(move, 1.0 / len(legal)) for move, _ in legal]


def generator_words(share: float, salt: int) -> tuple[int, int]:
    """A state of the engine's generator: its next number is `share` of the way from 0 to 2 ** 64, then it goes on by `salt`.

    xoroshiro128++ gives rotl(a + b, 17) + a for the words a and b, which can be solved for b.
    """
    first = int.from_bytes(hashlib.blake2b(str(salt).encode(), digest_size=8).digest(), "little")
    turned = (int(share * 2.0**64) - first) & WORD
    return first, ((turned >> 17 | turned << 47 & WORD) - first) & WORD


def register() -> None:
    """Register all games with OpenSpiel."""
    known = set(pyspiel.registered_names())
    for name in azalai.games():
        if f"azalai_{name}" not in known:
            kind = type(f"{name.capitalize()}Game", (SpielGame,), {"name": name, "__module__": __name__})
            globals()[kind.__name__] = kind  # where pickle looks for it
            pyspiel.register_game(_type(name, load_game(name), "explicit"), kind)


register()
