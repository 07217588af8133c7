"""Servers for tests."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from azalai.engine.discovery import installed
from azalai.server.database import opened
from tests.compiled import compile_played
from tests.server.running import Guest, InThread, Postgres, postgres_folder, quick


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile before any test waits for it: that can take longer than a test may."""
    if any("tests/server" in item.nodeid for item in session.items) and not session.config.option.collectonly:
        for name in installed():
            compile_played(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of our own."""
    if postgres_folder() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with Postgres() as running:
        yield running


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database that has just been made."""
    file = tmp_path_factory.mktemp("template") / "azalai.db"
    with opened(f"sqlite:///{file}"):
        return file


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    """The name of such a database in PostgreSQL."""
    with opened(postgres.database("just_made")):
        return "just_made"


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def empty_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes new databases of one kind that have no tables yet."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path_factory.mktemp('data') / 'azalai.db'}"
    running: Postgres = request.getfixturevalue("postgres")
    return lambda: running.database(f"t{secrets.token_hex(6)}")


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def new_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes new databases of one kind, as the server makes them: copies of one, because all migrations take much longer."""
    if request.param == "postgres":
        template: str = request.getfixturevalue("postgres_template")
        running: Postgres = request.getfixturevalue("postgres")
        return lambda: running.database(f"t{secrets.token_hex(6)}", template)
    made: Path = request.getfixturevalue("sqlite_template")
    return lambda: f"sqlite:///{shutil.copy(made, tmp_path_factory.mktemp('data'))}"


@pytest.fixture(scope="module")
def server(new_database: Callable[[], str]) -> Iterator[InThread]:
    """A server that all tests of a module share."""
    with InThread(quick(new_database())) as running:
        yield running


@pytest.fixture
def guest(server: InThread) -> Iterator[Callable[..., Guest]]:
    """Makes new guests."""
    made: list[Guest] = []

    def make(address: str | None = None, token: str | None = None) -> Guest:
        made.append(Guest(address or server.address, token))
        return made[-1]

    yield make
    for one in made:
        one.http.close()


@pytest.fixture
def anna(guest: Callable[[], Guest]) -> Guest:
    """A guest called Anna."""
    one = guest()
    one.ask("PATCH", "/me", json={"name": "Anna"})
    return one


@pytest.fixture
def bela(guest: Callable[[], Guest]) -> Guest:
    """A guest called Bela."""
    one = guest()
    one.ask("PATCH", "/me", json={"name": "Bela"})
    return one
