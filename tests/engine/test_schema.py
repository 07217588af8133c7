"""Records: what they are made of, and how they are read and copied."""

import numpy as np
import pytest

from azalai.engine.rule import duplicate, records
from azalai.engine.schema import Header, field, schema
from tests.engine.nim import NIM

KINDS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
SHAPES: tuple[int | tuple[int, ...], ...] = ((), 3, (2, 3), (2, 1, 4))
FIELDS = {
    f"f{index}_{number}": field(kind, "some", shape, internal=(index + number) % 3 == 0)
    for index, kind in enumerate(KINDS)
    for number, shape in enumerate(SHAPES)
}
EVERYTHING = schema(type("State", (Header,), FIELDS), events=2)


@pytest.mark.parametrize("seed", range(5))
def test_plain_numbers_are_those_of_the_record(seed):
    cells = records(1, EVERYTHING.dtype)
    cells.view(np.uint8)[:] = np.random.default_rng(seed).integers(0, 256, EVERYTHING.dtype.itemsize)
    shown = {one.name: np.asarray(cells)[one.name][0].tolist() for one in EVERYTHING.fields if not one.internal}
    assert EVERYTHING.plain(cells.tobytes()) == shown
    assert list(EVERYTHING.plain(cells.tobytes())) == list(shown)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_duplicate_has_the_same_bytes_and_goes_its_own_way(count):
    cells = records(count, EVERYTHING.dtype)
    cells.view(np.uint8)[:] = 7
    twin = duplicate(cells)
    assert twin.tobytes() == cells.tobytes()
    assert (type(twin), twin.dtype, twin.shape) == (type(cells), cells.dtype, cells.shape)
    twin.view(np.uint8)[:] = 8
    assert not np.any(cells.view(np.uint8) == 8)


def test_a_decision_is_public_unless_some_may_not_see_all_of_it():
    position = NIM.new(seed=1)
    position.play("roll")
    assert not position.public
    position.play(position.moves()[0])
    assert position.public
