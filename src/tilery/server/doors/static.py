"""The page that people play on. Its files are read once, when the server starts, and are there before FastAPI is."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilery.server.doors.guard import App
from tilery.server.doors.pages import front_page
from tilery.server.doors.socket import Receive, Send

FOLDER = Path(__file__).parents[1] / "static"  # where the page is built
FRONT, BUILT = "index.html", "built"  # the page itself, and a file with the hash of its sources
PIECE = 65_536  # bytes sent at once, so that a slow reader takes no more of the memory than that

FOREVER = b"public, max-age=31536000, immutable"  # for names that change with what is in them
ASK_FIRST = b"no-cache"

TYPES = {
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
# The first word of every address that the page knows, but for tables.
WORDS = frozenset({"learn", "new", "rules", "settings", "study", "watch"})
_NOT_THE_PAGE = frozenset({"api", "assets", "healthz", "metrics", "readyz"})
_TABLE = re.compile(r"/t/[a-z0-9]{12}/?")
_QUALITY_ZERO = re.compile(rb"q=0(\.0*)?")

Headers = list[tuple[bytes, bytes]]


class Form:
    """A file as it goes over the line: plain, or compressed."""

    def __init__(self, data: bytes, kind: str, kept: Headers, encoding: Headers) -> None:
        self.tag = b'"' + hashlib.sha256(data).hexdigest()[:32].encode() + b'"'
        self.pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)] or [b""]
        self.kept: Headers = [(b"etag", self.tag), *kept]  # also told to those who have it already
        size = (b"content-length", str(len(data)).encode())
        self.headers: Headers = [(b"content-type", kind.encode()), size, *encoding, *self.kept]


class File:
    """One file of the page, ready to be sent."""

    def __init__(self, data: bytes, kind: str, cache: bytes = ASK_FIRST) -> None:
        small = gzip.compress(data, mtime=0)
        is_worth_it = len(small) < len(data)
        kept = [(b"cache-control", cache), *([(b"vary", b"accept-encoding")] if is_worth_it else [])]
        self.plain = Form(data, kind, kept, [])
        self.packed = Form(small, kind, kept, [(b"content-encoding", b"gzip")]) if is_worth_it else None

    def form_for(self, headers: Headers) -> Form:
        """The smaller form for those who can read it."""
        return self.packed if self.packed and takes_gzip(headers) else self.plain


def _values(headers: Headers, wanted: bytes) -> list[bytes]:
    """The parts of a header that is a list."""
    return [part.strip() for name, value in headers if name == wanted for part in value.split(b",")]


def takes_gzip(headers: Headers) -> bool:
    """Whether who asks can read what is compressed."""
    for value in _values(headers, b"accept-encoding"):
        coding, _, quality = value.partition(b";")
        if coding.strip().lower() == b"gzip":
            return not _QUALITY_ZERO.fullmatch(quality.strip())
    return False


def _is_known(form: Form, headers: Headers) -> bool:
    """Whether who asks has this already."""
    return any(tag.removeprefix(b"W/") in (form.tag, b"*") for tag in _values(headers, b"if-none-match"))


@dataclass(frozen=True)
class Page:
    """The files by their addresses, and what stands wherever the page itself does."""

    files: Mapping[str, File]
    front: File
    is_built: bool
    hash: str = ""

    def find(self, path: str) -> tuple[int, File] | None:
        """What is answered at an address: the status and the file. None: something else answers there."""
        if path in self.files:
            return 200, self.files[path]
        if path == "/" or _TABLE.fullmatch(path):
            return 200, self.front
        _, first, *rest = path.split("/") if path.startswith("/") else ("", path)
        if not self.is_built or first in _NOT_THE_PAGE or "." in (rest or [first])[-1]:
            return None
        return (200 if first in WORDS else 404), self.front

    def has(self, path: str) -> bool:
        """Whether an address belongs to the page, and is no mistake."""
        found = self.find(path)
        return found is not None and found[0] == 200


def _no_page() -> Page:
    return Page({}, File(front_page().encode(), TYPES[".html"]), is_built=False)


NO_PAGE = _no_page()


def read_page(folder: Path = FOLDER) -> Page:
    """Read all files of the page, by their exact names. Where it is not built, a plain page says what there is."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and name != BUILT:
            cache = FOREVER if name.startswith("assets/") else ASK_FIRST
            kind = TYPES.get(path.suffix.lower(), "application/octet-stream")
            files[f"/{name}"] = File(path.read_bytes(), kind, cache)
    front = files.get(f"/{FRONT}")
    if front is None:
        return NO_PAGE
    built = folder / BUILT
    return Page(files, front, True, built.read_text("utf-8").strip() if built.is_file() else "")


class PageDoor:
    """Answers with the page where it stands, and lets everything else through."""

    def __init__(self, page: Page, app: App) -> None:
        self._page, self._app = page, app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        found = self._page.find(scope["path"])
        if found is None:
            await self._app(scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            headers = [(b"allow", b"GET, HEAD"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 405, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await _answer(*found, scope, send)


async def _answer(status: int, file: File, scope: dict[str, Any], send: Send) -> None:
    form = file.form_for(scope["headers"])
    if status == 200 and _is_known(form, scope["headers"]):
        await send({"type": "http.response.start", "status": 304, "headers": [*form.kept]})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": status, "headers": [*form.headers]})
    if scope["method"] == "HEAD":
        await send({"type": "http.response.body", "body": b""})
        return
    for number, piece in enumerate(form.pieces, 1):
        await send({"type": "http.response.body", "body": piece, "more_body": number < len(form.pieces)})
