"""A full disk stops the server only until there is room, and files that are deleted under it are noticed."""

from __future__ import annotations

import contextlib
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.server.attacks.small_disk import fill, small_disk
from tests.server.http_and_websocket.clients import FOR_TWO, Message, Person, Tab
from tests.server.server_process import ServerProcess, start_server
from tilery.server.store.inspection import walk

NOTICED_WITHIN = 5.0  # seconds
TWO_PAGES = 8_192  # bytes: the write-ahead log is longer already, and a checkpoint would make the database longer
MARGINS = pytest.mark.parametrize("margin", [4, pytest.param(1, marks=pytest.mark.long)])


def until(condition: Callable[[], bool], seconds: float = 30.0) -> float:
    """Wait; returns how long."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "timed out"
        time.sleep(0.05)
    return time.monotonic() - began


def readiness(server: ServerProcess) -> tuple[int, str]:
    response = httpx.get(f"{server.url}/readyz")
    return response.status_code, response.text


def metric(server: ServerProcess, name: str) -> int:
    lines = dict(line.split() for line in httpx.get(f"{server.url}/metrics").text.splitlines() if line[0] != "#")
    return int(lines[f"tilery_{name}"])


def log_lines(server: ServerProcess, words: str) -> list[str]:
    lines = [json.loads(line) for line in server.logged().splitlines() if line.startswith("{")]
    return [line["level"] for line in lines if words in line.get("text", "")]


@contextlib.contextmanager
def server_with_a_table(folder: Path) -> Iterator[tuple[ServerProcess, Person, Tab]]:
    server = start_server(folder)
    person = Person(server)
    try:
        person.make(seats=FOR_TWO)
        with closing(person.tab()) as tab:
            yield server, person, tab
    finally:
        if server.process.poll() is None:
            server.stop()
        person.http.close()


def said_by(person: Person) -> list[str]:
    """The chat, as a record of what was acknowledged."""
    with closing(person.tab(after=0)) as tab:
        return [event["text"] for event in tab.welcome["events"] if event["type"] == "said"]


def say(tab: Tab, number: int) -> Message:
    return tab.ask("say", id=f"say-{number}", text=f"{number} " + "long " * 40)


def check_that_it_is_full(server: ServerProcess, person: Person, tab: Tab) -> None:
    """Everybody is told, once each, that the disk is full."""
    status, text = readiness(server)
    assert (status, "the disk of the store is full" in text) == (503, True)
    assert metric(server, "disk_full") == 1
    for _ in range(3):
        error = tab.ask("say", text="refused")["error"]
        assert (error["kind"], error["code"]) == ("unavailable", "disk-full")
        assert error["retry_delay"] > 0
        response = person.http.post("/api/tables", json={"game": "azul", "seats": FOR_TWO})
        assert (response.status_code, response.json()["error"]["code"]) == (503, "disk-full")
    assert httpx.get(f"{server.url}/healthz").status_code == 200
    assert person.get("/record").status_code == 200  # what is stored can still be read
    assert log_lines(server, "the disk of the store is full") == ["error"]


def check_that_it_goes_on(server: ServerProcess, person: Person, tab: Tab, said: list[int]) -> None:
    """There is room again: the server noticed it by itself, has not lost anything, and goes on."""
    assert readiness(server) == (200, "ready\n")
    assert metric(server, "disk_full") == 0
    assert log_lines(server, "there is room on the disk") == ["warning"]
    assert say(tab, 999)["ok"]
    assert [int(text.split()[0]) for text in said_by(person)] == [*said, 999]
    server.restart()
    assert [int(text.split()[0]) for text in said_by(person)] == [*said, 999]


def until_refused(tab: Tab, first: int) -> list[int]:
    """Chat until the disk is full; returns what was acknowledged."""
    said: list[int] = []
    for number in range(first, 900):
        reply = say(tab, number)
        if not reply["ok"]:
            assert reply["error"]["code"] == "disk-full", reply
            return said
        said.append(number)
    raise AssertionError("the disk did not fill up")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of a running process can be changed on Linux only")
def test_a_server_whose_files_cannot_grow_goes_on_when_they_can(tmp_path: Path) -> None:
    with server_with_a_table(tmp_path) as (server, person, tab):
        said = [number for number in range(5) if say(tab, number)["ok"]]
        unlimited = resource.RLIM_INFINITY
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (TWO_PAGES, unlimited))
        assert until_refused(tab, 5) == []
        check_that_it_is_full(server, person, tab)
        time.sleep(5)  # it tries again meanwhile
        check_that_it_is_full(server, person, tab)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        until(lambda: readiness(server)[0] == 200)
        check_that_it_goes_on(server, person, tab, said)


@MARGINS
def test_a_full_disk_is_noticed_before_a_write_fails_and_left_by_itself(tmp_path: Path, margin: int) -> None:
    with small_disk(tmp_path / "disk", 24) as disk, server_with_a_table(disk / "store") as (server, person, tab):
        said = [number for number in range(20) if say(tab, number)["ok"]]
        ballast = fill(disk, 6 << 20)
        took = until(lambda: readiness(server)[0] == 503, NOTICED_WITHIN * margin)
        check_that_it_is_full(server, person, tab)
        ballast.unlink()
        back = until(lambda: readiness(server)[0] == 200, NOTICED_WITHIN * margin)
        print(f"a full disk was noticed after {took:.1f} s, room on it after {back:.1f} s")
        check_that_it_goes_on(server, person, tab, said)


def test_a_disk_without_a_single_free_byte(tmp_path: Path) -> None:
    """The server's log is on the same disk: an entry that cannot be written does not stop anything."""
    with small_disk(tmp_path / "disk", 24) as disk, server_with_a_table(disk / "store") as (server, person, tab):
        said = [number for number in range(20) if say(tab, number)["ok"]]
        ballast = fill(disk, 0)
        said += until_refused(tab, 20)
        until(lambda: readiness(server)[0] == 503)
        ballast.unlink()
        until(lambda: readiness(server)[0] == 200)
        assert say(tab, 999)["ok"]
        assert [int(text.split()[0]) for text in said_by(person)] == [*said, 999]
        server.restart()
        assert [int(text.split()[0]) for text in said_by(person)] == [*said, 999]


@pytest.mark.parametrize(
    ("name", "margin"),
    [("t.db", 4), *(pytest.param(f"t.db{end}", 1, marks=pytest.mark.long) for end in ("", "-wal", "-shm", ".lock"))],
)
def test_deleted_files_are_noticed(tmp_path: Path, name: str, margin: int) -> None:
    with server_with_a_table(tmp_path) as (server, person, tab):
        said = [number for number in range(5) if say(tab, number)["ok"]]
        (tmp_path / name).unlink()
        took = until(lambda: readiness(server)[0] == 503, NOTICED_WITHIN * margin)
        print(f"{name}: noticed after {took:.1f} s")
        assert "deleted or replaced" in readiness(server)[1]
        assert metric(server, "store_replaced") == 1
        assert log_lines(server, "deleted or replaced") == ["error"]
        assert tab.refused("say", text="refused") == "unavailable"
        assert person.http.post("/api/tables", json={"game": "azul", "seats": FOR_TWO}).status_code == 503
        assert server.stop() == 0
        (copy,) = tmp_path.glob("t.db.rescued-*")
        ((_, _, events),) = walk(str(copy))
        assert sum('"said"' in event for event in events) == len(said)
