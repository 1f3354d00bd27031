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
import json
import random
import resource
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.load import check, fast_loop, percentiles
from bench.outages import SAMPLE, Outages, limited_disk
from bench.returning import ReturningLoad

SETTLED = 40.0  # seconds after a start when all players are back, and the memory is compared
GROWTH, GROWTH_MB = 0.1, 20.0  # of the memory that count as flat


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


def latencies(load: ReturningLoad, windows: list[tuple[float, float]]) -> dict[str, Any]:
    """Over all, and of the moves that no outage has touched."""
    quiet = [
        latency
        for sent, latency in load.replies
        if not any(sent < end and sent + latency > start for start, end in windows)
    ]
    everything = [latency for _, latency in load.replies]
    return {"all": percentiles(everything), "outside of outages": {"moves": len(quiet), **percentiles(quiet)}}


async def run(options: argparse.Namespace, load: ReturningLoad, outages: Outages) -> None:
    seconds = options.minutes * 60
    slots = asyncio.Semaphore(16)

    async def create() -> None:
        async with slots:
            await load.replace(None)

    await asyncio.gather(*(create() for _ in range(options.tables)))
    outages.note("tables created", tables=options.tables)
    watching = asyncio.ensure_future(outages.watch())
    causing = asyncio.ensure_future(outages.run(seconds, min(options.every, seconds / 5)))
    await load.play(options.rate, seconds, causing)
    await causing
    watching.cancel()
    load.is_done = True


def summary(options: argparse.Namespace, load: ReturningLoad, outages: Outages, *, is_stored: bool) -> dict[str, Any]:
    flat = flatness(outages.memories, outages.started)
    problems = [
        *([] if is_stored else ["the store does not match the replies"]),
        *([f"{load.counts['lost on time']} lost on time"] if load.counts["lost on time"] else []),
        *([f"{len(load.errors)} refusals, the first: {load.errors[0]}"] if load.errors else []),
        *([] if flat["memory is flat"] else ["the memory grows"]),
        *([] if outages.counts["full disk noticed"] else ["no move met a full disk"]),
        *([name for name in load.counts if name.startswith("task failed")]),
    ]
    return {
        "minutes": options.minutes,
        "seed": options.seed,
        "acknowledged moves": len(load.acknowledged),
        "outages": dict(outages.counts),
        "disk": "file system of limited size" if outages.on_tmpfs else "RLIMIT_FSIZE",
        "latency": latencies(load, outages.windows),
        "memory": flat,
        "counts": dict(load.counts),
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
            load = ReturningLoad(0)
            outages = Outages(load, disk / "soak.db", random.Random(options.seed), on_tmpfs, log)
            outages.start_server()
            load.ports[0] = outages.port
            try:
                with asyncio.Runner(loop_factory=fast_loop()) as runner:
                    runner.run(run(options, load, outages))
            finally:
                outages.process.send_signal(signal.SIGCONT)
                outages.process.send_signal(signal.SIGTERM)
                outages.process.wait(60)
            result = summary(options, load, outages, is_stored=check(str(outages.database), load))
        outages.note("summary", **result)
    print(json.dumps(result), flush=True)
    sys.exit(0 if result["passed"] else 1)


if __name__ == "__main__":
    main()
