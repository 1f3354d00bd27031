"""A server for all tests of this folder that do not need one of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.doors.people import Person, Tab
from tests.server.running import Running, start_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Wide limits, little patience."""
    running = start_server(tmp_path_factory.mktemp("server"), patience=3)
    yield running
    running.kill()


@pytest.fixture
def anna(server: Running) -> Iterator[Person]:
    person = Person(server, "Anna")
    yield person
    person.http.close()


@pytest.fixture
def ben(server: Running) -> Iterator[Person]:
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
