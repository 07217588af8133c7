"""A game installed as a package of its own works wherever a game can be named."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WELLS = Path(__file__).parent / "cli" / "wells"
METADATA = "Metadata-Version: 2.1\nName: desert-wells\nVersion: 1.0\n"
ENTRY_POINT = "[azalai.games]\nwells = desert.wells\n"
FEATURES = """
from dataclasses import replace
from azalai.engine.observe import amount
GAME = replace(GAME, features=(amount("level", 12),))
"""

USE_IT = """
import json, multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
import azalai
from azalai.arena.cluster import play_part
from azalai.arena.ladder import Pairing, run
from azalai.arena.report import study
from azalai.arena.series import Series
from azalai.bots.levels import levels
from azalai.engine.rule import sources
from azalai.envs.gymnasium import SeatEnv
from azalai.envs.pettingzoo import env
from tools.tune import match

if __name__ == "__main__":
    game, here, found = azalai.game("wells"), Path(sys.argv[1]), {}
    found["package"], found["file"] = game.package, sys.modules[game.package].__file__
    position = game.new(seed=3)
    position.play(position.moves()[0])
    azalai.save(position, here / "game.json")
    found["loaded"] = azalai.load(here / "game.json").tobytes() == position.tobytes()
    found["levels"] = [levels("wells")[5].iterations, levels(game)[5].iterations, levels(game)[0].iterations]
    series = Series.of(game, ["greedy", "random"], 7)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        _, rows, _ = pool.submit(play_part, series.as_dict(), 0, 6).result()
    found["spawned"] = bool((rows == series.play(0, 6).rows).all())
    table = env("wells", render_mode="ansi")
    table.reset(seed=1)
    seat = SeatEnv("wells", render_mode="ansi")
    seat.reset(seed=1)
    found["pictures"] = [table.render(), seat.render()]
    ladder = run(game, [Pairing("greedy", "random")], 4, here / "ladder.jsonl", threads=1)
    found["ladder"] = ladder.standings[0].games
    found["study"] = study(game, 2, 4, threads=1).games
    found["tuned"] = match(game, 2, game.weights, 40, 1)[0]
    found["hashed"] = [name for name in sources() if name.startswith("desert")]
    print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What a program finds that uses the game; the package lies in a folder of its own."""
    home = tmp_path_factory.mktemp("external")
    site = home / "site"
    shutil.copytree(WELLS, site / "desert" / "wells", ignore=shutil.ignore_patterns("__pycache__"))
    (site / "desert" / "__init__.py").touch()
    with (site / "desert" / "wells" / "__init__.py").open("a", encoding="utf-8") as file:
        file.write(FEATURES)
    (site / "desert" / "wells" / "extras" / "levels.toml").write_text("6 = { iterations = 77 }\n")
    about = site / "desert_wells-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text(ENTRY_POINT)
    (home / "use_it.py").write_text(USE_IT)
    path = os.pathsep.join([str(site), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, str(home / "use_it.py"), str(home)],
        env={**os.environ, "PYTHONPATH": path, "AZALAI_INTERPRET": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["file"].startswith(str(site))
    return answer


def test_it_is_found_by_its_entry_point(found):
    assert found["package"] == "desert.wells"


def test_its_record_can_be_loaded(found):
    assert found["loaded"]


def test_its_folder_sets_its_levels(found):
    assert found["levels"] == [77, 77, 100]


def test_another_process_finds_it_by_name(found):
    assert found["spawned"]


def test_environments_draw_it(found):
    assert all("~~~ north 6 south 6 ~~~" in picture for picture in found["pictures"])


def test_the_ladder_reports_and_tuning_play_it(found):
    assert found["ladder"] == 4
    assert found["study"] == 4
    assert 0.25 < found["tuned"] < 0.75  # the same weights on both sides


def test_its_files_are_part_of_the_name_of_the_cache(found):
    files = ("__init__.py", "wells/__init__.py", "wells/components.toml", "wells/state.py")
    assert set(found["hashed"]) == {f"desert/{name}" for name in files}
