"""Attacks on who belongs where: DNS rebinding, pages of other origins, and handshakes that are not understood."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.http_and_websocket.raw_websocket import KEY, line
from tests.server.server_process import ServerProcess, start_server

ALLOWED, FOREIGN = "https://tiles.example.org", "https://evil.example"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with names and origins of its own."""
    running = start_server(
        tmp_path_factory.mktemp("server"),
        allowed_hosts="Tables.Lan, games.example.",
        allowed_origins=ALLOWED,
        public_url="http://tables.example.org:8000",
    )
    yield running
    running.kill()


def ask(server: ServerProcess, head: str) -> str:
    """The response to a request, of which the connection header is not given."""
    with line(server) as opened:
        opened.send(f"{head}Connection: close\r\n\r\n".encode("latin-1"))
        return opened.rest().decode()


NAMES = [
    "localhost",
    "LOCALHOST:8000",
    "localhost.",
    "localhost.:80",
    "127.0.0.1",
    "127.0.0.1:9",
    "192.168.1.7:8000",
    "[::1]",
    "[::1]:8000",
    "[FE80::1]:8000",
    "tables.lan",
    "TABLES.lan:8000",
    "tables.lan.",
    "games.example",
    "tables.example.org",
    "tables.example.org:1234",
    socket.gethostname(),
    f"{socket.gethostname().partition('.')[0].upper()}.local:8000",
]
OTHERS = [
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "evil.localhost",
    "127.0.0.1.evil.example",
    "127.1",
    "2130706433",
    "tables.lan..",
    "lan",
    "x.tables.lan",
    "tables.lan@evil.example",
    "evil.example:80@tables.lan",
    "localhost:evil.example",
    "[::1",
    "[::1]x",
    "[evil.example]",
    "[127.0.0.1]",
    "::1",
    "tables.lan, evil.example",
    "*",
    "[]",
    ".",
    "\xe9vil",
]


@pytest.mark.parametrize("host", NAMES)
def test_names_of_the_server_are_answered(host: str, server: ServerProcess) -> None:
    assert ask(server, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n").startswith("HTTP/1.1 200 ")
    with line(server) as opened:
        assert " 403 " in opened.shake("none", host=host)  # there is no such path


@pytest.mark.parametrize("host", OTHERS)
@pytest.mark.parametrize("path", ["/", "/healthz", "/api/lobby", "/assets/none.js"])
def test_other_names_are_refused_because_of_dns_rebinding(host: str, path: str, server: ServerProcess) -> None:
    answer = ask(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n")
    assert answer.startswith(("HTTP/1.1 421 ", "HTTP/1.1 400 ")), answer  # h11 refuses what is no Host at all
    if " 421 " in answer:
        assert '"wrong-host"' in answer
        assert "allowed_hosts" in answer


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example"])
def test_a_page_of_a_rebound_name_reaches_neither_tables_nor_sockets(host: str, server: ServerProcess) -> None:
    """To the browser, the page and this server have the same origin."""
    with httpx.Client(base_url=server.url, headers={"host": host, "origin": f"http://{host}"}) as page:
        made = page.post("/api/tables", json={"game": "azul", "seats": [{"kind": "me", "name": "Eve"}] * 2})
        assert made.status_code == 421
    with httpx.Client(base_url=server.url) as anna:
        seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]
        table = anna.post("/api/tables", json={"game": "azul", "seats": seats}).json()["table"]
    with line(server) as opened:
        head = opened.shake(table, f"Origin: http://{host}\r\n", host=host)
        assert head.startswith("HTTP/1.1 421 Misdirected Request")
        assert b"allowed_hosts" in opened.rest()


def test_a_request_has_one_host_or_is_no_browsers(server: ServerProcess) -> None:
    two = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n"
    assert ask(server, two).startswith("HTTP/1.1 400 ")
    assert ask(server, "GET /healthz HTTP/1.1\r\n").startswith("HTTP/1.1 400 ")
    assert ask(server, "GET /healthz HTTP/1.0\r\n").startswith("HTTP/1.1 200 ")  # a monitor, not a browser
    assert ask(server, "GET /healthz HTTP/1.0\r\nHost: evil.example\r\n").startswith("HTTP/1.1 421 ")


def test_a_target_with_a_host_of_its_own_gets_nothing(server: ServerProcess) -> None:
    for target in ("http://evil.example", f"http://localhost:{server.port}", "https://evil.example"):
        for path in ("/healthz", "/api/lobby", "/metrics"):
            answer = ask(server, f"GET {target}{path} HTTP/1.1\r\nHost: localhost\r\n")
            assert answer.startswith("HTTP/1.1 404 "), answer


def test_behind_a_proxy_hosts_are_checked_if_they_are_known(tmp_path: Path) -> None:
    head = "GET /healthz HTTP/1.1\r\nHost: {}\r\n"
    server = start_server(tmp_path, behind_proxy=True)
    try:
        assert " 200 " in ask(server, head.format("whatever.example"))
        server.settings["public_url"] = "https://tables.example.org"
        server.restart()
        assert " 421 " in ask(server, head.format("whatever.example"))
        assert " 200 " in ask(server, head.format("tables.example.org"))
        server.settings["allowed_hosts"] = "*"
        server.restart()
        assert " 200 " in ask(server, head.format("whatever.example"))
    finally:
        server.kill()


def test_pages_of_allowed_origins_can_use_the_api(server: ServerProcess) -> None:
    with httpx.Client(base_url=server.url, headers={"origin": ALLOWED}) as page:
        asked = {
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,content-type",
        }
        for path in ("/api/tables", "/api/tables/k7vq2m9xwp3d/commands"):
            preflight = page.options(path, headers=asked)
            assert (preflight.status_code, preflight.content) == (204, b"")
            assert preflight.headers["access-control-allow-origin"] == ALLOWED
            assert preflight.headers["access-control-allow-methods"] == "GET, POST"
            assert preflight.headers["access-control-allow-headers"] == "authorization, content-type"
            assert "origin" in preflight.headers["vary"]
        seats = [{"kind": "me", "name": "Anna"}, {"kind": "bot", "bot": "random"}]
        made = page.post("/api/tables", json={"game": "azul", "seats": seats})
        table, token = made.json()["table"], made.json()["token"]
        bearer = {"authorization": f"Bearer {token}"}
        responses = [
            made,
            page.get("/api/lobby"),
            page.get(f"/api/tables/{table}/replay", headers=bearer),
            page.get("/api/tables/nosuchtable1"),
            page.get("/api/tables/x"),
        ]
        assert page.get(f"/api/tables/{table}", headers=bearer).json()["you"] == [0]
    for response in responses:
        assert response.headers["access-control-allow-origin"] == ALLOWED
        assert "access-control-allow-credentials" not in response.headers  # cookies are for the web client
        assert "origin" in [part.strip() for part in response.headers["vary"].split(",")]
        assert len(response.headers.get_list("vary")) == 1
    with line(server) as opened:
        assert " 101 " in opened.shake(table, f"Origin: {ALLOWED}\r\n")


def test_pages_of_other_origins_cannot(server: ServerProcess) -> None:
    asked = {"access-control-request-method": "POST"}
    for origin in (FOREIGN, "null", f"{ALLOWED}.evil.example", "http://tiles.example.org", f"{ALLOWED}:8443", "*"):
        with httpx.Client(base_url=server.url, headers={"origin": origin}) as page:
            assert page.options("/api/tables", headers=asked).status_code == 403
            for response in (
                page.options("/api/tables", headers=asked),
                page.get("/api/lobby"),
                page.post("/api/tables"),
            ):
                assert not [name for name in response.headers if name.startswith("access-control")]
                assert "origin" in response.headers["vary"]  # nobody's copy of a response is given to another
    with httpx.Client(base_url=server.url) as client:
        assert "access-control-allow-origin" not in client.get("/api/lobby").headers
        assert "access-control-allow-origin" not in client.get("/healthz", headers={"origin": ALLOWED}).headers


@pytest.mark.parametrize(
    ("more", "status"),
    [
        (KEY, 426),
        (KEY + "Sec-WebSocket-Version: 8\r\n", 426),
        (KEY + "Sec-WebSocket-Version: 14\r\n", 426),
        (KEY + "Sec-WebSocket-Version: 13, 8\r\n", 426),
        (KEY + "Sec-WebSocket-Version:\r\n", 426),
        ("Sec-WebSocket-Version: 13\r\n", 400),
        ("Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n", 400),
        (KEY + "Sec-WebSocket-Version: 13\r\nOrigin: https://evil.example\r\n", 403),
    ],
)
def test_a_rejected_handshake_says_which_version_is_spoken(more: str, status: int, server: ServerProcess) -> None:
    head = "GET /api/tables/k7vq2m9xwp3d/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    with line(server) as opened:
        opened.send(f"{head}Connection: Upgrade\r\n{more}\r\n".encode())
        answer = opened.rest().decode().lower().split("\r\n")
    assert answer[0].startswith(f"http/1.1 {status} ")
    assert "sec-websocket-version: 13" in answer
    assert ("upgrade: websocket" in answer) is (status == 426)


LIKE_BOTS = [
    "greedy",
    "Greedy",
    "GR\u0415EDY",
    "Level 3",
    "level-14",
    "Tilery@500ms",
    "\U0001d42b\U0001d41a\U0001d427\U0001d41dom",
]


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "An\u034fna", "\u0410nna", *LIKE_BOTS], ids=ascii)
def test_misleading_names_are_refused_in_words_that_say_what_to_do(name: str, server: ServerProcess) -> None:
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]
    with httpx.Client(base_url=server.url) as anna, httpx.Client(base_url=server.url) as eve:
        made = anna.post(
            "/api/tables", json={"game": "azul", "seats": [{"kind": "me", "name": name}, {"kind": "open"}]}
        )
        table = anna.post("/api/tables", json={"game": "azul", "seats": seats}).json()["table"]
        sat = eve.post(f"/api/tables/{table}/seat", json={"name": name})
        for response in (made, sat):
            assert response.status_code == 400
            error = response.json()["error"]
            assert error["code"] in ("forbidden-character", "mixed-scripts", "name-of-bot")
            assert name not in LIKE_BOTS or error["code"] in ("mixed-scripts", "name-of-bot")
        taken = eve.post(f"/api/tables/{table}/seat", json={"name": "A N N A"}).json()["error"]
        assert (taken["code"], taken["arguments"]) == ("name-taken", {"text": "A N N A"})
        assert eve.post(f"/api/tables/{table}/seat", json={"name": "Eve"}).status_code == 201
