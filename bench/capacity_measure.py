"""What a move, a game, a connection and a bot cost: the figures behind docs/scaling.md, as JSON.

    python -m bench.capacity_measure > docs/capacity.json

Takes some minutes, starts its own PostgreSQL, and plays real games against real servers. CPU times and counts come from
the operating system and the database, so that other programs hardly change them; `commits_per_second` are wall-clock
rates and need a machine that is otherwise idle.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import resource
import signal
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import psycopg

from bench.load import Load, Pair, Player, cpu_of, memory, start_server
from bench.store import append_until, create_table
from tests.server.postgres import Server, binaries
from tilery import CHANCE, OVER, Stream, game
from tilery.engine.bots import bot
from tilery.server.store.postgres import PostgresStore
from tilery.server.store.postgres_sql import CHANGES_CHANNEL

BOTS = ("level-1", "level-7", "level-14", "tilery")
PING = {"type": "ping"}
SETTLED = 2.0  # seconds until PostgreSQL has published its statistics

Figures = dict[str, Any]


class Database:
    """The counters of the PostgreSQL server. Every transaction that writes is one fsync."""

    def __init__(self, url: str) -> None:
        self.url = url

    def _row(self, query: str) -> tuple[Any, ...]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute(query.encode()).fetchone()
        assert found is not None
        return found

    def counters(self) -> dict[str, float]:
        """What only grows: CPU seconds of all its processes, bytes of WAL, syncs, commits, rows."""
        time.sleep(SETTLED)
        (pids,) = self._row("SELECT array_agg(pid) FROM pg_stat_activity")
        wal, syncs = self._row("SELECT wal_bytes, wal_sync FROM pg_stat_wal")
        commits, inserted, updated = self._row(
            "SELECT xact_commit, tup_inserted, tup_updated FROM pg_stat_database WHERE datname = current_database()"
        )
        cpu = 0.0
        for pid in pids:
            with contextlib.suppress(OSError):
                cpu += cpu_of(pid)
        return {
            "cpu": cpu,
            "wal": float(wal),
            "syncs": syncs,
            "commits": commits,
            "inserted": inserted,
            "updated": updated,
        }

    def sizes(self) -> tuple[float, float]:
        """The bytes of the store, and the number of its moves."""
        size, moves = self._row(
            "SELECT pg_total_relation_size('tilery.events') + pg_total_relation_size('tilery.tables'), "
            'count(*) FROM tilery.events WHERE text LIKE \'{"type":"played"%\''
        )
        return float(size), float(moves)


def changes(after: dict[str, float], before: dict[str, float]) -> dict[str, float]:
    return {name: after[name] - before[name] for name in after}


async def open_spectators(pairs: list[Pair], count: int, port: int) -> None:
    """Connections that only watch."""
    loop = asyncio.get_running_loop()
    for number in range(count):
        pair = pairs[number % len(pairs)]
        url = f"/api/tables/{pair.name}/socket"
        _, player = await loop.create_connection(partial(Player, pair, url, ""), "127.0.0.1", port)
        await player.welcomed


async def send_pings(pairs: list[Pair], each: int) -> int:
    """Some pings over every connection; returns their number."""
    players = [player for pair in pairs for player in pair.players]
    for _ in range(each):
        for player in players:
            player.send(PING)
        await asyncio.sleep(0.5)
    await asyncio.sleep(1.0)
    return each * len(players)


def split(*costs: tuple[float, float]) -> tuple[float, float]:
    """What a move costs and what a transaction costs, from two loads: transactions for each move, of which there are
    fewer under more load, and the cost of a move with its part of them. The least squares of which neither is
    negative."""
    (few, least), (many, most) = sorted(costs)
    transaction = (most - least) / (many - few)
    move = least - transaction * few
    if move < 0:
        return 0.0, (least * few + most * many) / (few**2 + many**2)
    return (move, transaction) if transaction > 0 else ((least + most) / 2, 0.0)


async def played(database: Database, load: Load, figures: Figures, rate: float, seconds: float) -> dict[str, float]:
    """What each move took at this load, apart from what is used without any; CPU times in microseconds."""
    (pid,) = load.pids
    before, received, sent = database.counters(), load.received_bytes, load.sent_bytes
    begin, cpu = time.monotonic(), cpu_of(pid)
    result = await load.offer_load(rate, seconds, "one process")
    if result["throughput (moves/s)"] < 0.9 * rate:
        raise SystemExit(f"this machine is too slow or too busy for {rate:,.0f} moves/s: try a lower --rate")
    cpu = cpu_of(pid) - cpu - figures["idle_cores"] * (time.monotonic() - begin)
    moves, used = result["moves"], changes(database.counters(), before)
    used["cpu"] -= figures["database_idle_cores"] * (time.monotonic() - begin)
    return {
        "rate": rate,
        "cpu": 1e6 * cpu / moves,
        "database_cpu": 1e6 * used["cpu"] / moves,
        "transactions": used["syncs"] / moves,
        "bytes_out_per_move": (load.received_bytes - received) / moves,
        "bytes_in_per_move": (load.sent_bytes - sent) / moves,
        "wal_bytes_per_move": used["wal"] / moves,
        "rows_inserted_per_move": used["inserted"] / moves,
        "rows_updated_per_move": used["updated"] / moves,
    }


async def play(options: argparse.Namespace, database: Database, load: Load, figures: Figures) -> None:
    """One process: games created, played and watched."""
    (pid,), (port,) = load.pids, load.ports
    await load.create_tables(20)  # loads the rules
    base = memory(pid)["now"]
    cpu = cpu_of(pid)
    await load.create_tables(options.tables)
    figures["cpu_per_game_us"] = 1e6 * (cpu_of(pid) - cpu) / options.tables
    figures["memory_base_mb"] = base
    await load.offer_load(options.rate, 5, "warm-up")
    size = database.sizes()
    before, cpu = database.counters(), cpu_of(pid)
    await asyncio.sleep(options.seconds)
    figures["idle_cores"] = (cpu_of(pid) - cpu) / options.seconds
    figures["database_idle_cores"] = changes(database.counters(), before)["cpu"] / options.seconds
    rounds = [
        [await played(database, load, figures, rate, options.seconds) for rate in (options.rate / 3, options.rate)]
        for _ in range(options.rounds)
    ]
    slow, fast = (
        {name: statistics.fmean(each[speed][name] for each in rounds) for name in rounds[0][speed]} for speed in (0, 1)
    )
    later = database.sizes()
    figures["memory_per_table_kb"] = 1024 * (memory(pid)["now"] - base) / options.tables
    figures |= {name: fast[name] for name in fast if name.endswith("_per_move")}
    figures["stored_bytes_per_move"] = (later[0] - size[0]) / (later[1] - size[1])
    move, transaction = split((slow["transactions"], slow["cpu"]), (fast["transactions"], fast["cpu"]))
    figures["cpu_per_move_us"], figures["cpu_per_transaction_us"] = move, transaction
    # Here a transaction has too few moves to tell what each adds; `measure_rows` has told.
    rest = [
        (each["database_cpu"] - figures["database_cpu_per_move_us"]) / each["transactions"] for each in (slow, fast)
    ]
    figures["database_cpu_per_transaction_us"] = max(0.0, statistics.fmean(rest))
    figures["measured_at"] = {
        f"{speed['rate']:,.0f} moves/s": f"{speed['transactions']:.2g} fsyncs and {speed['cpu']:.0f} µs per move"
        for speed in (slow, fast)
    }
    pairs = list(load.ready)  # those that nobody has left for a rematch
    cpu = cpu_of(pid)
    pings = await send_pings(pairs, 8)
    figures["cpu_per_ping_us"] = 1e6 * (cpu_of(pid) - cpu) / pings
    now = memory(pid)["now"]
    await open_spectators(pairs, options.tables, port)
    figures["memory_per_socket_kb"] = 1024 * (memory(pid)["now"] - now) / options.tables
    load.is_done = True


async def play_beside(options: argparse.Namespace, database: Database, load: Load, figures: Figures) -> None:
    """Two processes, one of which has no players, and only hears of what the other writes."""
    await load.create_tables(options.tables)
    listener = load.pids[1]
    idle = cpu_of(listener)
    await asyncio.sleep(options.seconds)
    idle = cpu_of(listener) - idle
    before, used = database.counters(), cpu_of(listener)
    await load.offer_load(options.rate, options.seconds, "one of two")
    heard = changes(database.counters(), before)["syncs"]
    figures["cpu_per_notification_us"] = 1e6 * max(0.0, cpu_of(listener) - used - idle) / heard
    load.is_done = True


async def play_elsewhere(options: argparse.Namespace, load: Load, figures: Figures) -> None:
    """Two processes, and half of the players at the wrong one."""
    crossed = Load(load.ports, load.pids, "apart")
    await crossed.create_tables(options.tables)
    await crossed.offer_load(options.rate, 5, "warm-up")
    result = await crossed.offer_load(options.rate, options.seconds, "two processes, half of the players elsewhere")
    figures["cpu_per_forwarded_move_us"] = 2 * (result["server CPU per move (us)"] - figures.pop("cpu_of_two_us"))
    crossed.is_done = True


async def play_to_check(
    options: argparse.Namespace, database: Database, load: Load, figures: Figures, rate: float
) -> None:
    """Each process with its own tables and players, to compare with what the model predicts."""
    loads = [Load([port], [pid]) for port, pid in zip(load.ports, load.pids, strict=True)]
    each = rate / len(loads)
    await asyncio.gather(*(one.create_tables(options.tables // len(loads)) for one in loads))
    await asyncio.gather(*(one.offer_load(each, 5, "warm-up") for one in loads))
    before, cpu = database.counters(), sum(map(cpu_of, load.pids))
    begin = time.monotonic()
    results = await asyncio.gather(*(one.offer_load(each, options.seconds, "check") for one in loads))
    cpu, seconds = sum(map(cpu_of, load.pids)) - cpu, time.monotonic() - begin
    moves = sum(result["moves"] for result in results)
    figures["cpu_of_two_us"] = 1e6 * cpu / moves
    figures.setdefault("checks", []).append(
        {
            "processes": len(loads),
            "moves_per_second": rate,
            "cpu_per_move_us": 1e6 * cpu / moves,
            "fsyncs_per_second": changes(database.counters(), before)["syncs"] / seconds,
        }
    )
    for one in loads:
        one.is_done = True


def measure_notifications(url: str, figures: Figures, moves: int = 100, rounds: int = 500) -> None:
    """What a process does with each move in a notification about tables that nobody has opened here."""
    store = PostgresStore(url)
    store.listen(lambda *_: None, lambda _: None)
    text = "another " + ",".join(json.dumps([f"table{number:07}", number]) for number in range(moves))
    store._tag = "x" * len("another ")  # of the same length as the other's, as tags are
    begin = time.process_time()
    for _ in range(rounds):
        store._on_notify(CHANGES_CHANNEL, text)
    figures["cpu_per_heard_move_us"] = 1e6 * (time.process_time() - begin) / rounds / moves


def with_servers(url: str, count: int, ports: int, work: Any) -> None:
    """Start servers that share a database, and run a coroutine that plays at the first `ports` of them."""
    servers = [start_server(url) for _ in range(count)]
    try:
        load = Load([port for _, port in servers][:ports], [server.pid for server, _ in servers])
        asyncio.run(work(load))
    finally:
        for server, _ in servers:
            server.send_signal(signal.SIGTERM)
        for server, _ in servers:
            server.wait(60)
    if load.errors:
        raise SystemExit(f"commands were refused: {load.errors[:3]}")


COMMIT = "INSERT INTO tilery_commits VALUES (1)"
COMMIT_AND_NOTIFY = f"WITH one AS ({COMMIT} RETURNING 1) SELECT pg_notify('tilery_measured', 'x') FROM one"


def commits_per_second(url: str, connections: int, statement: str, seconds: float = 3.0) -> float:
    """Transactions of one row each."""

    def run(_: int) -> int:
        with psycopg.connect(url, autocommit=True) as connection:
            done, end = 0, time.perf_counter() + seconds
            while time.perf_counter() < end:
                connection.execute(statement.encode())
                done += 1
        return done

    with ThreadPoolExecutor(connections) as pool:
        return sum(pool.map(run, range(connections))) / seconds


def measure_commits(url: str, figures: Figures) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE tilery_commits (n int)")
    figures["commits_per_second"] = {
        "1 connection": commits_per_second(url, 1, COMMIT_AND_NOTIFY),
        "8 connections": commits_per_second(url, 8, COMMIT_AND_NOTIFY),
        "8 connections without notifications": commits_per_second(url, 8, COMMIT),
    }


async def measure_rows(database: Database, figures: Figures, writers: int = 400, seconds: float = 4.0) -> None:
    """What a move costs the database in transactions so large that the transaction itself does not matter."""
    store = PostgresStore(database.url)
    store.listen(lambda *_: None, lambda _: None)
    await store.open()
    names = [f"table{number:07}" for number in range(writers)]
    leases = await asyncio.gather(*(create_table(store, name) for name in names))
    before, written = await asyncio.to_thread(database.counters), list[float]()
    end = time.perf_counter() + seconds
    await asyncio.gather(*(append_until(store, *each, end, written) for each in zip(names, leases, strict=True)))
    used = changes(await asyncio.to_thread(database.counters), before)
    figures["database_cpu_per_move_us"] = 1e6 * used["cpu"] / len(written)
    await store.close()


def bot_game(name: str, seed: int) -> tuple[float, int]:
    """A game of a bot against itself: the CPU seconds of both seats, and the number of moves."""
    azul, stream, player = game("azul"), Stream("capacity", name, seed), bot(name)
    position = azul.new()
    moves, cpu = 0, 0.0
    while position.actor != OVER:
        if position.actor == CHANCE:
            position = position.play(position.draw(stream))
            continue
        seen = position.seen_by(position.actor)
        begin = time.process_time()
        action = player.choose(seen, stream)
        cpu += time.process_time() - begin
        position, moves = position.play(action), moves + 1
    return cpu, moves


def measure_bots(figures: Figures, games: int) -> None:
    played = {name: [bot_game(name, seed) for seed in range(games + 1)][1:] for name in BOTS}  # the first compiles
    figures["bot_cpu_per_game_s"] = {
        name: statistics.fmean(cpu for cpu, _ in done) / 2 for name, done in played.items()
    }  # of one seat
    figures["moves_per_game"] = statistics.fmean(moves for done in played.values() for _, moves in done)


def rounded(value: Any) -> Any:
    """Three digits are more than repeated runs agree on."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value


def measure(options: argparse.Namespace) -> Figures:
    figures: Figures = {"machine": f"{os.cpu_count()} cores, {platform.machine()}"}
    folder = binaries()
    if folder is None:
        raise SystemExit("this needs PostgreSQL: initdb is neither on the PATH nor in /usr/lib/postgresql")
    server = Server(folder)
    try:
        database = Database(server.url)
        figures["database"] = subprocess.check_output([folder / "postgres", "--version"], text=True).strip()
        measure_commits(server.url, figures)
        measure_notifications(server.url, figures)
        asyncio.run(measure_rows(database, figures))
        for ports, count, work in (
            (1, 1, lambda load: play(options, database, load, figures)),
            (1, 2, lambda load: play_beside(options, database, load, figures)),
            (1, 1, lambda load: play_to_check(options, database, load, figures, options.rate / 2)),
            (2, 2, lambda load: play_to_check(options, database, load, figures, options.rate)),
            (2, 2, lambda load: play_elsewhere(options, load, figures)),
        ):
            server.empty()
            with_servers(server.url, count, ports, work)
    finally:
        server.remove()
    measure_bots(figures, options.games)
    return rounded(figures)  # type: ignore[no-any-return]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=1200.0, help="moves/s")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3, help="measurements of a move, which are averaged")
    parser.add_argument("--games", type=int, default=6, help="games of each level of bots")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with contextlib.redirect_stdout(sys.stderr):
        figures = measure(options)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
