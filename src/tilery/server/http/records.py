"""The game at a table as the client may see it: its record, its positions, the effects of its moves, and previews of
legal moves. All of it is computed in a thread that does not hold the table's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from tilery.core.record import Record, SeenRecord
from tilery.server.context import ServerContext
from tilery.server.http.errors import ERROR_RESPONSES, StrictRoute, TableName, error_response, text_response, who_of
from tilery.table.rendering import effects_of, previews_of, replay_of, write
from tilery.table.views import VisibleGame, own_turn

MAX_PLIES = 100_000
MAX_POSITIONS = 2000  # of one response; games between people have a tenth of that
MAX_PREVIEWS, MAX_MOVE_CHARACTERS = 40, 40  # moves of one request, and characters of each

TEXT, SVG = "text/plain; charset=utf-8", "image/svg+xml"
MoveText = Annotated[str, Query(min_length=1, max_length=MAX_MOVE_CHARACTERS)]
Format = Annotated[Literal["json", "text", "svg"], Query(alias="as", description="the format of the position")]
POSITION_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "application/json": {"schema": {}},
            "text/plain": {"schema": {"type": "string"}},
            "image/svg+xml": {"schema": {"type": "string"}},
        }
    }
}


async def in_thread(context: ServerContext, read: Callable[[], Response]) -> Response:
    """Compute a response in a thread. Only a few are computed at a time, so that games are not slowed down."""
    async with context.read_slots:
        return await run_in_threadpool(read)


def replay_response(request: Request, record: Record | SeenRecord, *, is_over: bool) -> Response:
    """A game with all its positions."""
    count = len(record.plies)
    if count > MAX_POSITIONS:
        text = f"this game has {count:,} plies, and a response at most {MAX_POSITIONS:,}: request single positions"
        return error_response("too-long", text)
    return text_response(request, replay_of(record, is_over=is_over))


def position_response(request: Request, record: Record | SeenRecord, ply: int | None, kind: str) -> Response:
    """One position of a game in the requested format."""
    if kind == "svg":
        return text_response(request, record.svg(ply), SVG)
    position = record.position(ply)
    if kind == "text":
        return text_response(request, position.text, TEXT)
    return text_response(request, position.json())


def record_routes(context: ServerContext) -> APIRouter:
    """The endpoints for records, positions, effects and previews."""
    router = APIRouter(responses=ERROR_RESPONSES, route_class=StrictRoute)

    async def visible_game(request: Request, name: str) -> VisibleGame:
        who = who_of(request)
        return await context.table_host.read(name, lambda table, _: VisibleGame(table, who))

    @router.get(
        "/tables/{name}/record",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
        summary="The game so far, as a record",
    )
    async def record(request: Request, name: TableName) -> Response:
        visible = await visible_game(request, name)
        return await in_thread(context, lambda: text_response(request, visible.record().text, TEXT))

    @router.get("/tables/{name}/replay", summary="The game so far with all its positions, as you may see it")
    async def replay(request: Request, name: TableName) -> Response:
        visible = await visible_game(request, name)
        return await in_thread(context, lambda: replay_response(request, visible.record(), is_over=visible.is_over))

    @router.get(
        "/tables/{name}/positions/{ply}",
        response_class=Response,
        responses=POSITION_RESPONSES,
        summary="The position after a number of plies, as you may see it",
    )
    async def position(
        request: Request, name: TableName, ply: Annotated[int, Path(ge=0, le=MAX_PLIES)], kind: Format = "json"
    ) -> Response:
        visible = await visible_game(request, name)
        return await in_thread(context, lambda: position_response(request, visible.record(), ply, kind))

    @router.get("/tables/{name}/effects/{ply}", summary="The effects of the move with this number")
    async def effects(request: Request, name: TableName, ply: Annotated[int, Path(ge=1, le=MAX_PLIES)]) -> Response:
        visible = await visible_game(request, name)
        return await in_thread(context, lambda: text_response(request, write(effects_of(visible.record(), ply))))

    @router.get("/tables/{name}/preview", summary="The effects that moves would have, or why they are not legal")
    async def preview(
        request: Request,
        name: TableName,
        move: Annotated[list[MoveText], Query(min_length=1, max_length=MAX_PREVIEWS)],
    ) -> Response:
        who = who_of(request)
        step, seen = await context.table_host.read(name, lambda table, _: (table.step, own_turn(table, who)))

        def compute() -> Response:
            return text_response(request, write({"step": step, "previews": previews_of(seen, move)}))

        return await in_thread(context, compute)

    return router
