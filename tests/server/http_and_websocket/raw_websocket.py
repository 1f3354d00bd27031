"""WebSockets byte by byte, to send what no proper client would send."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from tests.server.server_process import ServerProcess

TIMEOUT = 30.0
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


def frame(payload: bytes, kind: int = TEXT, *, final: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """One frame; the mask is zeros, so that the bytes stay as they are."""
    size = len(payload)
    mask = 0x80 if masked else 0
    head = bytes([(0x80 if final else 0) | reserved << 4 | kind])
    if size < 126:
        head += bytes([mask | size])
    elif size < 65_536:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + (b"\0\0\0\0" if masked else b"") + payload


class Line:
    """A connection of plain bytes."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket = opened
        self.got = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send_as_far_as_possible(self, data: bytes) -> None:
        """Send all; the server may disconnect meanwhile."""
        try:
            self.socket.sendall(data)
        except OSError:
            return

    def more(self) -> bytes:
        """The next bytes; b"" at the end, also after a reset."""
        try:
            data = self.socket.recv(65_536)
        except ConnectionError:
            data = b""
        self.got += data
        return data

    def rest(self) -> bytes:
        """Everything until the server disconnects."""
        while self.more():
            pass
        return self.got

    def head(self) -> str:
        """The head of a response."""
        while b"\r\n\r\n" not in self.got:
            if not self.more():
                break
        head, _, self.got = self.got.partition(b"\r\n\r\n")
        return head.decode("latin-1")

    def shake(self, table: str, more: str = "", host: str = "localhost") -> str:
        """The handshake of a WebSocket; returns the head of the response."""
        self.send(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\n{KEY}Sec-WebSocket-Version: 13\r\n{more}\r\n".encode("latin-1")
        )
        return self.head()

    def frame(self) -> tuple[int, bytes]:
        """The opcode and the payload of the next frame; (-1, b"") at the end."""
        while True:
            if len(self.got) >= 2:
                size, at = self.got[1] & 127, 2
                if size == 126:
                    size, at = int.from_bytes(self.got[2:4], "big"), 4
                elif size == 127:
                    size, at = int.from_bytes(self.got[2:10], "big"), 10
                if len(self.got) >= at + size:
                    kind, payload = self.got[0] & 15, self.got[at : at + size]
                    self.got = self.got[at + size :]
                    return kind, payload
            if not self.more():
                return -1, b""

    def say(self, **words: Any) -> None:
        self.send(frame(json.dumps(words).encode()))

    def receive(self, kind: str) -> dict[str, Any]:
        """Skip messages until one of this type."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            code, payload = self.frame()
            assert code == TEXT, (code, payload)
            words: dict[str, Any] = json.loads(payload)
            if words["type"] == kind:
                return words
        raise AssertionError(f"no {kind} came")

    def code(self) -> int:
        """Skip everything up to the close frame; returns its code, or 1006 if there is none."""
        while True:
            kind, payload = self.frame()
            if kind == CLOSE:
                return int.from_bytes(payload[:2], "big")
            if kind == -1:
                return 1006


@contextmanager
def line(server: ServerProcess, *, small: bool = False) -> Iterator[Line]:
    """A connection; a `small` one has a small receive buffer."""
    with closing(socket.socket()) as opened:
        if small:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.settimeout(TIMEOUT)
        opened.connect(("127.0.0.1", server.port))
        yield Line(opened)


@contextmanager
def open_socket(server: ServerProcess, table: str, token: str = "", *, small: bool = False) -> Iterator[Line]:
    """A WebSocket that has sent hello."""
    with line(server, small=small) as opened:
        assert " 101 " in opened.shake(table)
        opened.say(type="hello", token=token)
        opened.receive("welcome")
        yield opened
