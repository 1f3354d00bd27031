"""What requests are answered with: problems with their codes, texts, and long ones compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Path, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError

from tilery.core.refusals import NotLegal
from tilery.server.doors.static import takes_gzip
from tilery.server.doors.tokens import key_of, token_in
from tilery.server.wire import problem_of
from tilery.table.refusing import TableRefused
from tilery.table.state import WHO

Name = Annotated[str, Path(pattern="^[a-z0-9]{12}$", description="the name of a table", examples=["k7vq2m9xwp3d"])]
WORTH_PACKING = 2000  # bytes; less is sent as it is
_LEVEL = 6  # of compression: on positions it is a third of the size of level 1, in a millisecond for a whole game


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why something was not done."""

    code: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Problem:
    """An answer that is not a success."""

    error: Trouble


PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "refused; the text says why"},
    403: {"model": Problem, "description": "not allowed"},
    404: {"model": Problem, "description": "there is no such table"},
    409: {"model": Problem, "description": "not now"},
    413: {"model": Problem, "description": "too long"},
    422: {"model": Problem, "description": "not understood"},
    429: {"model": Problem, "description": "too much; wait"},
    503: {"model": Problem, "description": "overloaded, or the store is away; try again"},
}
STATUS = {
    "not-allowed": 403,
    "not-seated": 403,
    "taken": 409,
    "not-now": 409,
    "stale": 409,
    "not-your-turn": 409,
    "full": 409,
    "too-long": 413,
    "too-many": 429,
    "overloaded": 503,
    "unavailable": 503,
    "no-table": 404,
    "not-understood": 422,
    "fault": 500,
}


def key_in(request: Request) -> str:
    """The hash of the token that a request brings."""
    return key_of(token_in(request.scope["headers"]))


def who_of(request: Request) -> str:
    """Who asks, as a table knows people."""
    return key_in(request)[:WHO]


def problem(code: str, text: str, rule: str = "") -> JSONResponse:
    """An answer that says what is wrong."""
    error = {"code": code, "text": text}
    if rule:
        error["rule"] = rule
    return JSONResponse({"error": error}, STATUS.get(code, 400))


def refused_as(error: Exception) -> JSONResponse:
    """What is raised on the way, as an answer."""
    if isinstance(error, TableRefused):
        return problem(error.code, str(error), error.rule)
    return problem("bad-text", str(error), error.rule if isinstance(error, NotLegal) else "")


def as_json(text: str, status: int = 200) -> Response:
    """JSON that is written already."""
    return Response(text, status, media_type="application/json")


def packed(request: Request, text: str, kind: str = "application/json") -> Response:
    """A text, compressed if it is long and the client can read that."""
    data = text.encode()
    if len(data) <= WORTH_PACKING:
        return Response(data, media_type=kind)
    headers = {"vary": "accept-encoding"}
    if takes_gzip(request.scope["headers"]):
        data = gzip.compress(data, _LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(data, media_type=kind, headers=headers)


class Strict(APIRoute):
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
