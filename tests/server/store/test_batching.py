"""Requests that arrive at about the same time are processed together."""

from __future__ import annotations

import asyncio
import time

from tilery.server.store.batching import GroupQueue

LONG = 60.0  # seconds that no test waits


def test_after_a_group_of_several_more_requests_are_gathered() -> None:
    groups: list[list[int]] = []

    async def process(requests: list[int]) -> list[int]:
        groups.append(requests)
        return requests

    async def work() -> None:
        queue: GroupQueue[int, int] = GroupQueue(process, 100, 100, gather=(0.3, 4))
        assert await queue.submit(1) == 1  # at once
        await asyncio.gather(queue.submit(2), queue.submit(3))
        late = [asyncio.create_task(queue.submit(4))]
        await asyncio.sleep(0.02)
        late.append(asyncio.create_task(queue.submit(5)))
        assert await asyncio.gather(*late) == [4, 5]
        assert groups == [[1], [2, 3], [4, 5]]
        await queue.submit(6)  # after a wait in vain
        began = time.monotonic()
        await queue.submit(7)
        assert time.monotonic() - began < 0.2
        assert groups[-2:] == [[6], [7]]

    asyncio.run(work())


def test_gathering_ends_when_there_are_enough() -> None:
    groups: list[list[int]] = []

    async def process(requests: list[int]) -> list[int]:
        groups.append(requests)
        return requests

    async def work() -> None:
        queue: GroupQueue[int, int] = GroupQueue(process, 100, 100, gather=(LONG, 4))
        await asyncio.gather(*map(queue.submit, range(2)))
        requests = []
        for number in range(4):
            requests.append(asyncio.create_task(queue.submit(number)))
            await asyncio.sleep(0.01)
        await asyncio.wait_for(asyncio.gather(*requests), LONG / 2)
        assert [len(group) for group in groups] == [2, 4]

    asyncio.run(work())
