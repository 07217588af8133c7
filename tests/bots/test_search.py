"""The search, shown on Connect Four, where right and wrong are plain, and on a game with a secret."""

from dataclasses import replace

import pytest

import azalai
from azalai.bots import make
from azalai.bots.levels import WORDS, Level, level_name, levels
from azalai.bots.player import Search
from azalai.bots.search import _judge, memory
from azalai.engine.errors import BadOption
from azalai.engine.words import languages
from benchmarks.connect_four import CONNECT_FOUR
from tests.engine.nim import NIM

STEADY = Level(0, iterations=3000, cutoff=100, temperature=0.0, exploration=1.0)


def after(*columns):
    position = CONNECT_FOUR.new(seed=1)
    for column in columns:
        position.play(f"drop {column}")
    return position


def test_it_takes_a_win():
    assert str(Search(CONNECT_FOUR, STEADY).choose(after(1, 7, 2, 7, 3, 6))) == "drop 4"


def test_it_stops_the_other_from_winning():
    assert str(Search(CONNECT_FOUR, STEADY).choose(after(1, 7, 2, 7, 5, 7))) == "drop 7"


def test_it_sees_a_double_threat_coming():
    """With 3 and 4 on an open bottom row, the other side must answer at once at 2 or 5."""
    assert str(Search(CONNECT_FOUR, STEADY).choose(after(3, 3, 4))) in ("drop 2", "drop 5")


def test_the_same_seed_chooses_the_same():
    position = after(4, 4, 3)
    warm = Level(0, iterations=200, cutoff=10, temperature=1.0)
    choices = [[str(Search(CONNECT_FOUR, warm, seed).choose(position)) for seed in range(12)] for _ in range(2)]
    assert choices[0] == choices[1]
    assert len(set(choices[0])) > 1


def test_several_threads_find_the_same_plain_truth():
    assert str(Search(CONNECT_FOUR, STEADY, threads=2).choose(after(1, 7, 2, 7, 3, 6))) == "drop 4"


def test_what_it_learnt_is_kept_for_the_next_decision():
    bot = Search(CONNECT_FOUR, STEADY)
    position = after(4)
    position.play(bot.choose(position))
    position.play("drop 4")
    known = bot._known(bot._look(position))[0].sum()
    assert known > 20


def test_a_secret_it_may_not_know_changes_nothing():
    one = NIM.new(seed=3)
    for secret in range(1, 8):
        other = one.copy()
        other.state.secret[1] = secret
        assert str(Search(NIM, STEADY, seed=5).choose(other)) == str(Search(NIM, STEADY, seed=5).choose(one))


def test_a_small_table_is_enough_to_go_on():
    """When the table is full the search goes on without learning new positions."""
    small = Level(0, iterations=20_000, cutoff=100, temperature=0.0, exploration=1.0)
    bot = Search(CONNECT_FOUR, small)
    bot._entries = 1 << 10
    assert str(bot.choose(after(1, 7, 2, 7, 3, 6))) == "drop 4"
    assert bot._memories[0].used[0] < 1 << 10


def test_an_analysis_names_the_best_move_with_reasons():
    bot = Search(CONNECT_FOUR, STEADY)
    reports = []
    position = after(1, 7, 2, 7, 3, 6)
    analysis = bot.analyse(position.seen_by(0), 4000, lambda so_far: reports.append(so_far.iterations), games=10)
    best = analysis.moves[0]
    assert reports == [2000, 4000]
    assert str(best.move) == "drop 4"
    assert best.outlook.value[0] > 0.9 > 0.2 > best.outlook.value[1]
    assert best.outlook.win == (1.0, 0.0)
    assert best.outlook.points == (1.0, 0.0)
    assert [str(move) for _, move in best.continuation] == ["drop 4"]
    assert sum(one.share for one in analysis.moves) == pytest.approx(1)
    assert all(0 <= error < 0.3 for one in analysis.moves[:2] for error in one.outlook.error)


def test_a_win_counts_more_than_a_place_among_three():
    """The second of three gets less than the mean of first and last: half of a result is for winning."""
    game = azalai.game("timbuktu")
    position = game.new(3, seed=3)
    greedy = make("greedy", game, seed=1)
    while not position.over:
        position.play(greedy.choose(position.seen_by(position.seat)))
    assert sorted(position.ranking) == [1, 2, 3]
    m = memory(game, 1)
    m.work[0] = position.state
    _judge(m, m.work[0])
    first, second, third = (m.values[position.ranking.index(place)] for place in (1, 2, 3))
    assert first > 0.9
    assert third < second < 0.4
    assert third < 0.1


def test_an_analysis_can_be_stopped():
    bot = Search(CONNECT_FOUR, STEADY)
    assert bot.analyse(after(4), 1_000_000, lambda so_far: False, games=0).iterations == 2000


def test_every_level_has_a_name_of_its_own_in_every_language():
    for language in languages(WORDS):
        assert len({level_name(one.number, language) for one in levels(NIM)}) == len(levels(NIM))
    assert level_name(1, "de") != level_name(1, "en") == level_name(1, "xx") == "Caravan boy"


def test_every_level_has_more_work_than_the_one_below():
    for one, above in zip(levels(NIM), levels(NIM)[1:], strict=False):
        assert above.iterations > one.iterations
        assert above.temperature <= one.temperature


def test_players_are_made_by_name():
    assert isinstance(make("4", NIM), Search)
    second = make("search", NIM, level=2)
    assert isinstance(second, Search)
    assert second.level.number == 2
    longer = make("3x4", NIM)
    assert isinstance(longer, Search)
    assert longer.level.iterations == 4 * levels(NIM)[2].iterations
    spelled = make(levels(NIM)[2].settings, NIM)
    assert isinstance(spelled, Search)
    assert spelled.level == replace(levels(NIM)[2], number=0)
    with pytest.raises(BadOption, match="there is no player 'chess master'; there are random, greedy, 1"):
        make("chess master", NIM)
    with pytest.raises(BadOption, match="levels go from 1 to 6"):
        make("search", NIM, level=7)


@pytest.mark.parametrize("name", ["random", "greedy", "1"])
def test_a_player_can_be_asked_for_every_seat_that_owes_a_decision(name):
    """In Timbuktu all choose a camel at the same time: whoever is asked first, each decides for itself."""
    game = azalai.game("timbuktu")
    position = game.new(3, seed=2)
    while position.phase == "placing":
        position.play(position.moves()[0])
    assert position.pending == (0, 1, 2)
    bot = azalai.bot(name, game, seed=1)
    for seat in (2, 0, 1):
        seen = position.seen_by(seat)
        assert seen.seat == seat
        move = bot.choose(seen)
        assert move in position.moves(seat)
        position.play(move, seat)
    assert position.phase == "moving"
