"""Clients with several addresses: on Linux, all of 127.0.0.0/8 is this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.server.http_and_websocket.clients import TIMEOUT
from tests.server.http_and_websocket.raw_websocket import Line
from tests.server.server_process import ServerProcess

ATTACKER, NEWCOMER = "127.0.0.2", "127.0.0.3"


def connect(server: ServerProcess, address: str) -> socket.socket:
    """A connection from an address."""
    opened = socket.socket()
    opened.settimeout(TIMEOUT)
    opened.bind((address, 0))
    opened.connect(("127.0.0.1", server.port))
    return opened


@contextmanager
def lines(server: ServerProcess, address: str, number: int) -> Iterator[list[Line]]:
    """Connections from an address that have sent nothing yet."""
    with ExitStack() as stack:
        yield [Line(stack.enter_context(closing(connect(server, address)))) for _ in range(number)]


def client(server: ServerProcess, address: str) -> httpx.Client:
    """A client for requests from an address."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=f"http://127.0.0.1:{server.port}", transport=transport, timeout=TIMEOUT)


def kind_of(response: httpx.Response) -> tuple[int, str]:
    """The status and the code of a refusal; 2xx has no code."""
    return response.status_code, "" if response.is_success else response.json()["error"]["code"]


def metric(server: ServerProcess, name: str) -> int:
    """A number of /metrics."""
    with client(server, "127.0.0.9") as monitoring:
        text = monitoring.get("/metrics").text
    return int(text.partition(f"\ntilery_{name} ")[2].split()[0])


def cpu_seconds(server: ServerProcess) -> float:
    """The CPU time that the server process has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_files(server: ServerProcess) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def command(kind: str, number: object, **words: Any) -> dict[str, Any]:
    """A command with its id."""
    return {"type": kind, "id": f"{kind}-{number}", "step": 0} | words
