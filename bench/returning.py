"""Players who connect again when a connection is lost, and repeat the command that they have no reply to."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from bench.load import Load, Pair, Player


@dataclass(eq=False)
class ReturningPair(Pair):
    """Two players who connect again when a connection is lost."""

    was_repeated: bool = False  # the pending move: an earlier copy may have been executed
    last_acknowledged: int = 0  # the number of the last move that was acknowledged
    turn_began: float = 0.0  # when the player to move was told so last

    def connection_lost(self, player: Player) -> None:
        if not player.welcomed.done():
            player.welcomed.set_exception(ConnectionError("the connection was lost before the welcome"))
            player.welcomed.exception()  # nobody may be waiting
        elif player in self.players and not (self.is_over or self.load.is_done):
            self.load.counts["connections lost"] += 1
            cast("ReturningLoad", self.load).start(self._return(player))

    async def _return(self, player: Player) -> None:
        """Connect again; repeat the move that has no reply."""
        load = self.load
        while not (load.is_done or self.is_over):
            await asyncio.sleep(random.uniform(0.1, 1.5))
            try:
                new = await self.connect(player.url, player.token, load.ports[0])
                self.players[self.players.index(player)], player = new, new
                await asyncio.wait_for(new.welcomed, 30)
            except (OSError, TimeoutError):
                if player.transport:
                    player.transport.abort()
                continue
            load.counts["reconnections"] += 1
            if self.pending and self.pending[0]["token"] == player.token:
                self._repeat(player)
            return

    def _player(self, token: str) -> Player:
        return next(player for player in self.players if player.token == token)

    def _repeat(self, player: Player) -> None:
        if self.pending and player.transport and not player.transport.is_closing():
            self.was_repeated = True
            self.load.counts["moves repeated"] += 1
            player.send(without_token(self.pending[0]))

    async def request(self, player: Player, command: dict[str, Any]) -> dict[str, Any]:
        token = player.token
        while True:
            waiting = self.waiting[command["id"]] = asyncio.get_running_loop().create_future()
            player = self._player(token)
            if player.transport and not player.transport.is_closing() and player.is_open:
                player.send(command)
            with contextlib.suppress(TimeoutError):
                reply: dict[str, Any] = await asyncio.wait_for(waiting, 5.0)
                if reply["ok"]:
                    return reply
                if not self.load.count_error(reply):
                    raise ConnectionError(f"{command['type']} was refused")
            await asyncio.sleep(0.5)

    def receive(self, player: Player, payload: bytes) -> None:
        if b'"ended_by":"time"' in payload and not self.is_over:
            now, load = time.perf_counter(), cast("ReturningLoad", self.load)
            load.counts["lost on time"] += 1
            trouble = {"lost on time": self.name, "seconds since the turn began": round(now - self.turn_began, 2)}
            if self.pending:
                trouble["seconds since the move was sent"] = round(now - self.pending[1], 2)
            load.trouble.append(trouble)
        before = self.state
        super().receive(player, payload)
        if self.state is not before:
            self.turn_began = time.perf_counter()

    def _move_reply(self, reply: dict[str, Any]) -> None:
        """A move whose outcome is not known is repeated, and so is one that was repeated before."""
        if self.pending is None or reply["id"] != self.pending[0]["id"]:
            return  # the reply to the second copy
        kind = "" if reply["ok"] else reply["error"]["kind"]
        if kind == "unavailable" or (kind == "busy" and self.was_repeated):
            self.load.counts[kind] += 1
            delay = reply["error"].get("retry_delay", 0.5)
            asyncio.get_running_loop().call_later(delay, self._repeat_later, self.pending[0]["token"])
            return
        load = cast("ReturningLoad", self.load)
        load.replied(self.pending[1], is_move=reply["ok"])
        if reply["ok"]:
            self.last_acknowledged = reply["seq"]
        super()._move_reply(reply)

    def _repeat_later(self, token: str) -> None:
        if self.pending and self.pending[0]["token"] == token:
            self._repeat(self._player(token))

    def move(self) -> None:
        if self.pending or self.is_over or self.mover not in self.players:
            return
        transport = self.mover.transport
        if transport is None or transport.is_closing():
            return  # the welcome of the next connection says whose turn it is
        if self._step() < self.last_acknowledged:
            return  # the move was made, and the other player has not been told yet
        self.was_repeated = False
        super().move()
        assert self.pending is not None
        self.pending[0]["token"] = self.mover.token


def without_token(command: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name != "token"}


class ReturningLoad(Load):
    """All tables; they are replaced when their game is over."""

    pair = ReturningPair
    setup: ClassVar[dict[str, Any]] = {**Load.setup, "clock": {"base": 14, "increment": 2}}  # freezes are longer

    def __init__(self, port: int) -> None:
        super().__init__([port], [])
        self.ready = cast("list[Pair]", deque())
        self.replies: list[tuple[float, float]] = []  # when each acknowledged move was sent, and its latency
        self.last_reply = 0.0
        self.trouble: list[dict[str, Any]] = []  # what must not happen
        self._tasks: set[asyncio.Task[None]] = set()

    def count_error(self, reply: dict[str, Any]) -> bool:
        again = super().count_error(reply)
        if not again:
            self.trouble.append({"refused": reply})
        return again

    def start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.counts[f"task failed: {error!r}"[:80]] += 1

    def replied(self, sent: float, *, is_move: bool) -> None:
        self.last_reply = time.perf_counter()
        if is_move:
            self.replies.append((sent, self.last_reply - sent))

    async def replace(self, pair: Pair | None) -> None:
        """A new table, with new players."""
        for player in pair.players if pair else ():
            if player.transport:
                player.transport.close()
        while not self.is_done:
            try:
                await self._create_table()
                return
            except (OSError, AssertionError, ValueError, KeyError) as error:
                self.counts[f"tables tried in vain: {type(error).__name__}"] += 1
                await asyncio.sleep(random.uniform(0.5, 2.0))

    async def play(self, rate: float, seconds: float, outages: asyncio.Future[None]) -> None:
        """Send `rate` moves a second, until the outages have ended; the table that has waited longest comes first, so
        that no game is lost on time because the load generator had no time for it."""
        began, sent = time.perf_counter(), 0
        ready = cast("deque[Pair]", self.ready)
        while (now := time.perf_counter() - began) < seconds or not outages.done():
            due = int(now * rate)
            while sent < due and ready:
                sent += 1
                ready.popleft().move()
            sent = max(sent, due - int(rate))  # what could not be sent during an outage is not made up for
            while self.finished:
                self.start(self.replace(self.finished.pop()))
            await asyncio.sleep(0.004)
