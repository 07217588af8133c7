"""What a seat may know, as numbers."""

import random
from dataclasses import replace

import numpy as np
import pytest

import azalai
from azalai.engine.dispatch import conclude
from azalai.engine.encode import KINDS, layout_for
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.observe import AMOUNT, Feature, amount, bits, categories, lookup, one_of, seat_bits, seat_number
from azalai.engine.rule import records, rule
from azalai.engine.schema import Cells, conclusions, field, schema
from tests.engine.nim import NIM, State
from tests.harness.make_observations import PAGE, page
from tests.harness.play import EVERY_GAME, EVERY_TABLE, some_positions

OBSERVED = replace(NIM, features=(amount("heap", 7), one_of("secret", 7, first=1, seat_axis=0)))


class Following(State):
    marks: int = field(np.int8, "marks a record type of its own, whose conclusions are not those of plain nim")


class Conclusions:
    total: int = field(np.int16, "stones left")
    double: Cells = field(np.int16, "twice what is known of each secret", 2)


@rule
def double_all(s: Following, seat: int, out: Conclusions) -> None:
    for heap in range(3):
        out.total += s.heap[heap]
    for other in range(2):
        out.double[other] = 2 * s.secret[other]


CONCLUDING = replace(
    NIM,
    schema=schema(Following, events=16),
    functions={**NIM.functions, "conclude": double_all},
    conclusions=conclusions(Conclusions),
    features=(amount("total", 20), amount("heap", 7), amount("double", 14, low=-6, seat_axis=0)),
)

every_game = pytest.mark.parametrize("name", EVERY_GAME)
every_table = pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)


def observed_nim(*features: Feature) -> Game:
    """Nim, seen through these features."""
    return replace(NIM, features=features)


def observed(*features: Feature) -> dict[str, np.ndarray]:
    """Nim in a known position, seen by seat 1, through these features."""
    game = observed_nim(*features)
    position = game.new(seed=1)
    position.state.heap[:] = (0, 3, 7)
    position.state.secret[:] = (4, 6)
    return game.observation.split(position.observe(1))


def test_every_observation_begins_with_who_sees_it_and_who_decides():
    seen = observed(amount("heap", 7))
    assert seen["own_seat"].tolist() == [0, 1]
    assert seen["seats"].tolist() == [1]
    assert seen["decider"].tolist() == [0, 1]  # seat 0 decides: the next one after seat 1
    assert seen["pending"].tolist() == [0, 1]
    assert seen["phase"].tolist() == [1]


def test_an_amount_is_scaled_to_its_bounds_and_never_leaves_them():
    assert observed(amount("heap", 7))["heap"].tolist() == pytest.approx([0, 3 / 7, 1])
    assert observed(amount("heap", 5, low=1))["heap"].tolist() == pytest.approx([0, 0.5, 1])


def test_a_category_is_a_single_one():
    assert observed(one_of("heap", 8))["heap"].argmax(axis=1).tolist() == [0, 3, 7]
    assert observed(one_of("heap", 3, first=2))["heap"].tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_the_own_seat_comes_first_and_what_is_hidden_has_no_one():
    seen = observed(one_of("secret", 7, first=1, seat_axis=0))["secret"]
    assert seen[0].tolist() == [0, 0, 0, 0, 0, 1, 0]
    assert not seen[1].any()


def test_a_lookup_tells_what_is_known_of_a_value():
    colours = categories("colour", [0, 1, 1, 0], ["red", "blue"])
    seen = observed(lookup("heap", {"price": [0, 1, 2, 4], **colours}))["heap"]
    assert seen.tolist() == [[0, 1, 0], [1, 1, 0], [0, 0, 0]]  # of 0, of 3, and of 7, which the table does not have


def test_a_feature_may_be_a_part_of_a_field():
    assert observed(amount("heap", 7, at=np.s_[1:]))["heap"].tolist() == pytest.approx([3 / 7, 1])
    assert observed(amount("heap", 7, at=2))["heap"].tolist() == [1]


def test_a_set_of_bits_is_written_bit_by_bit():
    assert observed(bits("heap", 3))["heap"].tolist() == [[0, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_a_seat_is_told_from_where_one_sits():
    assert observed(seat_number("heap"))["heap"].tolist() == [[0, 1], [0, 0], [0, 0]]  # 0 is the other one; 3 and 7 are nobody
    assert observed(seat_bits("heap"))["heap"].tolist() == [[0, 0], [1, 1], [1, 1]]


def test_a_feature_must_be_a_field_and_have_its_own_name():
    with pytest.raises(ValueError, match="nim has no field 'camels' to observe"):
        observed(amount("camels", 3))
    with pytest.raises(ValueError, match="two features of nim are called 'heap'"):
        observed(amount("heap", 3), bits("heap", 3))
    with pytest.raises(ValueError, match="nim declares no features"):
        _ = NIM.observation


def test_a_conclusion_follows_from_what_the_seat_may_know():
    position = CONCLUDING.new(seed=1)
    position.state.heap[:] = (0, 3, 7)
    position.state.secret[:] = (4, 6)
    for seat, own in ((0, 8), (1, 12)):
        seen = CONCLUDING.observation.with_conclusions.split(position.observe(seat, conclusions=True))
        assert seen["total"].tolist() == [0.5]
        assert seen["double"].tolist() == pytest.approx([(own + 6) / 20, 6 / 20])  # the other's secret is hidden: 0
    assert "| `total` | 1 | 0 to 20, as 0 to 1 | stones left |" in CONCLUDING.observation.with_conclusions.describe()


def test_each_observation_has_conclusions_of_its_own_and_the_end_has_none():
    batch = CONCLUDING.batch(20, seed=1)
    part = CONCLUDING.observation.with_conclusions.slices["total"].start
    for _ in range(60):
        totals = np.asarray(batch.states["heap"]).sum(axis=1)
        assert batch.observe(conclusions=True)[:, part].tolist() == pytest.approx((totals / 20).clip(0, 1).tolist())
        batch.step(batch.random_moves())
    assert batch.over.any()


def test_conclusions_follow_all_else_where_they_are_asked_for():
    known = ("own_seat", "seats", "decider", "pending", "phase", "heap")
    assert tuple(CONCLUDING.observation.slices) == known
    assert tuple(CONCLUDING.observation.with_conclusions.slices) == (*known, "total", "double")
    assert CONCLUDING.observation.with_conclusions.with_conclusions is CONCLUDING.observation.with_conclusions
    assert OBSERVED.observation.with_conclusions is OBSERVED.observation


@pytest.mark.parametrize("kind", KINDS)
def test_an_observation_with_conclusions_begins_as_one_without(kind):
    numbers = {False: OBSERVED, True: CONCLUDING}
    for concludes, game in numbers.items():
        batch, layout = game.batch(20, seed=1), layout_for(game, kind, conclusions=False)
        whole = layout.with_conclusions
        assert (whole.size > layout.size) == whole.concludes == concludes
        for _ in range(8):
            batch.step(batch.random_moves())
            short, long = batch.observe(kind=kind), batch.observe(kind=kind, conclusions=True)
            assert (short.shape, long.shape) == ((20, layout.columns(kind)), (20, whole.columns(kind)))
            if kind == "bits":
                short, long = layout.unpack(short), whole.unpack(long)
            assert (short == long[:, : layout.size]).all()


def test_conclusions_are_small_numbers_with_names_of_their_own():
    class Wide:
        total: int = field(np.int32, "stones left")

    class Heap:
        heap: int = field(np.int16, "stones left")

    with pytest.raises(ValueError, match="conclusions are numbers of int16, but 'total' is not"):
        conclusions(Wide)
    with pytest.raises(ValueError, match="a conclusion of nim is called like a field of its record"):
        _ = replace(OBSERVED, conclusions=conclusions(Heap)).observation


def test_the_table_tells_of_every_feature():
    told = OBSERVED.observation.describe()
    assert "| 8–10 | `heap` | 3 | 0 to 7, as 0 to 1 | stones in each heap |" in told
    assert "| 11–24 | `secret` | 2×7 | one-hot from 1 to 7 | a secret number per seat |" in told


# ---------------------------------------------------------------- every game


@every_table
def test_equal_knowledge_gives_equal_tensors(name, seats):
    """Whatever a seat cannot see may be otherwise: its observation does not change."""
    for position in some_positions(name, seats, 20):
        for seat in range(seats):
            tensor = position.observe(seat, conclusions=True)
            for seed in range(3):
                assert (position.seen_by(seat).imagine(seed).observe(seat, conclusions=True) == tensor).all()
            assert (position.seen_by(seat).observe(seat, conclusions=True) == tensor).all()


@every_table
def test_different_positions_are_mostly_told_apart(name, seats):
    """A tensor may leave out a little, but positions a seat can tell apart rarely look the same."""
    views, tensors = set(), set()
    for position in some_positions(name, seats, 21, count=200):
        seen = position.seen_by(0)
        for name in ("events", "event_count", "revealed", "ply"):
            seen.state[name] = 0
        views.add(seen.tobytes())
        tensors.add(position.observe(0).tobytes())
    assert len(tensors) > 0.9 * len(views)


@every_game
def test_observations_lie_between_0_and_1_and_use_what_they_have(name):
    """No number is out of bounds, and in random games of all sizes features are used and most of their numbers, too."""
    game = azalai.game(name)
    layout = game.observation.with_conclusions
    used = np.zeros(layout.size, bool)
    for seats in game.seats:
        batch = game.batch(256, seats, seed=5)
        for step in range(1500):
            if step % 7 == 0:
                tensors = batch.observe(step % seats, conclusions=True)
                assert (tensors >= 0).all()
                assert (tensors <= 1).all()
                used |= (tensors != 0).any(axis=0)
            batch.step(batch.random_moves(), restart=True)
    idle = [feature for feature, part in layout.split(used).items() if not part.any()]
    assert len(idle) <= 1, idle
    assert used.mean() > 0.6


@every_game
def test_numbers_of_all_kinds_tell_the_same(name):
    """Rounded as each kind must; as bits, an amount is a number in binary."""
    game = azalai.game(name)
    batch, layout, in_bits = game.batch(16, seed=9), *(layout_for(game, kind, conclusions=True) for kind in ("float32", "bits"))
    for step in range(120):
        batch.step(batch.random_moves(), restart=True)
        if step % 12:
            continue
        plain, half, byte, packed = (batch.observe(kind=kind, conclusions=True) for kind in KINDS)
        assert (half == plain.astype(np.float16)).all()
        assert (byte == np.rint(plain * 255)).all()
        bits_of = in_bits.split(in_bits.unpack(packed))
        for feature in layout.features:
            told = layout.split(plain)[feature.name]
            if feature.encoding == AMOUNT:
                digits = bits_of[feature.name].reshape(*told.shape, -1)
                value = digits @ (1 << np.arange(digits.shape[-1]))
                assert (value == np.rint(told * (feature.width - 1))).all(), feature.name


@every_game
def test_bounds_of_amounts_are_rarely_reached_by_greedy_players(name):
    """What lies beyond an amount's bounds is written alike: that must be the exception."""
    game = azalai.game(name)
    chance = random.Random(4)
    for seats in game.seats:
        position, bot = game.new(seats, 4), azalai.bot("greedy", game, 4)
        values: dict[str, list[int]] = {}
        amounts = [feature for feature in game.observation.with_conclusions.features if feature.encoding == AMOUNT]
        bounds = {feature.name: feature.low + feature.width - 1 for feature in amounts}
        while not position.over and position.ply < 1000:
            move = bot.choose(position) if chance.random() < 0.9 else chance.choice(position.moves())
            concluded = records(1, game.conclusions.dtype)
            conclude(position.seen_by(position.seat).state, position.seat, concluded[0])
            position.play(move)
            for one in amounts:
                record = concluded[0] if one.field in concluded.dtype.names else position.state
                values.setdefault(one.name, []).extend(np.ravel(record[one.field][one.at]).tolist())
        for feature, bound in bounds.items():
            beyond = np.mean(np.array(values[feature]) > bound)
            assert beyond < 0.02, f"{feature}: {beyond:.1%} above {bound}, up to {max(values[feature])}"


@every_game
def test_a_batch_sees_what_a_position_sees(name):
    game = azalai.game(name)
    batch = game.batch(3, seed=6)
    position = game.new(seed=6)
    for _ in range(40):
        moves = batch.random_moves()
        batch.step(moves)
        position.play(int(moves[0]))
        assert (batch.observe()[0] == position.observe()).all()
        assert (batch.observe(1)[0] == position.observe(1)).all()
        assert (batch.observe(conclusions=True)[0] == position.observe(conclusions=True)).all()


def test_only_seats_observe():
    with pytest.raises(BadOption, match=r"observations are those of the seats 0 to 1, not of \[2\]"):
        OBSERVED.batch(3, seed=1).observe(2)
    with pytest.raises(BadOption, match="observations are of float32, float16, uint8, bits, not 'int8'"):
        OBSERVED.batch(3, seed=1).observe(kind="int8")


def test_the_documentation_lists_what_is_observed():
    """If not: python -m tests.harness.make_observations."""
    assert PAGE.read_text(encoding="utf-8") == page()
