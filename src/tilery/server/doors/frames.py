"""Frames of RFC 6455, as far as a server of short text messages needs them: nothing is ever compressed, nothing is
longer than a message may be, and whatever breaks the rules ends the conversation."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from struct import Struct
from typing import NamedTuple

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PROTOCOL, NOT_TEXT, TOO_LONG = 1002, 1007, 1009  # why a socket is closed
_SENDABLE = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, *range(3000, 5000)}


_LONG_HEAD = Struct(">BBH").pack


class Broken(Exception):
    """The other side broke the rules; the code says how."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class Message(NamedTuple):
    """A whole message; `kind` is TEXT, BINARY, CLOSE, PING or PONG."""

    kind: int
    data: bytes


def accept_of(key: bytes) -> bytes:
    """What a server answers to the key of a handshake; refuses a key that is none."""
    try:
        if len(base64.b64decode(key, validate=True)) != 16:
            raise Broken(PROTOCOL, "the key of a handshake has 16 bytes")
    except binascii.Error:
        raise Broken(PROTOCOL, "the key of a handshake is written in base64") from None
    return base64.b64encode(hashlib.sha1(key + _MAGIC).digest())


def frame(kind: int, data: bytes) -> bytes:
    """A whole message in one frame, as a server sends it."""
    size = len(data)
    if size < 126:
        return bytes((0x80 | kind, size)) + data
    if size < 65_536:
        return _LONG_HEAD(0x80 | kind, 126, size) + data
    return bytes((0x80 | kind, 127)) + size.to_bytes(8, "big") + data


def close_frame(code: int, reason: str) -> bytes:
    """A farewell; the reason is cut to what fits."""
    words = reason.encode()[:123].decode(errors="ignore").encode()
    return frame(CLOSE, code.to_bytes(2, "big") + words)


def unmasked(data: bytes, mask: bytes) -> bytes:
    """What a client sent."""
    size = len(data)
    pattern = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(pattern, "big")).to_bytes(size, "big")


@dataclass
class Incoming:
    """Puts together the messages of a client, piece by piece as they arrive."""

    longest: int
    _buffer: bytes = b""
    _kind: int = 0  # of the message whose parts are being collected, 0 for none
    _parts: list[bytes] = field(default_factory=list)

    def feed(self, data: bytes) -> list[Message]:
        """All messages that are complete now."""
        buffer = self._buffer + data if self._buffer else data
        found: list[Message] = []
        at = 0
        while True:
            end = self._one(buffer, at, found)
            if end is None:
                break
            at = end
        self._buffer = buffer[at:]
        return found

    def _one(self, buffer: bytes, at: int, found: list[Message]) -> int | None:
        """Read one frame; where it ends, or None if it is not all there."""
        if len(buffer) - at < 2:
            return None
        first, second = buffer[at], buffer[at + 1]
        kind, size = first & 15, second & 127
        if first & 0x70 or kind not in (0, TEXT, BINARY, CLOSE, PING, PONG):
            raise Broken(PROTOCOL, "a frame of a kind that was not agreed on")
        if not second & 0x80:
            raise Broken(PROTOCOL, "a client masks its frames")
        if kind >= CLOSE and (size > 125 or not first & 0x80):
            raise Broken(PROTOCOL, "a control frame is short and in one piece")
        begin = at + 2
        if size >= 126:
            width = 2 if size == 126 else 8
            if len(buffer) < begin + width:
                return None
            size = int.from_bytes(buffer[begin : begin + width], "big")
            begin += width
        if kind < CLOSE and size + sum(map(len, self._parts)) > self.longest:
            raise Broken(TOO_LONG, f"a message has at most {self.longest} bytes")
        end = begin + 4 + size
        if len(buffer) < end:
            return None
        data = unmasked(buffer[begin + 4 : end], buffer[begin : begin + 4])
        self._take(kind, bool(first & 0x80), data, found)
        return end

    def _take(self, kind: int, is_last: bool, data: bytes, found: list[Message]) -> None:
        if kind >= CLOSE:
            found.append(Message(kind, data))
            return
        if (kind == 0) != (self._kind != 0):
            raise Broken(PROTOCOL, "parts of a message in the wrong order")
        self._kind = self._kind or kind
        self._parts.append(data)
        if len(self._parts) > 64:
            raise Broken(PROTOCOL, "a message in too many parts")
        if is_last:
            found.append(Message(self._kind, b"".join(self._parts)))
            self._kind, self._parts = 0, []


def close_code(data: bytes) -> int:
    """Why a client says goodbye; 1005 where it does not say."""
    if not data:
        return 1005
    code = int.from_bytes(data[:2], "big")
    if len(data) == 1 or code not in _SENDABLE:
        raise Broken(PROTOCOL, "a farewell with a code that is none")
    try:
        data[2:].decode()
    except UnicodeDecodeError:
        raise Broken(NOT_TEXT, "a reason that is no text") from None
    return code
