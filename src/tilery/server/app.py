"""The ASGI application of the server: HTTP, WebSockets and the lifespan of the process."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from tilery.games import GAMES
from tilery.server.context import ServerContext
from tilery.server.http.middleware import App, RequestGuard
from tilery.server.http.static_files import NOT_BUILT, StaticFiles, WebClient
from tilery.server.logs import Log
from tilery.server.origins import wrong_host_text
from tilery.server.websocket.connection import POLICY_VIOLATION, Receive, Send, serve_websocket

_SOCKET_PATH = re.compile(r"/api/tables/([a-z0-9]{12})/socket")


async def _reject_host(host: str, receive: Receive, send: Send) -> None:
    """Respond to the handshake of a WebSocket with status 421."""
    await receive()
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "websocket.http.response.start", "status": 421, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": f"{wrong_host_text(host)}\n".encode()})


class _LazyApp:
    """Loads the rules and the HTTP endpoints in a thread after startup, so that WebSockets need not wait for them."""

    def __init__(self, make: Callable[[], App]) -> None:
        self._make = make
        self._loading: asyncio.Future[App] | None = None

    def load(self) -> asyncio.Future[App]:
        """Start loading, unless that has been done."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(asyncio.to_thread(self._load))
        return self._loading

    def _load(self) -> App:
        for game in GAMES.values():
            _ = game.kernel
        return self._make()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        app = await asyncio.shield(self.load())
        await app(scope, receive, send)


def make_app(
    context: ServerContext,
    log: Log,
    *,
    web_client: WebClient = NOT_BUILT,
    public_url: Callable[[], str] = lambda: "",
    on_startup: Callable[[], Any] | None = None,
) -> Any:
    """The application. It sweeps the tables while it runs, and closes the table host, which must be open, when it
    ends. `public_url` returns the address for others on the network."""

    def make_http_app() -> App:
        from tilery.server.http.app import http_app

        return http_app(context, log, web_client.hash, public_url)  # type: ignore[return-value]

    lazy = _LazyApp(make_http_app)
    http = RequestGuard(StaticFiles(web_client, lazy), context, web_client.has)

    async def lifespan(receive: Receive, send: Send) -> None:
        await receive()
        running = [asyncio.ensure_future(each) for each in (context.beat_forever(), context.sweep_forever())]
        await send({"type": "lifespan.startup.complete"})
        lazy.load()
        if on_startup:
            on_startup()
        await receive()
        for task in running:
            task.cancel()
        await context.table_host.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await http(scope, receive, send)
        elif scope["type"] == "websocket":
            if host := context.origins.wrong_host(scope["headers"]):
                await _reject_host(host, receive, send)
                return
            match = _SOCKET_PATH.fullmatch(scope["path"])
            if match:
                await serve_websocket(context, match[1], scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            await lifespan(receive, send)

    return app
