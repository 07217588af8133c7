"""The other commands, and what each says when something is wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import azalai
from azalai import bots
from azalai.arena.report import Mean, study
from azalai.arena.tally import difference, surely
from azalai.cli import prepare
from azalai.cli.report_page import ratio
from azalai.engine.game import load_game
from azalai.reviews import scout
from tests.cli.conftest import Command
from tests.harness.play import RECORDS

START = "import sys; from azalai.cli import main; sys.exit(main())"


def process(*arguments: str, code: str = START, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], input=typed, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def finished(home: Path) -> Path:
    """A finished game of Targui."""
    position = azalai.game("targui").new(seats=2, seed=3, rounds=2)
    while not position.over:
        position.play(position.moves()[-1])
    azalai.save(position, home / "finished.json")
    return home / "finished.json"


# ---------------------------------------------------------------- help and lists


def test_the_help_names_every_command(command: Command):
    said = command("--help")
    assert said.status == 0
    for name in ("play", "replay", "rules", "games", "simulate", "bench"):
        assert re.search(rf"^ +{name} ", said.out, re.MULTILINE)


def test_windows_is_refused_in_one_sentence(command, monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    said = command("games")
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert "Windows Subsystem for Linux" in said.err


def test_help_is_in_the_users_language(command: Command):
    said = command("play --help --lang de")
    assert said.status == 0
    assert said.out.startswith("Aufruf: azalai play")
    assert "Optionen:" in said.out
    assert "usage" in command("play --help").out


def test_the_version_is_that_of_the_package(command: Command):
    assert command("--version").out == f"azalai {azalai.__version__}\n"


def test_games_are_listed_with_players_minutes_and_makers(command: Command, wells: str):
    said = command("games")
    assert said.status == 0
    assert re.search(r"wells +2–3 +5 +Wells · Nobody · Nowhere, 2000", said.out)
    assert "Bid for water in the desert." in said.out
    assert "Wil Dijkstra" in said.out


def test_games_are_listed_for_programs(command: Command, wells: str):
    listed = json.loads(command("games --json --lang de").out)
    assert [game["name"] for game in listed] == ["targui", "wells"]
    assert listed[1]["title"] == "Brunnen"
    assert listed[0]["players"] == [2, 4]


def test_rules_are_explained_in_both_languages(command: Command, wells: str):
    assert "The highest bid draws water." in command("rules wells").out
    assert "Das höchste Gebot bekommt Wasser." in command("rules wells --lang de").out


# ---------------------------------------------------------------- replay


def test_a_game_is_retold_to_its_result(command: Command, finished: Path):
    said = command(f"replay {finished}")
    assert said.status == 0
    assert "Round 1" in said.out
    assert "points" in said.out
    assert "seed 3" in said.out
    assert "Spieler" in command(f"replay {finished} --lang de").out


def test_one_moment_of_a_game_is_shown_with_what_comes_next(command: Command, finished: Path):
    said = command(f"replay {finished} --at 1")
    assert said.status == 0
    assert "Green settles on" in said.out
    assert "Then Yellow decides: settle on" in said.out
    assert "Yellow settles on" not in said.out
    last = azalai.load(finished).ply
    assert "points" in command(f"replay {finished} --at {last}").out


def test_what_comes_next_says_how_much_is_given(command: Command):
    record = RECORDS / "targi" / "2-fourth-raid.json"
    last = azalai.load(record).ply
    assert "give 3 silver crosses" in command(f"replay {record} --at {last - 1}").out


def test_step_by_step_shows_a_picture_for_every_step(command: Command, wells: str, home: Path):
    command("play wells --seats 2 --you 1,2 --seed 5", "12\n1\nsouth, 6\ns game.json\n")
    said = command("replay game.json --step")
    assert said.status == 0
    assert said.out.count("~~~") == 2 * 5  # the deal, two bids, the draw, the rest; not within the move
    assert "The game is not over: it is Blue’s turn." in said.out


def test_step_by_step_at_a_terminal_goes_forwards_backwards_and_anywhere(command: Command, wells: str, home: Path):
    command("play wells --seats 2 --you 1,2 --seed 5", "12\n1\nsouth, 6\ns game.json\n")
    said = command("replay game.json --step", "\n\nb\n5\n0\nq\n", terminal=True)
    assert said.status == 0
    assert re.findall(r"(\d)/5  Enter", said.out) == ["0", "1", "2", "1", "5", "0"]
    assert command("replay game.json --step", "\n", terminal=True).status == 0


def test_a_running_game_is_retold_without_its_secrets_and_a_finished_one_with_them(command: Command, wells: str, home: Path):
    command("play wells --seats 2 --you 1,2", "12\n1\nsouth, 1\ns running.json\n")
    running = command("replay running.json").out
    assert "Blue wins the bidding with 12." in running
    assert "Your omen is" not in running
    assert "You bid" not in running
    assert "omens 0 0" in running
    command("play --load running.json --you none")
    (path,) = (path for path in (home / "data/azalai/games").iterdir() if azalai.load(path).over)
    finished = command(f"replay {path}").out
    assert finished.count("Your omen is") == 2
    assert "You bid 12." in finished
    assert "omens 0 0" not in finished


# ---------------------------------------------------------------- simulate and bench


def test_simulate_counts_wins_points_lengths_and_ends(command: Command, wells: str):
    said = command("simulate wells --seats 3 --games 300 --players greedy,random,random --seed 1")
    assert said.status == 0
    assert re.search(r"greedy +300 +\d+\.\d % +\d+\.\d – \d+\.\d", said.out)
    assert re.search(r"random +600 ", said.out)
    assert re.search(r"Green +300 ", said.out)
    assert "100.0 %  The sun rises." in said.out


def test_simulate_answers_programs_in_json_and_the_same_each_time(command: Command, wells: str):
    line = "simulate wells --games 50 --json --threads 2 --option length=short"
    found = json.loads(command(line).out)
    assert found["games"] == 50
    assert found["players"] == ["greedy", "random"]
    assert found == json.loads(command(line).out)


def test_simulate_lets_one_player_sit_everywhere(command: Command, wells: str):
    assert json.loads(command("simulate wells --games 9 --players random --seats 3 --json").out)["players"] == ["random"] * 3


def test_simulate_writes_a_row_a_game_and_goes_on_where_it_was(command: Command, wells: str, home: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    line = "simulate wells --players random --seed 3 --json --decisions"
    whole = command(f"{line} --games 30 --out whole").out
    command(f"{line} --games 12 --out a")
    command(f"{line} --games 18 --first 12 --out b")
    assert command("merge a b --into both").out == "both has 30 games\n"
    assert command(f"{line} --games 30 --out both").out == whole
    log, again = (parquet.read_table(home / folder / "decisions-000000000000.parquet") for folder in ("whole", "a"))
    assert log.slice(0, again.num_rows).to_pylist() == again.to_pylist()
    assert parquet.read_table(home / "whole" / "games-000000000000.parquet")["game"].to_pylist() == list(range(30))


def test_a_ladder_is_told_in_tables_kept_in_a_file_and_drawn(command: Command, wells: str, home: Path):
    line = "ladder wells --players random,greedy,1 --games 6 --file l.jsonl --picture l.svg"
    said = command(line)
    assert "greedy – random" in said.out
    assert "level 1" in said.out
    assert len((home / "l.jsonl").read_text().splitlines()) == 5 * 6
    assert (home / "l.svg").read_text().startswith("<svg")
    again = json.loads(command(line + " --json").out)
    assert len((home / "l.jsonl").read_text().splitlines()) == 5 * 6
    assert {one["player"] for one in again["ratings"]} == {"random", "greedy", "1"}
    assert all(one["games"] == 6 for one in again["standings"])


def test_a_game_is_reviewed_with_chances_grades_and_luck(command: Command, finished: Path):
    said = command(f"review {finished} --all --threads 1")
    assert said.status == 0
    assert "accuracy" in said.out
    assert "100 %" in said.out
    assert re.search(r"^ *1 .* (best|good|inaccuracy|mistake|blunder)", said.out, re.MULTILINE)
    assert "Güte" in command(f"review {finished} --lang de").out


def test_a_review_is_there_for_programs_too(command: Command, finished: Path):
    found = json.loads(command(f"review {finished} --json").out)
    assert found["done"]
    assert [one["ply"] for one in found["decisions"]] == found["choices"]
    assert all(abs(sum(view) - 1) < 0.001 for moment in found["chances"] for view in moment)


def test_a_decision_is_analysed_move_by_move(command: Command, finished: Path):
    said = command(f"analyse {finished} --at 2 --iterations 400 --games 4")
    assert "%" in said.out
    found = json.loads(command(f"analyse {finished} --at 2 --iterations 400 --games 4 --json").out)
    assert sum(one["share"] for one in found["moves"]) == pytest.approx(1)
    best = found["moves"][0]
    assert best["continuation"][0] == [found["seat"], best["text"]]
    assert sum(best["win"]) == pytest.approx(1)
    assert len(best["value"]) == len(best["error"]) == len(best["points"]) == len(best["win"])


def test_a_game_is_played_with_components_from_a_file_and_saved_with_them(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AZALAI_INTERPRET", "1")
    (home / "mine.toml").write_text("[play]\nstart_silver = 30\n", encoding="utf-8")
    said = process("play", "targui", "--seats", "2", "--you", "1,2", "--components", "mine.toml", typed="1\n1\ns my.json\nq\n")
    assert (said.returncode, said.stderr) == (0, "")
    saved = json.loads((home / "my.json").read_text(encoding="utf-8"))
    assert saved["components"] == {"play": {"start_silver": 30}}
    again = process("play", "--load", "my.json", "--you", "1,2", typed="q\n")
    assert (again.returncode, again.stdout.count("30 silver")) == (0, 2)
    (home / "mine.toml").write_text("[play]\nstart_beer = 30\n", encoding="utf-8")
    said = process("play", "targui", "--components", "mine.toml")
    assert said.returncode == 2
    assert "there is no component play.start_beer" in said.stderr


@pytest.mark.parametrize(("language", "title"), [("en", "The balance of"), ("de", "Wie ausgewogen")])
def test_a_report_is_one_page_with_charts(command: Command, wells: str, home: Path, language: str, title: str):
    said = command(f"report wells --games 60 --levels random --level-games 6 --out page.html --lang {language}")
    assert (said.status, "page.html" in said.out) == (0, True)
    page = (home / "page.html").read_text(encoding="utf-8")
    assert page.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert f"<h1>{title}" in page
    assert "azalai report wells --seats 2 --games 60" in page
    charts = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(charts) >= 7
    for chart in charts:
        ElementTree.fromstring(chart)
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")  # nothing is fetched


def test_a_report_of_counted_games_compares_players(command: Command, wells: str, home: Path):
    pytest.importorskip("torch")
    from azalai.arena.count import Counter, go_on
    from azalai.arena.report import OPENINGS, POLICY, RANDOM, Counts

    game = azalai.game("wells")
    for name in (POLICY, OPENINGS, RANDOM):
        go_on(Counts(home / "wells.json"), Counter(game, 2, None, count=512), name, 1024, 0)
    said = command("report wells --counts wells.json --games 40 --levels random --level-games 6 --out page.html")
    assert (said.status, said.err) == (0, "")
    page = (home / "page.html").read_text(encoding="utf-8")
    for told in (
        "1,024 games of 2 players",
        "How strong and weak players differ",
        "The first move",
        "python -m azalai.arena.count wells",
    ):
        assert told in page
    assert command("report wells --counts nosuch.json").status != 0


@pytest.mark.parametrize(
    ("game", "counted", "told"),
    [
        (
            "tuareg",
            ["policy 3", "greedy 3", "greedy:flat 3", "greedy 2", "greedy:one_map 2"],
            ["5 points for every good</strong>: does not matter.", "1 map to buy instead of 3 (2 players)</strong>: does not"],
        ),
        (
            "targui",
            ["policy 2", "greedy 2", "greedy:eight_rounds 2", "greedy:opposite_order 2"],
            ["choice of fate cards</strong>: does not", "(compared with: a game of 8 rounds, with our choice of fate cards)"],
        ),
    ],
)
def test_a_report_tells_what_greedy_players_found_of_values_that_no_network_has_learnt(command, home, game, counted, told):
    counts = {}
    for key in counted:
        played = study(azalai.game(game), int(key[-1]), 40, threads=1, player="random")
        counts[key] = {"seed": 0, "side_by_side": 4, "study": played.as_dict()}
    (home / "counts.json").write_text(json.dumps(counts), encoding="utf-8")
    said = command(f"report {game} --seats {counted[0][-1]} --counts counts.json --levels= --out page.html")
    assert (said.status, said.err) == (0, "")
    page = (home / "page.html").read_text(encoding="utf-8")
    assert page.count("Greedy players, who look one move ahead, played 40 games of each") == 1
    for words in told:
        assert words in page


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["targi", "tuareg", "timbuktu", "targui"])
def test_the_counts_of_the_reports_make_a_page_without_playing(command: Command, home: Path, name: str, language: str):
    from azalai.arena.report import POLICY, Counts, declared

    path, game = Path(__file__).parents[2] / f"docs/reports/counts/{name}.json", azalai.game(name)
    said = command(f"report {name} --counts {path} --levels= --lang {language} --out page.html")
    assert (said.status, said.err) == (0, "")
    page, counts = (home / "page.html").read_text(encoding="utf-8"), Counts(path)
    for chart in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(chart)
    assert not re.search(r"report\.\w|ladder\.\w|\bnan\b", page)  # no word is missing, no figure
    seats = game.check_seats(None)
    counted = [
        variant["words"]
        for variant in declared(game).get("variants", [])
        if (f"{POLICY}:{variant['words']}", seats) in counts
        or (f"greedy:{variant['words']}", variant.get("seats", seats)) in counts  # where no network has learnt it
    ]
    matters = {"en": r"</strong>: (matters|does not matter)\.", "de": r"</strong>: Das macht (etwas|nichts) aus\."}[language]
    assert len(re.findall(matters, page)) == len(counted)
    assert (re.search("price of war|Preis des Krieges", page) is not None) == (name == "targui")


def test_a_difference_that_chance_may_have_made_does_not_matter():
    before, close, far = (0.5, 0.49, 0.51), (0.515, 0.505, 0.525), (0.55, 0.54, 0.56)
    assert difference(before, far) == pytest.approx((0.05, 0.05 - 0.01 * 2**0.5, 0.05 + 0.01 * 2**0.5))
    assert surely(difference(before, close), 0.01)
    assert not surely(difference(before, (0.512, 0.49, 0.53)), 0.01)  # may be nothing at all
    assert not surely(difference(before, far), 0.1)  # sure, but too small to matter


def test_a_price_is_how_much_of_one_comes_with_each_of_another():
    attacks, won, never = Mean(), Mean(), Mean()
    attacks.add([2, 4, 6])
    won.add([1, 1, 1])
    never.add([0, 0, 0])
    value, low, high = ratio(won, attacks)
    assert value == 0.25
    assert low < 0.25 < high
    assert ratio(never, attacks)[0] == 0


@pytest.mark.parametrize("name", azalai.games())
def test_prepare_compiles_what_every_level_and_every_review_uses(name: str):
    game = load_game(name)
    assert {*bots.parts(game, bots.LEVELS), *scout.parts(game)} <= {*prepare.parts(game)}


def test_bench_measures_every_game(command: Command, wells: str, monkeypatch: pytest.MonkeyPatch):
    import azalai.cli.bench

    monkeypatch.setattr(azalai.cli.bench, "SECONDS", 0.01)
    said = command("bench")
    assert said.status == 0
    assert re.search(r"wells +3 +[\d,]+ +[\d.]+", said.out)
    assert "python -m benchmarks" in said.out
    rows = json.loads(command("bench --json").out)
    assert [(row["game"], row["seats"]) for row in rows][-2:] == [("wells", 2), ("wells", 3)]
    assert all(row["decisions_per_second"] > 0 for row in rows)


def test_bench_knows_only_graphics_cards_besides_the_processor(command: Command):
    said = command("bench --device tpu")
    assert said.status != 0
    assert "a device is called cpu, cuda or cuda:1, not 'tpu'" in said.err


# ---------------------------------------------------------------- what is wrong

WRONG = [
    ("play nosuchgame", "there is no game 'nosuchgame'; there are "),
    ("rules nosuchgame", "there is no game 'nosuchgame'"),
    ("simulate nosuchgame", "there is no game 'nosuchgame'"),
    ("play", "name a game ("),
    ("play targui --seats 7", "targui is for 2 to 4 players, not 7"),
    ("play targui --seats two", "argument --seats: 'two' is not a whole number"),
    ("play targui --you purple", "there is no seat 'purple'; there are green, yellow, or the numbers from 1 to 2"),
    ("play targui --you 3", "there is no seat '3'"),
    ("play targui --you ,", "there is no seat ''"),
    ("play targui --bots genius", "there is no player 'genius'; there are random, greedy"),
    ("play targui --bots greedy,greedy", "2 bots are named for 1 seat:"),
    ("play targui --option speed=9", "targui has no option 'speed'; it has rounds"),
    ("play targui --option rounds", "an option is written NAME=VALUE, not 'rounds'"),
    ("play targui --option rounds=99", "with 2 players a game has 1 to 14 rounds, not 99"),
    ("play targui --seed 9999999999999999999999", "a seed is a number from 0 to 2**63 - 1"),
    ("play targui --lang fr", "there is no language 'fr'; there are en, de"),
    ("play --load missing.json", "cannot read missing.json: No such file or directory"),
    ("play --load .", "cannot read .: Is a directory"),
    ("play --load broken.json", "broken.json is not the record of a game: it is no JSON text"),
    ("play --load old.json", "the record was played by rules version 999 of targui"),
    ("play --load illegal.json", "move 1 of the record, 'settle d4'"),
    ("play --load good.json --seats 3", "leave out --seats, --seed and --option"),
    ("play nosuchgame --load good.json", "good.json is a game of targui, not of nosuchgame"),
    ("replay missing.json", "cannot read missing.json"),
    ("replay good.json --at 99", "the game has 0 decisions: there is nothing at 99"),
    ("replay good.json --at 1 --step", "not allowed with argument"),
    ("replay", "the following arguments are required: FILE"),
    ("simulate targui --players greedy,greedy,greedy --seats 2", "3 players are named for 2 seats"),
    ("simulate targui --players genius", "there is no player 'genius'"),
    ("simulate targui --games 0", "the number of games must be at least 1, not 0"),
    ("report nosuchgame", "there is no game 'nosuchgame'"),
    ("report targui --seats 9", "targui is for 2 to 4 players, not 9"),
    ("report targui --out nowhere/page.html", "nowhere/page.html cannot be written: there is no folder nowhere"),
    ("ladder targui --file nowhere/l.jsonl", "nowhere/l.jsonl cannot be written: there is no folder nowhere"),
    ("ladder targui --picture nowhere/l.svg", "nowhere/l.svg cannot be written: there is no folder nowhere"),
    ("ladder targui --file .", ".: Is a directory"),
    ("ladder targui --players 3,9x4", "levels go from 1 to 6, not 9"),
    ("analyse missing.json", "cannot read missing.json"),
    ("review missing.json", "cannot read missing.json"),
    ("admin --database sqlite:///new.db list", "there is no database new.db"),
    ("admin --database sqlite:///new.db backup b.gz", "there is no database new.db"),
    ("admin --database sqlite:///data.db backup nowhere/b.gz", "nowhere/b.gz: No such file or directory"),
    ("simulate targui --out good.json", "good.json: File exists"),
    ("simulate targui --decisions", "decisions are written to a folder: name one"),
    ("simulate targui --on mars", "argument --on: invalid choice: 'mars'"),
    ("merge nowhere --into all", "nowhere holds no series"),
    ("simulate targui --seats 9", "targui is for 2 to 4 players, not 9"),
    ("fly", "invalid choice: 'fly'"),
    ("games --fast", "unrecognized arguments: --fast"),
]


@pytest.mark.parametrize(("line", "message"), WRONG, ids=[line for line, _ in WRONG])
def test_what_is_wrong_is_told_in_one_line(command: Command, home: Path, line: str, message: str):
    azalai.save(azalai.game("targui").new(seats=2, seed=1), home / "good.json")
    record = json.loads((home / "good.json").read_text())
    (home / "old.json").write_text(json.dumps({**record, "rules": 999}))
    (home / "illegal.json").write_text(json.dumps({**record, "moves": ["settle d4"]}))
    (home / "data.db").touch()
    (home / "broken.json").write_text('{"format": 1, "game": "tar')
    said = command(line)
    assert said.status == 2
    assert message in said.err
    assert said.err.startswith("azalai: ")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert not (home / "data").exists()


def test_the_language_of_errors_in_the_arguments_is_the_users(command: Command):
    assert command("fly --lang de").err.startswith("azalai: BEFEHL: 'fly' gibt es nicht; es gibt ")
    assert "es fehlt: DATEI" in command("replay --lang de").err
    assert "ist keine ganze Zahl" in command("play targui --seats x --lang de").err


# ---------------------------------------------------------------- as a process


@pytest.mark.parametrize("line", ["--help", "--version", "games", "rules targui", "play --help", "fly"])
def test_numba_stays_unloaded_where_nothing_is_played(line: str):
    code = f"import atexit, sys; atexit.register(lambda: print([m for m in ('numba', 'numpy') if m in sys.modules])); {START}"
    done = process(*line.split(), code=code)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error():
    read, write = os.pipe()
    os.close(read)
    for line in (["--help"], ["games"], ["rules", "targui"], ["play", "targui", "--you", "none"]):
        done = subprocess.run(
            [sys.executable, "-c", START, *line], stdout=write, stderr=subprocess.PIPE, text=True, timeout=120, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), line
    os.close(write)


def test_strange_bytes_are_an_answer_that_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", START, "play", "targui", "--seed", "1"],
        input=b"\xff\xfe\n1\n",
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not possible here" in done.stdout
