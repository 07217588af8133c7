"""Whole games at the terminal: answers, taking back, saving, leaving, secrets, watching."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

import azalai
from azalai.cli.session import steps_back
from tests.cli.conftest import Command
from tests.cli.wells import GAME as WELLS


def kept(home: Path) -> list[Path]:
    return sorted((home / "data" / "azalai" / "games").glob("*.json"))


def moves_of(path: Path) -> list[str]:
    moves: list[str] = json.loads(path.read_text())["moves"]
    return moves


# ---------------------------------------------------------------- answering


def test_a_decision_is_answered_by_number_by_short_text_or_by_words(command: Command, home: Path, wells: str):
    said = command("play wells --seed 1 --you 1,2 --seats 2", "12\nbid 3\nnorthern\n2\n")
    assert said.status == 0
    assert moves_of(kept(home)[0]) == ["bid 12", "bid 3", "go north", "draw 2", "rest"]
    assert "Blue wins the bidding with 12." in said.out
    assert "Blue draws 2 skins from the northern well." in said.out


def test_an_answer_that_is_no_move_is_refused_in_one_line_and_asked_again(command: Command, home: Path, wells: str):
    said = command("play wells --you 1,2", "jump\n13\nbid\nbid 5\n")
    assert said.status == 0
    assert said.out.count("is not possible here") == 2
    assert "'bid' can mean several moves: bid 1, bid 2, bid 3, bid 4, bid 5, bid 6, …" in said.out
    assert moves_of(kept(home)[0]) == ["bid 5"]
    assert said.err == ""


def test_several_answers_can_be_typed_at_once(command: Command, home: Path, wells: str):
    command("play wells --seats 2 --you 1,2", "12\n1\nnorth, 2\n")
    assert moves_of(kept(home)[0]) == ["bid 12", "bid 1", "go north", "draw 2", "rest"]


def test_answers_typed_ahead_end_where_one_of_them_is_wrong(command: Command, home: Path, wells: str):
    said = command("play wells --seats 2 --you 1,2", "12\n1\nsouth, 99, 3\n")
    assert "'99' is not possible here" in said.out
    assert said.out.rindex("How many skins do you draw?") > said.out.index("'99' is not possible here")
    assert moves_of(kept(home)[0]) == ["bid 12", "bid 1", "go south"]


def test_answers_typed_ahead_end_where_something_comes_to_light(command: Command, home: Path, wells: str):
    command("play wells --seats 2 --you 1,2", "1\n12, north, 2\n")
    assert moves_of(kept(home)[0]) == ["bid 1", "bid 12"]


def test_a_decision_with_one_answer_is_made_by_itself_and_told(command: Command, wells: str):
    said = command("play wells --seats 2 --you 1,2", "12\n1\nleave\n")
    assert "(only one possibility: rest)" in said.out
    assert said.out.index("(only one possibility: rest)") < said.out.index("It rains")


def test_an_amount_is_shown_as_a_range(command: Command, wells: str):
    assert re.search(r"1–12 +bid 1 … bid 12 +bid 1–12", command("play wells").out)


def test_an_empty_line_shows_the_question_again(command: Command, wells: str):
    assert command("play wells", "\n\n").out.count("How much do you bid?") == 3


# ---------------------------------------------------------------- commands


def test_help_tells_the_commands_and_the_question_mark_the_rules(command: Command, wells: str):
    assert "take your last step back" in command("play wells", "h\n").out
    said = command("play wells", "?\n")
    assert "The highest bid draws water." in said.out


def test_the_log_tells_all_since_the_beginning(command: Command, wells: str):
    said = command("play wells --seats 2 --you 1,2 --seed 4", "12\n1\nsouth, 2\nl\n")
    log = said.out[said.out.rindex("› l") :]
    assert [line.split("  ", 1)[-1].strip() for line in log.splitlines()[1:7]] == [
        f"Your omen is {azalai_omen(4)}.",
        "You bid 12.",
        "Blue wins the bidding with 12.",
        "Blue draws 2 skins from the southern well.",
        "(only one possibility: rest)",
        next(line.split("  ", 1)[-1].strip() for line in log.splitlines() if "It rains" in line),
    ]


def azalai_omen(seed: int) -> int:
    return int(WELLS.new(seats=2, seed=seed).state.omen[0])


def test_an_own_step_can_be_taken_back_while_nothing_was_revealed(command: Command, home: Path, wells: str):
    said = command("play wells --seats 2 --you 1,2", "12\n1\nnorth\nu\nsouth\n")
    assert "Taken back: go to the northern well" in said.out
    assert moves_of(kept(home)[0]) == ["bid 12", "bid 1", "go south"]


def test_what_brought_something_to_light_cannot_be_taken_back(command: Command, home: Path, wells: str):
    said = command("play wells --seats 2 --you 1,2", "1\n12\nu\n")
    assert "That cannot be taken back: it brought something to light." in said.out
    assert moves_of(kept(home)[0]) == ["bid 1", "bid 12"]


def test_another_seats_decision_cannot_be_taken_back(command: Command, home: Path, wells: str):
    said = command("play wells --seats 2 --you 1,2", "5\nu\n")
    assert "There is nothing of yours to take back." in said.out
    assert moves_of(kept(home)[0]) == ["bid 5"]
    assert "There is nothing of yours to take back." in command("play wells", "undo\n").out


def test_decisions_with_one_answer_go_back_together_with_the_step_before(wells: str):
    position = WELLS.new(seats=2, seed=1)
    for move in ("bid 12", "bid 1", "go north", "draw 6"):
        position.play(move)
    assert steps_back(position, 0) == 1  # `rest` is the only answer now, and the draw before it can still be taken back
    position.play("rest")
    assert steps_back(position, 0) == 0  # the rain has come to light
    assert steps_back(position, 1) == 0


def test_bots_answer_first_where_all_choose_at_once_so_that_one_can_still_take_back(command: Command, wells: str):
    said = command("play wells --seats 3 --you 1 --bots random --seed 3", "4\n")
    assert "wins the bidding" in said.out


# ---------------------------------------------------------------- saving, leaving, going on


def test_a_game_is_saved_where_one_says_and_can_be_gone_on_with(command: Command, home: Path, wells: str):
    said = command("play wells --seats 2 --you 1,2 --seed 9", "12\ns my.json\n")
    assert "Saved to my.json" in said.out
    assert moves_of(home / "my.json") == ["bid 12"]
    command("play --load my.json --you 1,2", "3\nnorth\nsave other.json\n")
    assert moves_of(home / "other.json") == ["bid 12", "bid 3", "go north"]
    assert moves_of(home / "my.json") == ["bid 12"]


def test_saving_over_another_file_must_be_confirmed(command: Command, home: Path, wells: str):
    (home / "letter").write_text("dear")
    assert "Not saved." in command("play wells", "s letter\nn\n").out
    assert (home / "letter").read_text() == "dear"
    assert "Saved to letter" in command("play wells", "s letter\ny\ns letter\n").out
    assert json.loads((home / "letter").read_text())["game"] == "wells"


def test_a_file_that_cannot_be_written_is_told_in_one_line(command: Command, home: Path, wells: str):
    said = command("play wells", "s no/such/folder.json\n4\n")
    assert "cannot write no/such/folder.json: No such file or directory" in said.out
    assert said.status == 0


def test_leaving_keeps_the_game_and_tells_how_to_go_on(command: Command, home: Path, wells: str):
    said = command("play wells --seats 3 --you red --bots random,greedy", "4\nq\n")
    assert said.status == 0
    (path,) = kept(home)
    again = re.search(r"azalai (play --load .*)", said.out)
    assert again is not None
    assert again[1] == f"play --load {path} --you red --bots random,greedy"
    assert "How" in command(again[1]).out or "Which" in command(again[1]).out
    assert kept(home) == [path]  # going on with a kept game keeps it in the same file


def test_the_end_of_the_input_leaves_the_same_way(command: Command, home: Path, wells: str):
    said = command("play wells --you 2", "7")
    assert said.status == 0
    assert "To go on with it:" in said.out
    assert "bid 7" in " ".join(moves_of(kept(home)[0]))


def test_interrupting_keeps_the_game_and_ends_with_130(command: Command, home: Path, wells: str, monkeypatch: pytest.MonkeyPatch):
    from azalai.cli.keyboard import Keyboard

    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Keyboard, "read", interrupt)
    said = command("play wells")
    assert said.status == 130
    assert len(kept(home)) == 1


def test_a_game_that_cannot_be_kept_goes_on_with_a_word_about_it(command: Command, home: Path, wells: str):
    (home / "data").write_text("a file where the folder should be")
    said = command("play wells --seats 2 --you 1,2", "12\n1\n")
    assert said.status == 0
    assert "cannot write" in said.out
    assert "Blue wins the bidding" in said.out


def test_two_games_left_in_the_same_second_do_not_share_a_file(command: Command, home: Path, wells: str):
    command("play wells", "q\n")
    command("play wells", "q\n")
    assert len(kept(home)) == 2


# ---------------------------------------------------------------- several people, spectators


def test_people_at_one_screen_do_not_see_each_others_secrets(command: Command, wells: str):
    said = command("play wells --seats 2 --you blue,red --seed 2", "\n5\n\n7\n", terminal=True)
    screens = said.out.split("\x1b[3J")
    assert len(screens) == 3  # one cover before each of the two
    omens = [int(omen) for omen in WELLS.new(seats=2, seed=2).state.omen[:2]]
    assert "Pass the screen to Blue" in screens[1]
    assert f"omens {omens[0]} 0" in screens[1]
    assert "Pass the screen to Red" in screens[2]
    assert f"omens 0 {omens[1]}" in screens[2]
    assert "You bid 5." not in screens[2]
    assert f"Your omen is {omens[0]}." not in screens[2].replace(f"Your omen is {omens[1]}.", "")


def test_the_screen_is_not_covered_where_nobody_has_secrets(command: Command):
    said = command("play targui --seats 2 --you 1,2 --seed 2", "1\n1\nq\n", terminal=True)
    assert said.status == 0
    assert "Pass the screen" not in said.out


def test_one_person_alone_never_has_to_uncover_anything(command: Command, wells: str):
    assert "Pass the screen" not in command("play wells --seats 3 --you 2", "5\n6\n", terminal=True).out


def test_bots_play_a_whole_game_before_a_spectator(command: Command, home: Path, wells: str):
    said = command("play wells --you none --seats 3 --seed 3")
    assert said.status == 0
    assert "The sun rises." in said.out
    assert "omen is" not in said.out
    assert said.out.count("It rains") == 3


def test_a_spectator_at_a_terminal_goes_on_turn_by_turn_or_to_the_end(command: Command, wells: str):
    said = command("play wells --you none --seats 3 --seed 3", "\nl\ne\n", terminal=True)
    assert said.status == 0
    assert "The sun rises." in said.out
    assert said.out.count("Enter: next turn") == 3
    assert "To go on with it" in command("play wells --you none", "\n", terminal=True).out


# ---------------------------------------------------------------- whole games


def test_the_end_tells_scores_winner_and_how_to_see_it_again(command: Command, home: Path, wells: str):
    said = command("play wells --seats 2 --you 1,2 --seed 5 --option length=short", "12\n1\nsouth, 6\n1\n12\nleave\n")
    assert said.status == 0
    assert "The sun rises." in said.out
    assert "Blue wins!" in said.out
    assert re.search(r"1\. +Blue +6 +a person", said.out)
    assert re.search(r"2\. +Red +0 +a person", said.out)
    assert f"azalai replay {kept(home)[0]}" in said.out


def test_a_shared_victory_is_told_as_one(command: Command, wells: str):
    said = command("play wells --seats 3 --you none --bots random --option length=short --seed 8")
    assert "wins!" in said.out or "share the victory!" in said.out
    said = command("play wells --seats 3 --you 1,2,3", "3\n2\n1\nleave\n" * 3)
    assert "Blue, Red and Green share the victory!" in said.out


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_whole_game_of_targui_with_chance_answers(command: Command, home: Path, language: str):
    """Somebody who types numbers, some right, some wrong, and takes steps back, always gets to the end."""
    chance = random.Random(language)
    typed = "".join(
        chance.choice(["1", "1", "2", "3", "4", "5", "9", "17", "u", "stay", "done", "x"]) + "\n" for _ in range(8000)
    )
    said = command(f"play targui --seats 3 --you red,yellow --bots random --seed 11 --option rounds=4 --lang {language}", typed)
    assert said.status == 0
    assert said.err == ""
    (path,) = kept(home)
    position = azalai.load(path)
    assert position.over
    assert ("is kept in" if language == "en" else "liegt in") in said.out
    assert ("points" if language == "en" else "Punkte") in said.out


def test_german_is_spoken_where_it_is_asked_for(command: Command, home: Path, wells: str, monkeypatch: pytest.MonkeyPatch):
    said = command("play wells --lang de --you rot --seats 2 --bots random", "hilfe\nspeichern x.json\n?\nende\n")
    assert "Wie viel bietest du?" in said.out
    assert "Gespeichert in x.json" in said.out
    assert "Das höchste Gebot" in said.out
    assert "Fortsetzen: azalai play --load" in said.out
    monkeypatch.setenv("AZALAI_LANG", "de")
    assert "Willkommen bei Brunnen" in command("play wells").out
    monkeypatch.delenv("AZALAI_LANG")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "Willkommen bei Brunnen" in command("play wells").out
