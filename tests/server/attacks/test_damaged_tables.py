"""A damaged table hurts only itself: clocks and bots of all others go on, and whoever plays there is told."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx

from tests.cli.test_play import tilery
from tests.server.http_and_websocket.clients import AGAINST_BOT, Person
from tests.server.server_process import ServerProcess, start_server
from tilery.server.websocket.connection import TABLE_DAMAGED

SECOND = "WHERE number = ?1 AND seq = 2"
SPOIL = {
    "not JSON": f"UPDATE events SET text = '{{' {SECOND}",
    "no such event": f"UPDATE events SET text = replace(text, '\"started\"', '\"x\"') {SECOND}",
    "a field is missing": f"UPDATE events SET text = replace(text, '\"deals\"', '\"x\"') {SECOND}",
    "no such move": f'UPDATE events SET text = replace(text, \'"deals":["\', \'"deals":["x\') {SECOND}',
    "a blob": f"UPDATE events SET text = x'ff00' {SECOND}",
    "no such game": "UPDATE events SET text = replace(text, '\"azul\"', '\"x\"') WHERE number = ?1 AND seq = 1",
    "the first event is missing": "DELETE FROM events WHERE number = ?1 AND seq = 1",
    "all events are missing": "DELETE FROM events WHERE number = ?1",
    "the last event is missing": f"DELETE FROM events {SECOND}",
    "another id": f'UPDATE events SET text = replace(text, \'"id":"\', \'"id":"x\') {SECOND}',
    "the end is set back": "UPDATE tables SET seq = 1 WHERE number = ?1",
    "another digest": "UPDATE tables SET digest = hex(randomblob(16)) WHERE number = ?1",
    "another secret": "UPDATE tables SET secret = randomblob(32) WHERE number = ?1",
    "no secret": "UPDATE tables SET secret = x'' WHERE number = ?1",
}


def spoil(database: Path, statement: str, number: int) -> None:
    connection = sqlite3.connect(database)
    with connection:
        assert connection.execute(statement, (number,)).rowcount
    connection.close()


def damaged_lines(server: ServerProcess) -> list[str]:
    lines = [json.loads(line) for line in server.logged().splitlines() if line.startswith("{")]
    assert not [line for line in lines if line["what"] == "sweep failed"]
    return [line["table"] for line in lines if line["what"] == "table damaged"]


def playing(server: ServerProcess, clock: int) -> Person:
    """A person at a table with a bot, where the game has started."""
    person = Person(server)
    person.make(seats=AGAINST_BOT, clock={"base": clock})
    with closing(person.tab()) as tab:
        tab.done("start")
    return person


def test_all_kinds_of_damage_at_once(tmp_path: Path) -> None:
    server = start_server(tmp_path)
    people = [playing(server, 600) for _ in SPOIL]
    healthy = playing(server, 600)
    on_time = playing(server, 10)
    began = time.monotonic()
    server.kill()
    for number, statement in enumerate(SPOIL.values(), 1):
        spoil(server.database, statement, number)
    server.start()
    try:
        with closing(healthy.tab()) as tab:
            for _ in range(4):  # the bot answers
                while not tab.state.get("moves"):
                    tab.receive()
                tab.done("play", move=tab.state["moves"][0][1])
        for person, kind in zip(people, SPOIL, strict=True):
            check_that_it_is_told(server, person, kind)
        with closing(on_time.tab()) as tab:
            while tab.state["status"] == "playing":
                tab.receive()
            assert tab.state["result"]["ended_by"] == "time"
            assert time.monotonic() - began < 40
        assert sorted(damaged_lines(server)) == sorted(person.table for person in people)
        ready = httpx.get(f"{server.url}/readyz")
        assert ready.status_code == 200
        assert {line.removeprefix("damaged table: ") for line in ready.text.splitlines()[1:]} == {
            person.table for person in people
        }
        assert f"tilery_tables_damaged {len(SPOIL)}\n" in httpx.get(f"{server.url}/metrics").text
        assert httpx.get(f"{server.url}/api/lobby").status_code == 200
        server.stop()
        check_and_repair(server, {person.table for person in people})
        server.start()
        with closing(healthy.tab()) as tab:
            tab.done("play", move=tab.state["moves"][0][1])
        assert people[0].get().status_code == 404
    finally:
        server.stop()
        for person in (*people, healthy, on_time):
            person.http.close()


def check_and_repair(server: ServerProcess, damaged: set[str]) -> None:
    """`db check` names every damaged table and no other; after `db repair` nothing is wrong any more."""
    address = str(server.database)
    ran = tilery("db", "check", "--database", address, "--json")
    assert ran.code == 1
    assert {problem["table"] for problem in json.loads(ran.out)["problems"]} == damaged
    assert tilery("db", "repair", "--database", address).code == 0
    assert tilery("db", "check", "--database", address).code == 0


def check_that_it_is_told(server: ServerProcess, person: Person, kind: str) -> None:
    """Whoever comes to the table is told that it is damaged, over the WebSocket and by every request."""
    with closing(person.tab(greet=False)) as tab:
        tab.send(type="hello", token=person.token)
        code, reason = tab.end()
    assert code == TABLE_DAMAGED, (kind, code, reason)
    assert "damaged" in reason
    for response in (person.get(), person.get("/replay"), person.get("/record")):
        assert (response.status_code, response.json()["error"]["kind"]) == (500, "damaged"), kind
    play = {"type": "play", "id": "p", "step": 2, "move": "1R1"}
    response = person.http.post(f"/api/tables/{person.table}/commands", json=play)
    assert (response.status_code, response.json()["error"]["kind"]) == (500, "damaged"), kind
    assert server.process.poll() is None
