"""The FastAPI application. It is loaded after the server has started to listen, because FastAPI loads slowly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

import tilery
from tilery.core.refusals import Refused
from tilery.server.context import ServerContext
from tilery.server.hosting.host import Busy, NoTable, Unavailable
from tilery.server.http.api_page import api_page
from tilery.server.http.errors import ErrorResponse, error_response, refusal_response
from tilery.server.http.qr import MAX_CHARACTERS, qr_svg
from tilery.server.http.tables import table_routes
from tilery.server.logs import Log, error_fields
from tilery.server.store.interface import StoreError

_ERRORS: dict[int | str, dict[str, Any]] = {
    422: {"model": ErrorResponse, "description": "invalid request"},
    429: {"model": ErrorResponse, "description": "too many requests"},
}


@dataclass(frozen=True, kw_only=True)
class ServerInfo:
    """The version of the server, the hash of its web client ("" if it is not built), and its address for others on the
    local network ("" if none is known)."""

    version: str
    web_client_hash: str
    public_url: str


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
    app.openapi = _with_required_types(app)  # type: ignore[method-assign]

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Exception) -> Response:
        return refusal_response(error)

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
        return JSONResponse(
            {"error": {"code": "not-found" if error.status_code == 404 else "not-understood", "text": error.detail}},
            error.status_code,
            headers=error.headers,
        )

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

    @app.get("/api/server", responses=_ERRORS, summary="The version, the web client and the address of this server")
    async def server_info() -> ServerInfo:
        return ServerInfo(version=tilery.__version__, web_client_hash=web_client_hash, public_url=public_url())

    @app.get(
        "/api/qr",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **_ERRORS},
        summary="A text, such as an address, as a QR code",
    )
    def qr(text: Annotated[str, Query(min_length=1, max_length=MAX_CHARACTERS)]) -> Response:
        return Response(qr_svg(text), media_type="image/svg+xml")

    return app


def _with_required_types(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """`app.openapi` with the `type` of every command required, because it distinguishes the commands."""
    default = app.openapi

    def openapi() -> dict[str, Any]:
        schema = default()
        for model in schema["components"]["schemas"].values():
            if "const" in model.get("properties", {}).get("type", {}):
                model["required"] = sorted({"type", *model.get("required", ())})
        return schema

    return openapi
