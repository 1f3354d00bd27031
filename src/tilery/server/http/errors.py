"""Responses: errors with their codes and statuses, JSON, and compression of long texts."""

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
from tilery.server.auth import key_of, token_in
from tilery.server.http.static_files import accepts_gzip
from tilery.server.wire import describe_validation_error
from tilery.table.refusals import TableRefused
from tilery.table.state import WHO

TableName = Annotated[str, Path(pattern="^[a-z0-9]{12}$", description="the name of a table", examples=["k7vq2m9xwp3d"])]
MIN_COMPRESSED_BYTES = 2000  # less is sent uncompressed
_LEVEL = 6  # of gzip: a third of the size of level 1 for positions, and a millisecond for a whole game


@dataclass(frozen=True, kw_only=True)
class ErrorDetail:
    """Why a request was refused."""

    code: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ErrorResponse:
    """The body of every response that is not a success."""

    error: ErrorDetail


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorResponse, "description": "refused; the text says why"},
    403: {"model": ErrorResponse, "description": "not allowed"},
    404: {"model": ErrorResponse, "description": "there is no such table"},
    409: {"model": ErrorResponse, "description": "not now"},
    413: {"model": ErrorResponse, "description": "too long"},
    422: {"model": ErrorResponse, "description": "invalid request"},
    429: {"model": ErrorResponse, "description": "too many requests"},
    503: {"model": ErrorResponse, "description": "busy, or the store is unavailable; try again"},
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
    "too-many-requests": 429,
    "busy": 503,
    "unavailable": 503,
    "no-table": 404,
    "not-understood": 422,
    "internal-error": 500,
}


def key_in(request: Request) -> str:
    """The hash of the token of a request."""
    return key_of(token_in(request.scope["headers"]))


def who_of(request: Request) -> str:
    """The id of the person who sent a request: the first part of their token's hash."""
    return key_in(request)[:WHO]


def error_response(code: str, text: str, rule: str = "") -> JSONResponse:
    """An error with its code and the status that belongs to it."""
    error = {"code": code, "text": text}
    if rule:
        error["rule"] = rule
    return JSONResponse({"error": error}, STATUS.get(code, 400))


def refusal_response(error: Exception) -> JSONResponse:
    """The response to a request that raised `Refused`."""
    if isinstance(error, TableRefused):
        return error_response(error.code, str(error), error.rule)
    return error_response("bad-text", str(error), error.rule if isinstance(error, NotLegal) else "")


def as_json(text: str, status: int = 200) -> Response:
    """A response whose body is already JSON."""
    return Response(text, status, media_type="application/json")


def text_response(request: Request, text: str, media_type: str = "application/json") -> Response:
    """A text, compressed if it is long and the client accepts gzip."""
    data = text.encode()
    if len(data) <= MIN_COMPRESSED_BYTES:
        return Response(data, media_type=media_type)
    headers = {"vary": "accept-encoding"}
    if accepts_gzip(request.scope["headers"]):
        data = gzip.compress(data, _LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(data, media_type=media_type, headers=headers)


class StrictRoute(APIRoute):
    """Validates bodies as strictly as the WebSocket does: no coercion, no unknown fields."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle
        reader: TypeAdapter[Any] = TypeAdapter(self.body_field.field_info.annotation)  # type: ignore[arg-type]

        async def handle_strictly(request: Request) -> Response:
            try:
                reader.validate_json(await request.body(), strict=True)
            except ValidationError as error:
                return error_response("not-understood", describe_validation_error(error))
            return await handle(request)

        return handle_strictly
