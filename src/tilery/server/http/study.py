"""Endpoints without a table: read a record, and play on from a position."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.move import Move
from tilery.core.position import BasePosition, Position, Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.games import read_any_position, read_any_record
from tilery.server.context import ServerContext
from tilery.server.http.errors import (
    ERROR_RESPONSES,
    error_response,
    long_response,
    read_body,
    refusal_response,
    response_of,
)
from tilery.server.http.records import (
    MAX_PLIES,
    Format,
    picture_response,
    position_responses,
    queued,
    replay_response,
)
from tilery.server.http.schema import returns, takes
from tilery.server.wire import StudyRequest
from tilery.table import responses, wire
from tilery.table.refusals import error_of
from tilery.table.rendering import breakdown_of, ply_of, previews_of, result_of


def study_routes(context: ServerContext) -> APIRouter:
    """The endpoints for records and positions that belong to no table."""
    router = APIRouter(responses=ERROR_RESPONSES)

    @router.post(
        "/study",
        response_class=Response,
        responses=returns(responses.Study, "the positions"),
        openapi_extra=takes(StudyRequest),
        summary="Play moves from a position: every position, and the effects of further moves",
    )
    async def study(request: Request) -> Response:
        wanted = await read_body(request, StudyRequest)
        return await queued(context, request, lambda: _study_response(request, wanted))

    @router.post(
        "/records",
        response_class=Response,
        responses=position_responses(responses.RecordInfo | responses.Replay),
        summary="Read a record (text, at most 64 KiB): one position, or all of them and what each ply did",
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
        return await queued(context, request, lambda: _record_response(request, body, ply, everything, kind))

    return router


def _record_response(request: Request, body: bytes, ply: int | None, everything: bool, kind: str) -> Response:
    try:
        record = read_any_record(body.decode("utf-8"))
        if everything:
            return replay_response(request, record, is_over=record.last.outcome is not None)
        if kind != "json":
            return picture_response(request, record, ply, kind)
        position = record.position(ply)
    except UnicodeDecodeError:
        return error_response("bad-text", "a record is text in UTF-8")
    except Refused as refused:
        return refusal_response(refused)
    info = responses.RecordInfo(
        game=record.game.name,
        variant=record.start.rules.text,
        players=tuple(record.players),
        tags=dict(record.tags),
        result=record.result,
        plies=len(record.plies),
        ply=len(record.plies) if ply is None else ply,
        position=position.game.view(position.row),
    )
    return long_response(request, wire.encode(info))


class _MoveRefused(Exception):
    """One of the given moves cannot be played."""

    def __init__(self, refused: Refused, number: int) -> None:
        self.refused = refused
        self.number = number  # from 0


def _study_response(request: Request, wanted: StudyRequest) -> Response:
    try:
        return long_response(request, wire.encode(study_of(wanted)))
    except _MoveRefused as problem:
        error = error_of(problem.refused, kind="bad-text", move=problem.number)
        return response_of(responses.ErrorResponse(error), 400)


def study_of(wanted: StudyRequest) -> responses.Study:
    """Every position from the given one on, and what can be done in the last one."""
    position: BasePosition = read_any_position(wanted.position.strip())
    game = position.game
    start = game.view(position.row)
    steps: list[responses.StudyStep] = []
    for before, action, after in _plies(position, wanted):
        ply, changes = ply_of(before, before.actor, action), game.view_changes(before.row, after.row)
        steps.append(responses.StudyStep(ply.actor, ply.move, ply.effects, changes, after.text))
        position = after
    outcome = position.outcome
    return responses.Study(
        game=game.name,
        variant=position.rules.text,
        start=start,
        steps=tuple(steps),
        text=position.text,
        actor=None if position.actor == OVER else position.actor,
        moves=_moves(position),
        previews=previews_of(position, wanted.preview),
        result=result_of(outcome) if outcome else None,
        breakdown=breakdown_of(position) if outcome else None,
    )


def _plies(position: BasePosition, wanted: StudyRequest) -> Iterator[tuple[BasePosition, int, BasePosition]]:
    """The given moves, then chance: the position before each ply, the action and the position after it."""
    for number, typed in enumerate(wanted.moves):
        try:
            action = int(position.read_move(typed))
            after = position.play(action)
        except Refused as refused:
            raise _MoveRefused(refused, number) from None
        yield position, action, after
        position = after
    if wanted.deal:
        yield from deals(position, Stream("study", token_hex(16)))


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


def _moves(position: BasePosition) -> tuple[Move, ...]:
    """All legal moves; none for another player whose hand is hidden, because nobody could list them."""
    if isinstance(position, Seen) and position.actor not in (position.seat, CHANCE):
        return ()
    return tuple(position.moves())
