"""A simulated client: it sends commands, and repeats each until it knows the outcome."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.server.simulation.network import Connection, Copy
from tests.wire_client import legal_texts
from tilery.table import commands as asked
from tilery.table.state import WHO

if TYPE_CHECKING:
    from tests.server.simulation.world import World


class Client:
    """A player, or a spectator."""

    def __init__(self, world: World, name: str, *, plays: bool, creates: bool = False) -> None:
        self.world = world
        self.name = name
        self.key = world.random.randbytes(32).hex()
        self.plays = plays
        self.creates = creates  # its table
        self.table = ""
        self.connection: Connection | None = None
        self.view: dict[str, Any] = {}
        self.is_done = False
        self._ids = 0
        self._sent: list[asked.AnyCommand] = []
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._bell: asyncio.Future[None] | None = None

    @property
    def who(self) -> str:
        return self.key[:WHO]

    @property
    def seq(self) -> int:
        """The last event that it knows."""
        return int(self.view.get("seq", 0))

    def describe(self) -> str:
        """Its state, for debugging."""
        last = self.world.invariants.tables[self.table].table.number
        words = ("status", "step", "plies", "actor", "you")
        state = {word: self.view.get(word) for word in words}
        return f"knows {self.seq} of {last} events, {state}, by {self.connection}"

    # Receiving

    def receive(self, connection: Connection, words: dict[str, Any]) -> None:
        """A new state has arrived."""
        if connection is self.connection and connection.is_open:
            self.view = words
            connection.is_welcomed = True
            self._ring()

    def lose(self, connection: Connection) -> None:
        if connection is self.connection:
            self.connection = None
            self._ring()

    def take_answer(self, command: str, reply: dict[str, Any]) -> None:
        waiting = self._waiting.get(command)
        if waiting and not waiting.done():
            waiting.set_result(reply)

    def _ring(self) -> None:
        if self._bell and not self._bell.done():
            self._bell.set_result(None)

    async def _listen(self, seconds: float | None = None) -> None:
        """Wait until something happens."""
        self._bell = self.world.loop.create_future()
        await asyncio.wait([self._bell], timeout=seconds)

    # Sending

    async def ask(self, command: asked.AnyCommand) -> dict[str, Any]:
        """Send a command, always with the same id, until there is a reply; {} if it gave up."""
        world = self.world
        self._sent.append(command)
        while True:
            self._send(command)
            if world.failures.happens(world.failures.twice):
                self._send(command, elsewhere=True)
            waiting = self._waiting[command.id] = world.loop.create_future()
            await asyncio.wait([waiting], timeout=world.random.uniform(1.0, 6.0))
            if waiting.done() and "error" not in waiting.result():
                return dict(waiting.result())
            if world.failures.happens(world.failures.give_up):
                return {}
            if self.connection and not waiting.done() and world.random.random() < 0.5:
                self.connection.cut()  # the server does not seem to respond
            await asyncio.sleep(world.random.uniform(0.0, 0.5))
            if self.view and self.connection is None:
                await self._connect()

    def _send(self, command: asked.AnyCommand, *, elsewhere: bool = False) -> None:
        """Send a command over the connection, or to any process."""
        world = self.world
        connection = None if elsewhere or world.random.random() < 0.2 else self.connection
        process = connection.process if connection else world.any_process()
        if process is not None:
            copy = world.invariants.sent(self, command, connection)
            world.later(world.delay(), self._arrive, copy, process)

    def _arrive(self, copy: Copy, process: Any) -> None:
        if copy.connection is None or copy.connection.is_open:
            process.ask(copy)

    async def _connect(self) -> None:
        """Connect to processes until one sends a welcome."""
        world = self.world
        while self.connection is None or not self.connection.is_open:
            process = world.any_process()
            if process is None:
                await asyncio.sleep(0.2)
                continue
            connection = self.connection = world.new_connection(self, process)
            after = self.seq or None if world.random.random() < 0.8 else None
            world.later(world.delay(), process.welcome, connection, after)
            await self._listen(4.0)
            if not connection.is_welcomed:  # no response
                connection.cut()

    def new_id(self) -> str:
        self._ids += 1
        return f"{self.name}{self._ids}"

    # Deciding

    async def play(self) -> None:
        """Play until the end."""
        await self._sit()
        await self._connect()
        while True:
            if self.connection is None or not self.connection.is_open:
                await self._connect()
            self._send_invalid_command()
            command = self._decide() if self.plays else None
            if self._may_go():
                await self._stay_away()
            elif command is None:
                self.is_done = self._has_seen_all()
                await self._listen()
            else:
                await asyncio.sleep(self.world.random.choice((0.0, 0.02, 1.0, 2.0)))
                await self._follow_up(await self.ask(command))

    def _may_go(self) -> bool:
        """Whether only the clock can end the game."""
        world, view = self.world, self.view
        return world.players_leave and view["status"] == "playing" and view["plies"] >= world.longest

    async def _stay_away(self) -> None:
        """Disconnect until the clock has run out."""
        if self.connection:
            self.connection.cut()
        while self.world.invariants.tables[self.table].table.status == "playing":
            await asyncio.sleep(1.0)

    async def _sit(self) -> None:
        """Take a seat, unless this client has created the table."""
        reply: dict[str, Any] = {"ok": 1}
        if self.plays and not self.creates:
            reply = {}
        while not reply:
            reply = await self.ask(asked.Sit(id=self.new_id(), step=0, name=self.name, entropy="beef"))

    async def _follow_up(self, reply: dict[str, Any]) -> None:
        if "ok" in reply:
            while self.seq < reply["ok"]:
                if self.connection is None:
                    await self._connect()
                else:
                    await self._listen()
        elif reply:
            while self.seq < reply.get("seq", 0) and self.connection:
                await self._listen(2.0)
            await self._listen(0.3)

    def _has_seen_all(self) -> bool:
        over = self.view["status"] == "over"
        return over and (not self.world.wants_rematch or "rematch" in self.view)

    def _decide(self) -> asked.AnyCommand | None:
        view, random = self.view, self.world.random
        head = {"id": self.new_id(), "step": view["step"]}
        offer, mine = view["offer"], view["you"]
        if offer and not set(mine) & {*offer["by"], *offer["agreed"]}:
            return asked.Answer(**head, offer=offer["offer"], yes=offer["what"] == "rematch" or random.random() < 0.5)
        if view["status"] == "playing":
            return self._decide_move(head)
        if offer or not view["host"]:
            return None
        if view["status"] == "open" and all(seat["kind"] != "open" for seat in view["seats"]):
            return asked.Start(**head, entropy=random.choice(("", "cafe")))
        if view["status"] == "over" and self.world.wants_rematch and "rematch" not in view:
            return asked.Offer(**head, what="rematch")
        return None

    def _decide_move(self, head: dict[str, Any]) -> asked.AnyCommand | None:
        view, world = self.view, self.world
        if view["plies"] >= world.longest:
            return asked.Resign(**head) if view["host"] and not world.waits_for_clock else None
        if "moves" not in view:
            regrets = world.has_bot and world.random.random() < 0.1
            return asked.Offer(**head, what="takeback") if regrets else None
        if not view["offer"] and world.random.random() < 0.08:
            return asked.Offer(**head, what=world.random.choice(("takeback", "draw")))
        return asked.Play(**head, move=world.random.choice(legal_texts(view)[:3]))

    def _send_invalid_command(self) -> None:
        """Send a chat message, or a command that must be refused."""
        world, view = self.world, self.view
        if not (self.plays and view and world.failures.happens(world.failures.invalid_commands)):
            return
        head = {"id": self.new_id(), "step": view["step"]}
        moves = legal_texts(view) or ["1B1"]
        candidates: list[asked.AnyCommand] = [
            asked.Say(**head, text="hello"),
            asked.Play(**{**head, "step": head["step"] - 1}, move=moves[0]),
            asked.Play(**head, move=moves[-1]),
            asked.Play(**head, move="nonsense"),
        ]
        self._send(world.random.choice(candidates + self._sent[-4:]), elsewhere=world.random.random() < 0.5)
