"""A server for all tests of this folder that do not start their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.server.http_and_websocket.clients import Person, Tab
from tests.server.http_and_websocket.in_process import WIDE, RunInWorld, World, run
from tests.server.server_process import ServerProcess, start_server
from tilery.server.settings import Settings


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """High limits, a short timeout."""
    running = start_server(tmp_path_factory.mktemp("server"), request_timeout=3)
    yield running
    running.kill()


@pytest.fixture
def run_in_world(tmp_path: Path) -> RunInWorld:
    """Runs a story on a server inside the test."""

    def happen(story: Callable[[World], Awaitable[None]], settings: Settings = WIDE) -> World:
        return run(tmp_path, story, settings)

    return happen


@pytest.fixture
def anna(server: ServerProcess) -> Iterator[Person]:
    person = Person(server, "Anna")
    yield person
    person.http.close()


@pytest.fixture
def ben(server: ServerProcess) -> Iterator[Person]:
    person = Person(server, "Ben")
    yield person
    person.http.close()


@pytest.fixture
def tabs() -> Iterator[Callable[..., Tab]]:
    """Opens tabs that are closed when the test is over."""
    opened: list[Tab] = []

    def tab(person: Person, table: str = "", **hello: object) -> Tab:
        opened.append(person.tab(table, **hello))
        return opened[-1]

    yield tab
    for one in opened:
        one.close()
