"""Chance: a generator inside every record.

The generator is xoroshiro128++ (Blackman and Vigna): two 64-bit words, passes BigCrush, about a nanosecond a number. Its first
words come from SplitMix64 applied to a seed and a stream number, so that one seed gives as many independent games as
wanted. Whoever has a record has its future, which is why `conceal` blanks these words before anybody sees them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule

U = np.uint64
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)


@rule
def mix(x: Any) -> Any:
    """SplitMix64's scrambler: nearby numbers become unrelated ones."""
    x = (x ^ (x >> U(30))) * MIX_1
    x = (x ^ (x >> U(27))) * MIX_2
    return x ^ (x >> U(31))


@rule
def seed(s: Any, number: Any, stream: Any) -> None:
    """Start the generator of `s`: game `stream` of all the games that belong to `number`."""
    s.rng[0], s.rng[1] = first_words(number, stream)


@rule
def first_words(number: Any, stream: Any) -> Any:
    """The two words that a generator starts with."""
    x = mix(U(number) + GOLDEN) + mix(U(stream) * GOLDEN + MIX_1)
    return mix(x + GOLDEN), mix(x + GOLDEN + GOLDEN) | U(1)  # never both zero


@rule
def output(a: Any, b: Any) -> Any:
    """The 64 random bits that a generator with the words `a` and `b` gives."""
    c = a + b
    return ((c << U(17)) | (c >> U(47))) + a


@rule
def bits(s: Any) -> Any:
    """The next 64 random bits."""
    a, b = s.rng[0], s.rng[1]
    result = output(a, b)
    b ^= a
    s.rng[0] = ((a << U(49)) | (a >> U(15))) ^ b ^ (b << U(21))
    s.rng[1] = (b << U(28)) | (b >> U(36))
    return result


@rule
def below(s: Any, n: int) -> Any:
    """A number from 0 to n - 1, exactly even (Lemire's method). Leaves no trace in the game: for players' guesses."""
    limit = U(n)
    product = (bits(s) >> U(32)) * limit
    if (product & LOW_HALF) < limit:
        floor = ((LOW_HALF - limit) + U(1)) % limit
        while (product & LOW_HALF) < floor:
            product = (bits(s) >> U(32)) * limit
    return np.int64(product >> U(32))


@rule
def draw(s: Any, n: int) -> Any:
    """A number from 0 to n - 1 by chance, as part of the game: marks the decision as one that revealed something."""
    s.revealed = 1
    return below(s, n)


@rule
def shuffle(s: Any, cards: Any, n: int) -> None:
    """Put the first n of `cards` into random order; nothing is revealed by that."""
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
