"""Hints: the moves that the engine prefers, for people who practise against bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response

from tilery.core.move import Move
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.server.bots import BotFailed, BotsBusy, Cancelled
from tilery.server.context import ServerContext
from tilery.server.hosting.host import Busy
from tilery.server.http.errors import ERROR_RESPONSES, TableName, error_response, response_of, who_of
from tilery.server.http.schema import returns
from tilery.server.logs import error_fields
from tilery.server.rate_limits import address_of
from tilery.table import responses
from tilery.table.views import practice_turn

HINT_TIMEOUT = 8.0  # seconds, less than `request_timeout`; while the engine is being compiled, clients try again
MAX_CONCURRENT_HINTS = 16  # in this process


def hint_routes(context: ServerContext) -> APIRouter:
    """The endpoint for hints."""
    router = APIRouter(responses=ERROR_RESPONSES)
    searching: set[str] = set()  # the tables for which a hint is being computed

    @router.post(
        "/tables/{name}/hint",
        response_class=Response,
        responses=returns(responses.Hint, "the hint"),
        summary="The best moves, if you play against bots only",
    )
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
        return response_of(hint_for(step, seen, hint))

    return router


def hint_for(step: int, seen: Seen, hint: dict[str, Any]) -> responses.Hint:
    """The result of a worker as a value of the wire."""
    variations = [responses.Variation(**{**one, "moves": _line(seen, one["moves"])}) for one in hint["variations"]]
    return responses.Hint(**{**hint, "step": step, "variations": tuple(variations)})


def _line(seen: Seen, texts: Sequence[str]) -> tuple[Move, ...]:
    """Moves in notation with their parts, as far as the viewer can follow them."""
    moves: list[Move] = []
    position = seen
    with contextlib.suppress(Refused):
        for text in texts:
            action = position.action(text)
            moves.append(position.game.move_of(position.row, action))
            position = position.play(action)
    return tuple(moves)
