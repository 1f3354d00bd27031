"""The endpoints of tables: create a table, take a seat, read the state, send a command. docs/wire.md describes them.

Records and positions are in `records.py`, endpoints without a table in `study.py`, hints in `hints.py`.
"""

from __future__ import annotations

from functools import cache

import msgspec
from fastapi import APIRouter, Request, Response

from tilery.core.game import Game
from tilery.games import GAMES
from tilery.server.auth import COOKIE, COOKIE_MAX_AGE, key_of, new_token, read_token, token_in
from tilery.server.bots import table_bots
from tilery.server.context import ServerContext
from tilery.server.http.errors import (
    ERROR_RESPONSES,
    JSON,
    STATUS,
    TableName,
    error_response,
    key_in,
    read_body,
    response_of,
    who_of,
)
from tilery.server.http.hints import hint_routes
from tilery.server.http.records import record_routes
from tilery.server.http.schema import returns, takes
from tilery.server.http.study import study_routes
from tilery.server.rate_limits import address_of
from tilery.server.websocket.connection import execute_command
from tilery.server.wire import SeatRequest, SeatToken, TableRequest
from tilery.table import responses, wire
from tilery.table.commands import AnyCommand, Sit
from tilery.table.state import WHO, Table
from tilery.table.views import TableViews


def table_routes(context: ServerContext) -> APIRouter:
    """All endpoints below /api that concern games and tables."""
    router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)
    table_host = context.table_host

    def address_in(request: Request) -> str:
        return address_of(dict(request.scope), context.settings.behind_proxy)

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
        seated = responses.Seated(
            table=name,
            token=token,
            invite=f"/t/{name}",
            seat_link=f"/t/{name}#seat={token}",
            commitment=table.commitment,
            seats=tuple(table.seats_of(key_of(token)[:WHO])),
        )
        response = response_of(seated, 201)
        set_seat_cookie(response, name, token)
        return response

    @router.get(
        "/games",
        response_class=Response,
        responses=returns(responses.Games, "the games"),
        summary="The games, their variants and the bots that play them",
    )
    async def games() -> Response:
        return Response(all_games(), media_type=JSON)

    @router.get(
        "/lobby",
        response_class=Response,
        responses=returns(responses.Lobby, "the tables"),
        summary="Public tables with an open seat or a running game, the newest first",
    )
    async def lobby() -> Response:
        open_tables = await context.quotas.lobby.shown("open")
        running = await context.quotas.lobby.shown("playing")
        cards = [tuple(msgspec.Raw(card.encode()) for _, card in tables) for tables in (open_tables, running)]
        return response_of(dict(zip(responses.Lobby.__struct_fields__, cards, strict=True)))

    @router.post(
        "/tables",
        status_code=201,
        response_class=Response,
        responses=returns(responses.Seated, "the table was created", 201),
        openapi_extra=takes(TableRequest),
        summary="Create a table",
    )
    async def create(request: Request) -> Response:
        wanted = await read_body(request, TableRequest)
        token = read_token(wanted.token) if wanted.token else new_token()
        table = await context.quotas.create(address_in(request), wanted, key_of(token))
        return seated_response(table.name, token, table)

    @router.get(
        "/tables/{name}",
        response_class=Response,
        responses=returns(wire.State, "the table"),
        summary="A table as you may see it",
    )
    async def state(request: Request, name: TableName) -> Response:
        who = who_of(request)
        return response_of(await table_host.read(name, lambda table, now: TableViews(table, now).state(who)))

    @router.post(
        "/tables/{name}/seat",
        status_code=201,
        response_class=Response,
        responses=returns(responses.Seated, "the seat is yours", 201),
        openapi_extra=takes(SeatRequest),
        summary="Take a seat",
    )
    async def sit(request: Request, name: TableName) -> Response:
        wanted = await read_body(request, SeatRequest)
        token = read_token(wanted.token) if wanted.token else token_in(request.scope["headers"]) or new_token()
        command = Sit(id=wanted.id or new_token(), step=0, name=wanted.name, seat=wanted.seat, entropy=wanted.entropy)
        result = await context.quotas.submit(address_in(request), name, key_of(token), command)
        if result.refused:
            raise result.refused
        response: Response = await table_host.read(name, lambda table, _: seated_response(name, token, table))
        return response

    @router.post(
        "/tables/{name}/claim",
        status_code=204,
        openapi_extra=takes(SeatToken),
        summary="Turn the token of a private link into a cookie",
    )
    async def claim(request: Request, name: TableName) -> Response:
        token = read_token((await read_body(request, SeatToken)).token)
        if not await table_host.read(name, lambda table, _: table.holds(key_of(token))):
            return error_response("not-allowed", "this link does not belong to a seat of the table")
        response = Response(status_code=204)
        set_seat_cookie(response, name, token)
        return response

    @router.post(
        "/tables/{name}/follow",
        response_class=Response,
        responses=returns(responses.RematchTable, "the table"),
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
        response = response_of(responses.RematchTable(rematch, f"/t/{rematch}"))
        set_seat_cookie(response, rematch, token)
        return response

    @router.post(
        "/tables/{name}/commands",
        response_class=Response,
        responses=returns(wire.Reply, "carried out"),
        openapi_extra=takes(AnyCommand),
        summary="Send one command, as over the WebSocket",
    )
    async def command(request: Request, name: TableName) -> Response:
        command: AnyCommand = await read_body(request, AnyCommand)  # type: ignore[arg-type]
        key = key_in(request)
        known = await table_host.read(name, lambda table, _: table.holds(key))
        reply = await execute_command(context, address_in(request), name, key if known else "", command)
        return response_of(reply, STATUS.get(reply.error.kind, 400) if reply.error else 200)

    for routes in (record_routes(context), study_routes(context), hint_routes(context)):
        router.include_router(routes)
    return router


@cache
def all_games() -> bytes:
    """What `/api/games` responds, which never changes."""
    return wire.encode(responses.Games(tuple(map(game_info, GAMES.values()))))


def game_info(game: Game) -> responses.GameInfo:
    """What menus show of a game."""
    bots = {
        str(seats): tuple(responses.BotInfo(**one) for one in table_bots(game, game.variant(str(seats))))
        for seats in game.seats
    }
    return responses.GameInfo(
        name=game.name,
        title=game.title,
        version=game.version,
        seats=game.seats,
        variants=tuple(responses.Variant(text, about) for text, about in game.variants),
        bots=bots,
        hidden_information=game.hidden_information,
        help=game.help,
    )
