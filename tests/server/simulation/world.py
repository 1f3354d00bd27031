"""One run of the simulation: a disk, some processes, some clients, and the failures of its seed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.server.simulation.charged_time import ChargedTime
from tests.server.simulation.client import Client
from tests.server.simulation.damage import DAMAGED_FOR, Damage
from tests.server.simulation.disk import Disk
from tests.server.simulation.failures import Failures
from tests.server.simulation.final_checks import check_end
from tests.server.simulation.invariants import Invariants
from tests.server.simulation.loop import SimLoop
from tests.server.simulation.network import Connection
from tests.server.simulation.outages import Outages
from tests.server.simulation.process import Process
from tests.server.simulation.store import SimStore
from tilery.server.hosting import live_tables
from tilery.server.hosting.clocks import SteadyClock
from tilery.server.hosting.host import Busy, TableHost, Unavailable
from tilery.table import state
from tilery.table.creation import SeatPlan, Setup
from tilery.table.wire import ClockSetting

FINISH_TIMEOUT = 45.0  # seconds after the last failure in which every client must finish
LONG_SILENCE = 15.0  # seconds: an owner that was frozen is still the owner
SETTLE_TIME = 16.0  # seconds for the last messages to arrive; a command for a dead owner is tried for 13


class Broken(AssertionError):
    """A broken invariant; the text names the seed."""


@dataclass(frozen=True)
class Parts:
    """The classes that the simulated processes use: the real ones, unless a bug is planted."""

    table_host: Callable[..., TableHost] = TableHost
    store: Callable[[Process], SimStore] = SimStore
    clock: Callable[[Callable[[], float], Callable[[], float]], Callable[[], float]] = SteadyClock


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
        self.charged_time = ChargedTime(self)
        self.outages = Outages(self, seed)
        self.damage = Damage(self, self.outages.random)
        self.disk = Disk(self._is_living, self.invariants.written, self.charged_time.interrupted)
        self.process_count = random.choice((1, 2, 2, 3))
        self.failures = failures = Failures(random, self.process_count)
        if "freeze" in self.outages.kinds and self.outages.random.random() < 0.5:
            failures.silence = LONG_SILENCE
        self.game = "schokoly" if random.random() < 0.08 else "azul"
        self.longest = random.randint(7, 14)  # plies until a player resigns; the first five are deals
        self.has_bot = random.random() < 0.4
        self.has_clock = random.random() < 0.4
        self.waits_for_clock = self.has_clock and random.random() < 0.6
        if self.outages.kinds and not self.has_clock:
            self.has_clock = self.waits_for_clock = self.outages.random.random() < 0.6
        self.players_leave = self.waits_for_clock and random.random() < 0.5  # while the clock runs
        if self.waits_for_clock:
            failures.until += 6.0
        if self.players_leave:
            failures.until += 15.0
            failures.down, failures.kinds = 0.2, []
        self.wants_rematch = random.random() < 0.5
        self.recent = 3 if random.random() < 0.2 else state.RECENT  # events kept for returning clients
        self.clients = [Client(self, "anna", plays=True, creates=True)]
        if not self.has_bot:
            self.clients.append(Client(self, "bert", plays=True))
        if random.random() < 0.3:
            self.clients.append(Client(self, "cleo", plays=False))
        if self.outages.damages:
            self.clients.append(Client(self, "dora", plays=True, creates=True))
        self.unload_delay = {1: 3.0, 3: 0.1}.get(seed % 4, 60.0)
        self.processes: dict[str, Process] = {}
        self._tables = 0
        self._connections = 0

    def run(self) -> None:
        """Run to the end, or raise `Broken` at the first broken invariant."""
        whole, state.RECENT = state.RECENT, self.recent
        damaged_for, live_tables.DAMAGED_FOR = live_tables.DAMAGED_FOR, DAMAGED_FOR
        try:
            self.loop.run(self._main())
        except Exception as error:
            self.invariants.fail(f"{type(error).__name__}: {error}")
        finally:
            state.RECENT, live_tables.DAMAGED_FOR = whole, damaged_for
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
            self._start(self.outages.clock_error())
        await self._create_tables()
        playing = [asyncio.ensure_future(client.play()) for client in self.clients]
        causing = asyncio.ensure_future(self.outages.run())
        await self._inject_failures()
        await causing
        began = self.loop.time()
        while self.loop.time() < began + FINISH_TIMEOUT and not all(client.is_done for client in self.clients):
            self.charged_time.check(began)
            await asyncio.sleep(0.5)
        for client in self.clients:
            waits = self.charged_time.overslept(client.table)
            self.invariants.check(client.is_done or waits, "{} is stuck: {}", client.name, client.describe())
        await asyncio.sleep(SETTLE_TIME)
        for task in playing:
            self.invariants.check(not task.done(), "a client has failed")
        check_end(self)

    def _start(self, clock_error: float) -> None:
        name = f"p{len(self.processes) + 1}"
        self.note("{} starts", name)
        self.processes[name] = Process(self, name, clock_error)

    def on_exit(self, process: Process) -> None:
        """A process has ended; another one replaces it after a while."""
        if process.is_up:
            process.crash()
            self.later(self.random.uniform(0.05, 2.0), self._replace, process)

    def _replace(self, process: Process) -> None:
        if self.process_count == 1:  # there is no other process, so the lease need not expire
            self.disk.release_all(process.name)
        self._start(process.clock.error)

    async def _create_tables(self) -> None:
        """Anna creates a table, where the others join her; dora plays against a bot at a table of her own."""
        for client in self.clients:
            if not client.creates:
                continue
            with_bot = self.has_bot or client.name == "dora"
            other = SeatPlan(kind="bot", bot="greedy") if with_bot else SeatPlan(kind="open")
            clock = ClockSetting(base=10) if self.has_clock else None
            setup = Setup(game=self.game, seats=(SeatPlan(kind="me", name=client.name.title()), other), clock=clock)
            while not client.table:
                process = self.any_process()
                assert process is not None
                await process.start_task(self._create_at(process, setup, client))
        for client in self.clients:
            client.table = client.table or self.clients[0].table

    async def _create_at(self, process: Process, setup: Setup, client: Client) -> None:
        try:
            client.table = (await process.table_host.create(setup, client.key)).name
        except (Unavailable, Busy):
            await asyncio.sleep(0.1)

    async def _inject_failures(self) -> None:
        """Inject failures for a while, then let everything recover."""
        while self.loop.time() < self.failures.until:
            await asyncio.sleep(self.random.expovariate(1 / self.failures.every))
            self._inject(self.failures.next_kind())
        self.note("failures have ended")
        self.failures.has_ended = True
        self.outages.end()
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
