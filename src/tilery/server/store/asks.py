"""What writers ask for, in the order in which it can be written together."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterable
from typing import NamedTuple

from tilery.server.store.interface import Batch, Founding

MOST_WAITING = 20_000  # batches that a store takes on before it says `StoreFull`
MOST_MAIL = 7_000  # bytes


class Ask(NamedTuple):
    """A batch, or the founding of a table by itself; `number` is the store's own one of the batch's table."""

    batch: Batch | None
    founded: tuple[Founding, ...]
    number: int = 0

    def names(self) -> list[str]:
        """Of all tables that are touched."""
        own = [self.batch.table] if self.batch else []
        return own + [founding.table for founding in self.founded]


def rounds(asks: Iterable[Ask]) -> list[list[int]]:
    """Which asks (by their places) may be one statement: in a round every table is touched at most once, and what
    touches it later stands in a later round."""
    last: dict[str, int] = {}
    found: list[list[int]] = []
    for place, ask in enumerate(asks):
        names = ask.names()
        turn = 1 + max((last.get(name, -1) for name in names), default=-1)
        for name in names:
            last[name] = turn
        if turn == len(found):
            found.append([])
        found[turn].append(place)
    return found


def own_name() -> str:
    """A name for this process that no other one has."""
    return f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(4)}"


def check_mail(text: str) -> None:
    """A longer text would not go through everywhere, so it goes through nowhere."""
    if len(text.encode()) > MOST_MAIL:
        raise ValueError(f"a text of more than {MOST_MAIL:,} bytes cannot be sent to another process")
