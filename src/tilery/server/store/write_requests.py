"""Write requests, and the order in which they can be written together."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterable
from typing import NamedTuple

from tilery.server.store.interface import Batch, NewTableRow

MAX_WAITING = 20_000  # requests that a store accepts before it raises `StoreFull`
# To wait for more requests: a commit costs the same for many of them, and interrupts everything else.
GATHER_SECONDS, GATHER_REQUESTS = 0.02, 64
_AT = "@"


class WriteRequest(NamedTuple):
    """A batch, or new tables without one; `number` is the primary key of the batch's table."""

    batch: Batch | None
    new_tables: tuple[NewTableRow, ...]
    number: int = 0

    def names(self) -> list[str]:
        """The names of all tables that it writes."""
        own = [self.batch.table] if self.batch else []
        return own + [new_table.table for new_table in self.new_tables]


def rounds(requests: Iterable[WriteRequest]) -> list[list[int]]:
    """Which requests (by index) may share a statement: a round writes every table at most once, and a later request
    for the same table is in a later round."""
    last: dict[str, int] = {}
    result: list[list[int]] = []
    for index, request in enumerate(requests):
        names = request.names()
        number = 1 + max((last.get(name, -1) for name in names), default=-1)
        for name in names:
            last[name] = number
        if number == len(result):
            result.append([])
        result[number].append(index)
    return result


def unique_process_name(known_as: str = "") -> str:
    """A name that no other process has; it begins with the name under which the proxy knows the process, if any."""
    unique = f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(4)}"
    return f"{known_as}{_AT}{unique}" if known_as else unique


def name_at_proxy(process: str) -> str:
    """The name under which the proxy knows a process; "" if it has none."""
    return process.partition(_AT)[0] if _AT in process else ""
