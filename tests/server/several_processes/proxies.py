"""The configurations of deploy/ for several processes, run by the real nginx and the real Caddy without TLS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import ROOT
from tests.deploy.proxies import HOST, caddy_with, listening, nginx_with, replaced
from tests.ports import free_port
from tests.server.server_process import ServerProcess


def _site(file: str, processes: list[ServerProcess], **changes: str) -> str:
    """A configuration with the ports of these processes."""
    ports = {f":{8001 + index}": f":{process.port}" for index, process in enumerate(processes)}
    return replaced((ROOT / "deploy" / file).read_text("utf-8"), ports | changes)


def nginx_command(folder: Path, port: int, processes: list[ServerProcess]) -> list[str]:
    """The command that runs nginx with deploy/nginx-several.conf."""
    site = _site("nginx-several.conf", processes, **{"listen 443 ssl;": f"listen 127.0.0.1:{port};"})
    return nginx_with(folder, re.sub(r" *ssl_certificate.*;\n", "", site))


def caddy_command(folder: Path, port: int, processes: list[ServerProcess]) -> list[str]:
    """The command that runs Caddy with deploy/Caddyfile-several."""
    place = f"http://localhost:{port} {{\n\tbind 127.0.0.1"
    return caddy_with(folder, _site("Caddyfile-several", processes, **{f"{HOST} {{": place}))


COMMANDS = {"nginx": nginx_command, "caddy": caddy_command}


@contextmanager
def running_proxy(kind: str, folder: Path, processes: list[ServerProcess]) -> Iterator[int]:
    """A running proxy; yields its port."""
    port = free_port()
    with listening(COMMANDS[kind](folder, port, processes), port, folder):
        yield port
