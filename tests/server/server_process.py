"""The real server in a subprocess."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.ports import free_port

TIMEOUT = 120.0  # seconds, for what should take a few; the machine may be busy
GENEROUS = {
    "requests_per_second": 100_000,
    "requests_burst": 100_000,
    "cpu_per_second": 1000,
    "cpu_burst": 1000,
    "tables_per_hour": 100_000,
    "public_tables_per_address": 10_000,
    "seats_per_hour": 100_000,
    "commands_per_second": 10_000,
    "commands_burst": 10_000,
    "stored_bytes_per_hour": 1_000_000_000,
    "messages_per_second": 10_000,
    "messages_burst": 10_000,
    "max_sockets": 1_000,  # for which few files are enough
    "max_sockets_per_address": 10_000,
    "max_connections_per_address": 10_000,
}
_OPEN = re.compile(r"Tables are open at http://localhost:(\d+)/")


@dataclass
class ServerProcess:
    """A running server."""

    folder: Path
    settings: dict[str, object]
    process: subprocess.Popen[bytes] = field(init=False)
    port: int = field(default_factory=free_port)  # the same after a restart

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://localhost:{self.port}"

    @property
    def database(self) -> Path:
        return self.folder / "t.db"

    def start(self) -> ServerProcess:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "tilery", "serve", "--port", str(self.port)]
        if "database" not in self.settings:
            command += ["--database", str(self.database)]
        begins = len(self.said())
        with (self.folder / "out").open("ab") as out, (self.folder / "errors").open("ab") as errors:
            self.process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment(self.settings))
        end = time.monotonic() + TIMEOUT
        while not (found := _OPEN.search(self.said(), begins)):
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise AssertionError(f"the server did not start: {self.logged()[-2000:]}")
            time.sleep(0.05)
        self.port = int(found[1])
        return self

    def said(self) -> str:
        """Its output so far."""
        out = self.folder / "out"
        return out.read_text("utf-8") if out.exists() else ""

    def logged(self) -> str:
        """Its log so far."""
        return (self.folder / "errors").read_text("utf-8")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send SIGTERM; returns the exit code."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end; returns the exit code."""
        return self.process.wait(TIMEOUT)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        """Kill it and start it again, with the same store and port."""
        self.kill()
        self.start()

    def memory(self) -> int:
        """Its resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def environment(settings: dict[str, object]) -> dict[str, str]:
    """Environment variables for settings."""
    return {**os.environ, **{f"TILERY_{name.upper()}": str(value) for name, value in settings.items()}}


def start_server(folder: Path, **settings: object) -> ServerProcess:
    """Start a server with its store and its log in a folder; settings by name, with high limits."""
    folder.mkdir(parents=True, exist_ok=True)
    return ServerProcess(folder, {**GENEROUS, **settings}).start()
