"""`python -m bench.store`: throughput and latency of durable appends with many concurrent writers.

Without a URL a SQLite file is created in `--folder`, which should be on the disk to be measured.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time

from rich.console import Console

from tilery.server.store.interface import Batch, NewTableRow, Store, StoreError, Summary
from tilery.server.store.open import open_store

CONSOLE = Console()
CARD = '{"game":"azul","players":["Anna","Bert","Carla"],"rules":"base"}'
DIGEST = "0123456789abcdef" * 2
EVENT = '{"type":"ply","actor":1,"move":"3 blue 2","at":1763302334.123456,"clock":[512.25,498.5],"note":"Zug für Zug"}'


def summary() -> Summary:
    """The summary after a move of a game with clocks: `wakes_at` differs each time."""
    return Summary("playing", False, time.time() + 600, CARD)


async def create_table(store: Store, table: str) -> int:
    """Create and claim a table; return its lease."""
    await store.create(NewTableRow(table, b"s" * 32, (EVENT,), summary()))
    claim = await store.claim(table)
    assert claim
    assert claim.lease
    return claim.lease


async def append_until(store: Store, table: str, lease: int, end: float, latencies: list[float]) -> None:
    """One writer, which waits until an event is durable before it appends the next."""
    after = 1
    while (begin := time.perf_counter()) < end:
        await store.append(Batch(table, lease, after, (EVENT,), summary(), DIGEST))
        after += 1
        latencies.append(time.perf_counter() - begin)


async def keep_busy(end: float) -> None:
    """Other work on the event loop: 2 ms of computation at a time."""
    while time.perf_counter() < end:
        stop = time.perf_counter() + 0.002
        while time.perf_counter() < stop:
            sum(range(50))
        await asyncio.sleep(0)


async def measure(store: Store, writers: int, seconds: float, busy: bool) -> None:
    """Create the tables, append for some seconds, and print throughput and latency."""
    await store.open()
    begin = time.perf_counter()
    names = [f"bench-{time.time_ns()}-{number}" for number in range(writers)]
    leases = await asyncio.gather(*(create_table(store, name) for name in names))
    CONSOLE.print(f"{writers / (time.perf_counter() - begin):,.0f} tables/s created and claimed")
    latencies: list[float] = []
    begin, cpu = time.perf_counter(), _cpu()
    end = begin + seconds
    work = [append_until(store, name, lease, end, latencies) for name, lease in zip(names, leases, strict=True)]
    await asyncio.gather(*work, *([keep_busy(end)] if busy else []))
    elapsed, cpu = time.perf_counter() - begin, _cpu() - cpu
    latencies.sort()
    p50, p99 = (1e3 * latencies[int(len(latencies) * part)] for part in (0.5, 0.99))
    CONSOLE.print(
        f"throughput {len(latencies) / elapsed:,.0f} appends/s, latency p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
        f"CPU {1e6 * cpu / len(latencies):.0f} µs per append in this process"
    )
    await store.close()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure the store at the given address."""
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("database", nargs="?", help="postgresql://... (the tables are not deleted)")
    parser.add_argument("--folder", default=None, help="for the SQLite file; default: the system's temporary folder")
    parser.add_argument("--writers", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--busy", action="store_true", help="with other work on the event loop")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        store = open_store(options.database or f"{folder}/bench.db")
        try:
            asyncio.run(measure(store, options.writers, options.seconds, options.busy))
        except StoreError as error:
            raise SystemExit(f"the store failed: {error}") from None


if __name__ == "__main__":
    main()
