"""Load test: a separate process plays at thousands of tables over WebSockets, against the real server.

    python -m bench.load --tables 4000 --rate 2000 --seconds 120

It starts the server, creates the tables, sends moves at a constant rate (the offered load, without waiting for replies)
and measures the latency of each acknowledgement. Players who finish a game play a rematch: one offers it, the other
accepts, and both connect to the new table. Then it multiplies the offered load for a while and measures how fast the
server recovers. At the end it reads the store: every acknowledged move must be stored exactly once and under the number
in its reply, and no move that was refused as busy may be stored.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, ClassVar, cast

from tilery.server.store.inspection import walk

TICK = 0.004  # seconds; what is due is sent at once
LIMITS = {
    "TILERY_MAX_SOCKETS_PER_ADDRESS": "100000",
    "TILERY_MAX_SOCKETS": "100000",
    "TILERY_MAX_CONNECTIONS_PER_ADDRESS": "100000",
    "TILERY_REQUESTS_PER_SECOND": "100000",
    "TILERY_REQUESTS_BURST": "1000000",
    "TILERY_TABLES_PER_HOUR": "100000000",
    "TILERY_SEATS_PER_HOUR": "100000000",
    "TILERY_COMMANDS_PER_SECOND": "100000",
    "TILERY_COMMANDS_BURST": "1000000",
    "TILERY_STORED_BYTES_PER_HOUR": "1000000000",
    "TILERY_MESSAGES_PER_SECOND": "100",
    "TILERY_MESSAGES_BURST": "1000",
    "TILERY_LOG_LEVEL": "warning",
}


OWNED_ELSEWHERE = 4307  # the close code that names another process
PROCESS = "p"  # before the number of a server process, in its name


class Player(asyncio.Protocol):
    """One connection: a minimal WebSocket client."""

    def __init__(self, pair: Pair, url: str, token: str) -> None:
        self.pair, self.url, self.token = pair, url, token
        self.transport: asyncio.Transport | None = None
        self.buffer = b""
        self.is_open = False
        self.is_sent_elsewhere = False
        # Whether the server has sent the welcome: the process to which it sent the client instead, or "".
        self.welcomed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # the transport of uvloop is not a subclass
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self.url} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.pair.load.received_bytes += len(data)
        self.buffer += data
        if not self.is_open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.pair.load.counts["connections refused"] += 1
                return
            self.is_open, self.buffer = True, rest
            self.send({"type": "hello", "token": self.token, "chat": False})
        while len(self.buffer) >= 2:
            size, at = self.buffer[1] & 127, 2
            if size == 126:
                size, at = int.from_bytes(self.buffer[2:4], "big"), 4
            elif size == 127:
                size, at = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < at + size:
                return
            code, payload = self.buffer[0] & 15, self.buffer[at : at + size]
            self.buffer = self.buffer[at + size :]
            if code == 1:
                self.pair.receive(self, payload)
            elif code == 8:
                number = int.from_bytes(payload[:2], "big")
                self.pair.load.counts[f"closed {number}"] += 1
                if number == OWNED_ELSEWHERE:
                    self.is_sent_elsewhere = True
                    self.welcomed.set_result(payload[2:].decode())

    def connection_lost(self, _: Exception | None) -> None:
        if not self.is_sent_elsewhere:
            self.pair.connection_lost(self)

    def send(self, message: dict[str, Any]) -> None:
        payload = json.dumps(message).encode()
        size = len(payload)
        head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
        assert self.transport is not None
        self.pair.load.sent_bytes += len(head) + 4 + len(payload)
        self.transport.write(head + b"\0\0\0\0" + payload)  # a mask of zeros leaves the bytes unchanged


@dataclass(eq=False)
class Pair:
    """A table and its two players."""

    load: Load
    name: str
    players: list[Player] = field(default_factory=list)
    state: bytes = b""  # the last message to the player to move
    mover: Player | None = None
    pending: tuple[dict[str, Any], float] | None = None  # the move without a reply yet, and when it was sent
    numbers: int = 0
    is_over: bool = False
    last_step: int = 0
    rematch: str = ""
    waiting: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)  # for replies, except to moves

    async def connect(self, url: str, token: str, port: int) -> Player:
        make = partial(Player, self, url, token)
        _, player = await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port)
        return player

    async def request(self, player: Player, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command and wait for its reply; retry while the server is busy."""
        while True:
            waiting = self.waiting[command["id"]] = asyncio.get_running_loop().create_future()
            player.send(command)
            reply: dict[str, Any] = await waiting
            if reply["ok"]:
                return reply
            self.load.count_error(reply)
            await asyncio.sleep(reply["error"].get("retry_delay", 0.5))

    def receive(self, player: Player, payload: bytes) -> None:
        load = self.load
        if payload.startswith(b'{"type":"reply"'):
            reply = json.loads(payload)
            waiting = self.waiting.pop(reply["id"], None)
            if waiting:
                waiting.set_result(reply)
            else:
                self._move_reply(reply)
            return
        if payload.startswith(b'{"type":"welcome"'):
            player.welcomed.set_result("")
        if payload.startswith((b'{"type":"presence"', b'{"type":"pong"')):
            return
        if payload.endswith(b"]]}}") and payload.rfind(b'"moves":[[') > 0:
            self.state, self.mover = payload, player
            if self.pending is None:
                load.ready.append(self)
        elif b'"status":"over"' in payload and not self.is_over:
            self.is_over, self.last_step = True, json.loads(payload)["state"]["step"]
            load.counts["games finished"] += 1
            load.finished.append(self)
        elif b'"rematch":"' in payload:
            self.rematch = json.loads(payload)["state"]["rematch"]

    def _move_reply(self, reply: dict[str, Any]) -> None:
        assert self.pending is not None
        latency = time.perf_counter() - self.pending[1]
        self.pending = None
        load = self.load
        if reply["ok"]:
            load.latencies.append(latency)
            load.acknowledged[self.name, reply["id"]] = reply["seq"]
            if self.mover and self._step() >= reply["seq"]:
                load.ready.append(self)
            return
        if load.count_error(reply):
            if reply["error"]["kind"] == "busy":
                load.refused.add((self.name, reply["id"]))
            load.ready.append(self)  # the move was not made: the next one takes its place

    def _step(self) -> int:
        """The step in the last message. Parsed by hand, because the load generator should use little CPU."""
        begin = self.state.index(b'"step":') + 7
        return int(self.state[begin : self.state.index(b",", begin)])

    def move(self) -> None:
        assert self.mover is not None
        self.numbers += 1
        moves = self.state[self.state.rindex(b'"moves":[[') + 10 : -4].split(b"],[")
        move = random.choice(moves).split(b'"')[3].decode()  # a move is a list of its kind, its text ...
        command: dict[str, Any] = {"type": "play", "id": f"m{self.numbers}", "step": self._step(), "move": move}
        self.pending = (command, time.perf_counter())
        self.mover.send(command)

    def connection_lost(self, player: Player) -> None:
        if not self.is_over and not self.load.is_done:
            self.load.counts["connections lost"] += 1
        del player


class Load:
    """All tables, and the measurements."""

    pair: type[Pair] = Pair
    setup: ClassVar[dict[str, Any]] = {"game": "azul", "seats": [{"kind": "me", "name": "A"}, {"kind": "open"}]}

    def __init__(self, ports: list[int], pids: list[int], route: str = "table") -> None:
        self.ports = ports
        self.pids = pids
        self.route = route
        self.ready: list[Pair] = []
        self.finished: list[Pair] = []
        self.latencies: list[float] = []
        self.counts: Counter[str] = Counter()
        self.errors: list[dict[str, Any]] = []
        self.acknowledged: dict[tuple[str, str], int] = {}  # the number of the event, by table and id of the command
        self.refused: set[tuple[str, str]] = set()  # moves that the server refused as busy
        self.received_bytes = self.sent_bytes = 0  # over WebSockets, without the headers of TCP
        self.is_done = False
        self._created = 0

    def count_error(self, reply: dict[str, Any]) -> bool:
        """Count an error; return whether to retry."""
        code = reply["error"]["kind"]
        self.counts[code] += 1
        if code in ("busy", "unavailable"):
            return True
        self.errors.append(reply)
        return False

    async def create_tables(self, count: int, at_once: int = 16) -> None:
        """Create tables, take seats, connect, start."""
        slots = asyncio.Semaphore(at_once)

        async def one() -> None:
            async with slots:
                try:
                    await self._create_table()
                except (OSError, AssertionError, KeyError) as error:
                    self.counts[f"not created: {error!r}"[:80]] += 1

        await asyncio.gather(*(one() for _ in range(count)))

    async def _create_table(self) -> None:
        self._created += 1
        port = self.ports[self._created % len(self.ports)]
        created = await post(port, "/api/tables", self.setup, "")
        url = f"/api/tables/{created['table']}"
        port = self._port_for(created["table"], 0)
        other = await post(port, f"{url}/seat", {"name": "B", "entropy": "0123"}, "")
        await self._start_game(created["table"], [created["token"], other["token"]])

    async def _start_game(self, table: str, tokens: list[str]) -> None:
        """Connect both players, and start the game."""
        pair = self.pair(self, table)
        connecting = [self._connect(pair, number, token) for number, token in enumerate(tokens)]
        pair.players = await asyncio.gather(*connecting)
        await pair.request(pair.players[0], {"type": "start", "id": "start", "step": 1, "entropy": "4567"})

    def _port_for(self, table: str, number: int) -> int:
        """The process that a proxy would choose for a client of a table."""
        if self.route == "table":
            return self.ports[zlib.crc32(table.encode()) % len(self.ports)]
        return random.choice(self.ports) if self.route == "random" else self.ports[number % len(self.ports)]

    async def _connect(self, pair: Pair, number: int, token: str) -> Player:
        """Connect a player, at the process to which the server sends it."""
        url = f"/api/tables/{pair.name}/socket"
        port, query = self._port_for(pair.name, number), "?process=" if self.route == "apart" else ""
        while True:
            player = await pair.connect(url + query, token, port)
            process = await player.welcomed
            if not process:
                return player
            port, query = self.ports[int(process.removeprefix(PROCESS)) - 1], f"?process={process}"

    async def _rematch(self, pair: Pair) -> None:
        """Play a rematch at a new table."""
        first, second = pair.players
        step = pair.last_step
        offered = await pair.request(first, {"type": "offer", "id": "offer", "step": step, "what": "rematch"})
        yes = {"type": "answer", "id": "yes", "step": step, "offer": offered["seq"], "yes": True}
        await pair.request(second, yes)
        while not pair.rematch:
            await asyncio.sleep(0.05)
        self._created += 1
        await self._start_game(pair.rematch, [second.token, first.token])
        for player in pair.players:
            assert player.transport is not None
            player.transport.close()

    def _any_ready(self) -> Pair:
        """A random ready table: in the order of waiting, the rounds of all tables would end at the same time."""
        at = random.randrange(len(self.ready))
        self.ready[at], self.ready[-1] = self.ready[-1], self.ready[at]
        return self.ready.pop()

    async def offer_load(self, rate: float, seconds: float, label: str) -> dict[str, Any]:
        """Send `rate` moves/s for some seconds; print and return throughput and latency."""
        self.latencies = []
        before = Counter(self.counts)
        cpu, own = sum(map(cpu_of, self.pids)), time.process_time()
        began = time.perf_counter()
        offered, skipped = 0, 0
        rematches: set[asyncio.Task[None]] = set()
        while (now := time.perf_counter() - began) < seconds:
            due = int(now * rate)
            while offered < due:
                offered += 1
                if not self.ready:
                    skipped += 1
                    continue
                self._any_ready().move()
            while self.finished and len(rematches) < 100:
                task = asyncio.ensure_future(self._rematch(self.finished.pop()))
                rematches.add(task)
                task.add_done_callback(rematches.discard)
            await asyncio.sleep(TICK)
        await asyncio.sleep(1.0)
        await asyncio.gather(*rematches)
        latencies = self.latencies
        result = {
            "what": label,
            "offered load (moves/s)": round(offered / seconds),
            "not sent (no table was ready)": skipped,
            "moves": len(latencies),
            "throughput (moves/s)": round(len(latencies) / seconds),
            **percentiles(latencies),
            "server CPU per move (us)": round(1e6 * (sum(map(cpu_of, self.pids)) - cpu) / max(1, len(latencies))),
            "load generator CPU per move (us)": round(1e6 * (time.process_time() - own) / max(1, len(latencies))),
            **dict(self.counts - before),
        }
        print(json.dumps(result), flush=True)
        return result


def percentiles(latencies: list[float]) -> dict[str, float | None]:
    """The latencies in milliseconds: median, 99 %, and the longest."""
    ordered = sorted(latencies)
    places = {"p50 ms": len(ordered) // 2, "p99 ms": int(len(ordered) * 0.99), "max ms": -1}
    return {name: round(1000 * ordered[place], 1) if ordered else None for name, place in places.items()}


async def post(port: int, path: str, body: dict[str, Any], token: str) -> Any:
    """One POST request over a new connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"{head}{bearer}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    response = await reader.read()
    writer.close()
    top, _, content = response.partition(b"\r\n\r\n")
    assert b" 20" in top.split(b"\r\n")[0], (top.split(b"\r\n")[0], content[:200])
    return json.loads(content)


def start_server(
    database: str, number: int = 1, *, port: int = 0, log: IO[str] | None = None
) -> tuple[subprocess.Popen[str], int]:
    """Start the server, on a free port if none is given; return the process and the port."""
    env = {**os.environ, **LIMITS, "TILERY_PROCESS_NAME": f"{PROCESS}{number}"}
    command = [sys.executable, "-m", "tilery", "serve", "--port", str(port), "--database", database]
    server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, int(line.partition("localhost:")[2].partition("/")[0])


def memory(pid: int) -> dict[str, int]:
    """The memory of a process in megabytes: now, and the maximum."""
    text = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name: int(fields[key].split()[0]) // 1024 for name, key in (("now", "VmRSS"), ("max", "VmHWM"))}


def cpu_of(pid: int) -> float:
    """The CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check(database: str, load: Load) -> bool:
    """Whether the store has every acknowledged move exactly once, and no refused one."""
    stored: dict[tuple[str, str], list[int]] = {}
    for name, _, log in walk(database):
        for number, text in enumerate(log, 1):
            if text.startswith('{"type":"played"'):
                stored.setdefault((name, json.loads(text)["id"]), []).append(number)
    result = {
        "acknowledged moves": len(load.acknowledged),
        "acknowledged but not stored exactly once": sum(
            stored.get(move) != [number] for move, number in load.acknowledged.items()
        ),
        "refused moves": len(load.refused),
        "refused but stored": sum(move in stored for move in load.refused),
    }
    print(json.dumps(result), flush=True)
    return not (result["acknowledged but not stored exactly once"] or result["refused but stored"] or load.errors)


async def run(options: argparse.Namespace, load: Load, pids: list[int]) -> None:
    began = time.perf_counter()
    await load.create_tables(options.tables)
    print(f"{options.tables} tables created in {time.perf_counter() - began:.1f} s", dict(load.counts), flush=True)
    await load.offer_load(options.rate, 5, "warm-up")
    await load.offer_load(options.rate, options.seconds, "steady")
    print("memory in MB:", [memory(pid) for pid in pids], flush=True)
    if options.over:
        await load.offer_load(options.over * options.rate, options.over_seconds, f"{options.over:g} times the load")
        for second in range(1, 7):
            await load.offer_load(options.rate, 1, f"recovery, second {second * 2}")
        print("memory in MB:", [memory(pid) for pid in pids], flush=True)
    print("errors:", len(load.errors), load.errors[:3], flush=True)
    load.is_done = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=2000.0, help="offered load in moves/s")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--over", type=float, default=3.0, help="factor of the overload afterwards; 0 for none")
    parser.add_argument("--over-seconds", type=float, default=15.0)
    parser.add_argument("--database", default="", help="default: a new SQLite file")
    parser.add_argument("--processes", type=int, default=1, help="server processes that share the database")
    parser.add_argument(
        "--route",
        choices=("apart", "table", "random"),
        default="table",
        help="with several processes: a table's players at different ones, or both where a proxy sends them by the "
        "name of the table, or at random (and then where the server sends them)",
    )
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or str(Path(folder) / "load.db")
        servers = [start_server(database, number) for number in range(1, options.processes + 1)]
        try:
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                pids = [server.pid for server, _ in servers]
                load = Load([port for _, port in servers], pids, options.route)
                runner.run(run(options, load, pids))
        finally:
            for server, _ in servers:
                server.send_signal(signal.SIGTERM)
            for server, _ in servers:
                server.wait(30)
        if not check(database, load):
            sys.exit("the store does not match the replies of the server")


def fast_loop() -> Any:
    import uvloop

    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
