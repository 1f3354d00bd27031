"""The simulated network between clients and processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.server.simulation.loop import A_SECOND
from tilery.table.commands import AnyCommand
from tilery.table.telling import Told

if TYPE_CHECKING:
    from tests.server.simulation.client import Client
    from tests.server.simulation.process import Process


class Line:
    """A connection; for the keeper a listener. Messages to the client keep their order, until it is cut."""

    def __init__(self, client: Client, process: Process, number: int) -> None:
        self.client = client
        self.process = process
        self.number = number
        self.table = client.table
        self.key = client.key
        self.who = ""
        self.chat = True
        self.after: int | None = None  # what it said it knew
        self.seq = 0  # of the last event it was told; 0 before the welcome
        self.is_open = True
        self.is_heard = False  # by the client
        self._arrives = 0.0  # the last message

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other

    def __str__(self) -> str:
        return f"line {self.number} of {self.client.name} to {self.process.name}"

    def tell(self, message: Told) -> None:
        world = self.client.world
        words = world.watch.told(self, message)
        if self.is_open:
            self._arrives = max(self._arrives + 1 / A_SECOND, world.loop.time() + world.delay())
            world.later(self._arrives - world.loop.time(), self.client.hear, self, words)

    def cut(self) -> None:
        """Nothing goes through any more; both sides notice in their own time."""
        if self.is_open:
            self.is_open = False
            world = self.client.world
            world.note("{} is cut", self)
            world.later(world.random.uniform(0.0, 0.3), self.client.lose, self)
            world.later(world.random.uniform(0.0, 0.6), self.process.miss, self)


@dataclass(eq=False)
class Copy:
    """A command on its way; the same one may be sent many times."""

    number: int
    client: Client
    table: str
    key: str
    command: AnyCommand
    line: Line | None
    was_known: bool = False  # it was stored already when this copy came in
    step_then: int = 0  # of the table when this copy came in
    came_in: bool = False
    was_broken_off: bool = False
    outcome: str = ""

    def __hash__(self) -> int:
        return self.number

    def __str__(self) -> str:
        return f"{self.client.name}'s {self.command.type} {self.command.id} (copy {self.number})"

    def answer(self, reply: dict[str, Any]) -> None:
        """On its way back."""
        world = self.client.world
        world.later(world.delay(), self._arrive, reply)

    def _arrive(self, reply: dict[str, Any]) -> None:
        if self.line is None or self.line.is_open:
            self.client.take_answer(self.command.id, reply)
