"""How soon the server is back: killed, started again on a store of many games, until a table is told as it was.

python -m bench.restart --games 10000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tilery import game
from tilery.server.doors.tokens import fresh_table
from tilery.server.store.interface import Founding, Summary
from tilery.server.store.opening import open_store
from tilery.table.commands import Play, Sit, Start
from tilery.table.events import write_event
from tilery.table.fairness import Dealer
from tilery.table.founding import SeatPlan, Setup, found
from tilery.table.handling import Asking, handle, wakes_at
from tilery.table.state import Table

KEYS = ("a" * 64, "b" * 64)


def played(name: str, moves: int) -> Founding:
    """A game of two people after some random moves."""
    setup = Setup(game=name, seats=[SeatPlan(kind="me", name="A"), SeatPlan(kind="open")])
    new = found(setup, KEYS[0], 0.0, fresh_table(), game, lambda *_: None)
    table, log = Table(new.table, new.event, game), [new.event]
    table.apply(new.event)

    def ask(key: str, command: Play | Sit | Start) -> None:
        asking = Asking(table, command, key, None, 0.0, Dealer(new.secret), fresh_table, lambda _: None)
        for event in handle(asking).events:
            table.apply(event)
            log.append(event)  # type: ignore[arg-type]

    ask(KEYS[1], Sit(id="sit", step=1, name="B"))
    ask(KEYS[0], Start(id="start", step=1))
    while table.status == "playing" and table.plies < moves and table.actor is not None:
        move = random.choice(table.position.moves())
        ask(KEYS[table.actor], Play(id=f"m{table.number}", step=table.step, move=move))
    summary = Summary(table.status, False, wakes_at(table), "{}")
    return Founding(new.table, new.secret, tuple(map(write_event, log)), summary)


async def fill(database: str, games: int) -> list[str]:
    """Half of them finished, half going on; a few hundred different ones, under many names."""
    store = open_store(database)
    store.listen(lambda *_: None, lambda _: None)
    await store.open()
    kinds = [played(random.choice(["azul", "schokoly"]), random.choice([30, 1000])) for _ in range(200)]
    names = []
    for start in range(0, games, 500):
        batch = [random.choice(kinds) for _ in range(min(500, games - start))]
        copies = [Founding(fresh_table()[0], kind.secret, kind.events, kind.summary) for kind in batch]
        await asyncio.gather(*map(store.found, copies))
        names += [copy.table for copy in copies]
    await store.close()
    return names


def welcome(port: int, name: str) -> str:
    """What somebody who comes back to a table is told over its socket."""
    head = (
        f"GET /api/tables/{name}/socket HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    hello = b'{"type":"hello"}'
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line, line.makefile("rb") as read:
        line.sendall(head.encode())
        while read.readline().strip():
            pass
        line.sendall(bytes((0x81, 0x80 | len(hello))) + b"\0\0\0\0" + hello)
        size = read.read(2)[1]
        size = int.from_bytes(read.read(2 if size == 126 else 8), "big") if size >= 126 else size
        return read.read(size).decode()


def restart(database: str, names: list[str]) -> tuple[float, float, float]:
    """Seconds until the doors are open, until who comes back to a table is told how it stands, and until HTTP tells."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tilery", "serve", "--port", "0", "--database", database]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TILERY_LOG": "warning"})
    assert server.stdout is not None
    address = server.stdout.readline().split("at ")[1].split(". ")[0]
    opened = time.perf_counter() - began
    port = int(address.rpartition(":")[2].strip("/"))
    assert json.loads(welcome(port, random.choice(names)))["state"]["plies"] > 0
    told = time.perf_counter() - began
    with urllib.request.urlopen(f"{address}api/tables/{random.choice(names)}") as answer:
        assert json.load(answer)["plies"] > 0
    answered = time.perf_counter() - began
    server.send_signal(signal.SIGKILL)
    server.wait()
    return opened, told, answered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "many.db")
        names = asyncio.run(fill(database, options.games))
        size = Path(database).stat().st_size / 1e6
        print(f"{options.games} games, {size:.0f} MB")
        rounds = [restart(database, names) for _ in range(options.rounds)]
    for number, what in enumerate(("doors open", "a table told over its socket", "a table told by HTTP")):
        seconds = sorted(each[number] for each in rounds)
        print(f"{what}: {statistics.median(seconds):.2f} s (from {seconds[0]:.2f} to {seconds[-1]:.2f})")


if __name__ == "__main__":
    main()
