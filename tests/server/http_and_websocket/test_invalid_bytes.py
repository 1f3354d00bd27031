"""Invalid bytes never harm the server or other clients."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.server.http_and_websocket.clients import Person
from tests.server.http_and_websocket.raw_websocket import (
    BINARY,
    CONTINUED,
    KEY,
    PING,
    PONG,
    TEXT,
    TIMEOUT,
    frame,
    line,
    open_socket,
)
from tests.server.server_process import ServerProcess

SECURE = (
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "permissions-policy",
)


@pytest.fixture
def table(anna: Person) -> Iterator[str]:
    """A table; afterwards the server must be healthy, and must not have logged an internal error."""
    logged = len(anna.server.logged())
    anna.make()
    yield anna.table
    assert anna.http.get("/healthz").text == "ok\n"
    with open_socket(anna.server, anna.table, anna.token) as other:
        other.say(type="ping")
        other.receive("pong")
    assert '"level": "error"' not in anna.server.logged()[logged:]


def _is_alive(server: ServerProcess, table: str) -> None:
    with open_socket(server, table) as other:
        other.say(type="ping")
        other.receive("pong")


@pytest.mark.parametrize("size", [8192, 8193, 70_000])
def test_a_message_has_at_most_8_kib(size: int, server: ServerProcess, table: str) -> None:
    with open_socket(server, table) as tab:
        tab.send_as_far_as_possible(frame(b"x" * size))
        if size <= 8192:
            assert tab.receive("reply")["error"]["kind"] == "bad-text"
        else:
            assert tab.code() == 1009


def test_a_frame_that_only_claims_to_be_huge_is_refused_at_once(server: ServerProcess, table: str) -> None:
    for size in (8193, 2**31, 2**62):
        with open_socket(server, table) as tab:
            tab.send(bytes([0x81, 0xFF]) + size.to_bytes(8, "big") + b"\0\0\0\0")
            assert tab.code() == 1009


def test_the_length_of_a_message_is_measured_in_bytes(server: ServerProcess, table: str) -> None:
    with open_socket(server, table) as tab:
        tab.send(frame("ü".encode() * 4097))
        assert tab.code() == 1009


def test_a_message_in_fragments_is_read_as_one_but_not_when_it_is_too_long(server: ServerProcess, table: str) -> None:
    ping = b'{"type":"ping"}'
    with open_socket(server, table) as tab:
        tab.send(frame(ping[:4], TEXT, final=False) + frame(b"", CONTINUED, final=False))
        tab.send(frame(b"in between", PING) + frame(ping[4:], CONTINUED))
        assert tab.frame() in ((PONG, b"in between"), (TEXT, b'{"type":"presence","here":[],"watching":1}'))
        while tab.frame() != (TEXT, b'{"type":"pong"}'):
            pass
        tab.send_as_far_as_possible(frame(b"x" * 5000, TEXT, final=False) + frame(b"x" * 5000, CONTINUED))
        assert tab.code() == 1009


def test_endless_fragments_close_the_socket(server: ServerProcess, table: str) -> None:
    with open_socket(server, table) as tab:
        tab.send_as_far_as_possible(frame(b"", TEXT, final=False) + frame(b"", CONTINUED, final=False) * 50_000)
        assert tab.code() in (1002, 1006)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(b"{}", BINARY), 1008),
        (frame(b"", BINARY), 1008),
        (frame(b'{"type":"\xff\xfe"}'), 1007),
        (frame(b"\xed\xa0\x80"), 1007),
        (frame(b"{}", masked=False), 1002),
        (frame(b"{}", reserved=4), 1002),
        (frame(b"{}", 3), 1002),
        (frame(b"{}", 11), 1002),
        (frame(b"{}", CONTINUED), 1002),
        (frame(b"{", TEXT, final=False) + frame(b"}", TEXT), 1002),
        (frame(b"x" * 126, PING), 1002),
        (frame(b"x", PING, final=False), 1002),
        (frame(b"\x03", 8), 1002),
        (frame(b"\x00\x01", 8), 1002),
        (b"GET / HTTP/1.1\r\n\r\n", 1002),
        (b"\xff" * 2000, 1002),
        (b"\x00" * 2000, 1002),
    ],
)
@pytest.mark.parametrize("greets", [True, False], ids=["after the hello", "instead of the hello"])
def test_an_invalid_frame_closes_the_socket_with_a_reason(
    data: bytes, code: int, greets: bool, server: ServerProcess, table: str
) -> None:
    with line(server) as tab:
        tab.shake(table)
        if greets:
            tab.say(type="hello")
            tab.receive("welcome")
        tab.send_as_far_as_possible(data)
        assert tab.code() == code


@pytest.mark.parametrize("seed", range(10))
def test_any_bytes_are_answered_or_close_the_socket(seed: int, server: ServerProcess, table: str) -> None:
    chosen = random.Random(seed)
    with open_socket(server, table) as tab:
        tab.send_as_far_as_possible(chosen.randbytes(20_000))
        assert tab.code() in (1000, 1002, 1006, 1007, 1008, 1009)


@pytest.mark.parametrize("seed", range(5))
def test_the_replies_do_not_depend_on_how_the_bytes_are_split(seed: int, server: ServerProcess, table: str) -> None:
    chosen = random.Random(seed)
    data = b"".join(frame(json.dumps({"type": "ping"}).encode()) for _ in range(20))
    with open_socket(server, table) as tab:
        at = 0
        while at < len(data):
            size = chosen.choice([1, 2, 3, 10, 50])
            tab.send(data[at : at + size])
            at += size
        for _ in range(20):
            tab.receive("pong")


def test_compression_is_not_negotiated(server: ServerProcess, table: str) -> None:
    offers = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
    with line(server) as tab:
        head = tab.shake(table, offers).lower()
    assert " 101 " in head
    assert "extensions" not in head


def _ends(server: ServerProcess, sent: list[bytes]) -> list[str]:
    """The response to each of some byte strings, on separate connections, until the server disconnects."""
    with ExitStack() as opened:
        lines = [opened.enter_context(line(server)) for _ in sent]
        for one, data in zip(lines, sent, strict=True):
            one.send_as_far_as_possible(data)
        return [one.rest().decode("latin-1") for one in lines]


NOT_HTTP = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    b"garbage\r\n\r\n",
    b"\xff" * 5000,
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nbroken header\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Many: a\r\n" * 20_000 + b"\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzzzzz",
]


@pytest.mark.usefixtures("table")
def test_what_is_not_http_is_answered_with_400_or_nothing(server: ServerProcess) -> None:
    for response in _ends(server, NOT_HTTP):
        if response:
            assert re.match(r"HTTP/1.1 4\d\d ", response), response[:80]
            assert all(name in response for name in SECURE)


@pytest.mark.parametrize(
    "more",
    [
        "",
        KEY.replace("AAA", "A"),
        KEY + "Sec-WebSocket-Version: 8\r\n",
        KEY + "Sec-WebSocket-Version: 13\r\n" + "X-Many: a\r\n" * 200,
        KEY + f"Sec-WebSocket-Version: 13\r\nX-Long: {'a' * 10_000}\r\n",
    ],
    ids=["no key", "wrong key", "wrong version", "many headers", "a long header"],
)
def test_an_invalid_handshake_is_refused(more: str, server: ServerProcess, table: str) -> None:
    head = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    )
    (response,) = _ends(server, [f"{head}{more}\r\n".encode()])
    if response:
        assert re.match(r"HTTP/1.1 4\d\d ", response), response[:80]
        assert all(name in response.lower() for name in SECURE)


HALF = [
    b"",
    b"G",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n[Tilery",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
]


@pytest.mark.usefixtures("table")
def test_an_unfinished_request_is_disconnected(server: ServerProcess) -> None:
    assert _ends(server, HALF) == [""] * len(HALF)


@pytest.mark.usefixtures("table")
def test_a_request_sent_byte_by_byte_is_disconnected(server: ServerProcess) -> None:
    with line(server) as opened:
        start = time.monotonic()
        opened.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        opened.socket.settimeout(0.2)
        ended = False
        while not ended and time.monotonic() - start < 20:
            opened.send_as_far_as_possible(b"X-Drop: 1\r\n")
            try:
                ended = not opened.more()
            except TimeoutError:
                continue
        assert ended


def test_a_client_without_a_hello_is_disconnected(server: ServerProcess, table: str) -> None:
    with ExitStack() as opened:
        silent = [opened.enter_context(line(server)) for _ in range(3)]
        parts = (b"", frame(b'{"type":"hello"}')[:9], frame(b'{"type":', TEXT, final=False))
        for tab, part in zip(silent, parts, strict=True):
            tab.shake(table)
            tab.send(part)
        assert [tab.code() for tab in silent] == [4410, 4410, 4410]


def test_a_flood_of_ping_frames_is_disconnected(server: ServerProcess, table: str) -> None:
    for kind in (PING, PONG):
        with open_socket(server, table) as tab:
            tab.send_as_far_as_possible(frame(b"x" * 100, kind) * 20_000)
            assert tab.code() == 1006
    _is_alive(server, table)


def test_a_slow_client_is_disconnected_and_memory_stays_bounded(server: ServerProcess, anna: Person) -> None:
    anna.make()
    with ExitStack() as opened:
        active = opened.enter_context(open_socket(server, anna.table, anna.token))
        before = _sockets(anna.http)
        for _ in range(10):
            opened.enter_context(open_socket(server, anna.table, small=True))
        memory = server.memory()
        end = time.monotonic() + TIMEOUT
        while _sockets(anna.http) > before:
            assert time.monotonic() < end, "a slow reader is still there"
            for _ in range(100):
                number = random.getrandbits(60)
                active.say(type="rename", id=f"r{number}", step=0, name=f"{number:024}")
            active.say(type="ping")
            active.receive("pong")
        assert server.memory() - memory < 40_000_000
    assert server.logged().count("Traceback") == 0


def _sockets(client: httpx.Client) -> int:
    return int(re.findall(r"tilery_sockets (\d+)", client.get("/metrics").text)[0])
