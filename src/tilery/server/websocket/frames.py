"""Frames of RFC 6455, as far as a server of short text messages needs them: no compression, a limit for the length of a
message, and any violation closes the connection."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from struct import Struct
from typing import NamedTuple

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
# Close codes of the RFC.
PROTOCOL_ERROR, INVALID_TEXT, TOO_LONG, INTERNAL_ERROR, SERVICE_RESTART = 1002, 1007, 1009, 1011, 1012
_VALID_CLOSE_CODES = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, *range(3000, 5000)}
_SHORT = 126  # bytes, from which a frame has a longer head
_pack_long_header = Struct(">BBH").pack


class ProtocolError(Exception):
    """The client violated the protocol; `code` is the close code."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class Message(NamedTuple):
    """A whole message; `opcode` is TEXT, BINARY, CLOSE, PING or PONG."""

    opcode: int
    data: bytes


def accept_key(key: bytes) -> bytes:
    """The Sec-WebSocket-Accept for the key of a handshake; raises `ProtocolError` for an invalid key."""
    try:
        if len(base64.b64decode(key, validate=True)) != 16:
            raise ProtocolError(PROTOCOL_ERROR, "Sec-WebSocket-Key must have 16 bytes")
    except binascii.Error:
        raise ProtocolError(PROTOCOL_ERROR, "Sec-WebSocket-Key must be base64") from None
    return base64.b64encode(hashlib.sha1(key + _MAGIC).digest())


def frame(opcode: int, data: bytes) -> bytes:
    """A whole message in one unmasked frame, as a server sends it."""
    size = len(data)
    if size < _SHORT:
        return bytes((0x80 | opcode, size)) + data
    if size < 65_536:
        return _pack_long_header(0x80 | opcode, 126, size) + data
    return bytes((0x80 | opcode, 127)) + size.to_bytes(8, "big") + data


def close_frame(code: int, reason: str) -> bytes:
    """A close frame; the reason is truncated to what fits."""
    text = reason.encode()[:123].decode(errors="ignore").encode()
    return frame(CLOSE, code.to_bytes(2, "big") + text)


def unmask(data: bytes, mask: bytes) -> bytes:
    """The payload of a frame without its mask."""
    size = len(data)
    pattern = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(pattern, "big")).to_bytes(size, "big")


@dataclass
class FrameReader:
    """Assembles the messages of a client from the bytes as they arrive."""

    max_bytes: int
    _buffer: bytes = b""
    _opcode: int = 0  # of the message whose fragments are being collected; 0 if there is none
    _fragments: list[bytes] = field(default_factory=list)

    def feed(self, data: bytes) -> list[Message]:
        """Take bytes; returns all messages that are complete now."""
        if not self._buffer and not self._opcode and _is_short_text(data):  # the fast path: most messages
            return [Message(TEXT, unmask(data[6:], data[2:6]))]
        buffer = self._buffer + data if self._buffer else data
        messages: list[Message] = []
        at = 0
        while True:
            end = self._read_frame(buffer, at, messages)
            if end is None:
                break
            at = end
        self._buffer = buffer[at:]
        return messages

    def _read_frame(self, buffer: bytes, at: int, messages: list[Message]) -> int | None:
        """Read one frame; returns its end, or None if it is incomplete."""
        if len(buffer) - at < 2:
            return None
        first, second = buffer[at], buffer[at + 1]
        opcode, size = first & 15, second & 127
        if first & 0x70 or opcode not in (0, TEXT, BINARY, CLOSE, PING, PONG):
            raise ProtocolError(PROTOCOL_ERROR, "unknown opcode or reserved bits")
        if not second & 0x80:
            raise ProtocolError(PROTOCOL_ERROR, "frames of a client must be masked")
        if opcode >= CLOSE and (size > 125 or not first & 0x80):
            raise ProtocolError(PROTOCOL_ERROR, "a control frame must be short and unfragmented")
        start = at + 2
        if size >= 126:
            width = 2 if size == 126 else 8
            if len(buffer) < start + width:
                return None
            size = int.from_bytes(buffer[start : start + width], "big")
            start += width
        if opcode < CLOSE and size + sum(map(len, self._fragments)) > self.max_bytes:
            raise ProtocolError(TOO_LONG, f"a message has at most {self.max_bytes} bytes")
        end = start + 4 + size
        if len(buffer) < end:
            return None
        data = unmask(buffer[start + 4 : end], buffer[start : start + 4])
        self._add(opcode, bool(first & 0x80), data, messages)
        return end

    def _add(self, opcode: int, is_last: bool, data: bytes, messages: list[Message]) -> None:
        if opcode >= CLOSE:
            messages.append(Message(opcode, data))
            return
        if (opcode == 0) != (self._opcode != 0):
            raise ProtocolError(PROTOCOL_ERROR, "fragments in the wrong order")
        self._opcode = self._opcode or opcode
        self._fragments.append(data)
        if len(self._fragments) > 64:
            raise ProtocolError(PROTOCOL_ERROR, "too many fragments")
        if is_last:
            messages.append(Message(self._opcode, b"".join(self._fragments)))
            self._opcode, self._fragments = 0, []


def _is_short_text(data: bytes) -> bool:
    """Whether the bytes are exactly one frame with a whole short text."""
    size = len(data) - 6
    return 0 <= size < _SHORT and data[0] == 0x80 | TEXT and data[1] == 0x80 | size


def close_code(data: bytes) -> int:
    """The code of a close frame; 1005 if it has none."""
    if not data:
        return 1005
    code = int.from_bytes(data[:2], "big")
    if len(data) == 1 or code not in _VALID_CLOSE_CODES:
        raise ProtocolError(PROTOCOL_ERROR, "invalid close code")
    try:
        data[2:].decode()
    except UnicodeDecodeError:
        raise ProtocolError(INVALID_TEXT, "the reason is not UTF-8") from None
    return code
