"""Hints: the moves that the engine prefers, for people who practise against bots."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from tilery.server.bots import BotFailed, BotsBusy, Cancelled
from tilery.server.context import ServerContext
from tilery.server.hosting.host import Busy
from tilery.server.http.errors import ERROR_RESPONSES, TableName, as_json, error_response, who_of
from tilery.server.logs import error_fields
from tilery.server.rate_limits import address_of
from tilery.table.rendering import write
from tilery.table.views import practice_turn

HINT_TIMEOUT = 8.0  # seconds, less than `request_timeout`; while the engine is being compiled, clients try again
MAX_CONCURRENT_HINTS = 16  # in this process


@dataclass(frozen=True, kw_only=True)
class HintVariation:
    """A move with its win probability and its expected margin of points, for the player to move."""

    move: str
    win: float
    margin: float
    moves: list[str]
    nodes: int
    solved: bool


@dataclass(frozen=True, kw_only=True)
class Hint:
    """The best moves, and how far the engine searched. `step` identifies the state of the table."""

    step: int
    engine: str
    variations: list[HintVariation]
    horizon: str
    solved: bool
    depth: int
    nodes: int


def hint_routes(context: ServerContext) -> APIRouter:
    """The endpoint for hints."""
    router = APIRouter(responses=ERROR_RESPONSES)
    searching: set[str] = set()  # the tables for which a hint is being computed

    @router.post("/tables/{name}/hint", response_model=Hint, summary="The best moves, if you play against bots only")
    async def post_hint(request: Request, name: TableName) -> Response:
        who = who_of(request)
        step, seen = await context.table_host.read(name, lambda table, _: (table.step, practice_turn(table, who)))
        if name in searching:
            return error_response("not-now", "a hint for this table is already being computed")
        if len(searching) >= MAX_CONCURRENT_HINTS:
            raise Busy
        if not context.hint_limits.take(address_of(dict(request.scope), context.settings.behind_proxy)):
            context.metrics.requests_limited += 1
            return error_response("too-many-requests", "too many hints: try again later")
        searching.add(name)
        try:
            async with asyncio.timeout(HINT_TIMEOUT):
                hint = await context.table_host.hint(name, seen)
        except BotFailed as error:
            context.log.error("hint failed", table=name, **error_fields(error))
            raise Busy from None
        except (BotsBusy, Cancelled, TimeoutError):
            raise Busy from None
        finally:
            searching.discard(name)
        return as_json(write({"step": step, **hint}))

    return router
