"""The OpenAPI description of bodies, made from the types of the wire and of the games."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from tilery.core.effects import Effect
from tilery.core.move import Move
from tilery.core.view import View
from tilery.games import GAMES
from tilery.server.wire import SeatRequest, SeatToken, StudyRequest, TableRequest
from tilery.table import responses, wire
from tilery.table.commands import AnyCommand

Schema = dict[str, Any]
REQUESTS = (TableRequest, SeatRequest, SeatToken, StudyRequest, AnyCommand)
RESPONSES = (
    wire.State,
    responses.ErrorResponse,
    responses.Seated,
    responses.RematchTable,
    responses.Games,
    responses.Lobby,
    responses.ServerInfo,
    responses.Previews,
    responses.Hint,
    responses.RecordInfo,
    responses.Replay,
    responses.Study,
    wire.Reply,
    wire.Update,
    wire.Welcome,
)
_AT = "#/components/schemas/"


def schema_of(kind: Any) -> Schema:
    """A reference to the schema of a type, or to those of the members of a union."""
    members = get_args(kind)
    return {"oneOf": [schema_of(member) for member in members]} if members else {"$ref": _AT + kind.__name__}


def takes(kind: Any) -> Schema:
    """The part of an operation that describes its body."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema_of(kind)}}}}


def returns(kind: Any, about: str, status: int = 200) -> dict[int | str, Schema]:
    """The successful response of an operation."""
    return {status: {"description": about, "content": {"application/json": {"schema": schema_of(kind)}}}}


def components() -> Schema:
    """The schemas of all types by name. Those of a game are named after its family, as in `azul.Take`."""
    _, schemas = msgspec.json.schema_components((*REQUESTS, *RESPONSES), ref_template=_AT + "{name}")
    unions: dict[type, list[Schema]] = {Move: [], Effect: [], View: []}
    families = {game.family: (game.move_type, game.effect_type, game.view_type) for game in GAMES.values()}
    for family, kinds in families.items():
        template = f"{_AT}{family}.{{name}}"
        found, of_family = msgspec.json.schema_components(kinds, ref_template=template)
        for base, schema in zip(unions, found, strict=True):
            unions[base].append(schema)
        schemas |= {f"{family}.{name}": schema for name, schema in of_family.items()}
    for base, members in unions.items():
        about = (base.__doc__ or "").split("\n", 1)[0]
        schemas[base.__name__] = {"description": about, "anyOf": members}
    for schema in schemas.values():
        if "const" in schema.get("properties", {}).get("type", {}) or "enum" in schema.get("properties", {}).get(
            "type", {}
        ):
            schema["required"] = sorted({"type", *schema.get("required", ())})
    return schemas
