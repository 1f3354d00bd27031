"""Connections that say nothing do not lock newcomers out, whatever the limit of open files is."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from tests.server.attacks.addresses import (
    ATTACKER,
    NEWCOMER,
    client,
    cpu_seconds,
    lines,
    metric,
    open_files,
)
from tests.server.server_process import ServerProcess, start_server
from tilery.server.connections import OpenConnections, raise_file_limit
from tilery.server.metrics import Metrics
from tilery.server.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs 127.0.0.2, /proc and prlimit")
PER_ADDRESS = 200
SILENT = 1100
HEADER_TIMEOUT = 2.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that was started with a low soft limit of open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        folder = tmp_path_factory.mktemp("server")
        running = start_server(
            folder,
            max_sockets=Settings().max_sockets,
            max_connections_per_address=PER_ADDRESS,
            header_timeout=HEADER_TIMEOUT,
        )
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * SILENT)), hard))
    yield running
    running.stop()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_limit_of_open_files_is_raised_at_the_start(server: ServerProcess) -> None:
    soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    assert soft == hard or soft > Settings().max_sockets
    assert hard > 256


def test_silent_connections_do_not_lock_newcomers_out(server: ServerProcess) -> None:
    before = open_files(server)
    with lines(server, ATTACKER, SILENT):
        for address in (NEWCOMER, ATTACKER):  # even where the attack comes from
            began = time.monotonic()
            with client(server, address) as newcomer:
                assert newcomer.get("/healthz").status_code == 200
            assert time.monotonic() - began < HEADER_TIMEOUT * 5
        assert open_files(server) < before + PER_ADDRESS + 20
        assert metric(server, "connections_cut_total") >= SILENT - PER_ADDRESS
        end = time.monotonic() + 30
        while open_files(server) > before + 5:  # the rest is closed because it is silent
            assert time.monotonic() < end
            time.sleep(0.1)


def test_headers_that_come_byte_by_byte_are_not_waited_for(server: ServerProcess) -> None:
    with lines(server, ATTACKER, 1) as (slow,):
        began = time.monotonic()
        slow.socket.settimeout(0.2)
        for byte in b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 200:
            slow.send_as_far_as_possible(bytes([byte]))
            try:
                if not slow.more():
                    break
            except TimeoutError:
                continue
        assert HEADER_TIMEOUT * 0.8 < time.monotonic() - began < HEADER_TIMEOUT * 5


def test_requests_and_sockets_are_not_idle(server: ServerProcess) -> None:
    """A new connection takes the place of an idle one only; if there is none, it is refused in words."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    with lines(server, ATTACKER, PER_ADDRESS) as busy:
        for line in busy:
            line.send(head)
        while metric(server, "connections") < PER_ADDRESS:
            time.sleep(0.05)
        time.sleep(0.2)
        with lines(server, ATTACKER, 1) as (one_more,):
            answer = one_more.rest().decode()
        assert answer.startswith("HTTP/1.1 503 ")
        assert "retry-after: 5" in answer
        assert "too many open connections" in answer
        with client(server, NEWCOMER) as newcomer:
            assert newcomer.get("/healthz").status_code == 200


def answers(server: ServerProcess) -> bool:
    """Whether a newcomer gets an answer."""
    try:
        with client(server, NEWCOMER) as newcomer:
            return newcomer.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_a_server_without_free_files_does_not_spin(server: ServerProcess) -> None:
    pid = server.process.pid
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_files(server) + 20, hard))
    try:
        with lines(server, ATTACKER, 60):
            before = cpu_seconds(server)
            time.sleep(1.5)
            assert cpu_seconds(server) - before < 0.5
            end = time.monotonic() + 30
            while not answers(server):  # until the silent connections are closed
                assert time.monotonic() < end
                time.sleep(0.2)
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))
    assert server.process.poll() is None


class FakeTransport:
    """A transport that notes how it was closed."""

    def __init__(self, unread: int = 0) -> None:
        self.unread = unread
        self.closed = ""

    def get_write_buffer_size(self) -> int:
        return self.unread

    def close(self) -> None:
        self.closed = "close"

    def abort(self) -> None:
        self.closed = "abort"


def made(unread: int = 0) -> Any:
    return cast("Any", FakeTransport(unread))


def test_when_all_places_are_taken_the_oldest_idle_connection_makes_room() -> None:
    metrics = Metrics()
    opened = OpenConnections(4, None, metrics)
    first, second, third, fourth = (made(), made(5), made(), made())
    for number, transport in enumerate((first, second, third, fourth)):
        assert opened.add(transport, str(number))
    opened.set_busy(first)
    assert opened.add(made(), "5")
    assert (first.closed, second.closed, third.closed) == ("", "abort", "")  # its client does not read
    opened.set_busy(fourth)
    opened.set_idle(fourth)
    assert opened.add(made(), "6")
    assert (third.closed, fourth.closed) == ("close", "")
    assert (len(opened), metrics.connections, metrics.connections_cut) == (4, 4, 2)
    for transport in (first, fourth, first):
        opened.remove(transport)
    assert len(opened) == 2


def test_one_address_leaves_half_of_few_places_to_others() -> None:
    opened = OpenConnections(10, 400, Metrics())
    taken = [made() for _ in range(5)]
    for transport in taken:
        assert opened.add(transport, "a")
        opened.set_busy(transport)
    assert not opened.add(made(), "a")
    assert opened.add(made(), "b")
    opened.set_idle(taken[3])
    assert opened.add(made(), "a")
    assert taken[3].closed


@pytest.mark.parametrize(
    ("soft", "hard", "most", "raised"),
    [
        (1024, 100_000, 22_000, 22_108),
        (1024, resource.RLIM_INFINITY, 22_000, 22_108),
        (50_000, 50_000, 22_000, None),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 22_000, None),
        (1024, 4096, 3988, 4096),
        (64, 64, 32, 64),
    ],
)
def test_the_limit_of_open_files_is_raised_as_far_as_needed(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, most: int, raised: int | None
) -> None:
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: limits.append(both))
    assert raise_file_limit(Settings()) == most
    assert limits == ([] if raised is None else [(raised, hard)])


def test_a_limit_below_max_sockets_is_logged(tmp_path: Path) -> None:
    running = start_server(tmp_path, max_sockets=900_000_000)
    try:
        assert '"what": "few files"' in running.logged()
    finally:
        running.stop()
