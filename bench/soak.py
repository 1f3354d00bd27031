"""Soak test: the load of `bench.load`, while the server is killed, frozen, and its disk gets full.

    python -m bench.soak --minutes 30

Two people play at each table, with a clock. At random moments (`--seed`) the server is killed and started again,
stopped for some seconds (SIGSTOP), or its disk has no room for a while. The players connect again and repeat the
command that they have no reply to, with the same id. At the end:

- every acknowledged move must be stored exactly once, under the number in its reply;
- nobody may have lost on time, and no command may have been refused;
- the server's memory must be flat: without kills in the last third, it may grow by 10 % and 20 MB there (only checked
  if that lasts five minutes), and after the last restart it may be 10 % and 20 MB above what it was after the first.

The disk is a file system in memory of limited size, if this may be mounted (by root), and a file takes all the room.
Otherwise the server's files are not allowed to grow (RLIMIT_FSIZE).
Progress goes to a file of JSON lines; the last line of the output is the summary. The exit code is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, cast

from bench.load import Load, Pair, Player, check, fast_loop, memory, percentiles, start_server

KINDS = ("freeze", "freeze", "full disk", "kill")
RECOVERY = 10.0  # seconds after an outage that count as part of it, for the latencies
SAMPLE = 5.0  # seconds between two measurements of the memory
SETTLED = 40.0  # seconds after a start when all players are back, and the memory is compared
FREE_DISK = 300, 30  # megabytes, and for each minute
GROWTH, GROWTH_MB = 0.1, 20.0  # of the memory that count as flat


@dataclass(eq=False)
class ReturningPair(Pair):
    """Two players who connect again when a connection is lost."""

    was_repeated: bool = False  # the pending move: an earlier copy may have been executed
    last_acknowledged: int = 0  # the number of the last move that was acknowledged
    turn_began: float = 0.0  # when the player to move was told so last

    def connection_lost(self, player: Player) -> None:
        if not player.welcomed.done():
            player.welcomed.set_exception(ConnectionError("the connection was lost before the welcome"))
            player.welcomed.exception()  # nobody may be waiting
        elif player in self.players and not (self.is_over or self.load.is_done):
            self.load.counts["connections lost"] += 1
            cast("Soak", self.load).start(self._return(player))

    async def _return(self, player: Player) -> None:
        """Connect again; repeat the move that has no reply."""
        load = self.load
        while not (load.is_done or self.is_over):
            await asyncio.sleep(random.uniform(0.1, 1.5))
            try:
                new = await self.connect(player.url, player.token, load.ports[0])
                self.players[self.players.index(player)], player = new, new
                await asyncio.wait_for(new.welcomed, 30)
            except (OSError, TimeoutError):
                if player.transport:
                    player.transport.abort()
                continue
            load.counts["reconnections"] += 1
            if self.pending and self.pending[0]["token"] == player.token:
                self._repeat(player)
            return

    def _player(self, token: str) -> Player:
        return next(player for player in self.players if player.token == token)

    def _repeat(self, player: Player) -> None:
        if self.pending and player.transport and not player.transport.is_closing():
            self.was_repeated = True
            self.load.counts["moves repeated"] += 1
            player.send(without_token(self.pending[0]))

    async def request(self, player: Player, command: dict[str, Any]) -> dict[str, Any]:
        token = player.token
        while True:
            waiting = self.waiting[command["id"]] = asyncio.get_running_loop().create_future()
            player = self._player(token)
            if player.transport and not player.transport.is_closing() and player.is_open:
                player.send(command)
            with contextlib.suppress(TimeoutError):
                reply: dict[str, Any] = await asyncio.wait_for(waiting, 5.0)
                if reply["ok"]:
                    return reply
                if not self.load.count_error(reply):
                    raise ConnectionError(f"{command['type']} was refused")
            await asyncio.sleep(0.5)

    def receive(self, player: Player, payload: bytes) -> None:
        if b'"ended_by":"time"' in payload and not self.is_over:
            now, soak = time.perf_counter(), cast("Soak", self.load)
            soak.counts["lost on time"] += 1
            pending = {"move sent": now - self.pending[1]} if self.pending else {}
            soak.trouble.append({"lost on time": self.name, "turn began": now - self.turn_began, **pending})
        before = self.state
        super().receive(player, payload)
        if self.state is not before:
            self.turn_began = time.perf_counter()

    def _move_reply(self, reply: dict[str, Any]) -> None:
        """A move whose outcome is not known is repeated, and so is one that was repeated before."""
        if self.pending is None or reply["id"] != self.pending[0]["id"]:
            return  # the reply to the second copy
        kind = "" if reply["ok"] else reply["error"]["kind"]
        if kind == "unavailable" or (kind == "busy" and self.was_repeated):
            self.load.counts[kind] += 1
            delay = reply["error"].get("retry_delay", 0.5)
            asyncio.get_running_loop().call_later(delay, self._repeat_later, self.pending[0]["token"])
            return
        soak = cast("Soak", self.load)
        soak.replied(self.pending[1], is_move=reply["ok"])
        if reply["ok"]:
            self.last_acknowledged = reply["seq"]
        super()._move_reply(reply)

    def _repeat_later(self, token: str) -> None:
        if self.pending and self.pending[0]["token"] == token:
            self._repeat(self._player(token))

    def move(self) -> None:
        if self.pending or self.is_over or self.mover not in self.players:
            return
        transport = self.mover.transport
        if transport is None or transport.is_closing():
            return  # the welcome of the next connection says whose turn it is
        if self._step() < self.last_acknowledged:
            return  # the move was made, and the other player has not been told yet
        self.was_repeated = False
        super().move()
        assert self.pending is not None
        self.pending[0]["token"] = self.mover.token


def without_token(command: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name != "token"}


class Soak(Load):
    """All tables; they are replaced when their game is over."""

    pair = ReturningPair
    setup: ClassVar[dict[str, Any]] = {**Load.setup, "clock": {"base": 14, "increment": 2}}  # freezes are longer

    def __init__(self, port: int) -> None:
        super().__init__([port], [])
        self.ready = cast("list[Pair]", deque())
        self.replies: list[tuple[float, float]] = []  # when each acknowledged move was sent, and its latency
        self.last_reply = 0.0
        self.trouble: list[dict[str, Any]] = []  # what must not happen: how many seconds ago what had happened
        self._tasks: set[asyncio.Task[None]] = set()

    def count_error(self, reply: dict[str, Any]) -> bool:
        again = super().count_error(reply)
        if not again:
            self.trouble.append({"refused": reply})
        return again

    def start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.counts[f"task failed: {error!r}"[:80]] += 1

    def replied(self, sent: float, *, is_move: bool) -> None:
        self.last_reply = time.perf_counter()
        if is_move:
            self.replies.append((sent, self.last_reply - sent))

    async def replace(self, pair: Pair | None) -> None:
        """A new table, with new players."""
        for player in pair.players if pair else ():
            if player.transport:
                player.transport.close()
        while not self.is_done:
            try:
                await self._create_table()
                return
            except (OSError, AssertionError, ValueError, KeyError) as error:
                self.counts[f"tables tried in vain: {type(error).__name__}"] += 1
                await asyncio.sleep(random.uniform(0.5, 2.0))

    async def play(self, rate: float, seconds: float, outages: asyncio.Future[None]) -> None:
        """Send `rate` moves a second, until the outages have ended; the table that has waited longest comes first, so
        that no game is lost on time because the load generator had no time for it."""
        began, sent = time.perf_counter(), 0
        ready = cast("deque[Pair]", self.ready)
        while (now := time.perf_counter() - began) < seconds or not outages.done():
            due = int(now * rate)
            while sent < due and ready:
                sent += 1
                ready.popleft().move()
            sent = max(sent, due - int(rate))  # what could not be sent during an outage is not made up for
            while self.finished:
                self.start(self.replace(self.finished.pop()))
            await asyncio.sleep(0.004)


@dataclass
class Outages:
    """Kills, freezes and full disks, at random moments."""

    soak: Soak
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
            for trouble in self.soak.trouble[noted:]:
                self.note("trouble", **trouble)
            noted = len(self.soak.trouble)
            with contextlib.suppress(OSError, KeyError):
                now, used = time.perf_counter(), memory(self.process.pid)["now"]
                self.memories.append((now, now - self.started, used))
                self.note("memory", megabytes=used, uptime=round(now - self.started), moves=len(self.soak.replies))
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
            self.note(kind, seconds=round(end - start, 2), errors=len(self.soak.errors))

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
        unavailable = self.soak.counts["unavailable"]
        with self._no_room():
            for _ in range(200):
                await asyncio.sleep(0.2)
                if self.soak.counts["unavailable"] > unavailable:
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


BEGAN = time.perf_counter()


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


def flatness(memories: list[tuple[float, float, int]], last_start: float) -> dict[str, Any]:
    """What became of the memory: after each restart, and during the last run of the server."""
    at_settled: dict[int, int] = {}
    for now, uptime, used in memories:
        if SETTLED <= uptime < SETTLED + 2 * SAMPLE:
            at_settled.setdefault(round(now - uptime), used)
    settled = list(at_settled.values())
    last = [(now, used) for now, uptime, used in memories if now - uptime >= last_start - 1 and uptime >= SETTLED]
    result: dict[str, Any] = {"MB after each start": settled, "memory is flat": True}
    if len(last) >= 2:
        minutes = (last[-1][0] - last[0][0]) / 60
        result["MB during the last run"] = [last[0][1], last[-1][1]]
        result["MB per minute"] = round(slope(last) * 60, 2)
        if minutes >= 5 and slope(last) * 60 * minutes > GROWTH * last[0][1] + GROWTH_MB:
            result["memory is flat"] = False
    if len(settled) >= 2 and settled[-1] > settled[0] * (1 + GROWTH) + GROWTH_MB:
        result["memory is flat"] = False
    return result


def slope(points: list[tuple[float, int]]) -> float:
    """By least squares."""
    x0 = sum(x for x, _ in points) / len(points)
    y0 = sum(y for _, y in points) / len(points)
    return sum((x - x0) * (y - y0) for x, y in points) / (sum((x - x0) ** 2 for x, _ in points) or 1.0)


def latencies(soak: Soak, windows: list[tuple[float, float]]) -> dict[str, Any]:
    """Over all, and of the moves that no outage has touched."""
    quiet = [
        latency
        for sent, latency in soak.replies
        if not any(sent < end and sent + latency > start for start, end in windows)
    ]
    everything = [latency for _, latency in soak.replies]
    return {"all": percentiles(everything), "outside of outages": {"moves": len(quiet), **percentiles(quiet)}}


async def run(options: argparse.Namespace, soak: Soak, outages: Outages) -> None:
    seconds = options.minutes * 60
    slots = asyncio.Semaphore(16)

    async def create() -> None:
        async with slots:
            await soak.replace(None)

    await asyncio.gather(*(create() for _ in range(options.tables)))
    outages.note("tables created", tables=options.tables)
    watching = asyncio.ensure_future(outages.watch())
    causing = asyncio.ensure_future(outages.run(seconds, min(options.every, seconds / 5)))
    await soak.play(options.rate, seconds, causing)
    await causing
    watching.cancel()
    soak.is_done = True


def summary(options: argparse.Namespace, soak: Soak, outages: Outages, *, is_stored: bool) -> dict[str, Any]:
    flat = flatness(outages.memories, outages.started)
    problems = [
        *([] if is_stored else ["the store does not match the replies"]),
        *([f"{soak.counts['lost on time']} lost on time"] if soak.counts["lost on time"] else []),
        *([f"{len(soak.errors)} refusals, the first: {soak.errors[0]}"] if soak.errors else []),
        *([] if flat["memory is flat"] else ["the memory grows"]),
        *([] if outages.counts["full disk noticed"] else ["no move met a full disk"]),
        *([name for name in soak.counts if name.startswith("task failed")]),
    ]
    return {
        "minutes": options.minutes,
        "seed": options.seed,
        "acknowledged moves": len(soak.acknowledged),
        "outages": dict(outages.counts),
        "disk": "file system of limited size" if outages.on_tmpfs else "RLIMIT_FSIZE",
        "latency": latencies(soak, outages.windows),
        "memory": flat,
        "counts": dict(soak.counts),
        "problems": problems,
        "passed": not problems,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tables", type=int, default=600)
    parser.add_argument("--rate", type=float, default=300.0, help="moves a second")
    parser.add_argument("--every", type=float, default=45.0, help="seconds between outages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--progress", default="soak.jsonl", help="where the progress is written")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with (
        tempfile.TemporaryDirectory() as folder,
        Path(options.progress).open("w") as log,
    ):
        disk = Path(folder) / "disk"
        disk.mkdir()
        with limited_disk(disk, options.minutes) as on_tmpfs:
            soak = Soak(0)
            outages = Outages(soak, disk / "soak.db", random.Random(options.seed), on_tmpfs, log)
            outages.start_server()
            soak.ports[0] = outages.port
            try:
                with asyncio.Runner(loop_factory=fast_loop()) as runner:
                    runner.run(run(options, soak, outages))
            finally:
                outages.process.send_signal(signal.SIGCONT)
                outages.process.send_signal(signal.SIGTERM)
                outages.process.wait(60)
            result = summary(options, soak, outages, is_stored=check(str(outages.database), soak))
        outages.note("summary", **result)
    print(json.dumps(result), flush=True)
    sys.exit(0 if result["passed"] else 1)


if __name__ == "__main__":
    main()
