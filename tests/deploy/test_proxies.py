"""deploy/nginx.conf and deploy/Caddyfile: understood by the programs, and in front of a real server."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.proxies import CADDY, HOST, NGINX, Proxy, nginx_command, running_caddy, running_nginx
from tests.deploy.tools import tool
from tests.ports import free_port
from tests.server.server_process import ServerProcess, start_server
from tilery.server.http.middleware import MAX_RECORD_BYTES
from tilery.server.settings import Settings

SOCKETS = 3  # of one address, for the server of these tests
CONNECTIONS = 6  # of one address, for nginx in these tests
SEATS = [{"kind": "me", "name": "Ann"}, {"kind": "open"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    running = start_server(tmp_path_factory.mktemp("server"), behind_proxy=True, max_sockets_per_address=SOCKETS)
    yield running
    running.kill()


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "nginx":
        most = Settings().max_connections_per_address
        changes = {f"limit_conn tilery_connections {most}": f"limit_conn tilery_connections {CONNECTIONS}"}
        with running_nginx(folder, server.port, changes) as running:
            yield running
    else:
        with running_caddy(folder, server.port) as running:
            yield running


@pytest.fixture(scope="module")
def table(proxy: Proxy) -> str:
    created = proxy.ask("/api/tables", {"game": "azul", "seats": SEATS})
    assert created.status == 201, created.body
    assert re.search(r"tilery-seat=\w+;.*; Secure", created.headers["set-cookie"])  # the server knows of HTTPS
    return re.search(rb'"table":"(\w+)"', created.body)[1].decode()  # type: ignore[index]


# Parsers


def test_nginx_understands_its_file(tmp_path: Path) -> None:
    command = nginx_command(tmp_path, free_port(), "127.0.0.1:8000")
    done = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_caddy_understands_its_file(tmp_path: Path) -> None:
    env = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = [tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(CADDY)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    formatted = subprocess.run([tool("caddy"), "fmt", str(CADDY)], capture_output=True, text=True, check=False)
    assert formatted.stdout == CADDY.read_text(encoding="utf-8")


# In front of a server


def test_pages_and_requests_pass(proxy: Proxy, table: str) -> None:
    assert b"<!doctype html>" in proxy.ask("/").body.lower()
    assert proxy.ask("/healthz").body == b"ok\n"
    assert proxy.ask(f"/api/tables/{table}").status == 200
    own = {"Origin": "https://tables.example.org"}  # compared with `Host`, which the proxy has to keep
    assert proxy.ask("/api/tables", {"game": "azul", "seats": SEATS}, **own).status == 201
    other = {"Origin": "https://elsewhere.example.org"}
    assert proxy.ask("/api/tables", {"game": "azul", "seats": SEATS}, **other).status == 403


def test_a_websocket_passes_in_both_directions(proxy: Proxy, table: str) -> None:
    line = proxy.line()
    assert "101 Switching Protocols" in line.shake(table, "Origin: https://tables.example.org\r\n", HOST)
    line.say(type="hello")
    line.receive("welcome")
    line.say(type="ping")
    line.receive("pong")
    line.socket.close()


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "/%6detrics", "//metrics", "/./metrics", "/metrics?x=1"])
def test_numbers_of_the_server_are_hidden(proxy: Proxy, path: str) -> None:
    response = proxy.ask(path)
    assert b"tilery_" not in response.body
    assert b"ready\n" not in response.body


def test_a_client_cannot_make_up_its_address(proxy: Proxy, table: str) -> None:
    """The server counts connections for each address: one that names another address each time is still one."""
    lines = [proxy.line("127.0.0.7") for _ in range(SOCKETS + 1)]
    heads = [line.shake(table, f"X-Forwarded-For: 10.0.0.{number}\r\n", HOST) for number, line in enumerate(lines)]
    assert ["101 " in head for head in heads] == [True] * SOCKETS + [False]
    assert "101 " in proxy.line("127.0.0.8").shake(table, host=HOST)
    for line in lines:
        line.socket.close()


def test_the_longest_record_passes_and_no_longer_body(proxy: Proxy) -> None:
    longest = proxy.ask("/api/records", b" " * MAX_RECORD_BYTES)
    assert longest.status not in (413, 502), longest.body  # an answer of the server, which cannot read it
    assert longest.headers["content-type"] == "application/json"
    assert proxy.ask("/api/records", b" " * (MAX_RECORD_BYTES + 1)).status == 413


@pytest.mark.parametrize("proxy", ["nginx"], indirect=True)  # Caddy has no such limit
def test_the_connections_of_an_address_are_limited(proxy: Proxy) -> None:
    waiting = [proxy.line("127.0.0.9") for _ in range(CONNECTIONS)]
    for line in waiting:  # the server is to read the rest of each request
        line.send(b"POST /api/records HTTP/1.1\r\nHost: tables.example.org\r\nContent-Length: 9\r\n\r\n{")
    for _ in range(100):
        if (status := proxy.ask("/healthz", address="127.0.0.9").status) == 429:
            break
    assert status == 429
    assert proxy.ask("/healthz", address="127.0.0.10").status == 200
    for line in waiting:
        line.socket.close()


def test_the_numbers_of_nginx_fit_those_of_the_server() -> None:
    text = NGINX.read_text(encoding="utf-8")
    settings = Settings()
    assert int(re.search(r"proxy_read_timeout (\d+)s;", text)[1]) > settings.idle_timeout  # type: ignore[index]
    assert int(re.search(r"limit_conn \w+ (\d+);", text)[1]) == settings.max_connections_per_address  # type: ignore[index]
    assert f"client_header_timeout {settings.header_timeout:g}s;" in text
    assert f"client_body_timeout {settings.request_timeout:g}s;" in text
    for path in (NGINX, CADDY):
        assert f"{settings.host}:{settings.port}" in path.read_text(encoding="utf-8")
