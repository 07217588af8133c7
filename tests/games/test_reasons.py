"""Every move that cannot be made has a reason that can be said."""

from __future__ import annotations

import importlib
import random

import pytest

import azalai
from azalai.engine.words import Words, languages


@pytest.mark.parametrize("name", ["targui", "tuareg", "timbuktu", "targi"])
def test_reasons_are_whole_sentences_in_every_language(name):
    game = azalai.game(name)
    reason = importlib.import_module(f"{game.package}.extras.reasons").reason
    position = game.new(seed=3)
    words = [Words(game, position.seats, language) for language in languages(game.extras)]
    chance = random.Random(3)
    kinds = [kind for kind in game.moves.kinds.values() if kind.count <= 64]
    said: set[str] = set()
    for _ in range(150):
        if position.over:
            break
        seen = position.seen_by(position.seat)
        legal = set(seen.move_ids(position.seat))
        for kind in kinds:
            for number in {kind.base, kind.base + chance.randrange(kind.count), kind.base + kind.count - 1} - legal:
                texts = [reason(seen.state, game.moves[number], one) for one in words]
                said.update(text for text in texts if text)
        position.play(chance.choice(position.moves()))
    assert len(said) > 6
    assert [text for text in said if "?" in text or "reasons." in text or not text.endswith(".")] == []


@pytest.mark.parametrize(
    ("name", "phase", "move", "said"),
    [
        ("timbuktu", "choosing", "to", "First the camel"),
        ("timbuktu", "moving", "choose", "Camel"),
        ("tuareg", "turn", "load", "Your hand is empty"),
        ("targi", "placing", "use", "Targis stand on the frame"),
    ],
)
def test_a_click_at_the_wrong_time_is_told_what_comes_first(name, phase, move, said):
    position = azalai.game(name).new(seed=3)
    reason = importlib.import_module(f"{position.game.package}.extras.reasons").reason
    while position.phase != phase:
        position.play(position.moves()[0])
    kind = position.game.moves.kinds[move]
    last = position.game.moves[kind.base + kind.count - 1]  # of Targi's places, one in the centre
    assert reason(position.state, last, Words(position.game, position.seats, "en")).startswith(said)
