"""Where a level errs."""

from pathlib import Path

from azalai.arena.ladder import read
from tools.doubts import doubts

LADDER = Path(__file__).parents[2] / "docs" / "ladder"


def test_a_game_of_the_ladder_is_played_again_and_random_moves_are_doubted():
    played = next(one for one in read(LADDER / "targi.jsonl") if set(one.players) == {"random", "greedy"})
    position, found = doubts(played.key, iterations=30)
    assert (position.scores, position.ranking, position.ply) == (played.scores, played.places, played.decisions)
    assert len(found) > 20
    assert max(one.loss for one in found) > 0.05
    assert {one.phase for one in found} >= {"placing", "acting"}
