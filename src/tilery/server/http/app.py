"""The FastAPI application. It is loaded after the server has started to listen, because FastAPI loads slowly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.exceptions import HTTPException

import tilery
from tilery.core.refusals import Refused
from tilery.server.context import ServerContext
from tilery.server.hosting.host import Busy, NoTable, Unavailable
from tilery.server.http.api_page import api_page
from tilery.server.http.errors import NotUnderstood, error_response, errors, refusal_response, response_of
from tilery.server.http.qr import MAX_CHARACTERS, qr_svg
from tilery.server.http.schema import components, returns
from tilery.server.http.tables import table_routes
from tilery.server.logs import Log, error_fields
from tilery.server.store.interface import StoreError
from tilery.table import responses


def http_app(
    context: ServerContext, log: Log, web_client_hash: str = "", public_url: Callable[[], str] = lambda: ""
) -> FastAPI:
    """All endpoints and the error handlers."""
    app = FastAPI(
        title="Tilery",
        version=tilery.__version__,
        description="Tables for Azul, Azul: Master Chocolatier and Schokoly. docs/wire.md describes the WebSocket.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(table_routes(context))
    app.openapi = _with_components(app)  # type: ignore[method-assign]

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

    @app.exception_handler(Busy)
    async def busy(_: Request, __: Exception) -> Response:
        return error_response("busy", "the server is busy and has not executed this: try again in a moment")

    @app.exception_handler(StoreError)
    @app.exception_handler(Unavailable)
    async def unavailable(_: Request, __: Exception) -> Response:
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
        try:
            await context.table_host.store.lobby(1)
        except Exception:
            return PlainTextResponse("the store is unavailable\n", 503)
        return PlainTextResponse("closing\n" if context.is_closing else "ready\n", 503 if context.is_closing else 200)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse(context.metrics_text())

    @app.get("/api", include_in_schema=False)
    async def api() -> Response:
        return HTMLResponse(api_page(app.openapi()))

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
    def qr(text: Annotated[str, Query(min_length=1, max_length=MAX_CHARACTERS)]) -> Response:
        return Response(qr_svg(text), media_type="image/svg+xml")

    return app


def _with_components(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """`app.openapi` with the schemas of the types of the wire."""
    default = app.openapi

    def openapi() -> dict[str, Any]:
        schema = default()
        schema["components"] = {"schemas": components()}
        return schema

    return openapi
