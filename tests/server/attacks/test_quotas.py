"""One address cannot create tables, take seats or fill the lobby and the disk without end; others are not affected."""

from __future__ import annotations

import itertools
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from tests.server.attacks.addresses import NEWCOMER, client, command, kind_of, metric
from tests.server.attacks.by_request import ALONE, end_game, send, state_of
from tests.server.http_and_websocket.clients import AGAINST_BOT, FOR_TWO, Person
from tests.server.server_process import ServerProcess, start_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs 127.0.0.2")
TABLES, PUBLIC, SEATS, COMMANDS, STORED = 20, 5, 12, 100, 100_000
Come = Callable[..., Person]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with low limits."""
    settings = {"tables_per_hour": TABLES, "seats_per_hour": SEATS, "public_tables_per_address": PUBLIC}
    running = start_server(
        tmp_path_factory.mktemp("server"), **settings, commands_per_second=1, commands_burst=COMMANDS
    )
    yield running
    running.stop()


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for many tables."""
    folder = tmp_path_factory.mktemp("server")
    running = start_server(folder, public_tables_per_address=PUBLIC, stored_bytes_per_hour=STORED)
    yield running
    running.stop()


@pytest.fixture
def come() -> Iterator[Come]:
    """A person comes from an address: every test has attackers of its own."""
    addresses: dict[str, str] = {}
    with ExitStack() as stack:

        def coming(server: ServerProcess, role: str, name: str = "Anna") -> Person:
            address = addresses.setdefault(role, f"127.0.2.{next(_ADDRESSES)}")
            made = Person(server, name, address=address)
            stack.callback(made.http.close)
            return made

        yield coming


_ADDRESSES = itertools.count(1)


def test_rematches_count_as_new_tables(strict: ServerProcess, come: Come) -> None:
    """A rematch alone, again and again: 101 tables in 15 seconds passed."""
    server = strict
    attacker, newcomer = come(server, "attacker"), come(server, "newcomer")
    limited = metric(server, "requests_limited_total")
    attacker.make(seats=ALONE)
    table, rematches, code = attacker.table, 0, ""
    while rematches < 2 * TABLES:
        step = end_game(attacker, table)
        status, code, reply = send(attacker, table, **command("offer", 1, step=step, what="rematch"))
        if status != 200:
            assert status == 429
            assert reply["error"]["retry_delay"] == reply["error"]["arguments"]["seconds"] > 60
            assert "try again in" in reply["error"]["text"]
            break
        table = state_of(attacker, table)["rematch"]
        rematches += 1
    assert (rematches, code) == (TABLES - 1, "too-many-tables")
    state = state_of(attacker, table)
    assert (state.get("rematch"), state["offer"]) == (None, None)  # nothing was executed
    response = attacker.http.post("/api/tables", json={"game": "azul", "seats": ALONE})
    assert kind_of(response) == (429, "too-many-tables")
    assert int(response.headers["retry-after"]) > 60
    assert metric(server, "requests_limited_total") == limited + 2
    newcomer.make()


def test_who_agrees_last_is_charged_and_other_offers_are_not(strict: ServerProcess, come: Come) -> None:
    server = strict
    anna, attacker = come(server, "newcomer"), come(server, "attacker", "Bob")
    tables = [anna.make()["table"] for _ in range(TABLES)]
    assert kind_of(anna.http.post("/api/tables", json={"game": "azul", "seats": FOR_TWO}))[0] == 429
    for _ in range(TABLES - 1):
        attacker.make()
    attacker.sit(tables[-1])
    with closing(anna.tab()) as first, closing(attacker.tab()) as second:
        first.done("start")
        second.until_event("started")
        second.done("resign")
        first.until_event("revealed")
        offer = first.done("offer", what="rematch")  # her address has no tables left, but does not create this one
        second.until_event("offered")
        second.done("answer", offer=offer, yes=True)
    assert kind_of(attacker.http.post("/api/tables", json={"game": "azul", "seats": FOR_TWO}))[0] == 429


def test_with_no_tables_left_other_offers_are_accepted_and_refusals_are_free(strict: ServerProcess, come: Come) -> None:
    server = strict
    anna = come(server, "newcomer")
    for _ in range(5):  # refused, and so not charged
        wish = {"game": "azul", "seats": FOR_TWO, "variant": "nonsense"}
        assert anna.http.post("/api/tables", json=wish).status_code == 400
    for _ in range(TABLES - 2):
        anna.make(seats=ALONE)
    for number in range(5):  # too early, and so not charged
        assert send(anna, anna.table, **command("offer", number, step=1, what="rematch"))[:2] == (409, "rematch-early")
    anna.make(seats=[*ALONE, {"kind": "open"}])
    bob = come(server, "newcomer", "Bob")
    bob.sit(anna.table)

    def take_back() -> None:
        """Agreed to by somebody whose address could create a table with it, if it were a rematch."""
        first.done("play", move=first.state["moves"][0][1])
        first.until_event("played")
        offer = first.done("offer", what="takeback")
        second.until_event("offered")
        second.done("answer", offer=offer, yes=True)
        first.until_event("taken-back")

    with closing(anna.tab()) as first, closing(bob.tab()) as second:
        first.done("start")
        first.until_event("started")
        take_back()
        wish = {"game": "azul", "seats": FOR_TWO}
        assert anna.http.post("/api/tables", json=wish).status_code == 201
        assert kind_of(anna.http.post("/api/tables", json=wish)) == (429, "too-many-tables")
        take_back()


def test_one_address_cannot_fill_the_lobby(wide: ServerProcess, come: Come) -> None:
    """50 public tables hid an honest one."""
    server = wide
    newcomer, attacker = come(server, "newcomer"), come(server, "attacker")
    honest = newcomer.make(public=True)["table"]
    seats = [{"kind": "me", "name": "A"}, {"kind": "bot", "bot": "greedy"}]
    wish = {"game": "azul", "public": True}
    made = []
    for number in range(60):  # tables that get their open seat later do not pass, either
        response = attacker.http.post("/api/tables", json=wish | {"seats": FOR_TWO if number % 2 else seats})
        if response.status_code == 201:
            made.append(response.json())
        else:
            assert kind_of(response) == (429, "too-many-public-tables")
    assert len(made) == PUBLIC
    for table in made:
        attacker.token = table["token"]
        send(attacker, table["table"], **command("arrange", 1, step=1, seat=1))
    with client(server, NEWCOMER) as visitor:
        assert honest in [card["table"] for card in visitor.get("/api/lobby").json()["tables"]]
    attacker.make()  # private tables are no part of the lobby
    assert send(attacker, attacker.table, **command("leave", 1, step=1))[0] == 200
    attacker.token = made[0]["token"]
    assert send(attacker, made[0]["table"], **command("leave", 1, step=1))[0] == 200
    attacker.make(public=True)  # in place of the one that was closed
    assert kind_of(attacker.http.post("/api/tables", json=wish | {"seats": FOR_TWO}))[0] == 429


def test_games_of_one_address_do_not_hide_those_of_others(wide: ServerProcess, come: Come) -> None:
    server = wide
    newcomer, attacker = come(server, "newcomer"), come(server, "attacker")
    honest = newcomer.make(seats=ALONE, public=True)["table"]
    assert send(newcomer, honest, **command("start", 1, step=1))[0] == 200
    for _ in range(60):
        attacker.make(seats=ALONE, public=True)
        assert send(attacker, attacker.table, **command("start", 1, step=1))[0] == 200
    with client(server, NEWCOMER) as visitor:
        running = [card["table"] for card in visitor.get("/api/lobby").json()["running"]]
    assert honest in running
    assert len(running) == 50
    for card in running:
        assert card == honest or state_of(attacker, card)["public"]


def test_one_address_cannot_take_every_seat(strict: ServerProcess, come: Come) -> None:
    server = strict
    newcomer, attacker = come(server, "newcomer"), come(server, "attacker")
    tables = [newcomer.make()["table"] for _ in range(SEATS + 3)]
    codes = []
    for table in tables:
        for _ in range(2):  # the second time it is taken, which costs nothing
            response = attacker.http.post(f"/api/tables/{table}/seat", json={"name": "A"})
            codes.append(kind_of(response)[1])
    assert codes.count("") == SEATS
    assert codes[-1] == "too-many-seats"
    other = come(server, "other")
    other.name = "Somebody else"
    other.sit(tables[-1])


@pytest.mark.parametrize("by_http", [False, True])
def test_what_one_address_stores_is_limited(wide: ServerProcess, come: Come, by_http: bool) -> None:
    server = wide
    newcomer, attacker = come(server, "newcomer"), come(server, "attacker")
    newcomer.make()
    before = stored_bytes(server)
    attacker.make(seats=AGAINST_BOT)
    text, refused = "\U0001f36b" * 300, 0
    with closing(attacker.tab()) as tab:
        for number in range(150):
            words = command("say", number, step=1, text=text)
            reply = send(attacker, attacker.table, **words)[2] if by_http else tab.ask(words.pop("type"), **words)
            if not reply["ok"]:
                assert reply["error"]["code"] == "too-much-stored"
                assert reply["error"]["retry_delay"] >= 1
                refused += 1
    assert refused > 50
    stored = stored_bytes(server) - before
    assert 0.7 * STORED < stored < 1.2 * STORED + 2000
    assert kind_of(attacker.http.post("/api/tables", json={"game": "azul", "seats": FOR_TWO}))[1] == "too-much-stored"
    with closing(newcomer.tab()) as tab:
        tab.done("say", text="hello")


def test_moves_of_bots_are_charged_to_whom_they_answer(wide: ServerProcess, come: Come) -> None:
    """A table of bots plays by itself after a single command."""
    server = wide
    attacker = come(server, "attacker")
    bots = [{"kind": "bot", "bot": "random"}] * 4
    games, code = 0, ""
    while games < 40 and not code:
        response = attacker.http.post("/api/tables", json={"game": "azul", "seats": bots})
        code = kind_of(response)[1]
        if not code:
            attacker.token, table = response.json()["token"], response.json()["table"]
            games += 1
            code = send(attacker, table, **command("start", 1, step=1))[1]
            while state_of(attacker, table)["status"] == "playing":
                time.sleep(0.02)
    assert code == "too-much-stored"
    assert games < 20  # without the moves of the bots, it would take a hundred of them


def test_commands_of_one_address_are_limited_over_all_its_connections(strict: ServerProcess, come: Come) -> None:
    server = strict
    newcomer, attacker = come(server, "newcomer"), come(server, "attacker")
    newcomer.make()
    with ExitStack() as stack:
        tabs = []
        for _ in range(4):
            attacker.make()
            tabs.append(stack.enter_context(closing(attacker.tab())))
        replies = [tab.ask("rename", name=f"A{number}") for number in range(COMMANDS // 3) for tab in tabs]
        done = sum(reply["ok"] for reply in replies)
        assert COMMANDS <= done < 1.3 * COMMANDS
        assert replies[-1]["error"]["code"] == "too-many-commands"
        assert send(attacker, attacker.table, **command("leave", 1, step=1))[:2] == (429, "too-many-commands")
    with closing(newcomer.tab()) as tab:
        tab.done("rename", name="Anna")


def stored_bytes(server: ServerProcess) -> int:
    """The bytes of all events in the store."""
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
        size = connection.execute("SELECT sum(length(CAST(text AS BLOB))) FROM events").fetchone()[0]
    return int(size)
