"""The proxies of deploy/, run without root on free ports in front of a real server.

Only what depends on the machine is replaced: ports, certificates and the name of the host.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.deploy.tools import tool
from tests.ports import free_port
from tests.server.http_and_websocket.raw_websocket import Line

TIMEOUT = 30.0
NGINX = ROOT / "deploy" / "nginx.conf"
CADDY = ROOT / "deploy" / "Caddyfile"
HOST, SERVER = "tables.example.org", "127.0.0.1:8000"


def replaced(text: str, changes: dict[str, str]) -> str:
    """A text with some parts replaced, each of which it must contain."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@dataclass
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Proxy:
    """A running proxy, and clients of it from different addresses of this machine (127.0.0.N)."""

    port: int
    tls: bool
    opened: ExitStack = field(default_factory=ExitStack)

    def _connect(self, address: str) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), TIMEOUT, source_address=(address, 0))
        if self.tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            connection = context.wrap_socket(connection, server_hostname=HOST)
        return connection

    def ask(self, path: str, body: Any = None, address: str = "127.0.0.1", **headers: str) -> Response:
        """One request, a POST if it has a body; bytes are sent as they are."""
        connection = http.client.HTTPConnection(HOST, timeout=TIMEOUT)
        connection.sock = self._connect(address)
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request("GET" if body is None else "POST", path, sent, {"Host": HOST} | headers)
            got = connection.getresponse()
            return Response(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            connection.close()

    def line(self, address: str = "127.0.0.1") -> Line:
        """A connection of plain bytes, closed with the proxy."""
        return Line(self.opened.enter_context(self._connect(address)))


@contextmanager
def listening(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a proxy that listens on a port."""
    # Its own folders, also for what Caddy would keep in the user's home.
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    log = folder / "output"
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output, env=env) as process:
        try:
            end = time.monotonic() + TIMEOUT
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert process.poll() is None, log.read_text()
                    assert time.monotonic() < end, log.read_text()
                    time.sleep(0.05)
            yield
        finally:
            process.terminate()


@contextmanager
def _running(command: list[str], proxy: Proxy, folder: Path) -> Iterator[Proxy]:
    with listening(command, proxy.port, folder), proxy.opened:
        yield proxy


def nginx_with(folder: Path, site: str) -> list[str]:
    """The command that runs nginx with this as its only site."""
    (folder / "site.conf").write_text(site, encoding="utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""  # else the workers could not use the folder
    (folder / "nginx.conf").write_text(
        f"daemon off; {user} pid {folder}/pid; worker_processes 1; events {{ worker_connections 512; }}\n"
        f"http {{ access_log off; {temporary} include {folder}/site.conf; }}\n",
        encoding="utf-8",
    )
    return [tool("nginx"), "-p", str(folder), "-e", str(folder / "errors"), "-c", str(folder / "nginx.conf")]


def caddy_with(folder: Path, site: str) -> list[str]:
    """The command that runs Caddy with this site."""
    path = folder / "Caddyfile"
    path.write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site, encoding="utf-8")
    return [tool("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"]


def nginx_command(folder: Path, port: int, server: str, **changes: str) -> list[str]:
    """nginx with deploy/nginx.conf as its only site, on a port, with a certificate made for this."""
    key, certificate = folder / "tables.key", folder / "tables.pem"
    make = [tool("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    make += ["-subj", f"/CN={HOST}", "-days", "2", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    site = replaced(
        NGINX.read_text(encoding="utf-8"),
        {
            "listen 80;": f"listen 127.0.0.1:{free_port()};",
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "    listen [::]:80;\n": "",  # not every machine has IPv6
            "    listen [::]:443 ssl;\n": "",
            "/etc/ssl/tables.pem": str(certificate),
            "/etc/ssl/tables.key": str(key),
            SERVER: server,
        }
        | changes,
    )
    return nginx_with(folder, site)


@contextmanager
def running_nginx(folder: Path, server_port: int, changes: dict[str, str]) -> Iterator[Proxy]:
    proxy = Proxy(free_port(), tls=True)
    command = nginx_command(folder, proxy.port, f"127.0.0.1:{server_port}", **changes)
    with _running(command, proxy, folder) as running:
        yield running


@contextmanager
def running_caddy(folder: Path, server_port: int) -> Iterator[Proxy]:
    """Caddy with deploy/Caddyfile, without HTTPS: it would ask for a certificate on the internet."""
    proxy = Proxy(free_port(), tls=False)
    site = replaced(
        CADDY.read_text(encoding="utf-8"),
        {f"\n{HOST} {{": f"\nhttp://{HOST}:{proxy.port} {{", SERVER: f"127.0.0.1:{server_port}"},
    )
    with _running(caddy_with(folder, site), proxy, folder) as running:
        yield running
