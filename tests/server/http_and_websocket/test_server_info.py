"""Server info, the addresses of a server, and QR codes."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno

import tilery
from tests.server.http_and_websocket.in_process import World, run
from tilery.server import addresses
from tilery.server.addresses import ServerAddress, lan_address
from tilery.server.app import make_app
from tilery.server.http.qr import MAX_BYTES, QUIET_ZONE, modules, qr_lines, qr_svg
from tilery.server.settings import Settings

HOME = "192.168.1.7"
LINK = f"http://{HOME}:8000/t/k7vq2m9xwp3d"


def visit(folder: Path, story: Callable[[httpx.AsyncClient], Awaitable[None]], **words: Any) -> None:
    async def in_world(world: World) -> None:
        world.app = make_app(world.context, world.log, **words)
        async with world.client() as client:
            await story(client)

    run(folder, in_world)


def test_server_info_has_the_version_the_web_client_and_the_address(tmp_path: Path) -> None:
    addresses = iter(["", f"http://{HOME}:8000"])

    async def story(client: httpx.AsyncClient) -> None:
        for public_url in ("", f"http://{HOME}:8000"):  # detected each time
            response = await client.get("/api/server")
            assert response.json() == {"version": tilery.__version__, "web_client_hash": "", "public_url": public_url}
            assert response.headers["cache-control"] == "no-store"

    visit(tmp_path, story, public_url=lambda: next(addresses))


# Where others reach it


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on a local network."""
    monkeypatch.setattr(
        addresses, "lan_address", lambda family=socket.AF_INET: HOME if family == socket.AF_INET else ""
    )
    monkeypatch.setattr(addresses, "in_a_container", lambda: False)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("host", "words", "local", "public_url"),
    [
        ("127.0.0.1", {}, "http://localhost:8000/", ""),
        ("127.0.0.2", {}, "http://127.0.0.2:8000/", ""),
        ("::1", {}, "http://[::1]:8000/", ""),
        ("0.0.0.0", {}, "http://localhost:8000/", f"http://{HOME}:8000"),
        ("0.0.0.0", {"lan": True}, "http://localhost:8000/", f"http://{HOME}:8000"),
        ("::", {}, "http://[::1]:8000/", f"http://{HOME}:8000"),
        ("10.0.0.5", {}, "http://10.0.0.5:8000/", "http://10.0.0.5:8000"),
        ("2001:db8::7", {}, "http://[2001:db8::7]:8000/", "http://[2001:db8::7]:8000"),
        ("0.0.0.0", {"behind_proxy": True}, "http://localhost:8000/", ""),
        ("127.0.0.1", {"public_url": "https://tiles.example"}, "http://localhost:8000/", "https://tiles.example"),
    ],
)
def test_the_addresses_of_a_server(host: str, words: dict[str, Any], local: str, public_url: str) -> None:
    place = ServerAddress(host, 8000, Settings(**words))
    assert (place.local, place.public_url()) == (local, public_url)


def test_a_machine_without_a_network_has_no_address_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "lan_address", lambda *_: "")
    for host in ("0.0.0.0", "::"):
        assert ServerAddress(host, 8000, Settings(lan=True)).public_url() == ""


@pytest.mark.usefixtures("at_home")
def test_in_a_container_no_address_is_reported_unless_it_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(addresses, "lan_address", lambda *_: HOME)
    monkeypatch.setattr(addresses, "_CONTAINER_FILES", (tmp_path / "sign",))
    place = ServerAddress("0.0.0.0", 8000, Settings())
    assert place.public_url() == f"http://{HOME}:8000"
    (tmp_path / "sign").touch()
    assert place.public_url() == ""
    assert ServerAddress("0.0.0.0", 8000, Settings(lan=True)).public_url() == f"http://{HOME}:8000"
    assert (
        ServerAddress("0.0.0.0", 8000, Settings(public_url="http://tiles.local")).public_url() == "http://tiles.local"
    )


class Asked:
    """A fake socket: the targets that it can reach, and its own address."""

    ways: dict[str, str]

    def __init__(self, _: int, kind: int) -> None:
        assert kind == socket.SOCK_DGRAM  # connecting sends nothing
        self._own = ""

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def setsockopt(self, *_: int) -> None:
        return

    def connect(self, target: tuple[str, int]) -> None:
        if target[0] not in self.ways:
            raise OSError(101, "Network is unreachable")
        self._own = self.ways[target[0]]

    def getsockname(self) -> tuple[str, int]:
        return self._own, 40_000


@pytest.mark.parametrize(
    ("ways", "found"),
    [
        ({"192.0.2.1": HOME}, HOME),
        ({"192.168.255.255": HOME}, HOME),
        ({"192.0.2.1": "127.0.0.1", "10.255.255.255": "10.1.2.3"}, "10.1.2.3"),
        ({"192.0.2.1": "169.254.7.7"}, ""),
        ({"192.0.2.1": "0.0.0.0"}, ""),
        ({}, ""),
    ],
)
def test_the_system_is_asked_which_address_it_would_use(
    ways: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Asked, "ways", ways, raising=False)
    monkeypatch.setattr(socket, "socket", Asked)
    assert lan_address() == found


def test_the_detected_address_is_valid_or_empty() -> None:
    assert re.fullmatch(r"(\d+\.){3}\d+|", lan_address())
    assert re.fullmatch(r"[0-9a-f:]*", lan_address(socket.AF_INET6))


# Codes


def test_a_qr_code_has_the_modules_of_the_standard_and_a_quiet_zone() -> None:
    code = segno.make(LINK, error="m", micro=False)
    rows = modules(LINK)
    assert len(rows) == len(rows[0]) == 17 + 4 * int(code.version) + 2 * QUIET_ZONE == 29 + 8
    for at in (*range(QUIET_ZONE), *range(-QUIET_ZONE, 0)):
        assert not any(rows[at])
        assert not any(row[at] for row in rows)
    finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    last = len(rows) - QUIET_ZONE - 7
    for top, left in ((QUIET_ZONE, QUIET_ZONE), (QUIET_ZONE, last), (last, QUIET_ZONE)):
        seen = ["".join(".#"[dark] for dark in row[left : left + 7]) for row in rows[top : top + 7]]
        assert seen == finder
    assert [row[QUIET_ZONE:-QUIET_ZONE] for row in rows[QUIET_ZONE:-QUIET_ZONE]] == [
        [bool(dark) for dark in row] for row in code.matrix
    ]


def test_the_svg_has_the_same_modules_black_on_white() -> None:
    rows = modules(LINK)
    picture = qr_svg(LINK)
    assert f'viewBox="0 0 {len(rows)} {len(rows)}"' in picture
    assert 'shape-rendering="crispEdges"' in picture
    white, black = re.findall(r'<path fill="(#\w+)" d="([^"]*)"/>', picture)
    assert white == ("#fff", f"M0 0h{len(rows)}v{len(rows)}h-{len(rows)}z")
    assert black[0] == "#000"
    painted = [[False] * len(rows) for _ in rows]
    for x, y, width, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", black[1]):
        assert width == back
        for at in range(int(x), int(x) + int(width)):
            assert not painted[int(y)][at]
            painted[int(y)][at] = True
    assert painted == rows
    assert re.sub(r"M\d+ \d+h\d+v1h-\d+z", "", black[1]) == ""


@pytest.mark.parametrize("inverse", [False, True])
def test_the_text_has_the_same_modules_two_to_a_character(inverse: bool) -> None:
    rows = modules(LINK)
    lines = qr_lines(LINK, inverse=inverse)
    assert len(lines) == (len(rows) + 1) // 2
    for y, row in enumerate(rows):
        inked = "█▀" if y % 2 == 0 else "█▄"
        assert [(mark in inked) != inverse for mark in lines[y // 2]] == row


def test_the_endpoint_of_qr_codes(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for text in (LINK, "x", " ", "12345", "Привіт, столе!", "<&\">'", "x" * MAX_BYTES, "😀" * (MAX_BYTES // 4)):
            response = await client.get("/api/qr", params={"text": text})
            assert response.status_code == 200
            assert response.headers["content-type"] == "image/svg+xml"
            assert response.text == qr_svg(text)
            assert re.fullmatch(r"[ -~\n]+", response.text)
        too_long = ("x" * (MAX_BYTES + 1), "😀" * (MAX_BYTES // 4 + 1))
        for query in ("", "?text=", *(f"?text={text}" for text in too_long), "?other=x"):
            response = await client.get(f"/api/qr{query}")
            assert (response.status_code, response.json()["error"]["kind"]) == (422, "not-understood"), query
        assert (await client.get("/api/qr?text=%ff%fe%00")).status_code == 200

    visit(tmp_path, story)


def test_the_qr_package_is_not_loaded_with_the_server() -> None:
    code = "import sys, tilery.server.run, tilery.server.http.app; print('segno' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
