"""Messages between a client and the server, and how strictly they are read. docs/wire.md describes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, TypeAdapter, ValidationError

from tilery.table.commands import STRICT, AnyCommand
from tilery.table.refusing import TableRefused
from tilery.table.words import read_id

LONGEST_FRAME = 8192  # bytes


@dataclass(frozen=True, kw_only=True)
class Hello:
    """The first message: who it is (or the cookie says it), the last event that is known, whether chat is wanted."""

    __pydantic_config__: ClassVar[Any] = STRICT
    type: Literal["hello"] = "hello"
    version: int = 1
    token: str = ""
    after: int | None = None
    chat: bool = True


@dataclass(frozen=True, kw_only=True)
class Ping:
    """A sign of life; it is answered with a pong."""

    __pydantic_config__: ClassVar[Any] = STRICT
    type: Literal["ping"] = "ping"


_hello: TypeAdapter[Hello] = TypeAdapter(Hello)
_message: TypeAdapter[AnyCommand | Ping] = TypeAdapter(Annotated[AnyCommand | Ping, Field(discriminator="type")])


def problem_of(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the message"
    return f"{place}: {first['msg']}"[:300]


def read_hello(text: str) -> Hello:
    """Read a first message. One of another version may have fields that are not known here: then only that is read."""
    try:
        return _hello.validate_json(text, strict=True)
    except ValidationError as error:
        words = _words_in(text)
        version = words.get("version")
        if words.get("type") == "hello" and type(version) is int and version != 1:
            return Hello(version=version)
        raise TableRefused("bad-text", problem_of(error)) from None


def _words_in(text: str) -> dict[str, Any]:
    """The fields of a message that is not what it should be."""
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return words if isinstance(words, dict) else {}


def id_in(text: str) -> str | None:
    """The id of a command that cannot be read, so that its sender knows which one is meant."""
    found = _words_in(text).get("id")
    try:
        return read_id(found) if isinstance(found, str) else None
    except TableRefused:
        return None


def read_message(text: str) -> AnyCommand | Ping:
    """Read any later message."""
    try:
        return _message.validate_json(text, strict=True)
    except ValidationError as error:
        raise TableRefused("bad-text", problem_of(error)) from None


def read_command(words: dict[str, Any]) -> AnyCommand:
    """Read a command in plain values."""
    command = read_message(json.dumps(words))
    if isinstance(command, Ping):
        raise TableRefused("bad-text", "a ping is not a command")
    return command
