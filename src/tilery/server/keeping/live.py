"""A table in memory, and what is said about it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Protocol

from tilery.core.position import Seen
from tilery.server.store.interface import Summary
from tilery.table.fairness import Dealer
from tilery.table.handling import wakes_at
from tilery.table.refusing import TableRefused
from tilery.table.state import Happening, Table
from tilery.table.telling import Told, card_of


class Unavailable(Exception):
    """Nobody knows whether the command was carried out: it may be sent again with the same id."""


class Overloaded(Exception):
    """There is too much to do: the command was not taken on."""


class NoTable(Exception):
    """There is no such table."""


class Listener(Protocol):
    """Somebody who looks at a table."""

    who: str  # a part of the hash of the token; "" for a spectator
    chat: bool

    def tell(self, message: Told) -> None:
        """Take a message; must not wait."""


class Bots(Protocol):
    """Where moves of bots come from, and hints."""

    async def move(self, seen: Seen, bot_name: str, key: str) -> str: ...
    async def hint(self, seen: Seen, key: str) -> dict[str, Any]: ...
    def cancel(self, key: str) -> object: ...


@dataclass
class Answer:
    """What became of a command: the number of its first event, or why it was refused."""

    number: int = 0
    refused: TableRefused | None = None


@dataclass(frozen=True)
class Turn:
    """What a bot has to decide."""

    seen: Seen
    bot: str
    seat: int
    step: int


@dataclass(eq=False)
class Live:
    """A table in memory."""

    name: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    table: Table | None = None
    lease: int | None = None  # of this process, if it owns the table
    taken_up: int | None = None  # the lease with which it was taken up
    owner: str = ""
    dealer: Dealer | None = None
    told: int = 0  # the number of the last event that the listeners know
    untold: list[Happening] = field(default_factory=list)  # what came after that
    listeners: set[Listener] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None
    thinking: tuple[int, asyncio.Task[None]] | None = None  # the step a bot thinks about
    used: float = 0.0  # when somebody last asked for it


def summary_of(table: Table) -> Summary:
    """What is stored beside the events."""
    is_open = table.status == "open" and any(seat.kind == "open" for seat in table.seats)
    public = table.public and (is_open or table.status == "playing")
    return Summary(table.status, public, wakes_at(table), card_of(table) if public else "{}")
