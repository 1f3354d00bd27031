"""Load: thousands of tables played over real sockets, by a process of its own, against the real server.

    python -m bench.load --tables 4000 --rate 2000 --seconds 120

It starts the server, makes the tables, then asks for moves at a steady pace (it does not wait for answers before it
asks for the next ones) and measures how long each acknowledgement takes. Who has finished a game plays a rematch: one
offers it, the other agrees, both come to the new table. Afterwards it asks for three times as much for a while, and
looks how long the server needs to be itself again. In the end it reads the store: every move that was acknowledged must
stand there once, under the number that was told, and none of which the server said that it was too busy for it.
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
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from tilery.server.store.copying import walk

LIMITS = {
    "TILERY_SOCKETS_PER_ADDRESS": "100000",
    "TILERY_MOST_SOCKETS": "100000",
    "TILERY_REQUESTS_PER_SECOND": "100000",
    "TILERY_REQUESTS_AT_ONCE": "1000000",
    "TILERY_TABLES_PER_HOUR": "100000000",
    "TILERY_MESSAGES_PER_SECOND": "100",
    "TILERY_MESSAGES_AT_ONCE": "1000",
    "TILERY_LOG": "warning",
}


class Player(asyncio.Protocol):
    """One socket: the least of a websocket client that is needed."""

    def __init__(self, pair: Pair, url: str, token: str) -> None:
        self.pair, self.url, self.token = pair, url, token
        self.transport: asyncio.Transport | None = None
        self.buffer = b""
        self.is_open = False
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # the one of uvloop is no subclass
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self.url} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.is_open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.pair.load.counts["turned away"] += 1
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
                self.pair.heard(self, payload)
            elif code == 8:
                self.pair.load.counts[f"closed {int.from_bytes(payload[:2], 'big')}"] += 1

    def connection_lost(self, _: Exception | None) -> None:
        self.pair.lost(self)

    def send(self, words: dict[str, Any]) -> None:
        payload = json.dumps(words).encode()
        size = len(payload)
        head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
        assert self.transport is not None
        self.transport.write(head + b"\0\0\0\0" + payload)  # a mask of zeros: the bytes stay as they are


@dataclass(eq=False)
class Pair:
    """A table and its two players."""

    load: Load
    name: str
    players: list[Player] = field(default_factory=list)
    state: bytes = b""  # what the player to move was told last
    mover: Player | None = None
    asked: tuple[str, float] | None = None  # the command on its way, and since when
    numbers: int = 0
    is_over: bool = False
    last_step: int = 0
    rematch: str = ""
    waiting: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)  # for answers, but of moves

    async def ask(self, player: Player, words: dict[str, Any]) -> dict[str, Any]:
        """Have something done, however busy the server is."""
        while True:
            waiting = self.waiting[words["id"]] = asyncio.get_running_loop().create_future()
            player.send(words)
            answer: dict[str, Any] = await waiting
            if answer["ok"]:
                return answer
            self.load.refused(answer)
            await asyncio.sleep(answer["error"].get("retry_in", 0.5))

    def heard(self, player: Player, payload: bytes) -> None:
        load = self.load
        if payload.startswith(b'{"type":"answer"'):
            answer = json.loads(payload)
            waiting = self.waiting.pop(answer["id"], None)
            if waiting:
                waiting.set_result(answer)
            else:
                self._answered(answer)
            return
        if payload.startswith(b'{"type":"welcome"'):
            player.welcomed.set_result(None)
        if payload.startswith((b'{"type":"presence"', b'{"type":"pong"')):
            return
        if payload.endswith(b"]}}") and payload.rfind(b'"moves":[') > 0:
            self.state, self.mover = payload, player
            if self.asked is None:
                load.ready.append(self)
        elif b'"status":"over"' in payload and not self.is_over:
            self.is_over, self.last_step = True, json.loads(payload)["state"]["step"]
            load.counts["games finished"] += 1
            load.finished.append(self)
        elif b'"rematch":"' in payload:
            self.rematch = json.loads(payload)["state"]["rematch"]

    def _answered(self, answer: dict[str, Any]) -> None:
        assert self.asked is not None
        took = time.perf_counter() - self.asked[1]
        self.asked = None
        load = self.load
        if answer["ok"]:
            load.took.append(took)
            load.acknowledged[self.name, answer["id"]] = answer["seq"]
            if self.mover and self._step() >= answer["seq"]:
                load.ready.append(self)
            return
        if load.refused(answer):
            if answer["error"]["code"] == "overloaded":
                load.turned_away.add((self.name, answer["id"]))
            load.ready.append(self)  # the move was not made: the next one is asked in its place

    def _step(self) -> int:
        """Read by hand: the load should cost little beside the server."""
        begin = self.state.index(b'"step":') + 7
        return int(self.state[begin : self.state.index(b",", begin)])

    def move(self) -> None:
        assert self.mover is not None
        self.numbers += 1
        moves = self.state[self.state.rindex(b'"moves":["') + 10 : -4].split(b'","')
        words: dict[str, Any] = {"type": "play", "id": f"m{self.numbers}", "step": self._step()}
        self.asked = (words["id"], time.perf_counter())
        self.mover.send(words | {"move": random.choice(moves).decode()})

    def lost(self, player: Player) -> None:
        if not self.is_over and not self.load.is_done:
            self.load.counts["lost"] += 1
        del player


class Load:
    """All tables, and what was measured."""

    def __init__(self, ports: list[int], pids: list[int]) -> None:
        self.ports = ports
        self.pids = pids
        self.ready: list[Pair] = []
        self.finished: list[Pair] = []
        self.took: list[float] = []
        self.counts: Counter[str] = Counter()
        self.errors: list[dict[str, Any]] = []
        self.acknowledged: dict[tuple[str, str], int] = {}  # by table and id of the command: the number of its event
        self.turned_away: set[tuple[str, str]] = set()  # "overloaded": nothing was done
        self.is_done = False
        self._made = 0

    def refused(self, answer: dict[str, Any]) -> bool:
        """Count what was not done; whether to ask again."""
        code = answer["error"]["code"]
        self.counts[code] += 1
        if code in ("overloaded", "unavailable"):
            return True
        self.errors.append(answer)
        return False

    async def make(self, count: int, at_once: int = 16) -> None:
        """Make tables, take seats, start, connect."""
        room = asyncio.Semaphore(at_once)

        async def one() -> None:
            async with room:
                try:
                    await self._one()
                except (OSError, AssertionError, KeyError) as error:
                    self.counts[f"not made: {error!r}"[:80]] += 1

        await asyncio.gather(*(one() for _ in range(count)))

    async def _one(self) -> None:
        self._made += 1
        port = self.ports[self._made % len(self.ports)]
        seats = [{"kind": "me", "name": "A"}, {"kind": "open"}]
        made = await post(port, "/api/tables", {"game": "azul", "seats": seats}, "")
        url = f"/api/tables/{made['table']}"
        other = await post(port, f"{url}/seat", {"name": "B", "entropy": "0123"}, "")
        await self._begin(made["table"], [made["token"], other["token"]])

    async def _begin(self, table: str, tokens: list[str]) -> None:
        """Both players come, and one of them starts the game."""
        pair = Pair(self, table)
        loop = asyncio.get_running_loop()
        for number, token in enumerate(tokens):
            at = self.ports[(self._made + number) % len(self.ports)]
            url = f"/api/tables/{table}/socket"
            _, player = await loop.create_connection(partial(Player, pair, url, token), "127.0.0.1", at)
            pair.players.append(player)
        await asyncio.gather(*(player.welcomed for player in pair.players))
        await pair.ask(pair.players[0], {"type": "start", "id": "start", "step": 1, "entropy": "4567"})

    async def _again(self, pair: Pair) -> None:
        """A rematch."""
        first, second = pair.players
        step = pair.last_step
        offered = await pair.ask(first, {"type": "offer", "id": "offer", "step": step, "what": "rematch"})
        yes = {"type": "answer", "id": "yes", "step": step, "offer": offered["seq"], "yes": True}
        await pair.ask(second, yes)
        while not pair.rematch:
            await asyncio.sleep(0.05)
        self._made += 1
        await self._begin(pair.rematch, [second.token, first.token])
        for player in pair.players:
            assert player.transport is not None
            player.transport.close()

    def _any_ready(self) -> Pair:
        """Not always who has waited longest: the rounds of all tables would end at the same time."""
        at = random.randrange(len(self.ready))
        self.ready[at], self.ready[-1] = self.ready[-1], self.ready[at]
        return self.ready.pop()

    async def pace(self, rate: float, seconds: float, label: str) -> dict[str, Any]:
        """Ask for moves at a steady pace."""
        self.took = []
        before = Counter(self.counts)
        cpu, own = sum(map(cpu_of, self.pids)), time.process_time()
        began = time.perf_counter()
        asked, late = 0, 0
        replacing: set[asyncio.Task[None]] = set()
        while (now := time.perf_counter() - began) < seconds:
            due = int(now * rate)
            while asked < due:
                asked += 1
                if not self.ready:
                    late += 1
                    continue
                self._any_ready().move()
            while self.finished and len(replacing) < 100:
                task = asyncio.ensure_future(self._again(self.finished.pop()))
                replacing.add(task)
                task.add_done_callback(replacing.discard)
            await asyncio.sleep(0.004)
        await asyncio.sleep(1.0)
        await asyncio.gather(*replacing)
        took = sorted(self.took)
        result = {
            "what": label,
            "asked a second": round(asked / seconds),
            "not asked (no table was ready)": late,
            "moves": len(took),
            "moves a second": round(len(took) / seconds),
            "p50 ms": round(1000 * took[len(took) // 2], 1) if took else None,
            "p99 ms": round(1000 * took[int(len(took) * 0.99)], 1) if took else None,
            "max ms": round(1000 * took[-1], 1) if took else None,
            "server CPU us a move": round(1e6 * (sum(map(cpu_of, self.pids)) - cpu) / max(1, len(took))),
            "own CPU us a move": round(1e6 * (time.process_time() - own) / max(1, len(took))),
            **dict(self.counts - before),
        }
        print(json.dumps(result), flush=True)
        return result


async def post(port: int, path: str, body: dict[str, Any], token: str) -> Any:
    """One request over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"{head}{bearer}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    top, _, content = answer.partition(b"\r\n\r\n")
    assert b" 20" in top.split(b"\r\n")[0], (top.split(b"\r\n")[0], content[:200])
    return json.loads(content)


def start_server(database: str) -> tuple[subprocess.Popen[str], int]:
    """The real server, on a free port."""
    env = {**os.environ, **LIMITS}
    command = [sys.executable, "-m", "tilery", "serve", "--port", "0", "--database", database]
    server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, int(line.partition("localhost:")[2].partition("/")[0])


def memory(pid: int) -> dict[str, int]:
    """Megabytes of a process: now and at most."""
    text = Path(f"/proc/{pid}/status").read_text()
    found = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name: int(found[key].split()[0]) // 1024 for name, key in (("now", "VmRSS"), ("most", "VmHWM"))}


def cpu_of(pid: int) -> float:
    """Seconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check(database: str, load: Load) -> bool:
    """Whether the store holds what the server has promised."""
    stored: dict[tuple[str, str], list[int]] = {}
    for name, _, log in walk(database):
        for number, text in enumerate(log, 1):
            if text.startswith('{"type":"played"'):
                stored.setdefault((name, json.loads(text)["id"]), []).append(number)
    result = {
        "acknowledged moves": len(load.acknowledged),
        "not stored as told": sum(stored.get(move) != [number] for move, number in load.acknowledged.items()),
        "turned away": len(load.turned_away),
        "stored all the same": sum(move in stored for move in load.turned_away),
    }
    print(json.dumps(result), flush=True)
    return not (result["not stored as told"] or result["stored all the same"] or load.errors)


async def run(options: argparse.Namespace, load: Load, pids: list[int]) -> None:
    began = time.perf_counter()
    await load.make(options.tables)
    print(f"{options.tables} tables made in {time.perf_counter() - began:.1f} s", dict(load.counts), flush=True)
    await load.pace(options.rate, 5, "warming up")
    await load.pace(options.rate, options.seconds, "steady")
    print("memory in MB:", [memory(pid) for pid in pids], flush=True)
    if options.over:
        await load.pace(options.over * options.rate, options.over_seconds, f"{options.over} times as much")
        for second in range(1, 7):
            await load.pace(options.rate, 1, f"{second * 2} s after")
        print("memory in MB:", [memory(pid) for pid in pids], flush=True)
    print("errors:", len(load.errors), load.errors[:3], flush=True)
    load.is_done = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=2000.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--over", type=float, default=3.0, help="how many times as much afterwards; 0 for not at all")
    parser.add_argument("--over-seconds", type=float, default=15.0)
    parser.add_argument("--database", default="", help="default: a new file")
    parser.add_argument("--processes", type=int, default=1, help="servers that share the database")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or str(Path(folder) / "load.db")
        servers = [start_server(database) for _ in range(options.processes)]
        try:
            with asyncio.Runner(loop_factory=_fast_loop()) as runner:
                pids = [server.pid for server, _ in servers]
                load = Load([port for _, port in servers], pids)
                runner.run(run(options, load, pids))
        finally:
            for server, _ in servers:
                server.send_signal(signal.SIGTERM)
            for server, _ in servers:
                server.wait(30)
        if not check(database, load):
            sys.exit("the server has not kept a promise")


def _fast_loop() -> Any:
    import uvloop

    return uvloop.new_event_loop


if __name__ == "__main__":
    main()
