"""nginx and Caddy, with the configurations in deploy/, in front of two real processes on a real PostgreSQL: every
WebSocket is served by the process that owns its table, after at most one redirect."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.http_and_websocket.clients import Person, Tab
from tests.server.postgres import Server
from tests.server.server_process import TIMEOUT, ServerProcess
from tests.server.several_processes.proxies import COMMANDS, running_proxy
from tests.wire_client import legal_texts
from tilery.server.store.write_requests import name_at_proxy
from tilery.server.websocket.connection import OWNED_ELSEWHERE

TABLES, MOVES = 12, 8


@dataclass
class Proxy(ServerProcess):
    """What a client needs to know of a server: the port of the proxy."""


@pytest.fixture(params=COMMANDS)
def proxy(request: pytest.FixtureRequest, tmp_path: Path, processes: list[ServerProcess]) -> Iterator[Proxy]:
    with running_proxy(request.param, tmp_path, processes) as port:
        yield Proxy(tmp_path, {}, port)


def connect(proxy: Proxy, person: Person) -> Tab:
    """A WebSocket of a person's table; it goes where it is sent, once."""
    tab = Tab(proxy, person.table, greet=False)
    tab.send(type="hello", token=person.token)
    try:
        tab.until("welcome")
    except ConnectionClosed:
        code, name = tab.end()
        tab.close()
        assert code == OWNED_ELSEWHERE
        tab = Tab(proxy, person.table, person.token, query=f"?process={name}")
    return tab


def total(processes: list[ServerProcess], metric: str) -> int:
    """A metric, summed over all processes."""
    texts = (httpx.get(f"{process.url}/metrics").text for process in processes)
    return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith(f"{metric} "))


def owner_of(server: Server, table: str) -> str:
    with psycopg.connect(server.url) as connection:
        row = connection.execute("SELECT owner FROM tilery.tables WHERE name = %s", (table,)).fetchone()
    assert row is not None
    return name_at_proxy(row[0] or "")


def play(tabs: list[Tab], chosen: random.Random) -> None:
    """A few moves; the update arrives before each reply."""
    number = tabs[0].done("start")
    for _ in range(MOVES):
        for tab in tabs:
            tab.until_seen(number)
        mover = next(tab for tab in tabs if legal_texts(tab.state))
        number = mover.done("play", move=chosen.choice(legal_texts(mover.state)))
        assert mover.state["seq"] >= number


def play_games(proxy: Proxy, processes: list[ServerProcess], server: Server, *, anywhere: bool) -> set[str]:
    """Play at some tables; returns their owners. With `anywhere`, a random process owns the table before its players
    come."""
    chosen = random.Random(5)
    owners = set()
    for _ in range(TABLES):
        with ExitStack() as opened:
            people = [Person(proxy, "Anna"), Person(proxy, "Ben")]
            for person in people:
                opened.callback(person.http.close)
            name = people[0].make()["table"]
            if anywhere:
                opened.callback(Tab(chosen.choice(processes), name, query="?process=any").close)
            people[1].sit(name)
            tabs = [connect(proxy, person) for person in people]
            for tab in tabs:
                opened.callback(tab.close)
            before = total(processes, "tilery_forwarded_total")
            play(tabs, chosen)
            assert total(processes, "tilery_forwarded_total") == before, "a socket was not served by the owner"
            owners.add(owner_of(server, name))
    return owners


def test_all_that_concerns_a_table_goes_to_one_process(
    proxy: Proxy, processes: list[ServerProcess], postgres_server: Server
) -> None:
    counted = ("tilery_forwarded_total", "tilery_sockets_redirected_total")
    before = [total(processes, metric) for metric in counted]
    assert play_games(proxy, processes, postgres_server, anywhere=False) == {"p1", "p2"}
    assert [total(processes, metric) for metric in counted] == before


def test_whoever_lands_elsewhere_is_sent_to_the_owner(
    proxy: Proxy, processes: list[ServerProcess], postgres_server: Server
) -> None:
    before = total(processes, "tilery_sockets_redirected_total")
    assert play_games(proxy, processes, postgres_server, anywhere=True) == {"p1", "p2"}
    assert before < total(processes, "tilery_sockets_redirected_total") <= before + 2 * TABLES


def until_there_is_a_table(person: Person) -> None:
    """Create a table, as soon as the proxy has noticed that a process is gone."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        with contextlib.suppress(AssertionError):
            person.make()
            return
        time.sleep(0.2)
    raise AssertionError("the proxy still passes requests to the dead process")


def test_another_process_serves_those_who_ask_for_a_dead_one(proxy: Proxy, processes: list[ServerProcess]) -> None:
    processes[0].kill()
    try:
        with ExitStack() as opened:
            people = [Person(proxy, "Anna"), Person(proxy, "Ben")]
            for person in people:
                opened.callback(person.http.close)
            until_there_is_a_table(people[0])
            people[1].sit(people[0].table)
            tabs = [Tab(proxy, people[0].table, person.token, query="?process=p1") for person in people]
            for tab in tabs:
                opened.callback(tab.close)
            play(tabs, random.Random(5))
    finally:
        processes[0].start()
