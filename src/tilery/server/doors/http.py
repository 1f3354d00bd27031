"""The HTTP door: make a table, take a seat, look, send a command. docs/wire.md describes all of it.

What can be read of a game stands in `reading.py`, what has nothing to do with a table in `studying.py`, hints in
`hinting.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import JSONResponse

from tilery.games import GAMES
from tilery.server.bots import roster
from tilery.server.doors.answers import PROBLEMS, STATUS, Name, Strict, as_json, key_in, problem, who_of
from tilery.server.doors.hinting import hinting
from tilery.server.doors.limits import address_of
from tilery.server.doors.reading import reading
from tilery.server.doors.socket import answer_to
from tilery.server.doors.studying import studying
from tilery.server.doors.tokens import COOKIE, LASTS, fresh_token, key_of, read_token, token_in
from tilery.server.house import House
from tilery.table.commands import STRICT, AnyCommand, Sit
from tilery.table.founding import Setup
from tilery.table.state import WHO, Table
from tilery.table.telling import Telling

LOBBY = 50  # tables of either kind that the lobby shows


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


def doors(house: House) -> APIRouter:
    """All requests."""
    router = APIRouter(prefix="/api", responses=PROBLEMS, route_class=Strict)
    keeper = house.keeper

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

    @router.get("/lobby", summary="Public tables, with an open seat or a game that goes on, the newest first")
    async def lobby() -> Response:
        waiting = ",".join(card for _, card in await keeper.store.lobby(LOBBY))
        running = ",".join(card for _, card in await keeper.store.lobby(LOBBY, "playing"))
        return as_json(f'{{"tables":[{waiting}],"running":[{running}]}}')

    @router.post("/tables", status_code=201, response_model=Seated, summary="Make a table")
    async def make(request: Request, wish: Wish) -> Response:
        if not house.foundings.take(address_of(dict(request.scope), house.settings.behind_proxy)):
            house.counts.requests_limited += 1
            return problem("too-many", "too many new tables: wait a little")
        token = read_token(wish.token) if wish.token else fresh_token()
        name = await keeper.found(wish, key_of(token))
        answer: Response = await keeper.look(name, lambda table, _: seated(name, token, table))
        return answer

    @router.get("/tables/{name}", summary="A table as you may see it")
    async def state(request: Request, name: Name) -> Response:
        who = who_of(request)
        return as_json(await keeper.look(name, lambda table, now: Telling(table, now).state(who)))

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
        key = key_in(request)
        known = await keeper.look(name, lambda table, _: table.holds(key))
        answer = await answer_to(house, name, key if known else "", command)
        words = json.loads(answer.text)
        return as_json(answer.text, 200 if words["ok"] else STATUS.get(words["error"]["code"], 400))

    for more in (reading(house), studying(house), hinting(house)):
        router.include_router(more)
    return router
