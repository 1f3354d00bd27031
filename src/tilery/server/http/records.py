"""The game at a table as the client may see it: its record, its positions, and previews of legal moves. All of it is
computed in the work queue, in a thread that does not hold the table's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from tilery.core.record import Record, SeenRecord
from tilery.core.view import View
from tilery.server.context import ServerContext
from tilery.server.http.errors import ERROR_RESPONSES, TableName, error_response, long_response, who_of
from tilery.server.http.schema import returns, schema_of
from tilery.server.rate_limits import address_of
from tilery.server.wire import MAX_MOVE_CHARACTERS, MAX_PREVIEWS
from tilery.server.work_queue import Abandoned
from tilery.table import responses, wire
from tilery.table.rendering import previews_of, replay_of
from tilery.table.views import VisibleGame, own_turn

MAX_PLIES = 100_000
MAX_POSITIONS = 2000  # of one response; games between people have a tenth of that

CLIENT_CLOSED_REQUEST = 499  # nobody receives it
TEXT, SVG = "text/plain; charset=utf-8", "image/svg+xml"
PLAIN: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
MoveText = Annotated[str, Query(min_length=1, max_length=MAX_MOVE_CHARACTERS)]
Format = Annotated[Literal["json", "text", "svg"], Query(alias="as", description="the format of the position")]


def position_responses(kind: Any) -> dict[int | str, dict[str, Any]]:
    """The successful response of an operation that returns a position in several formats."""
    as_json = {"application/json": {"schema": schema_of(kind)}}
    return {200: {"content": {**as_json, **PLAIN, "image/svg+xml": {"schema": {"type": "string"}}}}}


async def queued(context: ServerContext, request: Request, work: Callable[[], Response]) -> Response:
    """A response that takes more than a moment to compute: in the work queue, as long as the client waits for it."""

    async def hung_up() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    address = address_of(dict(request.scope), context.settings.behind_proxy)
    try:
        return await context.work_queue.run(address, work, hung_up)
    except Abandoned:
        return Response(status_code=CLIENT_CLOSED_REQUEST)


def replay_response(request: Request, record: Record | SeenRecord, *, is_over: bool) -> Response:
    """A game with all its positions."""
    count = len(record.plies)
    if count > MAX_POSITIONS:
        text = f"this game has {count:,} plies, and a response at most {MAX_POSITIONS:,}: request single positions"
        return error_response("too-long", text)
    return long_response(request, wire.encode(replay_of(record, is_over=is_over)))


def picture_response(request: Request, record: Record | SeenRecord, ply: int | None, kind: str) -> Response:
    """One position of a game as text or as a picture."""
    if kind == "svg":
        return long_response(request, record.svg(ply).encode(), SVG)
    return long_response(request, record.position(ply).text.encode(), TEXT)


def record_routes(context: ServerContext) -> APIRouter:
    """The endpoints for records, positions and previews."""
    router = APIRouter(responses=ERROR_RESPONSES)

    async def visible_game(request: Request, name: str) -> VisibleGame:
        who = who_of(request)
        return await context.table_host.read(name, lambda table, _: VisibleGame(table, who))

    @router.get(
        "/tables/{name}/record",
        response_class=Response,
        responses={200: {"content": PLAIN}},
        summary="The game so far, as a record",
    )
    async def record(request: Request, name: TableName) -> Response:
        visible = await visible_game(request, name)
        return await queued(context, request, lambda: long_response(request, visible.record().text.encode(), TEXT))

    @router.get(
        "/tables/{name}/replay",
        response_class=Response,
        responses=returns(responses.Replay, "the game"),
        summary="The game so far with all its positions and what each ply did, as you may see it",
    )
    async def replay(request: Request, name: TableName) -> Response:
        visible = await visible_game(request, name)
        return await queued(
            context, request, lambda: replay_response(request, visible.record(), is_over=visible.is_over)
        )

    @router.get(
        "/tables/{name}/positions/{ply}",
        response_class=Response,
        responses=position_responses(View),
        summary="The position after a number of plies, as you may see it",
    )
    async def position(
        request: Request, name: TableName, ply: Annotated[int, Path(ge=0, le=MAX_PLIES)], kind: Format = "json"
    ) -> Response:
        visible = await visible_game(request, name)

        def compute() -> Response:
            if kind != "json":
                return picture_response(request, visible.record(), ply, kind)
            return long_response(request, visible.record().position(ply).json().encode())

        return await queued(context, request, compute)

    @router.get(
        "/tables/{name}/preview",
        response_class=Response,
        responses=returns(responses.Previews, "a preview of each move"),
        summary="The effects that moves would have, or why they are not legal",
    )
    async def preview(
        request: Request,
        name: TableName,
        move: Annotated[list[MoveText], Query(min_length=1, max_length=MAX_PREVIEWS)],
    ) -> Response:
        who = who_of(request)
        step, seen = await context.table_host.read(name, lambda table, _: (table.step, own_turn(table, who)))
        return await queued(
            context,
            request,
            lambda: long_response(request, wire.encode(responses.Previews(step, previews_of(seen, move)))),
        )

    return router
