"""The files of the web client: media types, caching, compression, routes."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.http_and_websocket.in_process import WIDE, World, run
from tilery.server import app as making
from tilery.server.app import make_app
from tilery.server.http.middleware import POLICY
from tilery.server.http.static_files import CHUNK, NOT_BUILT, ROUTES, WebClient, read_web_client
from tilery.server.settings import Settings

FRONT = b"<!doctype html><title>Tilery</title><script type=module src=/assets/index-4f2a.js></script>" + b"<p>" * 100
SCRIPT = b"export const tiles = 'tiles';\n" * 6000
PICTURE = os.urandom(3000)  # cannot be made smaller
FILES = {
    "index.html": FRONT,
    "assets/index-4f2a.js": SCRIPT,
    "assets/index-9b1c.css": b"main { color: black }\n" * 20,
    "assets/tap-77aa.mp3": PICTURE,
    "assets/letters-1a2b.woff2": PICTURE,
    "sw.js": b"self.addEventListener('fetch', () => {})\n" * 5,
    "manifest.webmanifest": b'{"name": "Tilery", "icons": []}' * 5,
    "icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>" * 9,
    "icon-192.png": PICTURE,
    "robots.txt": b"User-agent: *\n",
    "strange.tiles": b"what is this",
}
KINDS = {
    "/": "text/html; charset=utf-8",
    "/index.html": "text/html; charset=utf-8",
    "/assets/index-4f2a.js": "text/javascript; charset=utf-8",
    "/assets/index-9b1c.css": "text/css; charset=utf-8",
    "/assets/tap-77aa.mp3": "audio/mpeg",
    "/assets/letters-1a2b.woff2": "font/woff2",
    "/sw.js": "text/javascript; charset=utf-8",
    "/manifest.webmanifest": "application/manifest+json",
    "/icon.svg": "image/svg+xml",
    "/icon-192.png": "image/png",
    "/robots.txt": "text/plain; charset=utf-8",
    "/strange.tiles": "application/octet-stream",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A web client as the build writes it."""
    page = tmp_path / "static"
    for name, data in {**FILES, "built": b"c0ffee\n"}.items():
        (page / name).parent.mkdir(parents=True, exist_ok=True)
        (page / name).write_bytes(data)
    return page


def visit(
    folder: Path,
    story: Callable[[httpx.AsyncClient], Awaitable[None]],
    settings: Settings = WIDE,
    page: WebClient | None = None,
) -> World:
    """Open a server with a web client, and run the story."""

    async def in_world(world: World) -> None:
        world.app = make_app(world.context, world.log, web_client=page or read_web_client(folder))
        async with world.client() as client:
            client.headers["accept-encoding"] = "identity"
            await story(client)

    return run(folder.parent, in_world, settings)


def test_every_file_is_served_with_its_media_type(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for path, kind in KINDS.items():
            response = await client.get(path)
            assert response.status_code == 200, path
            assert response.content == FILES[path[1:] or "index.html"], path
            assert response.headers["content-type"] == kind
            assert response.headers["content-length"] == str(len(response.content))
            assert response.headers["content-security-policy"] == POLICY
            assert response.headers["x-content-type-options"] == "nosniff"
            for name in response.headers:
                assert len(response.headers.get_list(name)) == 1, name

    visit(folder, story)


def test_files_with_a_hash_are_immutable_and_all_others_are_revalidated(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for path in KINDS:
            kept = (await client.get(path)).headers["cache-control"]
            assert kept == ("public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-cache"), path

    visit(folder, story)


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_cached_file_gets_304(encoding: str, folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        client.headers["accept-encoding"] = encoding
        for path in KINDS:
            first = await client.get(path)
            tag = first.headers["etag"]
            assert re.fullmatch(r'"[0-9a-f]{32}"', tag)
            for known_tag in (tag, f"W/{tag}", f'"other", {tag}', "*"):
                for method in ("GET", "HEAD"):
                    again = await client.request(method, path, headers={"if-none-match": known_tag})
                    assert (again.status_code, again.content) == (304, b""), (path, known_tag)
                    for name in ("etag", "cache-control", "vary"):
                        assert again.headers.get(name) == first.headers.get(name)
                    assert "content-type" not in again.headers
            for known_tag in ('"other"', tag.strip('"'), ""):
                assert (await client.get(path, headers={"if-none-match": known_tag})).status_code == 200

    visit(folder, story)


def test_a_changed_file_has_another_tag(folder: Path) -> None:
    before = read_web_client(folder).index.plain.tag
    (folder / "index.html").write_bytes(FRONT + b"!")
    assert read_web_client(folder).index.plain.tag != before


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("deflate, gzip;q=0.5, br", True),
        ("br , gzip ; q=1.0", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("gzip;q=0.001", True),
        ("br, deflate", False),
        ("x-gzip-not", False),
        ("", False),
    ],
)
def test_files_are_compressed_if_the_client_accepts_it(accepted: str, is_packed: bool, folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        client.headers["accept-encoding"] = accepted
        for path in ("/", "/assets/index-4f2a.js", "/icon.svg"):
            response = await client.get(path)
            whole = FILES[path[1:] or "index.html"]
            assert response.content == whole
            assert response.headers["vary"] == "accept-encoding"
            assert (response.headers.get("content-encoding") == "gzip") == is_packed
            assert (int(response.headers["content-length"]) < len(whole)) == is_packed
        picture = await client.get("/icon-192.png")
        assert picture.content == PICTURE
        assert not {"content-encoding", "vary"} & set(picture.headers)

    visit(folder, story)


def test_both_encodings_are_the_same_file_with_different_tags(folder: Path) -> None:
    file = read_web_client(folder).files["/assets/index-4f2a.js"]
    assert file.gzipped
    assert gzip.decompress(b"".join(file.gzipped.chunks)) == b"".join(file.plain.chunks) == SCRIPT
    assert file.gzipped.tag != file.plain.tag
    assert [len(piece) for piece in file.plain.chunks] == [CHUNK, CHUNK, len(SCRIPT) - 2 * CHUNK]


def test_head_has_the_same_headers_without_the_file(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for path in (*KINDS, "/watch", "/nothing"):
            whole, head = await client.get(path), await client.head(path)
            assert head.content == b""
            assert (head.status_code, head.headers) == (whole.status_code, whole.headers)

    visit(folder, story)


def test_every_route_of_the_web_client_serves_its_index(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        known = [
            "/",
            "/t/k7vq2m9xwp3d",
            "/t/k7vq2m9xwp3d/",
            "/learn/azul",
            "/rules/schokoly",
            "/new/azul",
            "/watch?a=b.c",
        ]
        for path in (*known, *(f"/{word}" for word in ROUTES), *(f"/{word}/" for word in ROUTES)):
            response = await client.get(path)
            assert (response.status_code, response.content) == (200, FRONT), path
            assert response.headers["cache-control"] == "no-cache"
        for path in ("/nothing", "/t", "/t/", "/t/short", "/t/K7VQ2M9XWP3D", "/t/a/b", "/apis", "/built", "//watch"):
            response = await client.get(f"http://test{path}")
            assert (response.status_code, response.content) == (404, FRONT), path
            known_already = await client.get(f"http://test{path}", headers={"if-none-match": "*"})
            assert known_already.status_code == 404, path

    visit(folder, story)


def test_other_paths_are_passed_on(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for path in ("/none.js", "/assets", "/assets/", "/assets/none", "/assets/none.js", "/.env", "/learn/x.html"):
            response = await client.get(path)
            assert (response.status_code, response.json()["error"]["kind"]) == (404, "not-found"), path
            assert response.headers.get("cache-control") != "public, max-age=31536000, immutable"
        assert (await client.get("/api/nothing")).json()["error"]["kind"] == "not-found"
        assert (await client.get("/healthz")).text == "ok\n"
        assert (await client.get("/readyz")).text == "ready\n"
        assert "tilery_requests_total" in (await client.get("/metrics")).text
        assert (await client.get("/api/lobby")).json() == {"tables": [], "running": []}

    visit(folder, story)


SECRET = b"nobody else's business"


async def _asked_raw(app: Any, path: str) -> tuple[int, bytes]:
    """Request a path that most clients would normalise first."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "scheme": "http"}
    scope |= {"query_string": b"", "headers": [(b"host", b"test")], "client": ("127.0.0.1", 1), "http_version": "1.1"}
    await app({**scope, "root_path": "", "server": ("test", 80)}, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def test_no_path_leads_out_of_the_folder(folder: Path) -> None:
    (folder.parent / "secret.txt").write_bytes(SECRET)
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "away").symlink_to(folder.parent)
    paths = [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/../index.html",
        "/assets/..\\..\\secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        f"//{folder.parent}/secret.txt",
        f"{folder.parent}/secret.txt",
        "//secret.txt",
        "/./sw.js",
        "/link.txt",
        "/away/secret.txt",
        "/secret.txt\0.js",
        "/sw.js\0",
        "/SW.JS",
        "/sw.js/",
        "sw.js",
        "secret.txt",
        "",
        "/assets//index-4f2a.js",
        "/" + "a/" * 5000 + "sw.js",
    ]

    async def story(world: World) -> None:
        app = make_app(world.context, world.log, web_client=read_web_client(folder))
        for path in paths:
            status, body = await _asked_raw(app, path)
            assert status == 404, path[:80]
            assert SECRET not in body
            assert body == FRONT or b'"not-found"' in body
        assert await _asked_raw(app, "/sw.js") == (200, FILES["sw.js"])

    run(folder.parent, story)


def test_files_are_read_once(folder: Path) -> None:
    page = read_web_client(folder)
    (folder / "index.html").write_bytes(b"changed")
    (folder / "sw.js").unlink()
    (folder / "new.js").write_bytes(b"new")

    async def story(client: httpx.AsyncClient) -> None:
        assert (await client.get("/")).content == FRONT
        assert (await client.get("/sw.js")).content == FILES["sw.js"]
        assert (await client.get("/new.js")).status_code == 404

    visit(folder, story, page=page)


def test_the_web_client_takes_only_get_and_head(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for path in ("/", "/sw.js", "/watch"):
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                refused = await client.request(method, path)
                assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD"), path
        strange = await client.post("/", headers={"origin": "http://evil.example"})
        assert strange.status_code == 403

    visit(folder, story)


def test_the_web_client_is_served_before_fastapi_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loading = asyncio.Event()

    async def never(*_: object) -> None:
        loading.set()
        await asyncio.sleep(3600)

    monkeypatch.setattr(making._LazyApp, "__call__", never)

    async def story(client: httpx.AsyncClient) -> None:
        for path in KINDS:
            assert (await client.get(path)).status_code == 200
        assert not loading.is_set()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.get("/healthz"), 0.1)
        assert loading.is_set()

    visit(folder, story)


def test_files_do_not_count_towards_the_limit_but_unknown_paths_do(folder: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for path in [*KINDS, "/watch"] * 3:
            assert (await client.get(path)).status_code == 200
        responses = [(await client.get("/nothing")).status_code for _ in range(3)]
        assert responses == [404, 404, 429]
        assert (await client.get("/healthz")).status_code == 429
        assert (await client.get("/")).status_code == 200

    world = visit(folder, story, replace(WIDE, requests_per_second=0.001, requests_burst=2))
    assert world.context.metrics.requests == 3 * (len(KINDS) + 1) + 5
    assert world.context.metrics.requests_limited == 2


def test_the_hash_of_the_web_client_is_read(folder: Path) -> None:
    assert read_web_client(folder).hash == "c0ffee"
    (folder / "built").unlink()
    assert read_web_client(folder).hash == ""

    async def story(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/server")).json()["web_client_hash"] == "c0ffee"

    (folder / "built").write_text("c0ffee\n")
    visit(folder, story)


# Where nothing is built


@pytest.mark.parametrize("is_there", [False, True], ids=["no folder", "no index.html"])
def test_without_a_web_client_the_server_says_how_to_build_it(is_there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "static"
    if is_there:
        (folder / "assets").mkdir(parents=True)
        (folder / "assets" / "index-4f2a.js").write_bytes(SCRIPT)
    assert read_web_client(folder) is NOT_BUILT

    async def story(client: httpx.AsyncClient) -> None:
        for path in ("/", "/t/k7vq2m9xwp3d"):
            response = await client.get(path)
            assert response.status_code == 200
            assert response.headers["content-type"] == "text/html; charset=utf-8"
            assert "Programs can play here" in response.text
            assert "make page" in response.text
            assert "table server is running" in response.text
            assert "<script" not in response.text
            assert (await client.head(path)).headers == response.headers
        for path in ("/watch", "/nothing", "/assets/index-4f2a.js", "/sw.js"):
            assert (await client.get(path)).json()["error"]["kind"] == "not-found"
        assert (await client.get("/api/server")).json()["web_client_hash"] == ""

    visit(folder, story)


# What browsers may load


def test_the_content_security_policy_allows_what_the_web_client_needs() -> None:
    said = {rule.split()[0]: rule.split()[1:] for rule in POLICY.split("; ")}
    own = ("script", "style", "connect", "manifest", "worker", "font", "media")
    assert {name: said[f"{name}-src"] for name in own} == {name: ["'self'"] for name in own}
    assert said["img-src"] == ["'self'", "data:", "blob:"]
    for name in ("default-src", "base-uri", "form-action", "frame-ancestors"):
        assert said[name] == ["'none'"]
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "192.168.1.7:8000", "[::1]:8000", "tiles.local"])
def test_the_own_origin_is_known_by_any_host_of_the_server(host: str, folder: Path) -> None:
    wish = {"game": "azul", "seats": [{"kind": "me", "name": "Anna"}, {"kind": "open"}]}

    async def story(world: World) -> None:
        async with world.client(host=host, origin=f"http://{host}") as page:
            made = await page.post("/api/tables", json=wish)
            assert made.status_code == 201
            page.headers["origin"] = "http://192.168.1.8:8000"
            assert (await page.post("/api/tables", json=wish)).status_code == 403

    run(folder.parent, story, replace(WIDE, allowed_hosts="tiles.local"))
