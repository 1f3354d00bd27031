"""Write requests, and the order in which they can be written together."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterable
from typing import NamedTuple

from tilery.server.store.interface import Batch, NewTableRow

MAX_WAITING = 20_000  # requests that a store accepts before it raises `StoreFull`
MAX_MESSAGE_BYTES = 7_000


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


def unique_process_name() -> str:
    """A name that no other process has."""
    return f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(4)}"


def check_message(text: str) -> None:
    """Refuse a text that is too long for PostgreSQL's notifications, in every store."""
    if len(text.encode()) > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message to another process has at most {MAX_MESSAGE_BYTES:,} bytes")
