"""Turns of the event loop: a burst of requests from one address is spread over many, with pauses between them."""

from __future__ import annotations

import asyncio
from collections import deque

PAUSE = 0.001  # seconds between the starts of two requests from one address


class Turns:
    """Lets one request of each address start at a time, in the order in which they arrived, with a pause between two.

    The loop handles everything that has arrived before it looks again, so a hundred requests that arrive at once would
    keep all others waiting for a hundred times as long as one does.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by address

    async def wait(self, address: str) -> None:
        """Wait for a turn; for the first one not at all."""
        waiting = self._waiting.get(address)
        if waiting is None:
            self._waiting[address] = deque()
            asyncio.get_running_loop().call_later(PAUSE, self._next, address)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        await turn

    def _next(self, address: str) -> None:
        waiting = self._waiting[address]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                asyncio.get_running_loop().call_later(PAUSE, self._next, address)
                return
        del self._waiting[address]
