"""Hints: what the engine would do, for who practises against bots."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from tilery.server.bots import BotFailed, BotsBusy, Cancelled
from tilery.server.doors.answers import PROBLEMS, Name, as_json, problem, who_of
from tilery.server.doors.limits import address_of
from tilery.server.house import House
from tilery.server.keeper import Overloaded
from tilery.table.showing import write
from tilery.table.telling import practice_turn

PATIENCE = 8.0  # seconds, less than a connection has; who has to wait for the engine to be compiled asks again
MOST_AT_ONCE = 16  # tables of this process that wait for a hint


@dataclass(frozen=True, kw_only=True)
class HintLine:
    """A move, and what the engine expects of it: odds to win and points ahead, for who is to move."""

    move: str
    win: float
    margin: float
    moves: list[str]
    nodes: int
    solved: bool


@dataclass(frozen=True, kw_only=True)
class Hint:
    """The best moves, and how far the engine looked. `step` is the state of the table that it is about."""

    step: int
    engine: str
    lines: list[HintLine]
    horizon: str
    solved: bool
    depth: int
    nodes: int


def hinting(house: House) -> APIRouter:
    """The request."""
    router = APIRouter(responses=PROBLEMS)
    thinking: set[str] = set()  # tables

    @router.post("/tables/{name}/hint", response_model=Hint, summary="The best moves, if you play against bots only")
    async def hint(request: Request, name: Name) -> Response:
        who = who_of(request)
        step, seen = await house.keeper.look(name, lambda table, _: (table.step, practice_turn(table, who)))
        if name in thinking:
            return problem("not-now", "a hint for this table is being thought about")
        if len(thinking) >= MOST_AT_ONCE:
            raise Overloaded
        if not house.hints.take(address_of(dict(request.scope), house.settings.behind_proxy)):
            house.counts.requests_limited += 1
            return problem("too-many", "too many hints: wait a little")
        thinking.add(name)
        try:
            async with asyncio.timeout(PATIENCE):
                found = await house.keeper.hint(name, seen)
        except BotFailed as error:
            house.log("hint failed", table=name, error=repr(error))
            raise Overloaded from None
        except (BotsBusy, Cancelled, TimeoutError):
            raise Overloaded from None
        finally:
            thinking.discard(name)
        return as_json(write({"step": step, **found}))

    return router
