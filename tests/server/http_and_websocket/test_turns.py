"""A burst of requests from one address is spread out; others do not wait for it."""

from __future__ import annotations

import asyncio

from tilery.server.http.turns import PAUSE, Turns


def test_requests_of_one_address_start_one_after_the_other_and_others_at_once() -> None:
    async def story() -> list[str]:
        turns, started = Turns(), []

        async def request(address: str, name: str) -> None:
            await turns.wait(address)
            started.append(name)

        burst = [asyncio.ensure_future(request("hostile", f"h{number}")) for number in range(20)]
        await asyncio.sleep(0)
        burst.pop(3).cancel()  # the client hangs up
        await request("anna", "a0")
        assert started == ["h0", "a0"]
        began = asyncio.get_running_loop().time()
        await asyncio.gather(*burst)
        assert asyncio.get_running_loop().time() - began >= 17 * PAUSE
        await asyncio.sleep(3 * PAUSE)
        await request("hostile", "later")
        return started

    expected = ["h0", "a0", *(f"h{number}" for number in range(1, 20) if number != 3), "later"]
    assert asyncio.run(story()) == expected
