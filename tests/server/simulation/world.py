"""One run of the simulation: a disk, some processes, some clients, and the failures of its seed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.server.simulation.client import Client
from tests.server.simulation.disk import Disk
from tests.server.simulation.failures import Failures
from tests.server.simulation.final_checks import check_end
from tests.server.simulation.invariants import Invariants
from tests.server.simulation.loop import SimLoop
from tests.server.simulation.network import Connection
from tests.server.simulation.process import Process
from tests.server.simulation.store import SimStore
from tilery.server.hosting.host import Busy, TableHost, Unavailable
from tilery.table import state
from tilery.table.creation import SeatPlan, Setup
from tilery.table.wire import ClockSetting

FINISH_TIMEOUT = 45.0  # seconds after the last failure in which every client must finish
SETTLE_TIME = 8.0  # seconds for the last messages to arrive


class Broken(AssertionError):
    """A broken invariant; the text names the seed."""


@dataclass(frozen=True)
class Parts:
    """The classes that the simulated processes use: the real ones, unless a bug is planted."""

    table_host: Callable[..., TableHost] = TableHost
    store: Callable[[Process], SimStore] = SimStore


class World:
    """The state of one run."""

    def __init__(self, seed: int, parts: Parts | None = None, *, traces: bool = False) -> None:
        self.seed = seed
        self.parts = parts or Parts()
        self.trace: list[str] | None = [] if traces else None
        self.random = random = Random(seed)
        self.context = copy_context()
        self.loop = SimLoop(random)  # type: ignore[abstract]
        self.invariants = Invariants(self)
        self.disk = Disk(self._is_living, self.invariants.written)
        self.process_count = random.choice((1, 2, 2, 3))
        self.failures = failures = Failures(random, self.process_count)
        self.game = "schokoly" if random.random() < 0.08 else "azul"
        self.longest = random.randint(7, 14)  # plies until a player resigns; the first five are deals
        self.has_bot = random.random() < 0.4
        self.has_clock = random.random() < 0.4
        self.waits_for_clock = self.has_clock and random.random() < 0.6
        self.players_leave = self.waits_for_clock and random.random() < 0.5  # while the clock runs
        if self.waits_for_clock:
            failures.until += 6.0
        if self.players_leave:
            failures.until += 15.0
            failures.down, failures.kinds = 0.2, []
        self.wants_rematch = random.random() < 0.5
        self.recent = 3 if random.random() < 0.2 else state.RECENT  # events kept for returning clients
        self.clients = [Client(self, "anna", plays=True)]
        if not self.has_bot:
            self.clients.append(Client(self, "bert", plays=True))
        if random.random() < 0.3:
            self.clients.append(Client(self, "cleo", plays=False))
        self.unload_delay = 3.0 if seed % 4 == 1 else 60.0
        self.processes: dict[str, Process] = {}
        self._tables = 0
        self._connections = 0

    def run(self) -> None:
        """Run to the end, or raise `Broken` at the first broken invariant."""
        whole, state.RECENT = state.RECENT, self.recent
        try:
            self.loop.run(self._main())
        except Exception as error:
            self.invariants.fail(f"{type(error).__name__}: {error}")
        finally:
            state.RECENT = whole
        if self.invariants.broken:
            raise Broken(self.invariants.broken)

    # Services for processes and clients

    def note(self, words: str, *args: object) -> None:
        if self.trace is not None:
            self.trace.append(f"{self.loop.time():9.4f}  {words.format(*args) if args else words}")

    def delay(self) -> float:
        return self.failures.delay()

    def later(self, seconds: float, callback: Callable[..., object], *args: Any) -> None:
        """Call something outside of all processes."""
        self.loop.call_later(seconds, callback, *args, context=self.context)

    def new_table_id(self) -> tuple[str, bytes]:
        self._tables += 1
        return f"t{self._tables}", self.random.randbytes(32)

    def new_connection(self, client: Client, process: Process) -> Connection:
        self._connections += 1
        return Connection(client, process, self._connections)

    def any_process(self) -> Process | None:
        able = [process for process in self.processes.values() if process.is_up and not process.is_stopping]
        return self.random.choice(able) if able else None

    def _is_living(self, name: str) -> bool:
        return self.processes[name].last_heartbeat() > self.loop.time() - self.failures.silence

    def publish(self, writer: str, table: str, last: int) -> None:
        """Send news to all processes but the writer."""
        for process in self.processes.values():
            if process.name != writer and process.is_up:
                self.later(self.delay(), process.on_news, table, last)

    def post(self, owner: str, text: str) -> None:
        if not self.failures.happens(self.failures.mail_lost):
            self.later(self.delay(), self.processes[owner].receive, text)

    # The course of a run

    async def _main(self) -> None:
        for _ in range(self.process_count):
            self._start()
        await self._create_table()
        playing = [asyncio.ensure_future(client.play()) for client in self.clients]
        await self._inject_failures()
        until = self.loop.time() + FINISH_TIMEOUT
        while self.loop.time() < until and not all(client.is_done for client in self.clients):
            await asyncio.sleep(0.5)
        for client in self.clients:
            self.invariants.check(client.is_done, "{} is stuck: {}", client.name, client.describe())
        await asyncio.sleep(SETTLE_TIME)
        for task in playing:
            self.invariants.check(not task.done(), "a client has failed")
        check_end(self)

    def _start(self) -> None:
        name = f"p{len(self.processes) + 1}"
        self.note("{} starts", name)
        self.processes[name] = Process(self, name)

    def on_exit(self, process: Process) -> None:
        """A process has ended; another one replaces it after a while."""
        if process.is_up:
            process.crash()
            self.later(self.random.uniform(0.05, 2.0), self._replace, process)

    def _replace(self, process: Process) -> None:
        if self.process_count == 1:  # there is no other process, so the lease need not expire
            self.disk.release_all(process.name)
        self._start()

    async def _create_table(self) -> None:
        """Anna creates a table."""
        anna = self.clients[0]
        other = SeatPlan(kind="bot", bot="greedy") if self.has_bot else SeatPlan(kind="open")
        clock = ClockSetting(base=10) if self.has_clock else None
        setup = Setup(game=self.game, seats=(SeatPlan(kind="me", name="Anna"), other), clock=clock)
        while not anna.table:
            process = self.any_process()
            assert process is not None
            await process.start_task(self._create_at(process, setup))
        for client in self.clients:
            client.table = anna.table

    async def _create_at(self, process: Process, setup: Setup) -> None:
        try:
            self.clients[0].table = await process.table_host.create(setup, self.clients[0].key)
        except (Unavailable, Busy):
            await asyncio.sleep(0.1)

    async def _inject_failures(self) -> None:
        """Inject failures for a while, then let everything recover."""
        while self.loop.time() < self.failures.until:
            await asyncio.sleep(self.random.expovariate(1 / self.failures.every))
            self._inject(self.failures.next_kind())
        self.note("failures have ended")
        self.failures.has_ended = True
        for process in self.processes.values():
            process.resume()
            process.reconnect()

    def _inject(self, kind: str) -> None:
        process = self.any_process()
        if process is None or not kind:
            return
        owner = self.processes.get(next(iter(self.disk.tables.values())).owner)
        if owner and owner.is_up and self.random.random() < 0.5:
            process = owner
        self.note("{} hits {}", kind, process.name)
        if kind == "crash":
            self.on_exit(process)
        elif kind == "pause":
            process.pause(self.random.choice((0.3, 3.0, 6.0, 9.0)))
        elif kind == "outage":
            process.disconnect_store(self.random.choice((0.2, 1.0, 4.0)))
        elif kind == "stop" and not process.is_paused and not process.is_stopping:
            process.start_task(process.stop())
        elif kind == "cut" and process.connections:
            self.random.choice(list(process.connections)).cut()
