"""What every request passes: limits, the origin, the size of its body; and the headers that every answer carries."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from tilery.server.doors.limits import address_of
from tilery.server.doors.socket import Receive, Send, is_own_origin
from tilery.server.house import House

LONGEST_BODY = 8192  # bytes, but for records
LONGEST_RECORD = 65_536

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
)
_STORED_NOWHERE = (b"cache-control", b"no-store")
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")

App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class TooLong(Exception):
    """A body that is longer than allowed."""


class Gone(Exception):
    """Who asked has hung up."""


class Guard:
    """Stands before the HTTP door. Addresses that are `free` do not count against the limit of requests."""

    def __init__(self, app: App, house: House, free: Callable[[str], bool] = lambda _: False) -> None:
        self.app = app
        self.house = house
        self.free = free

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        house = self.house
        house.counts.requests += 1
        outgoing = self._with_headers(scope, send)
        is_free = self.free(scope["path"])
        if not is_free and not house.requests.take(address_of(scope, house.settings.behind_proxy)):
            house.counts.requests_limited += 1
            await _refuse(outgoing, 429, "too-many", "too many requests: wait a little", (b"retry-after", b"2"))
            return
        if scope["method"] not in ("GET", "HEAD") and not is_own_origin(house, scope["headers"]):
            await _refuse(outgoing, 403, "not-allowed", "requests come from our own page, or from a program")
            return
        most = LONGEST_RECORD if scope["path"] == "/api/records" else LONGEST_BODY
        try:
            body = await _body(receive, most)
        except Gone:
            return
        except TooLong:
            text = f"a request here has at most {most} bytes"
            await _refuse(outgoing, 413, "too-long", text, (b"connection", b"close"))
            return
        await self.app(scope, _after(body, receive), outgoing)

    def _with_headers(self, scope: dict[str, Any], send: Send) -> Send:
        more = list(HEADERS)
        if scope["path"] == "/api" or scope["path"].startswith("/api/"):
            more.append(_STORED_NOWHERE)
        if self.house.settings.behind_proxy:
            more.append(_HTTPS_ONLY)

        async def outgoing(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        return outgoing


async def _body(receive: Receive, most: int) -> bytes:
    """The whole body, read before anybody tries to understand it. What is a little too long is read to its end, or the
    answer would not be heard."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part = message.get("body", b"")
        size += len(part)
        if size <= most:
            parts.append(part)
        if size > 4 * most or not message.get("more_body"):
            break
    if size > most:
        raise TooLong
    return b"".join(parts)


def _after(body: bytes, receive: Receive) -> Receive:
    """What the application hears: the body, then whatever comes."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def heard() -> dict[str, Any]:
        return waiting.pop() if waiting else await receive()

    return heard


async def _refuse(send: Send, status: int, code: str, text: str, *more: tuple[bytes, bytes]) -> None:
    body = json.dumps({"error": {"code": code, "text": text}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
