"""Everything that clients send to the server, as types, and their strict reading. docs/wire.md describes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from tilery.core.game import MAX_POSITION_CHARACTERS
from tilery.table.commands import AnyCommand
from tilery.table.creation import Setup
from tilery.table.refusals import TableRefused
from tilery.table.text_input import read_id
from tilery.table.wire import VERSION

MAX_MESSAGE_BYTES = 8192
MAX_MOVE_CHARACTERS = 40
MAX_MOVES = 200  # played from a position
MAX_PREVIEWS = 40  # moves of one request

T = TypeVar("T")


class Hello(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message."""

    version: int = VERSION  # of the protocol
    token: str = ""  # who you are; without one the cookie counts, or you are a spectator
    after: int | None = None  # when you reconnect: the last `seq` that you know
    chat: bool = True  # whether you want to receive chat


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    """A keepalive; the reply is a pong."""


class TableRequest(Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to create."""

    token: str = ""  # of your own choice (32 random hexadecimal digits in lower case); otherwise a new one


class SeatRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat to take."""

    name: str  # up to 24 characters
    seat: int | None = None  # which one; otherwise the first open one
    entropy: str = ""  # up to 64 digits 0-9a-f of your own, which contribute to the deals
    token: str = ""  # of your own choice; otherwise the one that the request carries, or a new one
    id: str = ""  # of the command; otherwise a new one


class SeatToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The token of a seat, from the fragment (#) of a private link."""

    token: str


MoveText = Annotated[str, Meta(max_length=MAX_MOVE_CHARACTERS)]


class StudyRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position, and what is to be done with it."""

    position: Annotated[str, Meta(max_length=MAX_POSITION_CHARACTERS)]  # in notation, whole or as a seat sees it
    moves: Annotated[tuple[MoveText, ...], Meta(max_length=MAX_MOVES)] = ()  # to be played from there, deals included
    deal: bool = False  # whether chance then acts until it is somebody's turn, with its true probabilities
    preview: Annotated[tuple[MoveText, ...], Meta(max_length=MAX_PREVIEWS)] = ()  # moves to preview after that


ClientMessage = AnyCommand | Ping
_read_hello: Callable[[str], Hello] = msgspec.json.Decoder(Hello).decode
_read_message: Callable[[str], ClientMessage] = msgspec.json.Decoder(ClientMessage).decode
_UNREADABLE = (msgspec.DecodeError, RecursionError, UnicodeError)


def describe_invalid(error: Exception) -> str:
    """What is wrong with a JSON text, and where."""
    problem, has_place, place = str(error).replace("`", "").partition(" - at $")
    return f"{place.strip('.') or 'the message'}: {problem}"[:300] if has_place else problem[:300] or "too deep"


def read_as(kind: type[T], data: bytes) -> T:
    """Read the body of a request; raises `TableRefused` unless it is JSON of this type."""
    try:
        return msgspec.json.decode(data, type=kind)
    except _UNREADABLE as error:
        raise TableRefused("bad-text", "message-form", problem=describe_invalid(error)) from None


def read_hello(text: str) -> Hello:
    """Read the first message. If its version is another one, only the version is read: other fields may be unknown."""
    try:
        return _read_hello(text)
    except _UNREADABLE as error:
        fields = _fields_in(text)
        version = fields.get("version")
        if fields.get("type") == "hello" and type(version) is int and version != VERSION:
            return Hello(version=version)
        raise TableRefused("bad-text", "message-form", problem=describe_invalid(error)) from None


def _fields_in(text: str) -> dict[str, Any]:
    """The fields of an invalid message; none if it is not even a JSON object."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def id_in(text: str) -> str | None:
    """The id of an invalid command, so that the reply can name it."""
    command_id = _fields_in(text).get("id")
    try:
        return read_id(command_id) if isinstance(command_id, str) else None
    except TableRefused:
        return None


def read_message(text: str) -> ClientMessage:
    """Read any message after the hello."""
    try:
        return _read_message(text)
    except _UNREADABLE as error:
        raise TableRefused("bad-text", "message-form", problem=describe_invalid(error)) from None
