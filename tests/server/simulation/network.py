"""The simulated network between clients and processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.server.simulation.loop import MOMENTS_PER_SECOND
from tilery.table.commands import AnyCommand
from tilery.table.views import ClientMessage

if TYPE_CHECKING:
    from tests.server.simulation.client import Client
    from tests.server.simulation.process import Process


class Connection:
    """A connection; a listener for the table host. Messages keep their order, until it is cut."""

    def __init__(self, client: Client, process: Process, number: int) -> None:
        self.client = client
        self.process = process
        self.number = number
        self.table = client.table
        self.key = client.key
        self.who = ""
        self.chat = True
        self.after: int | None = None  # the last event that the client knew
        self.seq = 0  # of the last event that was sent; 0 before the welcome
        self.state: dict[str, Any] | None = None  # what the client knows of the table when all that was sent arrives
        self.is_open = True
        self.is_welcomed = False  # the client has received the welcome
        self._arrives = 0.0  # the last message

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other

    def __str__(self) -> str:
        return f"connection {self.number} of {self.client.name} to {self.process.name}"

    def send(self, message: ClientMessage) -> None:
        world = self.client.world
        words = world.invariants.check_message(self, message)
        self.deliver(self.client.receive, self, words)

    def deliver(self, callback: Callable[..., object], *args: Any) -> None:
        """Call something at the client, after all that was sent before."""
        if self.is_open:
            world = self.client.world
            self._arrives = max(self._arrives + 1 / MOMENTS_PER_SECOND, world.loop.time() + world.delay())
            world.later(self._arrives - world.loop.time(), callback, *args)

    def table_damaged(self) -> None:
        self.client.world.invariants.called_damaged(self.table)
        self.cut()

    def cut(self) -> None:
        """Nothing is delivered any more; both sides notice later."""
        if self.is_open:
            self.is_open = False
            world = self.client.world
            world.note("{} is cut", self)
            world.later(world.random.uniform(0.0, 0.3), self.client.lose, self)
            world.later(world.random.uniform(0.0, 0.6), self.process.lose, self)


@dataclass(eq=False)
class Copy:
    """One copy of a command; the same command may be sent many times."""

    number: int
    client: Client
    table: str
    key: str
    command: AnyCommand
    connection: Connection | None
    was_known: bool = False  # it was stored when this copy arrived
    step_then: int = 0  # of the table when this copy arrived
    number_then: int = 0  # the last event then
    has_arrived: bool = False
    was_cancelled: bool = False
    outcome: str = ""

    def __hash__(self) -> int:
        return self.number

    def __str__(self) -> str:
        return f"{self.client.name}'s {self.command.type} {self.command.id} (copy {self.number})"

    def answer(self, reply: dict[str, Any]) -> None:
        """Send the reply."""
        if self.connection is None:
            world = self.client.world
            world.later(world.delay(), self._arrive, reply)
        else:
            self.connection.deliver(self._arrive, reply)

    def _arrive(self, reply: dict[str, Any]) -> None:
        if self.connection is None or self.connection.is_open:
            self.client.take_answer(self.command.id, reply)
