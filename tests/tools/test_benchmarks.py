"""Benchmarks do the work that they count, and their tables go where a page keeps those of the same tasks."""

import pytest

from benchmarks import ours, report
from tests.engine.nim import NIM

FOUND = {
    "machine": {"processor": "a processor", "cores": 2, "system": "Linux", "python": "3.11"},
    "figures": [
        {
            "task": "loop in Python",
            "name": name,
            "game": "nim",
            "ours": name == "azalai",
            "per_second": 1e6,
            "version": "1",
            "note": "so",
        }
        for name in ("azalai", "a peer")
    ],
}


@pytest.mark.parametrize("work", [ours.list_moves, ours.replay, ours.python_loop, ours.batch_of_one])
def test_work_from_python_is_counted(work):
    assert work(NIM)() > 0


def test_a_replay_comes_to_the_end_of_its_game():
    length = len(ours._random_game(NIM)[-1].history)
    assert ours.replay(NIM)() == length


def test_tables_go_between_the_marks_of_their_tasks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"{report.begin([])}\nall\n{report.END}\n{report.begin(['loop in Python'])}\nold\n{report.END}\nafter\n")
    report.write(FOUND, page, ["loop in Python"])
    text = page.read_text()
    assert "`python -m benchmarks 'loop in Python' --write`" in text
    assert "| a peer nim | 1 M | 1 |" in text
    assert f"{report.begin([])}\nall\n{report.END}\n" in text
    assert text.endswith("\nafter\n")
    assert "old" not in text


def test_a_page_without_the_marks_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"{report.begin([])}\nall\n{report.END}\n")
    with pytest.raises(SystemExit, match="has no lines"):
        report.write(FOUND, page, ["copies"])
    assert "all" in page.read_text()
