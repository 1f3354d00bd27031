"""The HTTP door: make a table, take a seat, look, send a command, read a record. docs/wire.md describes all of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError

from tilery.core.refusals import Refused
from tilery.games import GAMES, read_any_record
from tilery.server.bots import roster
from tilery.server.doors.limits import address_of
from tilery.server.doors.socket import answer_to
from tilery.server.doors.tokens import COOKIE, LASTS, fresh_token, key_of, read_token, token_in
from tilery.server.house import House
from tilery.server.wire import problem_of
from tilery.table.commands import STRICT, AnyCommand, Sit
from tilery.table.founding import Setup
from tilery.table.refusing import TableRefused
from tilery.table.state import WHO, Table
from tilery.table.telling import Telling, history_of, seen_record

MOST_PLIES = 100_000
LOBBY = 50  # tables that the lobby shows

Name = Annotated[str, Path(pattern="^[a-z0-9]{12}$", description="the name of a table", examples=["k7vq2m9xwp3d"])]


@dataclass(frozen=True, kw_only=True)
class Wish(Setup):
    """A table to be made. `token` may be chosen by the client (32 random digits 0 to 9 and a to f)."""

    token: str = ""


@dataclass(frozen=True, kw_only=True)
class SeatWish:
    """A seat to be taken."""

    __pydantic_config__: ClassVar[Any] = STRICT
    name: str
    seat: int | None = None
    entropy: str = ""
    token: str = ""
    id: str = ""


@dataclass(frozen=True, kw_only=True)
class Holding:
    """The token of a seat, as it stood behind the # of a private link."""

    __pydantic_config__: ClassVar[Any] = STRICT
    token: str


@dataclass(frozen=True, kw_only=True)
class Seated:
    """What somebody gets who made a table or took a seat. The token is told here and never again."""

    table: str
    token: str
    invite: str
    seat_link: str
    commitment: str
    seats: list[int]


@dataclass(frozen=True, kw_only=True)
class Done:
    """A command was carried out; `seq` is the number of its first event."""

    type: Literal["answer"]
    id: str
    ok: Literal[True]
    seq: int


@dataclass(frozen=True, kw_only=True)
class Followed:
    """Where the rematch is."""

    table: str
    invite: str


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why something was not done."""

    code: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Problem:
    """An answer that is not a success."""

    error: Trouble


_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "refused; the text says why"},
    403: {"model": Problem, "description": "not allowed"},
    404: {"model": Problem, "description": "there is no such table"},
    409: {"model": Problem, "description": "not now"},
    413: {"model": Problem, "description": "too long"},
    422: {"model": Problem, "description": "not understood"},
    429: {"model": Problem, "description": "too much; wait"},
    503: {"model": Problem, "description": "overloaded, or the store is away; try again"},
}
_STATUS = {
    "not-allowed": 403,
    "not-seated": 403,
    "taken": 409,
    "not-now": 409,
    "stale": 409,
    "not-your-turn": 409,
    "full": 409,
    "overloaded": 503,
    "unavailable": 503,
    "no-table": 404,
    "not-understood": 422,
    "fault": 500,
}


def problem(code: str, text: str, rule: str = "") -> JSONResponse:
    """An answer that says what is wrong."""
    error = {"code": code, "text": text}
    if rule:
        error["rule"] = rule
    return JSONResponse({"error": error}, _STATUS.get(code, 400))


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")


class _Strict(APIRoute):
    """Reads bodies as strictly as the socket reads messages: a number is no text, and no other field is taken."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle
        reader: TypeAdapter[Any] = TypeAdapter(self.body_field.field_info.annotation)  # type: ignore[arg-type]

        async def strictly(request: Request) -> Response:
            try:
                reader.validate_json(await request.body(), strict=True)
            except ValidationError as error:
                return problem("not-understood", problem_of(error))
            return await handle(request)

        return strictly


def doors(house: House) -> APIRouter:
    """All requests."""
    router = APIRouter(prefix="/api", responses=_PROBLEMS, route_class=_Strict)
    keeper = house.keeper

    def who_of(request: Request) -> str:
        return key_of(token_in(request.scope["headers"]))

    def give_cookie(response: Response, name: str, token: str) -> None:
        response.set_cookie(
            COOKIE,
            token,
            max_age=LASTS,
            path=f"/api/tables/{name}",
            httponly=True,
            samesite="strict",
            secure=house.settings.behind_proxy,
        )

    def seated(name: str, token: str, table: Table) -> Response:
        mine = Seated(
            table=name,
            token=token,
            invite=f"/t/{name}",
            seat_link=f"/t/{name}#seat={token}",
            commitment=table.commitment,
            seats=table.seats_of(key_of(token)[:WHO]),
        )
        response = JSONResponse(vars(mine), 201)
        give_cookie(response, name, token)
        return response

    @router.get("/games", summary="What can be played, and with which bots")
    async def games() -> Any:
        return {
            "games": [
                {
                    "name": game.name,
                    "title": game.title,
                    "version": game.version,
                    "seats": game.seats,
                    "variants": [{"variant": text, "about": about} for text, about in game.variants],
                    "bots": {seats: roster(game, game.variant(str(seats))) for seats in game.seats},
                    "secret": game.secret,
                    "help": game.help,
                }
                for game in GAMES.values()
            ]
        }

    @router.get("/lobby", summary="Public tables with an open seat, the newest first")
    async def lobby() -> Response:
        cards = await keeper.store.lobby(LOBBY)
        return _json(f'{{"tables":[{",".join(card for _, card in cards)}]}}')

    @router.post("/tables", status_code=201, response_model=Seated, summary="Make a table")
    async def make(request: Request, wish: Wish) -> Response:
        if not house.foundings.take(address_of(dict(request.scope), house.settings.behind_proxy)):
            house.counts.requests_limited += 1
            return JSONResponse({"error": {"code": "too-many", "text": "too many new tables: wait a little"}}, 429)
        token = read_token(wish.token) if wish.token else fresh_token()
        name = await keeper.found(wish, key_of(token))
        answer: Response = await keeper.look(name, lambda table, _: seated(name, token, table))
        return answer

    @router.get("/tables/{name}", summary="A table as you may see it")
    async def state(request: Request, name: Name) -> Response:
        who = who_of(request)[:WHO]
        return _json(await keeper.look(name, lambda table, now: Telling(table, now).state(who)))

    @router.post("/tables/{name}/seat", status_code=201, response_model=Seated, summary="Take a seat")
    async def sit(request: Request, name: Name, wish: SeatWish) -> Response:
        token = read_token(wish.token) if wish.token else token_in(request.scope["headers"]) or fresh_token()
        command = Sit(id=wish.id or fresh_token(), step=0, name=wish.name, seat=wish.seat, entropy=wish.entropy)
        answer = await keeper.ask(name, key_of(token), command)
        if answer.refused:
            raise answer.refused
        seat: Response = await keeper.look(name, lambda table, _: seated(name, token, table), anew=True)
        return seat

    @router.post("/tables/{name}/claim", status_code=204, summary="Turn the token of a private link into a cookie")
    async def claim(name: Name, holding: Holding) -> Response:
        token = read_token(holding.token)
        if not await keeper.look(name, lambda table, _: table.holds(key_of(token))):
            return problem("not-allowed", "this link does not fit any seat of the table")
        response = Response(status_code=204)
        give_cookie(response, name, token)
        return response

    @router.post(
        "/tables/{name}/follow",
        response_model=Followed,
        summary="After a rematch was agreed on: take your seat with you",
    )
    async def follow(request: Request, name: Name) -> Response:
        token = token_in(request.scope["headers"])
        who = key_of(token)[:WHO]
        if not token or not await keeper.look(name, lambda table, _: table.seats_of(who)):
            return problem("not-seated", "this needs a seat at the table")
        rematch = await keeper.look(name, lambda table, _: table.rematch, anew=True)
        if not rematch:
            return problem("not-now", "no rematch was agreed on yet")
        response = JSONResponse({"table": rematch, "invite": f"/t/{rematch}"})
        give_cookie(response, rematch, token)
        return response

    @router.post("/tables/{name}/commands", summary="Send one command (the socket takes the same)")
    async def command(
        request: Request, name: Name, command: Annotated[AnyCommand, Body(discriminator="type")]
    ) -> Response:
        key = who_of(request)
        known = await keeper.look(name, lambda table, _: table.holds(key))
        answer = await answer_to(house, name, key if known else "", command)
        words = json.loads(answer.text)
        return _json(answer.text, 200 if words["ok"] else _STATUS.get(words["error"]["code"], 400))

    @router.get(
        "/tables/{name}/record",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
        summary="The game so far, as a record",
    )
    async def record(request: Request, name: Name) -> Response:
        who = who_of(request)[:WHO]
        return PlainTextResponse(await keeper.look(name, lambda table, _: seen_record(table, who).text))

    @router.get("/tables/{name}/positions/{ply}", summary="The position after so many plies, as you may see it")
    async def position(request: Request, name: Name, ply: Annotated[int, Path(ge=0, le=MOST_PLIES)]) -> Response:
        who = who_of(request)[:WHO]
        return _json(await keeper.look(name, lambda table, _: seen_record(table, who).position(ply).json()))

    @router.post(
        "/records",
        summary="Read a record (text, at most 64 KiB): its plies, and a position of it",
        openapi_extra={"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def study(request: Request, ply: Annotated[int | None, Query(ge=0, le=MOST_PLIES)] = None) -> Response:
        body = await request.body()
        return await run_in_threadpool(_study, body, ply)

    return router


def _study(body: bytes, ply: int | None) -> Response:
    try:
        found = read_any_record(body.decode("utf-8"))
        position = found.position(ply)
    except UnicodeDecodeError:
        return problem("bad-text", "a record is text in UTF-8")
    except Refused as refused:
        return problem("bad-text", str(refused))
    words = {
        "game": found.game.name,
        "variant": found.start.rules.text,
        "players": found.players,
        "tags": dict(found.tags),
        "history": history_of(found),
        "result": found.result,
        "ply": len(found.plies) if ply is None else ply,
        "position": position.view,
    }
    return JSONResponse(words)


def refused_as(error: Exception) -> JSONResponse:
    """What is raised on the way, as an answer."""
    if isinstance(error, TableRefused):
        return problem(error.code, str(error), error.rule)
    return problem("bad-text", str(error))
