"""Recovery time: how long a killed server takes to serve a table again, with a store of many games.

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
from tilery.server.auth import new_table_id
from tilery.server.store.interface import NewTableRow, Summary
from tilery.server.store.open import open_store
from tilery.table.commands import Play, Sit, Start
from tilery.table.creation import SeatPlan, Setup, create_table
from tilery.table.events import write_event
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, handle, wakes_at
from tilery.table.state import Table

KEYS = ("a" * 64, "b" * 64)


def played_table(name: str, moves: int) -> NewTableRow:
    """A game of two people after some random moves."""
    setup = Setup(game=name, seats=(SeatPlan(kind="me", name="A"), SeatPlan(kind="open")))
    new = create_table(setup, KEYS[0], 0.0, new_table_id(), game, lambda *_: None)
    table, log = Table(new.table, new.event, game), [new.event]
    table.apply(new.event)

    def submit(key: str, command: Play | Sit | Start) -> None:
        context = CommandContext(table, command, key, None, 0.0, Dealer(new.secret), new_table_id, lambda _: None)
        for event in handle(context).events:
            table.apply(event)
            log.append(event)  # type: ignore[arg-type]

    submit(KEYS[1], Sit(id="sit", step=1, name="B"))
    submit(KEYS[0], Start(id="start", step=1))
    while table.status == "playing" and table.plies < moves and table.actor is not None:
        move = random.choice(table.position.moves()).text
        submit(KEYS[table.actor], Play(id=f"m{table.number}", step=table.step, move=move))
    summary = Summary(table.status, False, wakes_at(table), "{}")
    return NewTableRow(new.table, new.secret, tuple(map(write_event, log)), summary)


async def store_copies(database: str, kinds: list[NewTableRow], games: int) -> list[str]:
    """Store copies of some tables, chosen at random; return their names."""
    store = open_store(database)
    store.listen(lambda *_: None, lambda _: None)
    await store.open()
    names = []
    for start in range(0, games, 500):
        batch = [random.choice(kinds) for _ in range(min(500, games - start))]
        copies = [NewTableRow(new_table_id()[0], kind.secret, kind.events, kind.summary) for kind in batch]
        await asyncio.gather(*map(store.create, copies))
        names += [copy.table for copy in copies]
    await store.close()
    return names


def fill(database: str, games: int) -> list[str]:
    """Store copies of 200 different games, half of them finished; return the names of the tables."""
    kinds = [played_table(random.choice(["azul", "schokoly"]), random.choice([30, 1000])) for _ in range(200)]
    return asyncio.run(store_copies(database, kinds, games))


def finished_game_size(folder: Path, name: str, games: int = 1000) -> float:
    """The bytes that a finished game takes in a store of finished games."""
    database = folder / f"{name}.db"
    kinds = [played_table(name, 1000) for _ in range(100)]
    asyncio.run(store_copies(str(database), kinds, games))
    return database.stat().st_size / games


def welcome(port: int, name: str) -> str:
    """The first message to a client that connects to a table over WebSocket."""
    head = (
        f"GET /api/tables/{name}/socket HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    hello = b'{"type":"hello"}'
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection, connection.makefile("rb") as read:
        connection.sendall(head.encode())
        while read.readline().strip():
            pass
        connection.sendall(bytes((0x81, 0x80 | len(hello))) + b"\0\0\0\0" + hello)
        size = read.read(2)[1]
        size = int.from_bytes(read.read(2 if size == 126 else 8), "big") if size >= 126 else size
        return read.read(size).decode()


def restart(database: str, names: list[str]) -> tuple[float, float, float]:
    """Start and kill the server. Seconds until it listens, and until a client has a table over WebSocket, over HTTP."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tilery", "serve", "--port", "0", "--database", database]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TILERY_LOG_LEVEL": "warning"}
    )
    assert server.stdout is not None
    address = server.stdout.readline().split("at ")[1].split(". ")[0]
    listening = time.perf_counter() - began
    port = int(address.rpartition(":")[2].strip("/"))
    assert json.loads(welcome(port, random.choice(names)))["state"]["plies"] > 0
    over_websocket = time.perf_counter() - began
    with urllib.request.urlopen(f"{address}api/tables/{random.choice(names)}") as response:
        assert json.load(response)["plies"] > 0
    over_http = time.perf_counter() - began
    server.send_signal(signal.SIGKILL)
    server.wait()
    return listening, over_websocket, over_http


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "many.db")
        names = fill(database, options.games)
        size = Path(database).stat().st_size / 1e6
        print(f"{options.games} games, {size:.0f} MB")
        for name in ("azul", "schokoly"):
            print(f"a finished game of {name}: {finished_game_size(Path(folder), name) / 1000:.1f} kB")
        rounds = [restart(database, names) for _ in range(options.rounds)]
    for number, what in enumerate(("listening", "table over WebSocket", "table over HTTP")):
        seconds = sorted(each[number] for each in rounds)
        print(f"{what}: {statistics.median(seconds):.2f} s (from {seconds[0]:.2f} to {seconds[-1]:.2f})")


if __name__ == "__main__":
    main()
