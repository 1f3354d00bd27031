"""Endpoints without a table: read a record, and play on from a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Annotated, Any, ClassVar

import msgspec
from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import BasePosition, Position, Seen
from tilery.core.refusals import NotLegal, Refused
from tilery.core.streams import Stream
from tilery.games import read_any_position, read_any_record
from tilery.server.context import ServerContext
from tilery.server.http.errors import ERROR_RESPONSES, StrictRoute, error_response, refusal_response, text_response
from tilery.server.http.records import (
    MAX_MOVE_CHARACTERS,
    MAX_PLIES,
    MAX_PREVIEWS,
    POSITION_RESPONSES,
    Format,
    in_thread,
    position_response,
    replay_response,
)
from tilery.table.commands import STRICT
from tilery.table.rendering import Values, breakdown_of, previews_of, result_of, write
from tilery.table.views import history_of

MAX_MOVES = 200  # played from a position
MAX_POSITION_CHARACTERS = 4000

_Move = Annotated[str, Field(max_length=MAX_MOVE_CHARACTERS)]


@dataclass(frozen=True, kw_only=True)
class StudyRequest:
    """A position, the moves to be played from it, whether chance then acts until it is somebody's turn, and the moves
    to be previewed after that."""

    __pydantic_config__: ClassVar[Any] = STRICT
    position: Annotated[str, Field(max_length=MAX_POSITION_CHARACTERS)]
    moves: Annotated[list[_Move], Field(max_length=MAX_MOVES)] = field(default_factory=list)
    deal: bool = False
    preview: Annotated[list[_Move], Field(max_length=MAX_PREVIEWS)] = field(default_factory=list)


def study_routes(context: ServerContext) -> APIRouter:
    """The endpoints for records and positions that belong to no table."""
    router = APIRouter(responses=ERROR_RESPONSES, route_class=StrictRoute)

    @router.post(
        "/study", summary="Play moves from a position: the position after them, and the effects of further moves"
    )
    async def study(request: Request, wanted: StudyRequest) -> Response:
        return await in_thread(context, lambda: text_response(request, study_json(wanted)))

    @router.post(
        "/records",
        response_class=Response,
        responses=POSITION_RESPONSES,
        summary="Read a record (text, at most 64 KiB): its plies, and one position or all of them",
        openapi_extra={"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def records(
        request: Request,
        ply: Annotated[int | None, Query(ge=0, le=MAX_PLIES)] = None,
        everything: Annotated[bool, Query(alias="all", description="all positions instead of one")] = False,
        kind: Format = "json",
    ) -> Response:
        if everything and (ply is not None or kind != "json"):
            return error_response("not-understood", "all: returns all positions, so neither ply nor as is allowed")
        body = await request.body()
        return await in_thread(context, lambda: _record_response(request, body, ply, everything, kind))

    return router


def _record_response(request: Request, body: bytes, ply: int | None, everything: bool, kind: str) -> Response:
    try:
        record = read_any_record(body.decode("utf-8"))
        if everything:
            return replay_response(request, record, is_over=record.last.outcome is not None)
        if kind != "json":
            return position_response(request, record, ply, kind)
        position = record.position(ply)
    except UnicodeDecodeError:
        return error_response("bad-text", "a record is text in UTF-8")
    except Refused as refused:
        return refusal_response(refused)
    fields = {
        "game": record.game.name,
        "variant": record.start.rules.text,
        "players": record.players,
        "tags": dict(record.tags),
        "history": history_of(record),
        "result": record.result,
        "ply": len(record.plies) if ply is None else ply,
    }
    return text_response(request, f'{write(fields)[:-1]},"position":{position.json()}}}')


def study_json(wanted: StudyRequest) -> str:
    """The position after the moves, its legal moves and the previews, as JSON."""
    position: BasePosition = read_any_position(wanted.position.strip())
    before: BasePosition | None = None
    effects: list[Values] | None = None
    for number, move in enumerate(wanted.moves, start=1):
        try:
            if number == len(wanted.moves):
                before, effects = position, msgspec.to_builtins(position.effects(move))
            position = position.play(move)
        except NotLegal as refused:
            reason = f"move {number}, {move!a}: {refused.reason}"
            raise NotLegal(reason, refused.rule, refused.code, refused.arguments) from None
        except Refused as refused:
            raise Refused(f"move {number}: {refused}", refused.code, refused.arguments) from None
    dealt = []
    if wanted.deal:
        for before, action, after in deals(position, Stream("study", token_hex(16))):
            position = after
            dealt.append({"move": before.move_text(action), "position": position.text})
            effects = msgspec.to_builtins(before.game.effects(before.row, action))
    outcome = position.outcome
    fields = {
        "game": position.game.name,
        "variant": position.rules.text,
        "position": position.text,
        "dealt": dealt,
        "actor": None if position.actor == OVER else position.actor,
        "moves": _moves(position),
        "effects": effects,
        "previews": previews_of(position, wanted.preview),
        "result": result_of(outcome) if outcome else None,
        "breakdown": breakdown_of(position) if outcome else None,
    }
    shown_before = before.json() if before else "null"
    return f'{write(fields)[:-1]},"before":{shown_before},"view":{position.json()}}}'


def deals(position: BasePosition, stream: Stream) -> Iterator[tuple[BasePosition, int, BasePosition]]:
    """Let chance act until it is somebody's turn: the position before each step, the action and the position after it.

    Each is drawn with its true probability; in a seat's view, from a world that fits what the seat knows.
    """
    while position.actor == CHANCE:
        before = position
        if isinstance(position, Seen):
            world = position.guess(stream)
            action = world.veiled(world.draw(stream), position.seat)
        else:
            assert isinstance(position, Position)
            action = position.draw(stream)
        position = position.play(action)
        yield before, action, position


def _moves(position: BasePosition) -> list[str]:
    """All legal moves; none for another player whose hand is hidden, because nobody could list them."""
    if isinstance(position, Seen) and position.actor not in (position.seat, CHANCE):
        return []
    return [move.text for move in position.moves()]
