"""One run of the simulation: a disk, some processes, some clients, and whatever its seed brings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.server.simulation.client import Client
from tests.server.simulation.disk import Disk
from tests.server.simulation.ending import check_end
from tests.server.simulation.line import Line
from tests.server.simulation.loop import SimLoop
from tests.server.simulation.process import Process
from tests.server.simulation.store import SimStore
from tests.server.simulation.watch import Watch
from tests.server.simulation.weather import Weather
from tilery.server.keeper import Keeper, Overloaded, Unavailable
from tilery.table import state
from tilery.table.founding import SeatPlan, Setup

PATIENCE = 45.0  # seconds after the last trouble in which everybody comes to an end
QUIET = 8.0  # seconds in which the last news go round


class Broken(AssertionError):
    """A promise that was not kept; the text names the seed."""


@dataclass(frozen=True)
class Fault:
    """What the simulated processes are made of: the real thing, unless a fault is planted."""

    keeper: Callable[..., Keeper] = Keeper
    store: Callable[[Process], SimStore] = SimStore


class World:
    """Everything of one run."""

    def __init__(self, seed: int, fault: Fault | None = None, *, traces: bool = False) -> None:
        self.seed = seed
        self.fault = fault or Fault()
        self.trace: list[str] | None = [] if traces else None
        self.random = random = Random(seed)
        self.context = copy_context()
        self.loop = SimLoop(random)  # type: ignore[abstract]
        self.watch = Watch(self)
        self.disk = Disk(self._is_living, self.watch.written)
        self.size = random.choice((1, 2, 2, 3))
        self.weather = weather = Weather(random, self.size)
        self.game = "schokoly" if random.random() < 0.08 else "azul"
        self.longest = random.randint(7, 14)  # plies until somebody resigns; five are the first deals
        self.has_bot = random.random() < 0.4
        self.has_clock = random.random() < 0.4
        self.waits_for_clock = self.has_clock and random.random() < 0.6
        self.is_deserted = self.waits_for_clock and random.random() < 0.5  # by all who wait for the clock
        if self.waits_for_clock:
            weather.until += 6.0
        if self.is_deserted:
            weather.until += 15.0
            weather.down, weather.strikes = 0.2, []
        self.wants_rematch = random.random() < 0.5
        self.recent = 3 if random.random() < 0.2 else state.RECENT  # events at hand for who comes back
        self.clients = [Client(self, "anna", plays=True)]
        if not self.has_bot:
            self.clients.append(Client(self, "bert", plays=True))
        if random.random() < 0.3:
            self.clients.append(Client(self, "cleo", plays=False))
        self.processes: dict[str, Process] = {}
        self._tables = 0
        self._lines = 0

    def run(self) -> None:
        """To the end, or to the first promise that is broken (`Broken`)."""
        whole, state.RECENT = state.RECENT, self.recent
        try:
            self.loop.run(self._main())
        except Exception as error:
            self.watch.blame(f"{type(error).__name__}: {error}")
        finally:
            state.RECENT = whole
        if self.watch.broken:
            raise Broken(self.watch.broken)

    # What everybody needs

    def note(self, words: str, *args: object) -> None:
        if self.trace is not None:
            self.trace.append(f"{self.loop.time():9.4f}  {words.format(*args) if args else words}")

    def delay(self) -> float:
        return self.weather.delay()

    def later(self, seconds: float, deed: Callable[..., object], *args: Any) -> None:
        """Outside of all processes."""
        self.loop.call_later(seconds, deed, *args, context=self.context)

    def fresh(self) -> tuple[str, bytes]:
        self._tables += 1
        return f"t{self._tables}", self.random.randbytes(32)

    def new_line(self, client: Client, process: Process) -> Line:
        self._lines += 1
        return Line(client, process, self._lines)

    def any_process(self) -> Process | None:
        able = [process for process in self.processes.values() if process.is_up and not process.is_leaving]
        return self.random.choice(able) if able else None

    def _is_living(self, name: str) -> bool:
        return self.processes[name].heard() > self.loop.time() - self.weather.silence

    def publish(self, writer: str, table: str, last: int) -> None:
        """News for all but the writer."""
        for process in self.processes.values():
            if process.name != writer and process.is_up:
                self.later(self.delay(), process.hear, table, last)

    def post(self, owner: str, text: str) -> None:
        if not self.weather.happens(self.weather.mail_lost):
            self.later(self.delay(), self.processes[owner].receive, text)

    # What happens

    async def _main(self) -> None:
        for _ in range(self.size):
            self._start()
        await self._found()
        playing = [asyncio.ensure_future(client.play()) for client in self.clients]
        await self._storm()
        until = self.loop.time() + PATIENCE
        while self.loop.time() < until and not all(client.is_done for client in self.clients):
            await asyncio.sleep(0.5)
        for client in self.clients:
            self.watch.hold(client.is_done, "{} is stuck: {}", client.name, client.standing())
        await asyncio.sleep(QUIET)
        for task in playing:
            self.watch.hold(not task.done(), "a client has failed")
        check_end(self)

    def _start(self) -> None:
        name = f"p{len(self.processes) + 1}"
        self.note("{} starts", name)
        self.processes[name] = Process(self, name)

    def bury(self, process: Process) -> None:
        """A process has ended; another one takes its place after a while."""
        if process.is_up:
            process.die()
            self.later(self.random.uniform(0.05, 2.0), self._replace, process)

    def _replace(self, process: Process) -> None:
        if self.size == 1:  # nobody else can be alive: it need not be waited for
            self.disk.give_back(process.name)
        self._start()

    async def _found(self) -> None:
        """Anna makes a table."""
        anna = self.clients[0]
        other = SeatPlan(kind="bot", bot="greedy") if self.has_bot else SeatPlan(kind="open")
        clock = {"base": 10, "increment": 0} if self.has_clock else None
        setup = Setup(game=self.game, seats=[SeatPlan(kind="me", name="Anna"), other], clock=clock)
        while not anna.table:
            process = self.any_process()
            assert process is not None
            await process.begin(self._found_at(process, setup))
        for client in self.clients:
            client.table = anna.table

    async def _found_at(self, process: Process, setup: Setup) -> None:
        try:
            self.clients[0].table = await process.keeper.found(setup, self.clients[0].key)
        except (Unavailable, Overloaded):
            await asyncio.sleep(0.1)

    async def _storm(self) -> None:
        """Trouble, and then fair weather."""
        while self.loop.time() < self.weather.until:
            await asyncio.sleep(self.random.expovariate(1 / self.weather.every))
            self._strike(self.weather.strike())
        self.note("the weather is fair")
        self.weather.is_fair = True
        for process in self.processes.values():
            process.resume()
            process.reconnect()

    def _strike(self, kind: str) -> None:
        process = self.any_process()
        if process is None or not kind:
            return
        owner = self.processes.get(next(iter(self.disk.tables.values())).owner)
        if owner and owner.is_up and self.random.random() < 0.5:
            process = owner
        self.note("{} strikes {}", kind, process.name)
        if kind == "crash":
            self.bury(process)
        elif kind == "pause":
            process.pause(self.random.choice((0.3, 3.0, 6.0, 9.0)))
        elif kind == "outage":
            process.cut_off(self.random.choice((0.2, 1.0, 4.0)))
        elif kind == "stop" and not process.is_paused and not process.is_leaving:
            process.begin(process.stop())
        elif kind == "cut" and process.lines:
            self.random.choice(list(process.lines)).cut()
