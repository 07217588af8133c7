"""The generator inside a record."""

import numpy as np

from azalai.engine.rng import below, bits, seed, shuffle
from azalai.engine.rule import numbers, records
from tests.engine.nim import NIM


def record(number=1, stream=0):
    cells = records(1, NIM.schema.dtype)
    seed(cells[0], number, stream)
    return cells[0]


def test_it_is_xoroshiro128_plus_plus():
    """Against the published algorithm, written down here in Python's whole numbers."""
    s = record(42)
    a, b = int(s.rng[0]), int(s.rng[1])
    full = (1 << 64) - 1

    def rotate(x, k):
        return (x << k | x >> 64 - k) & full

    for _ in range(100):
        expected = (rotate((a + b) & full, 17) + a) & full
        b ^= a
        a, b = rotate(a, 49) ^ b ^ (b << 21) & full, rotate(b, 28)
        assert int(bits(s)) == expected


def test_numbers_below_a_limit_are_even():
    s = record(3)
    for limit in (2, 3, 6, 7, 49):
        counts = np.bincount([below(s, limit) for _ in range(20_000)], minlength=limit)
        expected = 20_000 / limit
        chi_square = float(((counts - expected) ** 2 / expected).sum())
        assert chi_square < limit + 6 * limit**0.5, limit
        assert len(counts) == limit


def test_seeds_and_streams_give_unrelated_games():
    starts = {(int(s.rng[0]), int(s.rng[1])) for number in range(50) for stream in range(50) for s in [record(number, stream)]}
    assert len(starts) == 2500
    bits_set = np.mean([bin(a ^ b).count("1") for a, b in starts])
    assert 31 < bits_set < 33


def test_the_same_seed_is_the_same_game():
    assert [int(bits(record(7, 3))) for _ in range(3)] == [int(bits(record(7, 3)))] * 3


def test_every_order_of_a_shuffle_is_as_likely():
    s = record(5)
    orders: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        cards = numbers(3)
        cards[:] = (1, 2, 3)
        shuffle(s, cards, 3)
        order = tuple(int(card) for card in cards)
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())
