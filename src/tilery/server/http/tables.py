"""The endpoints of tables: create a table, take a seat, read the state, send a command. docs/wire.md describes them.

Records and positions are in `records.py`, endpoints without a table in `study.py`, hints in `hints.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import JSONResponse

from tilery.games import GAMES
from tilery.server.auth import COOKIE, COOKIE_MAX_AGE, key_of, new_token, read_token, token_in
from tilery.server.bots import table_bots
from tilery.server.context import ServerContext
from tilery.server.http.errors import (
    ERROR_RESPONSES,
    STATUS,
    StrictRoute,
    TableName,
    as_json,
    error_response,
    key_in,
    who_of,
)
from tilery.server.http.hints import hint_routes
from tilery.server.http.records import record_routes
from tilery.server.http.study import study_routes
from tilery.server.rate_limits import address_of
from tilery.server.websocket.connection import execute_command
from tilery.table.commands import STRICT, AnyCommand, Sit
from tilery.table.creation import Setup
from tilery.table.state import WHO, Table
from tilery.table.views import TableViews

LOBBY_SIZE = 50  # the most open tables, and the most running games, that the lobby shows


@dataclass(frozen=True, kw_only=True)
class TableRequest(Setup):
    """A table to create. The client may choose the token (32 random hexadecimal digits in lower case)."""

    token: str = ""


@dataclass(frozen=True, kw_only=True)
class SeatRequest:
    """A seat to take."""

    __pydantic_config__: ClassVar[Any] = STRICT
    name: str
    seat: int | None = None
    entropy: str = ""
    token: str = ""
    id: str = ""


@dataclass(frozen=True, kw_only=True)
class SeatToken:
    """The token of a seat, from the fragment (#) of a private link."""

    __pydantic_config__: ClassVar[Any] = STRICT
    token: str


@dataclass(frozen=True, kw_only=True)
class Seated:
    """The response to whoever created a table or took a seat. The token is sent here and never again."""

    table: str
    token: str
    invite: str
    seat_link: str
    commitment: str
    seats: list[int]


@dataclass(frozen=True, kw_only=True)
class RematchTable:
    """The table of the rematch."""

    table: str
    invite: str


def table_routes(context: ServerContext) -> APIRouter:
    """All endpoints below /api that concern games and tables."""
    router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, route_class=StrictRoute)
    table_host = context.table_host

    def set_seat_cookie(response: Response, name: str, token: str) -> None:
        response.set_cookie(
            COOKIE,
            token,
            max_age=COOKIE_MAX_AGE,
            path=f"/api/tables/{name}",
            httponly=True,
            samesite="strict",
            secure=context.settings.behind_proxy,
        )

    def seated_response(name: str, token: str, table: Table) -> Response:
        seated = Seated(
            table=name,
            token=token,
            invite=f"/t/{name}",
            seat_link=f"/t/{name}#seat={token}",
            commitment=table.commitment,
            seats=table.seats_of(key_of(token)[:WHO]),
        )
        response = JSONResponse(vars(seated), 201)
        set_seat_cookie(response, name, token)
        return response

    @router.get("/games", summary="The games, their variants and the bots that play them")
    async def games() -> Any:
        return {
            "games": [
                {
                    "name": game.name,
                    "title": game.title,
                    "version": game.version,
                    "seats": game.seats,
                    "variants": [{"variant": text, "about": about} for text, about in game.variants],
                    "bots": {seats: table_bots(game, game.variant(str(seats))) for seats in game.seats},
                    "hidden_information": game.hidden_information,
                    "help": game.help,
                }
                for game in GAMES.values()
            ]
        }

    @router.get("/lobby", summary="Public tables with an open seat or a running game, the newest first")
    async def lobby() -> Response:
        waiting = ",".join(card for _, card in await table_host.store.lobby(LOBBY_SIZE))
        running = ",".join(card for _, card in await table_host.store.lobby(LOBBY_SIZE, "playing"))
        return as_json(f'{{"tables":[{waiting}],"running":[{running}]}}')

    @router.post("/tables", status_code=201, response_model=Seated, summary="Create a table")
    async def create(request: Request, wanted: TableRequest) -> Response:
        if not context.table_limits.take(address_of(dict(request.scope), context.settings.behind_proxy)):
            context.metrics.requests_limited += 1
            return error_response("too-many-requests", "too many new tables: try again later")
        token = read_token(wanted.token) if wanted.token else new_token()
        name = await table_host.create(wanted, key_of(token))
        response: Response = await table_host.read(name, lambda table, _: seated_response(name, token, table))
        return response

    @router.get("/tables/{name}", summary="A table as you may see it")
    async def state(request: Request, name: TableName) -> Response:
        who = who_of(request)
        return as_json(await table_host.read(name, lambda table, now: TableViews(table, now).state(who)))

    @router.post("/tables/{name}/seat", status_code=201, response_model=Seated, summary="Take a seat")
    async def sit(request: Request, name: TableName, wanted: SeatRequest) -> Response:
        token = read_token(wanted.token) if wanted.token else token_in(request.scope["headers"]) or new_token()
        command = Sit(id=wanted.id or new_token(), step=0, name=wanted.name, seat=wanted.seat, entropy=wanted.entropy)
        result = await table_host.submit(name, key_of(token), command)
        if result.refused:
            raise result.refused
        response: Response = await table_host.read(
            name, lambda table, _: seated_response(name, token, table), refresh=True
        )
        return response

    @router.post("/tables/{name}/claim", status_code=204, summary="Turn the token of a private link into a cookie")
    async def claim(name: TableName, seat: SeatToken) -> Response:
        token = read_token(seat.token)
        if not await table_host.read(name, lambda table, _: table.holds(key_of(token))):
            return error_response("not-allowed", "this link does not belong to a seat of the table")
        response = Response(status_code=204)
        set_seat_cookie(response, name, token)
        return response

    @router.post(
        "/tables/{name}/follow",
        response_model=RematchTable,
        summary="After a rematch was agreed: get its table and a cookie for it",
    )
    async def follow(request: Request, name: TableName) -> Response:
        token = token_in(request.scope["headers"])
        who = key_of(token)[:WHO]
        if not token or not await table_host.read(name, lambda table, _: table.seats_of(who)):
            return error_response("not-seated", "this needs a seat at the table")
        rematch = await table_host.read(name, lambda table, _: table.rematch, refresh=True)
        if not rematch:
            return error_response("not-now", "no rematch has been agreed yet")
        response = JSONResponse({"table": rematch, "invite": f"/t/{rematch}"})
        set_seat_cookie(response, rematch, token)
        return response

    @router.post("/tables/{name}/commands", summary="Send one command, as over the WebSocket")
    async def command(
        request: Request, name: TableName, command: Annotated[AnyCommand, Body(discriminator="type")]
    ) -> Response:
        key = key_in(request)
        known = await table_host.read(name, lambda table, _: table.holds(key))
        message = await execute_command(context, name, key if known else "", command)
        reply = json.loads(message.text)
        return as_json(message.text, 200 if reply["ok"] else STATUS.get(reply["error"]["code"], 400))

    for routes in (record_routes(context), study_routes(context), hint_routes(context)):
        router.include_router(routes)
    return router
