"""Requests that have nothing to do with a table: to have a record read, and to play on from a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Seen, Standing
from tilery.core.refusals import NotLegal, Refused
from tilery.games import read_any_position, read_any_record
from tilery.server.doors.answers import PROBLEMS, Strict, packed, problem, refused_as
from tilery.server.doors.reading import (
    LONGEST_MOVE,
    MOST_MOVES,
    MOST_PLIES,
    PICTURES,
    As,
    in_thread,
    replayed,
    shown,
)
from tilery.server.house import House
from tilery.table.commands import STRICT
from tilery.table.showing import Values, breakdown_of, previews_of, result_of, write
from tilery.table.telling import history_of

LONGEST_LINE = 200  # moves that are played from a position
LONGEST_POSITION = 4000  # characters

_Move = Annotated[str, Field(max_length=LONGEST_MOVE)]


@dataclass(frozen=True, kw_only=True)
class Line:
    """A position, the moves to be played from it, and those to be looked at after that."""

    __pydantic_config__: ClassVar[Any] = STRICT
    position: Annotated[str, Field(max_length=LONGEST_POSITION)]
    moves: Annotated[list[_Move], Field(max_length=LONGEST_LINE)] = field(default_factory=list)
    preview: Annotated[list[_Move], Field(max_length=MOST_MOVES)] = field(default_factory=list)


def studying(house: House) -> APIRouter:
    """The requests."""
    router = APIRouter(responses=PROBLEMS, route_class=Strict)

    @router.post("/study", summary="Play on from a position: what it is then, and what moves would do")
    async def study(request: Request, line: Line) -> Response:
        return await in_thread(house, lambda: packed(request, studied(line)))

    @router.post(
        "/records",
        response_class=Response,
        responses=PICTURES,
        summary="Read a record (text, at most 64 KiB): its plies, and a position of it, or all of them",
        openapi_extra={"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def records(
        request: Request,
        ply: Annotated[int | None, Query(ge=0, le=MOST_PLIES)] = None,
        everything: Annotated[bool, Query(alias="all", description="all positions instead of one")] = False,
        kind: As = "json",
    ) -> Response:
        if everything and (ply is not None or kind != "json"):
            return problem("not-understood", "all: this is for all positions, so neither ply nor as is taken with it")
        body = await request.body()
        return await in_thread(house, lambda: _read(request, body, ply, everything, kind))

    return router


def _read(request: Request, body: bytes, ply: int | None, everything: bool, kind: str) -> Response:
    try:
        record = read_any_record(body.decode("utf-8"))
        if everything:
            return replayed(request, record, is_over=record.last.outcome is not None)
        if kind != "json":
            return shown(request, record, ply, kind)
        position = record.position(ply)
    except UnicodeDecodeError:
        return problem("bad-text", "a record is text in UTF-8")
    except Refused as refused:
        return refused_as(refused)
    words = {
        "game": record.game.name,
        "variant": record.start.rules.text,
        "players": record.players,
        "tags": dict(record.tags),
        "history": history_of(record),
        "result": record.result,
        "ply": len(record.plies) if ply is None else ply,
    }
    return packed(request, f'{write(words)[:-1]},"position":{position.json()}}}')


def studied(line: Line) -> str:
    """What a position has become, and what could be done there, as JSON."""
    position: Standing = read_any_position(line.position.strip())
    effects: Values | None = None
    for number, move in enumerate(line.moves, start=1):
        try:
            if number == len(line.moves):
                effects = position.effects(move)
            position = position.play(move)
        except NotLegal as refused:
            raise NotLegal(f"move {number}, {move!a}: {refused.reason}", refused.rule) from None
        except Refused as refused:
            raise Refused(f"move {number}: {refused}") from None
    outcome = position.outcome
    words = {
        "game": position.game.name,
        "variant": position.rules.text,
        "position": position.text,
        "actor": None if position.actor == OVER else position.actor,
        "moves": _moves(position),
        "effects": effects,
        "previews": previews_of(position, line.preview),
        "result": result_of(outcome) if outcome else None,
        "breakdown": breakdown_of(position) if outcome else None,
    }
    return f'{write(words)[:-1]},"view":{position.json()}}}'


def _moves(position: Standing) -> list[str]:
    """All legal moves. Of what somebody else could do whose hand is hidden there is no list worth sending."""
    if isinstance(position, Seen) and position.actor not in (position.seat, CHANCE):
        return []
    return position.moves()
