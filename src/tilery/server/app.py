"""Puts the server together: one ASGI application."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from tilery.games import GAMES
from tilery.server.doors.guard import App, Guard
from tilery.server.doors.socket import BAD, Receive, Send, serve_socket
from tilery.server.doors.static import NO_PAGE, Page, PageDoor
from tilery.server.house import House
from tilery.server.logs import Log

_SOCKET = re.compile(r"/api/tables/([a-z0-9]{12})/socket")


class _Later:
    """The HTTP door: loaded beside everything else, and after the rules, so that who comes back to a game need not
    wait for it."""

    def __init__(self, make: Callable[[], App]) -> None:
        self._make = make
        self._loading: asyncio.Future[App] | None = None

    def load(self) -> asyncio.Future[App]:
        """Begin, if that has not been done."""
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
    house: House,
    log: Log,
    *,
    page: Page = NO_PAGE,
    share: Callable[[], str] = lambda: "",
    opened: Callable[[], Any] | None = None,
) -> Any:
    """The application; it looks round as long as it runs, and closes the keeper (which is open) when it ends. `share`
    tells the address for others in the network."""

    def http_door() -> App:
        from tilery.server.doors.web import http_app

        return http_app(house, log, page.hash, share)  # type: ignore[return-value]

    later = _Later(http_door)
    http = Guard(PageDoor(page, later), house, page.has)

    async def lifespan(receive: Receive, send: Send) -> None:
        await receive()
        rounds = asyncio.ensure_future(house.look_round())
        await send({"type": "lifespan.startup.complete"})
        later.load()
        if opened:
            opened()
        await receive()
        rounds.cancel()
        await house.keeper.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await http(scope, receive, send)
        elif scope["type"] == "websocket":
            found = _SOCKET.fullmatch(scope["path"])
            if found:
                await serve_socket(house, found[1], scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": BAD})
        else:
            await lifespan(receive, send)

    return app
