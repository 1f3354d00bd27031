"""Requests and responses: bodies as types of the wire, errors with their statuses, and compression of long texts."""

from __future__ import annotations

import gzip
import math
from typing import Annotated, Any, TypeVar

from fastapi import Path, Request, Response

from tilery.core.refusals import Refused
from tilery.server.auth import key_of, token_in
from tilery.server.http.schema import returns
from tilery.server.http.static_files import accepts_gzip
from tilery.server.wire import read_as
from tilery.table import responses, wire
from tilery.table.refusals import TableRefused, error_of
from tilery.table.state import WHO

TableName = Annotated[str, Path(pattern="^[a-z0-9]{12}$", description="the name of a table", examples=["k7vq2m9xwp3d"])]
MIN_COMPRESSED_BYTES = 2000  # less is sent uncompressed
JSON = "application/json"
_LEVEL = 6  # of gzip: a third of the size of level 1 for positions, and a millisecond for a whole game

STATUS = {  # by the kind of error; 400 for all others
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
    "not-found": 404,
    "not-understood": 422,
    "internal-error": 500,
    "damaged": 500,
}

_ABOUT = {
    400: "refused; the text says why",
    403: "not allowed",
    404: "there is no such table",
    409: "not now",
    413: "too long",
    422: "invalid request",
    429: "too many requests",
    500: "an internal error, or the stored game is damaged",
    503: "busy, or the store is unavailable; try again",
}


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The unsuccessful responses of an operation."""
    return {status: returns(responses.ErrorResponse, _ABOUT[status], status)[status] for status in statuses}


ERROR_RESPONSES = errors(*_ABOUT)

T = TypeVar("T")


class NotUnderstood(Exception):
    """The body of a request does not have its type; the text says where."""


async def read_body(request: Request, kind: type[T]) -> T:
    """The body of a request, as strictly as the WebSocket reads messages: no coercion, no unknown fields."""
    try:
        return read_as(kind, await request.body())
    except TableRefused as refused:
        raise NotUnderstood(str(refused)) from None


def key_in(request: Request) -> str:
    """The hash of the token of a request."""
    return key_of(token_in(request.scope["headers"]))


def who_of(request: Request) -> str:
    """The id of the person who sent a request: the first part of their token's hash."""
    return key_in(request)[:WHO]


def response_of(value: Any, status: int = 200) -> Response:
    """A value of the wire as a response."""
    return Response(wire.encode(value), status, media_type=JSON)


def error_response(
    kind: str, text: str, *, code: str = "", status: int | None = None, headers: dict[str, str] | None = None
) -> Response:
    """An error with its kind, its code if that is another word, and the status that belongs to the kind."""
    return _error_response(wire.ErrorInfo(kind=kind, code=code or kind, text=text), headers or {}, status)


def retry_response(kind: str, text: str, retry_delay: float) -> Response:
    """An error that passes: the client should try again after this many seconds."""
    error = wire.ErrorInfo(
        kind=kind, code=kind, text=f"{text}: try again in {retry_delay:.1f} seconds", retry_delay=round(retry_delay, 2)
    )
    return _error_response(error, {"retry-after": str(math.ceil(retry_delay))})


def _error_response(error: wire.ErrorInfo, headers: dict[str, str], status: int | None = None) -> Response:
    response = response_of(responses.ErrorResponse(error), status or STATUS.get(error.kind, 400))
    response.headers.update(headers)
    return response


def refusal_response(refused: Refused) -> Response:
    """The response to a request that raised `Refused`. Outside of tables, whatever cannot be used is `bad-text`."""
    error = error_of(refused, kind=refused.kind if isinstance(refused, TableRefused) else "bad-text")
    response = response_of(responses.ErrorResponse(error), STATUS.get(error.kind, 400))
    if error.retry_delay:
        response.headers["retry-after"] = f"{error.retry_delay:.0f}"
    return response


def long_response(request: Request, data: bytes, media_type: str = JSON) -> Response:
    """A text, compressed if it is long and the client accepts gzip."""
    if len(data) <= MIN_COMPRESSED_BYTES:
        return Response(data, media_type=media_type)
    headers = {"vary": "accept-encoding"}
    if accepts_gzip(request.scope["headers"]):
        data = gzip.compress(data, _LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(data, media_type=media_type, headers=headers)
