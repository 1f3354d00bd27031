"""The real server in a process of its own, as somebody would start it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 120.0  # seconds, for what should take a few; the machine may be busy
GENEROUS = {
    "requests_per_second": 100_000,
    "requests_at_once": 100_000,
    "tables_per_hour": 100_000,
    "messages_per_second": 10_000,
    "messages_at_once": 10_000,
    "sockets_per_address": 10_000,
}
_OPEN = re.compile(r"Tables are open at http://localhost:(\d+)/")


@dataclass
class Running:
    """A server that runs."""

    folder: Path
    settings: dict[str, object]
    process: subprocess.Popen[bytes] = field(init=False)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://localhost:{self.port}"

    @property
    def database(self) -> Path:
        return self.folder / "t.db"

    def start(self) -> Running:
        """Begin, and wait until the doors are open."""
        command = [sys.executable, "-m", "tilery", "serve", "--port", str(self.port), "--database", str(self.database)]
        begins = len(self.said())
        with (self.folder / "out").open("ab") as out, (self.folder / "errors").open("ab") as errors:
            self.process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment(self.settings))
        end = time.monotonic() + PATIENCE
        while not (found := _OPEN.search(self.said(), begins)):
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise AssertionError(f"the server did not start: {self.logged()[-2000:]}")
            time.sleep(0.05)
        self.port = int(found[1])
        return self

    def said(self) -> str:
        """What it has printed so far."""
        out = self.folder / "out"
        return out.read_text("utf-8") if out.exists() else ""

    def logged(self) -> str:
        """What it has logged so far."""
        return (self.folder / "errors").read_text("utf-8")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop; returns the exit code."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end; returns the exit code."""
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it without a word."""
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        """Kill it and start it anew, with the same store at the same port."""
        self.kill()
        self.start()

    def memory(self) -> int:
        """Bytes in memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def environment(settings: dict[str, object]) -> dict[str, str]:
    """Variables that say the settings."""
    return {**os.environ, **{f"TILERY_{name.upper()}": str(value) for name, value in settings.items()}}


def start_server(folder: Path, **settings: object) -> Running:
    """A server with its store and its logs in a folder; settings by name, all limits wide."""
    folder.mkdir(parents=True, exist_ok=True)
    return Running(folder, {**GENEROUS, **settings}).start()
