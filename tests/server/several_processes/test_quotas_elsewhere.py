"""What an address sends to a process that does not own the table counts there as if it had been executed there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from tests.server.attacks.addresses import command, metric
from tests.server.attacks.by_request import ALONE, end_game, send, state_of
from tests.server.http_and_websocket.clients import Person
from tests.server.postgres import Server
from tests.server.server_process import ServerProcess, start_server
from tests.server.several_processes.conftest import NAMES

TABLES, STORED = 8, 40_000
Both = tuple[Person, Person]


@pytest.fixture(scope="module")
def strict(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    """Two processes with low limits."""
    postgres_server.empty()
    folder = tmp_path_factory.mktemp("strict")
    with ExitStack() as stack:
        running = []
        for name in NAMES:
            limits = {"tables_per_hour": TABLES, "stored_bytes_per_hour": STORED}
            running.append(start_server(folder / name, database=postgres_server.url, process_name=name, **limits))
            stack.callback(running[-1].kill)
        yield running


@pytest.fixture
def attacker(strict: list[ServerProcess]) -> Iterator[Both]:
    """Somebody as a client of the first process, and of the second one."""
    with ExitStack() as stack:
        first = Person(strict[0], "Anna", address="127.0.3.1")
        stack.callback(first.http.close)
        first.make(seats=ALONE)
        second = Person(strict[1], "Anna", first.token, first.table, "127.0.3.1")
        stack.callback(second.http.close)
        yield first, second


def test_a_rematch_agreed_to_elsewhere_counts_as_a_new_table(strict: list[ServerProcess], attacker: Both) -> None:
    owner, sender = attacker
    forwarded = metric(strict[1], "forwarded_total")
    table, rematches, code = owner.table, 0, ""
    while rematches < 2 * TABLES:
        step = end_game(owner, table)  # the first process owns the table
        status, code, reply = send(sender, table, **command("offer", 1, step=step, what="rematch"))
        if status != 200:
            assert status == 429
            assert reply["error"]["retry_delay"] > 60
            break
        table = state_of(owner, table)["rematch"]
        rematches += 1
    assert (rematches, code) == (TABLES, "too-many-tables")
    assert metric(strict[1], "forwarded_total") == forwarded + TABLES + 1
    assert state_of(owner, table).get("rematch") is None  # nothing was executed
    response = sender.http.post("/api/tables", json={"game": "azul", "seats": ALONE})
    assert response.json()["error"]["code"] == "too-many-tables"
    owner.make(seats=ALONE)  # the address has sent nothing of this to the first process


def test_what_is_stored_elsewhere_counts_for_the_sender(attacker: Both) -> None:
    owner, sender = attacker
    state_of(owner, owner.table)
    text, executed, code = "x" * 300, 0, ""
    while executed < 500 and not code:
        code = send(sender, owner.table, **command("say", executed, step=1, text=text))[1]
        executed += not code
    assert code == "too-much-stored"
    assert 0.5 * STORED < executed * len(text) < STORED
    assert send(owner, owner.table, **command("say", "here", step=1, text=text))[0] == 200
    with closing(owner.tab()) as tab:
        tab.done("say", text="hello")
