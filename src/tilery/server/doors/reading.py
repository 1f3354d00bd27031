"""What can be read of a game at a table, as far as whoever asks may see it: its record, its positions, what moves did,
and what those would do that can be made now. All of it takes its time in a thread, away from the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from tilery.core.record import Record, SeenRecord
from tilery.server.doors.answers import PROBLEMS, Name, Strict, packed, problem, who_of
from tilery.server.house import House
from tilery.table.showing import effects_of, previews_of, replay_of, write
from tilery.table.telling import Sight, own_turn

MOST_PLIES = 100_000
MOST_POSITIONS = 2000  # of one answer; people play a tenth of that
MOST_MOVES, LONGEST_MOVE = 40, 40  # to be looked at in one request, and characters of each

TEXT, PICTURE = "text/plain; charset=utf-8", "image/svg+xml"
MoveText = Annotated[str, Query(min_length=1, max_length=LONGEST_MOVE)]
As = Annotated[Literal["json", "text", "svg"], Query(alias="as", description="what is wanted")]
PICTURES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "application/json": {"schema": {}},
            "text/plain": {"schema": {"type": "string"}},
            "image/svg+xml": {"schema": {"type": "string"}},
        }
    }
}


async def in_thread(house: House, read: Callable[[], Response]) -> Response:
    """Let a thread find the answer. Only a few do so at a time: more would take the time of those who play."""
    async with house.readers:
        return await run_in_threadpool(read)


def replayed(request: Request, record: Record | SeenRecord, *, is_over: bool) -> Response:
    """A game with all its positions."""
    count = len(record.plies)
    if count > MOST_POSITIONS:
        text = f"this game has {count:,} plies, at most {MOST_POSITIONS:,} are told at once: ask for single positions"
        return problem("too-long", text)
    return packed(request, replay_of(record, is_over=is_over))


def shown(request: Request, record: Record | SeenRecord, ply: int | None, kind: str) -> Response:
    """One position of a game in the wanted form."""
    if kind == "svg":
        return packed(request, record.svg(ply), PICTURE)
    position = record.position(ply)
    if kind == "text":
        return packed(request, position.text, TEXT)
    return packed(request, position.json())


def reading(house: House) -> APIRouter:
    """The requests."""
    router = APIRouter(responses=PROBLEMS, route_class=Strict)

    async def look(request: Request, name: str) -> Sight:
        who = who_of(request)
        return await house.keeper.look(name, lambda table, _: Sight(table, who))

    @router.get(
        "/tables/{name}/record",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
        summary="The game so far, as a record",
    )
    async def record(request: Request, name: Name) -> Response:
        sight = await look(request, name)
        return await in_thread(house, lambda: packed(request, sight.record().text, TEXT))

    @router.get("/tables/{name}/replay", summary="The game so far with all its positions, as you may see it")
    async def replay(request: Request, name: Name) -> Response:
        sight = await look(request, name)
        return await in_thread(house, lambda: replayed(request, sight.record(), is_over=sight.is_over))

    @router.get(
        "/tables/{name}/positions/{ply}",
        response_class=Response,
        responses=PICTURES,
        summary="The position after so many plies, as you may see it",
    )
    async def position(
        request: Request, name: Name, ply: Annotated[int, Path(ge=0, le=MOST_PLIES)], kind: As = "json"
    ) -> Response:
        sight = await look(request, name)
        return await in_thread(house, lambda: shown(request, sight.record(), ply, kind))

    @router.get("/tables/{name}/effects/{ply}", summary="What the move did after which there were so many plies")
    async def effects(request: Request, name: Name, ply: Annotated[int, Path(ge=1, le=MOST_PLIES)]) -> Response:
        sight = await look(request, name)
        return await in_thread(house, lambda: packed(request, write(effects_of(sight.record(), ply))))

    @router.get("/tables/{name}/preview", summary="What moves would do, or why you cannot make them")
    async def preview(
        request: Request,
        name: Name,
        move: Annotated[list[MoveText], Query(min_length=1, max_length=MOST_MOVES)],
    ) -> Response:
        who = who_of(request)
        step, seen = await house.keeper.look(name, lambda table, _: (table.step, own_turn(table, who)))

        def look_at() -> Response:
            return packed(request, write({"step": step, "previews": previews_of(seen, move)}))

        return await in_thread(house, look_at)

    return router
