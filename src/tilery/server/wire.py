"""Messages from a client to the server, and their strict validation. docs/wire.md describes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, TypeAdapter, ValidationError

from tilery.table.commands import STRICT, AnyCommand
from tilery.table.refusals import TableRefused
from tilery.table.text_input import read_id
from tilery.table.views import VERSION

MAX_MESSAGE_BYTES = 8192


@dataclass(frozen=True, kw_only=True)
class Hello:
    """The first message: the token (unless a cookie carries it), the last known event, whether chat is wanted."""

    __pydantic_config__: ClassVar[Any] = STRICT
    type: Literal["hello"] = "hello"
    version: int = VERSION
    token: str = ""
    after: int | None = None
    chat: bool = True


@dataclass(frozen=True, kw_only=True)
class Ping:
    """A keepalive; the reply is a pong."""

    __pydantic_config__: ClassVar[Any] = STRICT
    type: Literal["ping"] = "ping"


_hello: TypeAdapter[Hello] = TypeAdapter(Hello)
_message: TypeAdapter[AnyCommand | Ping] = TypeAdapter(Annotated[AnyCommand | Ping, Field(discriminator="type")])


def describe_validation_error(error: ValidationError) -> str:
    """The first error and the field that it is about."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the message"
    return f"{place}: {first['msg']}"[:300]


def read_hello(text: str) -> Hello:
    """Read the first message. If its version is another one, only the version is read: other fields may be unknown."""
    try:
        return _hello.validate_json(text, strict=True)
    except ValidationError as error:
        fields = _fields_in(text)
        version = fields.get("version")
        if fields.get("type") == "hello" and type(version) is int and version != VERSION:
            return Hello(version=version)
        raise TableRefused("bad-text", describe_validation_error(error)) from None


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


def read_message(text: str) -> AnyCommand | Ping:
    """Read any message after the hello."""
    try:
        return _message.validate_json(text, strict=True)
    except ValidationError as error:
        raise TableRefused("bad-text", describe_validation_error(error)) from None


def read_command(fields: dict[str, Any]) -> AnyCommand:
    """Read a command from its fields as plain values."""
    command = read_message(json.dumps(fields))
    if isinstance(command, Ping):
        raise TableRefused("bad-text", "a ping is not a command")
    return command
