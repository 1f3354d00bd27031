"""Two real server processes that share a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.http_and_websocket.clients import Person, Tab
from tests.server.postgres import Server, database, postgres_server
from tests.server.server_process import ServerProcess, start_server

__all__ = ["database", "postgres_server"]

NAMES = ("p1", "p2")


@pytest.fixture(scope="module")
def processes(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    """Two processes, called p1 and p2, on an empty database."""
    postgres_server.empty()
    folder = tmp_path_factory.mktemp("processes")
    running: list[ServerProcess] = []
    try:
        for name in NAMES:
            running.append(start_server(folder / name, database=postgres_server.url, process_name=name))
        yield running
    finally:
        for process in running:
            process.kill()


@pytest.fixture
def people(processes: list[ServerProcess]) -> Iterator[list[Person]]:
    """Anna is a client of p1, Ben one of p2."""
    both = [Person(process, name) for process, name in zip(processes, ("Anna", "Ben"), strict=True)]
    yield both
    for person in both:
        person.http.close()


@pytest.fixture
def moved() -> Iterator[Callable[[Person, Person], Person]]:
    """Makes a person a client of the process of another one."""
    opened: list[Person] = []

    def move(person: Person, other: Person) -> Person:
        opened.append(Person(other.server, person.name, person.token))
        opened[-1].http.headers["Authorization"] = f"Bearer {person.token}"
        return opened[-1]

    yield move
    for one in opened:
        one.http.close()


@pytest.fixture
def tabs() -> Iterator[Callable[..., Tab]]:
    """Opens tabs that are closed when the test is over. They name a process: they are served where they arrive."""
    opened: list[Tab] = []

    def tab(person: Person, table: str, *, query: str = "?process=any", **hello: object) -> Tab:
        opened.append(person.tab(table, query=query, **hello))
        return opened[-1]

    yield tab
    for one in opened:
        one.close()
