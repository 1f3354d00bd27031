"""Growth of the store: how much one address can store in an hour, and how much honest play stores.

    python -m bench.growth --seconds 60

It starts the server with its default limits, and attacks it from one address with what stores the most: chat of the
longest messages (four bytes for each character), and games between bots. It prints what was stored until the limit was
reached, and the growth after that, which goes on. Then it plays whole games with random moves, and prints what one of
them takes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

CHOCOLATE = "\U0001f36b" * 300  # 1,200 bytes
BOTS = [{"kind": "bot", "bot": "random"}] * 4
ALONE = [{"kind": "me", "name": "A"}, {"kind": "me", "name": "B"}]
HOUR = 3600


class Client:
    """One address that creates tables and sends commands."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=60)
        self.numbers = 0
        self.accepted = 0
        self.refused = 0
        self.code = ""  # of the last refusal

    def create(self, seats: list[dict[str, str]], **more: Any) -> tuple[str, str] | None:
        """A new table and the token for its seats; None if it is refused."""
        response = self.http.post("/api/tables", json={"game": "azul", "seats": seats} | more)
        self.http.cookies.clear()
        if response.status_code != 201:
            self._count_refusal(response)
            return None
        self.accepted += 1
        created = response.json()
        return created["table"], created["token"]

    def send(self, table: str, token: str, kind: str, **words: Any) -> bool:
        """Send a command; returns whether it was executed."""
        self.numbers += 1
        command = {"type": kind, "id": f"c{self.numbers}", "step": 0} | words
        headers = {"authorization": f"Bearer {token}"}
        response = self.http.post(f"/api/tables/{table}/commands", json=command, headers=headers)
        if response.status_code != 200:
            self._count_refusal(response)
            return False
        self.accepted += 1
        return True

    def _count_refusal(self, response: httpx.Response) -> None:
        self.refused += 1
        self.code = response.json()["error"]["code"]
        time.sleep(0.02)

    def state(self, table: str, token: str) -> dict[str, Any]:
        response = self.http.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"})
        state: dict[str, Any] = response.json()
        return state


def start_server(database: Path, **settings: str) -> tuple[subprocess.Popen[str], str]:
    """Start the server on a free port; returns the process and its address."""
    env = {**os.environ, "TILERY_LOG_LEVEL": "error", **settings}
    command = [sys.executable, "-m", "tilery", "serve", "--port", "0", "--database", str(database)]
    server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline().partition("localhost:")[2].partition("/")[0])
    return server, f"http://127.0.0.1:{port}"


def size_of(database: Path) -> int:
    """The bytes of the store, without the part of the write-ahead log that is used again."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
        return pages * int(connection.execute("PRAGMA page_size").fetchone()[0])


def attack(client: Client, table: tuple[str, str] | None) -> tuple[str, str] | None:
    """Store as much as possible with one request; returns the table to go on with."""
    if table is None:
        made = client.create(BOTS)
        if made:
            client.send(*made, "start", step=1)
        return client.create(ALONE)
    full = not client.send(*table, "say", text=CHOCOLATE) and client.code == "chat-full"
    return None if full else table


def measure_attack(seconds: float) -> dict[str, Any]:
    """Attack a server. Requests are not limited here: the attack stands for one over WebSockets, which is faster."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "growth.db"
        server, url = start_server(database, TILERY_REQUESTS_PER_SECOND="100000", TILERY_REQUESTS_BURST="100000")
        try:
            client, table = Client(url), None
            empty, began = size_of(database), time.monotonic()
            burst, burst_seconds = 0, 0.0
            while (now := time.monotonic() - began) < seconds or not (burst or now > 10 * seconds):
                table = attack(client, table)
                if not burst and client.code == "too-much-stored":
                    burst, burst_seconds = size_of(database) - empty, now
                    seconds += now
            grown = size_of(database) - empty
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    result = {
        "what": "one address, as much as it may",
        "seconds": round(now),
        "stored (MB)": round(grown / 1e6, 1),
        "executed": client.accepted,
        "refused": client.refused,
    }
    if burst:
        rest = (grown - burst) / (seconds - burst_seconds)
        result["at once (MB)"] = round(burst / 1e6, 1)
        result["in every hour after that (MB)"] = round(rest * HOUR / 1e6, 1)
    return result


def measure_games(games: int) -> dict[str, Any]:
    """Play whole games with random moves."""
    generous = {"TILERY_REQUESTS_PER_SECOND": "100000", "TILERY_REQUESTS_BURST": "100000"}
    generous |= {"TILERY_COMMANDS_PER_SECOND": "100000", "TILERY_COMMANDS_BURST": "100000"}
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "growth.db"
        server, url = start_server(database, **generous)
        try:
            client, empty = Client(url), size_of(database)
            for _ in range(games):
                made = client.create(ALONE)
                assert made
                assert client.send(*made, "start", step=1)
                while (state := client.state(*made))["status"] == "playing":
                    assert client.send(*made, "play", step=state["step"], move=random.choice(state["moves"])[1])
            size = size_of(database) - empty
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    return {"what": "honest play", "games": games, "bytes per game": size // games, "refused": client.refused}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="duration of the attack after the limit is reached")
    parser.add_argument("--games", type=int, default=20, help="games of honest play")
    options = parser.parse_args()
    print(json.dumps(measure_attack(options.seconds)), flush=True)
    print(json.dumps(measure_games(options.games)), flush=True)


if __name__ == "__main__":
    main()
