"""WebSocket frames: frames of the `websockets` library are read, however the bytes are split."""

from __future__ import annotations

import contextlib
import random

import pytest
from websockets.frames import Frame, Opcode

from tilery.server.websocket.frames import (
    BINARY,
    CLOSE,
    PING,
    PONG,
    TEXT,
    FrameReader,
    Message,
    ProtocolError,
    accept_key,
    close_code,
    close_frame,
    frame,
    unmask,
)

MAX_MESSAGE_BYTES = 8192


def _sent(kind: int, data: bytes, *, last: bool = True) -> bytes:
    """A frame as the client of the library writes it."""
    return Frame(Opcode(kind), data, last).serialize(mask=True)


def _whole(data: bytes) -> list[Message]:
    return FrameReader(MAX_MESSAGE_BYTES).feed(data)


@pytest.mark.parametrize("size", [0, 1, 3, 4, 125, 126, 127, 1000, 8191, 8192])
def test_messages_of_every_size_are_read(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert _whole(_sent(BINARY, data)) == [Message(BINARY, data)]


@pytest.mark.parametrize("seed", range(40))
def test_messages_are_read_however_the_bytes_are_split(seed: int) -> None:
    chosen = random.Random(seed)
    wanted, stream = [], b""
    for _ in range(chosen.randint(1, 12)):
        data = chosen.randbytes(chosen.choice([0, 5, 125, 126, 700]))
        kind = chosen.choice([TEXT, BINARY, PING, PONG])
        if kind in (PING, PONG):
            data = data[:125]
            stream += _sent(kind, data)
        elif chosen.random() < 0.5:
            cut = chosen.randint(0, len(data))
            stream += _sent(kind, data[:cut], last=False)
            if chosen.random() < 0.5:  # a control frame may come between the parts
                stream += _sent(PING, b"x")
                wanted.append(Message(PING, b"x"))
            stream += _sent(0, data[cut:])
        else:
            stream += _sent(kind, data)
        wanted.append(Message(kind, data))
    incoming, found = FrameReader(MAX_MESSAGE_BYTES), []
    while stream:
        size = chosen.randint(1, 40)
        found += incoming.feed(stream[:size])
        stream = stream[size:]
    assert found == wanted


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (_sent(TEXT, b"x" * (MAX_MESSAGE_BYTES + 1)), 1009),
        (_sent(TEXT, b"x" * MAX_MESSAGE_BYTES, last=False) + _sent(0, b"x"), 1009),
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 1009),  # said to be long: refused before it is there
        (b"\x81\x05hello", 1002),  # not masked
        (b"\xc1\x80\0\0\0\0", 1002),  # compressed, which was not agreed on
        (b"\x83\x80\0\0\0\0", 1002),
        (b"\x8b\x80\0\0\0\0", 1002),
        (b"\x09\x80\0\0\0\0", 1002),  # a part of a ping
        (b"\x89\xfe\x00\x7e", 1002),  # a long ping
        (_sent(0, b"x"), 1002),  # a part of nothing
        (_sent(TEXT, b"x", last=False) + _sent(TEXT, b"x"), 1002),
        (_sent(TEXT, b"", last=False) + 64 * _sent(0, b"", last=False), 1002),
    ],
    ids=[f"case {number}" for number in range(12)],  # masks are random
)
def test_a_protocol_violation_is_an_error(data: bytes, code: int) -> None:
    with pytest.raises(ProtocolError) as caught:
        _whole(data)
    assert caught.value.code == code


@pytest.mark.parametrize("seed", range(200))
def test_garbage_is_read_or_a_protocol_error(seed: int) -> None:
    chosen = random.Random(seed)
    incoming = FrameReader(MAX_MESSAGE_BYTES)
    with contextlib.suppress(ProtocolError):
        for _ in range(20):
            incoming.feed(chosen.randbytes(chosen.randint(1, 300)))


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_other_libraries_read_the_frames_of_the_server(size: int) -> None:
    data = frame(TEXT, b"x" * size)
    assert data == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


def test_the_accept_key_is_that_of_the_rfc() -> None:
    assert accept_key(b"dGhlIHNhbXBsZSBub25jZQ==") == b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    for key in (b"", b"dGhl", b"not base64 at all!", b"dGhlIHNhbXBsZSBub25jZQ=="[:-1]):
        with pytest.raises(ProtocolError):
            accept_key(key)


def test_unmasking_undoes_masking() -> None:
    assert unmask(b"", b"abcd") == b""
    assert unmask(unmask(b"hello", b"abcd"), b"abcd") == b"hello"


def test_a_reason_is_truncated_between_characters() -> None:
    data = close_frame(1008, "ß" * 100)
    assert data[:2] == bytes((0x80 | CLOSE, 124))  # two for the code, and 122 bytes are 61 letters
    assert data[4:].decode() == "ß" * 61


def test_close_frames_are_read() -> None:
    assert close_code(b"") == 1005
    assert close_code(b"\x03\xe8bye") == 1000
    for data in (b"\x03", b"\x03\xed", b"\x00\x01", b"\xff\xff", b"\x03\xe8\xff"):
        with pytest.raises(ProtocolError):
            close_code(data)
