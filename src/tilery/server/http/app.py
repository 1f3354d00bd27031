"""The FastAPI application. It is loaded after the server has started to listen, because FastAPI loads slowly."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from starlette.exceptions import HTTPException

import tilery
from tilery.core.refusals import Refused
from tilery.server.context import ServerContext
from tilery.server.hosting.host import Busy, NoTable, TableDamaged, Unavailable
from tilery.server.http.api_page import api_page
from tilery.server.http.errors import (
    NotUnderstood,
    error_response,
    errors,
    long_response,
    refusal_response,
    response_of,
    retry_response,
)
from tilery.server.http.qr import MAX_BYTES, qr_svg
from tilery.server.http.records import SVG, queued
from tilery.server.http.schema import components, returns
from tilery.server.http.tables import table_routes
from tilery.server.logs import Log, error_fields
from tilery.server.store.interface import StoreError
from tilery.server.websocket.connection import DAMAGED_TEXT, DISK_FULL, DISK_FULL_TEXT
from tilery.server.work_queue import CpuSpent, QueueFull
from tilery.table import responses

HTML = "text/html; charset=utf-8"
UNHEALTHY = {  # by `Store.health`
    "full": "the disk of the store is full: make room on it; the server then goes on by itself\n",
    "replaced": "the files of the store were deleted or replaced: stop the server, put them right, start it; the log"
    " says which\n",
}


def http_app(
    context: ServerContext, log: Log, web_client_hash: str = "", public_url: Callable[[], str] = lambda: ""
) -> FastAPI:
    """All endpoints and the error handlers."""
    app = FastAPI(
        title="Tilery",
        version=tilery.__version__,
        description="Tables for Azul, Azul: Master Chocolatier and Schokoly. docs/wire.md describes the WebSocket.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(table_routes(context))
    app.openapi = cache(_with_components(app))  # type: ignore[method-assign]

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return refusal_response(error)

    @app.exception_handler(NotUnderstood)
    async def not_understood(_: Request, error: Exception) -> Response:
        return error_response("not-understood", str(error))

    @app.exception_handler(NoTable)
    async def no_table(_: Request, __: Exception) -> Response:
        return error_response("no-table", "there is no such table")

    @app.exception_handler(TableDamaged)
    async def table_damaged(_: Request, __: Exception) -> Response:
        return error_response("damaged", DAMAGED_TEXT)

    @app.exception_handler(Busy)
    @app.exception_handler(QueueFull)
    async def busy(_: Request, __: Exception) -> Response:
        return retry_response("busy", "the server is busy and has not executed this", context.retry_delay())

    @app.exception_handler(CpuSpent)
    async def cpu_spent(_: Request, error: Exception) -> Response:
        assert isinstance(error, CpuSpent)
        text = "your requests have taken too much of the server's time"
        return retry_response("too-many-requests", text, error.retry_delay)

    @app.exception_handler(StoreError)
    @app.exception_handler(Unavailable)
    async def unavailable(_: Request, error: Exception) -> Response:
        if isinstance(error, Unavailable) and error.is_disk_full:
            return error_response("unavailable", DISK_FULL_TEXT, code=DISK_FULL)
        return error_response("unavailable", "the store is unavailable: try again in a moment")

    @app.exception_handler(RequestValidationError)
    async def invalid_request(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        text = f"{place}: {first['msg']}"[:300].encode(errors="backslashreplace").decode()
        return error_response("not-understood", text)

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind = "not-found" if error.status_code == 404 else "not-understood"
        return error_response(kind, error.detail, status=error.status_code, headers=dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def internal_error(request: Request, error: Exception) -> Response:
        log.error("internal-error", path=request.url.path, **error_fields(error))
        return error_response("internal-error", "internal error; nothing was lost")

    @app.get("/healthz", include_in_schema=False)
    async def healthy() -> Response:
        return PlainTextResponse("ok\n")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> Response:
        store = context.table_host.store
        if store.health != "ok":
            return PlainTextResponse(UNHEALTHY[store.health], 503)
        try:
            await store.lobby(1)
        except Exception:
            return PlainTextResponse("the store is unavailable\n", 503)
        if context.is_closing:
            return PlainTextResponse("closing\n", 503)
        damaged = context.table_host.live_tables.damaged
        return PlainTextResponse("".join(["ready\n", *(f"damaged table: {name}\n" for name in damaged)]))

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse(context.metrics_text())

    # These two never change, but make a long text, so they are made when they are first needed.
    openapi_text = cache(lambda: msgspec.json.encode(app.openapi()))
    api_text = cache(lambda: api_page(app.openapi()).encode())

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> Response:
        return await queued(context, request, lambda: long_response(request, openapi_text()))

    @app.get("/api", include_in_schema=False)
    async def api(request: Request) -> Response:
        return await queued(context, request, lambda: long_response(request, api_text(), HTML))

    @app.get(
        "/api/server",
        response_class=Response,
        responses=returns(responses.ServerInfo, "the server") | errors(422, 429),
        summary="The version, the web client and the address of this server",
    )
    async def server_info() -> Response:
        url = public_url()
        return response_of(
            responses.ServerInfo(version=tilery.__version__, web_client_hash=web_client_hash, public_url=url)
        )

    @app.get(
        "/api/qr",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **errors(422, 429)},
        summary="A text, such as an address, as a QR code",
    )
    async def qr(request: Request, text: Annotated[str, Query(min_length=1, max_length=MAX_BYTES)]) -> Response:
        if len(text.encode()) > MAX_BYTES:
            raise NotUnderstood(f"text: at most {MAX_BYTES} bytes in UTF-8")
        return await queued(context, request, lambda: Response(qr_svg(text), media_type=SVG))

    return app


def _with_components(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """`app.openapi` with the schemas of the types of the wire."""
    default = app.openapi

    def openapi() -> dict[str, Any]:
        schema = default()
        schema["components"] = {"schemas": components()}
        return schema

    return openapi
