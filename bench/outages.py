"""Outages of a server, at random moments: it is killed, frozen, or its disk gets full. They are written to a log."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.load import memory, start_server
from bench.returning import ReturningLoad

KINDS = ("freeze", "freeze", "full disk", "kill")
RECOVERY = 10.0  # seconds after an outage that count as part of it, for the latencies
SAMPLE = 5.0  # seconds between two measurements of the memory
FREE_DISK = 300, 30  # megabytes, and for each minute
BEGAN = time.perf_counter()


@dataclass
class Outages:
    """Kills, freezes and full disks, at random moments."""

    load: ReturningLoad
    database: Path
    random: random.Random
    on_tmpfs: bool
    log: Any
    process: subprocess.Popen[str] = field(init=False)
    port: int = 0
    started: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    windows: list[tuple[float, float]] = field(default_factory=list)
    memories: list[tuple[float, float, int]] = field(default_factory=list)  # when, since the start, megabytes

    def start_server(self) -> None:
        with (self.database.parent.parent / "errors").open("a") as errors:
            self.process, self.port = start_server(str(self.database), port=self.port, log=errors)
        self.started = time.perf_counter()

    def note(self, what: str, **words: object) -> None:
        line = {"second": round(time.perf_counter() - BEGAN, 1), "what": what, **words}
        self.log.write(json.dumps(line) + "\n")
        self.log.flush()

    async def watch(self) -> None:
        """Measure the memory all the time, and note what must not happen."""
        noted = 0
        while True:
            for trouble in self.load.trouble[noted:]:
                self.note("trouble", **trouble)
            noted = len(self.load.trouble)
            with contextlib.suppress(OSError, KeyError):
                now, used = time.perf_counter(), memory(self.process.pid)["now"]
                self.memories.append((now, now - self.started, used))
                self.note("memory", megabytes=used, uptime=round(now - self.started), moves=len(self.load.replies))
            await asyncio.sleep(SAMPLE)

    async def run(self, seconds: float, every: float) -> None:
        """At least one of each kind; no kills in the last third."""
        began = time.perf_counter()
        first = list(dict.fromkeys(KINDS))
        self.random.shuffle(first)
        while True:
            await asyncio.sleep(self.random.uniform(0.5, 1.5) * every)
            now = time.perf_counter() - began
            if now > seconds * 0.9:
                return
            kinds = [kind for kind in KINDS if kind != "kill" or now < seconds * 2 / 3]
            kind = first.pop() if first else self.random.choice(kinds)
            self.counts[kind] += 1
            start = time.perf_counter()
            await {"kill": self.kill, "freeze": self.freeze, "full disk": self.fill}[kind]()
            end = time.perf_counter()
            self.windows.append((start, end + RECOVERY))
            self.note(kind, seconds=round(end - start, 2), errors=len(self.load.errors))

    async def kill(self) -> None:
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        await asyncio.to_thread(self.start_server)

    async def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(2.0, 15.0))
        self.process.send_signal(signal.SIGCONT)

    async def fill(self) -> None:
        """No room until a move has failed, and some seconds more."""
        unavailable = self.load.counts["unavailable"]
        with self._no_room():
            for _ in range(200):
                await asyncio.sleep(0.2)
                if self.load.counts["unavailable"] > unavailable:
                    self.counts["full disk noticed"] += 1
                    break
            await asyncio.sleep(self.random.uniform(1.0, 6.0))

    @contextlib.contextmanager
    def _no_room(self) -> Iterator[None]:
        if self.on_tmpfs:
            ballast = self.database.parent / "ballast"
            with ballast.open("wb") as file:
                size = 0
                while (free := os.statvfs(ballast.parent)).f_bavail:
                    with contextlib.suppress(OSError):  # the server was faster
                        os.posix_fallocate(file.fileno(), size, free.f_bavail * free.f_bsize)
                    size = os.fstat(file.fileno()).st_size
            try:
                yield
            finally:
                ballast.unlink()
        else:
            largest = max(path.stat().st_size for path in self.database.parent.iterdir())
            _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (largest, hard))
            try:
                yield
            finally:
                resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextlib.contextmanager
def limited_disk(folder: Path, minutes: float) -> Iterator[bool]:
    """Mount a file system in memory of limited size; whether that was possible."""
    size = int(FREE_DISK[0] + FREE_DISK[1] * minutes)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=700", "tmpfs", str(folder)]
    try:
        is_mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        is_mounted = False
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", str(folder)], check=False)
