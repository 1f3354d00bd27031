"""Middleware: checks the rate limit, host, origin and body size of requests, and adds headers to responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from tilery.server.context import ServerContext
from tilery.server.http.turns import Turns
from tilery.server.origins import wrong_host_text
from tilery.server.rate_limits import address_of
from tilery.server.websocket.connection import Receive, Send
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
# What pages of allowed origins may use of the API. Their requests carry no cookies, which are for the web client only.
_PREFLIGHT = (
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
)
_EXPOSED = (b"access-control-expose-headers", b"retry-after")
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
        self._turns = Turns()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        context = self.context
        context.metrics.requests += 1
        send = self._adding_headers(scope, send)
        address = address_of(scope, context.settings.behind_proxy)
        await self._turns.wait(address)
        if not self.unlimited(scope["path"]) and not context.request_limits.take(address):
            context.metrics.requests_limited += 1
            text = "too many requests: try again in two seconds"
            await _refuse(send, 429, "too-many-requests", text, (b"retry-after", b"2"))
            return
        if host := context.origins.wrong_host(scope["headers"]):
            await _refuse(send, 421, "wrong-host", wrong_host_text(host))
            return
        if _is_preflight(scope) and context.origins.allowed_page(scope["headers"]):
            await send({"type": "http.response.start", "status": 204, "headers": list(_PREFLIGHT)})
            await send({"type": "http.response.body", "body": b""})
            return
        if scope["method"] not in ("GET", "HEAD") and not context.origins.is_own_page(scope["headers"]):
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
        vary = b""
        if _is_api(scope):
            more.append(_NO_STORE)
            origins = self.context.origins
            vary = b"origin" if origins.allowed else b""
            if page := origins.allowed_page(scope["headers"]):
                more += [(b"access-control-allow-origin", page), _EXPOSED]
        if self.context.settings.behind_proxy:
            more.append(_HTTPS_ONLY)

        async def send_with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*_varying(message.get("headers", ()), vary), *more]
            await send(message)

        return send_with_headers


def _is_api(scope: dict[str, Any]) -> bool:
    path: str = scope["path"]
    return path == "/api" or path.startswith("/api/")


def _is_preflight(scope: dict[str, Any]) -> bool:
    """Whether a browser asks what pages of another origin may do."""
    method: str = scope["method"]
    asks = method == "OPTIONS" and _is_api(scope)
    return asks and any(name == b"access-control-request-method" for name, _ in scope["headers"])


def _varying(headers: Iterable[tuple[bytes, bytes]], by: bytes) -> list[tuple[bytes, bytes]]:
    """Headers of a response that also depends on a header of the request."""
    if not by:
        return list(headers)
    varies = [value for name, value in headers if name == b"vary"]
    return [*((name, value) for name, value in headers if name != b"vary"), (b"vary", b", ".join([*varies, by]))]


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
