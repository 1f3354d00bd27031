"""One hostile address that sends as much as it may: `python -m tests.server.attacks.attacker PORT SECONDS FILE...`.

Each file is a request, byte by byte. All are sent from 127.0.0.2, in two ways at the same time: as many as the rate
limit allows, one after the other, and every five seconds a burst of a hundred that are abandoned at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
import time
from collections import Counter
from pathlib import Path

ADDRESS = "127.0.0.2"
BURST, BURST_EVERY = 100, 5.0  # the limits of an address by default are 100 at once, and 20 a second
CONNECTIONS = 8


async def ask(port: int, request: bytes, patience: float) -> int:
    """Send a request, and wait for the response for this time; returns its status, or 0 if it was abandoned."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0))
    try:
        writer.write(request)
        await writer.drain()
        async with asyncio.timeout(patience):
            line = await reader.readline()
            await reader.read()
            return int(line.split()[1])
    except (TimeoutError, OSError, IndexError):
        return 0
    finally:
        writer.close()


async def attack(port: int, seconds: float, requests: list[bytes]) -> Counter[int]:
    """Attack for some seconds; returns how often each status was received."""
    statuses: Counter[int] = Counter()
    order = itertools.cycle(requests)
    end = time.monotonic() + seconds

    async def steadily() -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                statuses[await ask(port, next(order), 10)] += 1
            await asyncio.sleep(CONNECTIONS / 40)  # twice as often as allowed

    async def in_bursts() -> None:
        while time.monotonic() < end:
            await asyncio.gather(*(ask(port, next(order), 0.3) for _ in range(BURST)), return_exceptions=True)
            await asyncio.sleep(BURST_EVERY)

    await asyncio.gather(in_bursts(), *(steadily() for _ in range(CONNECTIONS)))
    return statuses


if __name__ == "__main__":
    port, seconds, *files = sys.argv[1:]
    print(dict(asyncio.run(attack(int(port), float(seconds), [Path(file).read_bytes() for file in files]))))
