"""The files of the web client. They are read once at startup, and served without FastAPI."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilery.server.http.api_page import front_page
from tilery.server.http.middleware import App
from tilery.server.websocket.connection import Receive, Send

FOLDER = Path(__file__).parents[1] / "static"  # the output of the build
INDEX, HASH_FILE = "index.html", "built"  # the web client itself, and a file with the hash of its sources
CHUNK = 65_536  # bytes sent at once, so that a slow client takes no more memory than that

IMMUTABLE = b"public, max-age=31536000, immutable"  # for files whose names change with their content
REVALIDATE = b"no-cache"

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".m4a": "audio/mp4",
    ".map": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
# The first part of every path of the web client, except for tables.
ROUTES = frozenset({"learn", "new", "rules", "settings", "study", "watch"})
_OTHER_ROUTES = frozenset({"api", "assets", "healthz", "metrics", "readyz"})
_TABLE_PATH = re.compile(r"/t/[a-z0-9]{12}/?")
_QUALITY_ZERO = re.compile(rb"q=0(\.0*)?")

Headers = list[tuple[bytes, bytes]]


class Encoded:
    """A file in one encoding: as it is, or compressed."""

    def __init__(self, data: bytes, media_type: str, cached: Headers, encoding: Headers) -> None:
        self.tag = b'"' + hashlib.sha256(data).hexdigest()[:32].encode() + b'"'
        self.chunks = [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)] or [b""]
        self.cached: Headers = [(b"etag", self.tag), *cached]  # also sent with 304
        size = (b"content-length", str(len(data)).encode())
        self.headers: Headers = [(b"content-type", media_type.encode()), size, *encoding, *self.cached]


class File:
    """One file of the web client, ready to be sent."""

    def __init__(self, data: bytes, media_type: str, cache: bytes = REVALIDATE) -> None:
        small = gzip.compress(data, mtime=0)
        is_smaller = len(small) < len(data)
        cached = [(b"cache-control", cache), *([(b"vary", b"accept-encoding")] if is_smaller else [])]
        self.plain = Encoded(data, media_type, cached, [])
        self.gzipped = Encoded(small, media_type, cached, [(b"content-encoding", b"gzip")]) if is_smaller else None

    def encoded_for(self, headers: Headers) -> Encoded:
        """The compressed file for clients that accept it."""
        return self.gzipped if self.gzipped and accepts_gzip(headers) else self.plain


def _values(headers: Headers, wanted: bytes) -> list[bytes]:
    """The items of a header that is a comma-separated list."""
    return [part.strip() for name, value in headers if name == wanted for part in value.split(b",")]


def accepts_gzip(headers: Headers) -> bool:
    """Whether the client accepts gzip."""
    for value in _values(headers, b"accept-encoding"):
        coding, _, quality = value.partition(b";")
        if coding.strip().lower() == b"gzip":
            return not _QUALITY_ZERO.fullmatch(quality.strip())
    return False


def _is_cached(encoded: Encoded, headers: Headers) -> bool:
    """Whether the client has this file already."""
    return any(tag.removeprefix(b"W/") in (encoded.tag, b"*") for tag in _values(headers, b"if-none-match"))


@dataclass(frozen=True)
class WebClient:
    """The files of the web client by their paths, and its index, which is served for all of its routes."""

    files: Mapping[str, File]
    index: File
    is_built: bool
    hash: str = ""

    def find(self, path: str) -> tuple[int, File] | None:
        """The status and the file for a path; None if the path does not belong to the web client."""
        if path in self.files:
            return 200, self.files[path]
        if path == "/" or _TABLE_PATH.fullmatch(path):
            return 200, self.index
        _, first, *rest = path.split("/") if path.startswith("/") else ("", path)
        if not self.is_built or first in _OTHER_ROUTES or "." in (rest or [first])[-1]:
            return None
        return (200 if first in ROUTES else 404), self.index

    def has(self, path: str) -> bool:
        """Whether a path leads to a file or a route of the web client."""
        result = self.find(path)
        return result is not None and result[0] == 200


def _not_built() -> WebClient:
    return WebClient({}, File(front_page().encode(), MEDIA_TYPES[".html"]), is_built=False)


NOT_BUILT = _not_built()


def read_web_client(folder: Path = FOLDER) -> WebClient:
    """Read all files of the web client. If it is not built, a plain page says so."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and name != HASH_FILE:
            cache = IMMUTABLE if name.startswith("assets/") else REVALIDATE
            media_type = MEDIA_TYPES.get(path.suffix.lower(), "application/octet-stream")
            files[f"/{name}"] = File(path.read_bytes(), media_type, cache)
    index = files.get(f"/{INDEX}")
    if index is None:
        return NOT_BUILT
    hash_file = folder / HASH_FILE
    return WebClient(files, index, True, hash_file.read_text("utf-8").strip() if hash_file.is_file() else "")


class StaticFiles:
    """Serves the web client, and passes every other request on to the application."""

    def __init__(self, web_client: WebClient, app: App) -> None:
        self._web_client, self._app = web_client, app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        result = self._web_client.find(scope["path"])
        if result is None:
            await self._app(scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            headers = [(b"allow", b"GET, HEAD"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 405, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await _respond(*result, scope, send)


async def _respond(status: int, file: File, scope: dict[str, Any], send: Send) -> None:
    encoded = file.encoded_for(scope["headers"])
    if status == 200 and _is_cached(encoded, scope["headers"]):
        await send({"type": "http.response.start", "status": 304, "headers": [*encoded.cached]})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": status, "headers": [*encoded.headers]})
    if scope["method"] == "HEAD":
        await send({"type": "http.response.body", "body": b""})
        return
    for number, chunk in enumerate(encoded.chunks, 1):
        await send({"type": "http.response.body", "body": chunk, "more_body": number < len(encoded.chunks)})
