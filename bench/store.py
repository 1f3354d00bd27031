"""`python -m bench.store`: durable appends a second, with many writers that each wait for their own.

Without a url a SQLite file is made in the folder named by `--folder`, which should be on the disk that matters.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time

from rich.console import Console

from tilery.server.store.interface import Batch, Founding, Store, StoreError, Summary
from tilery.server.store.opening import open_store

CONSOLE = Console()
CARD = '{"game":"azul","players":["Anna","Bert","Carla"],"rules":"base"}'
EVENT = '{"type":"ply","actor":1,"move":"3 blue 2","at":1763302334.123456,"clock":[512.25,498.5],"note":"Zug für Zug"}'


def summary() -> Summary:
    """As after a move of a game with clocks: the time to wake is another one each time."""
    return Summary("playing", False, time.time() + 600, CARD)


async def found(store: Store, table: str) -> int:
    """A new table; its lease."""
    await store.found(Founding(table, b"s" * 32, (EVENT,), summary()))
    claim = await store.claim(table)
    assert claim
    assert claim.lease
    return claim.lease


async def append_until(store: Store, table: str, lease: int, end: float, waits: list[float]) -> None:
    """One writer, who waits for each event to be durable before the next."""
    after = 1
    while (begin := time.perf_counter()) < end:
        await store.append(Batch(table, lease, after, (EVENT,), summary()))
        after += 1
        waits.append(time.perf_counter() - begin)


async def hinder(end: float) -> None:
    """An event loop with other things to do: 2 ms of work, again and again."""
    while time.perf_counter() < end:
        stop = time.perf_counter() + 0.002
        while time.perf_counter() < stop:
            sum(range(50))
        await asyncio.sleep(0)


async def measure(store: Store, writers: int, seconds: float, busy: bool) -> None:
    """Found the tables, let everybody write, print what came out."""
    await store.open()
    begin = time.perf_counter()
    names = [f"bench-{time.time_ns()}-{number}" for number in range(writers)]
    leases = await asyncio.gather(*(found(store, name) for name in names))
    CONSOLE.print(f"{writers / (time.perf_counter() - begin):,.0f} tables a second founded and claimed")
    waits: list[float] = []
    begin, cpu = time.perf_counter(), _cpu()
    end = begin + seconds
    work = [append_until(store, name, lease, end, waits) for name, lease in zip(names, leases, strict=True)]
    await asyncio.gather(*work, *([hinder(end)] if busy else []))
    took, cpu = time.perf_counter() - begin, _cpu() - cpu
    waits.sort()
    middle, slow = (1e3 * waits[int(len(waits) * part)] for part in (0.5, 0.99))
    CONSOLE.print(
        f"{len(waits) / took:,.0f} appends a second, {1e6 * cpu / len(waits):.0f} µs of CPU each in this process; "
        f"wait {middle:.1f} ms in the middle, {slow:.1f} ms for 99 %"
    )
    await store.close()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure one store."""
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("database", nargs="?", help="postgresql://... (its tables are left behind)")
    parser.add_argument("--folder", default=None)
    parser.add_argument("--writers", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--busy", action="store_true", help="with an event loop that has other things to do")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=told.folder) as folder:
        store = open_store(told.database or f"{folder}/bench.db")
        try:
            asyncio.run(measure(store, told.writers, told.seconds, told.busy))
        except StoreError as error:
            raise SystemExit(f"the store has failed: {error}") from None


if __name__ == "__main__":
    main()
