"""Middleware: checks the rate limit, origin and body size of every request, and adds headers to every response."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tilery.server.context import ServerContext
from tilery.server.rate_limits import address_of
from tilery.server.websocket.connection import Receive, Send, is_own_origin
from tilery.table import responses, wire

MAX_BODY_BYTES = 8192
MAX_RECORD_BYTES = 65_536

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
_NO_STORE = (b"cache-control", b"no-store")
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")

App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class BodyTooLong(Exception):
    """The body is longer than allowed."""


class ClientDisconnected(Exception):
    """The client disconnected before its request was complete."""


class RequestGuard:
    """Checks every request before the application sees it. Requests for paths that are `unlimited` do not count towards
    the rate limit."""

    def __init__(self, app: App, context: ServerContext, unlimited: Callable[[str], bool] = lambda _: False) -> None:
        self.app = app
        self.context = context
        self.unlimited = unlimited

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        context = self.context
        context.metrics.requests += 1
        send = self._adding_headers(scope, send)
        if not self.unlimited(scope["path"]) and not context.request_limits.take(
            address_of(scope, context.settings.behind_proxy)
        ):
            context.metrics.requests_limited += 1
            text = "too many requests: try again in two seconds"
            await _refuse(send, 429, "too-many-requests", text, (b"retry-after", b"2"))
            return
        if scope["method"] not in ("GET", "HEAD") and not is_own_origin(context, scope["headers"]):
            await _refuse(send, 403, "not-allowed", "requests from pages of other origins are not allowed")
            return
        max_bytes = MAX_RECORD_BYTES if scope["path"] == "/api/records" else MAX_BODY_BYTES
        try:
            body = await _read_body(receive, max_bytes)
        except ClientDisconnected:
            return
        except BodyTooLong:
            text = f"the body of this request has at most {max_bytes} bytes"
            await _refuse(send, 413, "too-long", text, (b"connection", b"close"))
            return
        await self.app(scope, _replaying(body, receive), send)

    def _adding_headers(self, scope: dict[str, Any], send: Send) -> Send:
        more = list(HEADERS)
        if scope["path"] == "/api" or scope["path"].startswith("/api/"):
            more.append(_NO_STORE)
        if self.context.settings.behind_proxy:
            more.append(_HTTPS_ONLY)

        async def send_with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        return send_with_headers


async def _read_body(receive: Receive, max_bytes: int) -> bytes:
    """The whole body. One that is a little too long is still read to its end: otherwise the client would not read the
    response."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        part = message.get("body", b"")
        size += len(part)
        if size <= max_bytes:
            parts.append(part)
        if size > 4 * max_bytes or not message.get("more_body"):
            break
    if size > max_bytes:
        raise BodyTooLong
    return b"".join(parts)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body, which has already been read, and then whatever follows."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_body() -> dict[str, Any]:
        return waiting.pop() if waiting else await receive()

    return receive_body


async def _refuse(send: Send, status: int, kind: str, text: str, *more: tuple[bytes, bytes]) -> None:
    body = wire.encode(responses.ErrorResponse(wire.ErrorInfo(kind=kind, code=kind, text=text)))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
