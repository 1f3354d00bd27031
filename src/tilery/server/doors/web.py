"""The HTTP door as an application. FastAPI takes its time to load, so this module is loaded when the doors are open."""

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
from tilery.server.doors.answers import Problem, problem, refused_as
from tilery.server.doors.http import doors
from tilery.server.doors.pages import api_page
from tilery.server.doors.qr import LONGEST_TEXT, svg_of
from tilery.server.house import House
from tilery.server.keeper import NoTable, Overloaded, Unavailable
from tilery.server.logs import Log
from tilery.server.store.interface import StoreError

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    422: {"model": Problem, "description": "not understood"},
    429: {"model": Problem, "description": "too much; wait"},
}


@dataclass(frozen=True, kw_only=True)
class About:
    """What a server tells of itself: its version, the hash of its page ("": none is built), and the address under
    which others in the room's network reach it ("": none is known)."""

    version: str
    page: str
    share: str


def http_app(house: House, log: Log, page: str = "", share: Callable[[], str] = lambda: "") -> FastAPI:
    """All requests, and what is answered when one goes wrong."""
    app = FastAPI(
        title="Tilery",
        version=tilery.__version__,
        description="Tables for Azul, Azul: Master Chocolatier and Schokoly. docs/wire.md describes the socket.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(doors(house))
    app.openapi = _described(app)  # type: ignore[method-assign]

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Exception) -> Response:
        return refused_as(error)

    @app.exception_handler(NoTable)
    async def no_table(_: Request, __: Exception) -> Response:
        return problem("no-table", "there is no such table")

    @app.exception_handler(Overloaded)
    async def overloaded(_: Request, __: Exception) -> Response:
        return problem("overloaded", "too much to do: nothing was done, try again in a moment")

    @app.exception_handler(StoreError)
    @app.exception_handler(Unavailable)
    async def unavailable(_: Request, __: Exception) -> Response:
        return problem("unavailable", "the store does not answer: try again in a moment")

    @app.exception_handler(RequestValidationError)
    async def not_understood(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        text = f"{place}: {first['msg']}"[:300].encode(errors="backslashreplace").decode()
        return problem("not-understood", text)

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return JSONResponse(
            {"error": {"code": "not-found" if error.status_code == 404 else "not-understood", "text": error.detail}},
            error.status_code,
            headers=error.headers,
        )

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        log.error("fault", path=request.url.path, error=type(error).__name__)
        return JSONResponse({"error": {"code": "fault", "text": "a fault of ours; nothing was lost"}}, 500)

    @app.get("/healthz", include_in_schema=False)
    async def healthy() -> Response:
        return PlainTextResponse("ok\n")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> Response:
        try:
            await house.keeper.store.lobby(1)
        except Exception:
            return PlainTextResponse("the store does not answer\n", 503)
        return PlainTextResponse("closing\n" if house.is_closing else "ready\n", 503 if house.is_closing else 200)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse("\n".join(house.metrics()) + "\n")

    @app.get("/api", include_in_schema=False)
    async def api() -> Response:
        return HTMLResponse(api_page(app.openapi()))

    @app.get("/api/house", responses=_PROBLEMS, summary="This server: its version, its page, its address for others")
    async def about() -> About:
        return About(version=tilery.__version__, page=page, share=share())

    @app.get(
        "/api/qr",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **_PROBLEMS},
        summary="A text, such as an address, as a QR code",
    )
    def qr(text: Annotated[str, Query(min_length=1, max_length=LONGEST_TEXT)]) -> Response:
        return Response(svg_of(text), media_type="image/svg+xml")

    return app


def _described(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """The description of the interface, where commands are told apart by a type that is needed."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        schema = plain()
        for model in schema["components"]["schemas"].values():
            if "const" in model.get("properties", {}).get("type", {}):
                model["required"] = sorted({"type", *model.get("required", ())})
        return schema

    return described
