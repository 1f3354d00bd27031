"""The disk that all simulated processes share: tables and their owners. No crash affects it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tilery.server.store.interface import (
    Batch,
    Claim,
    LeaseLost,
    LogDigest,
    NewTableRow,
    StaleWrite,
    StoreError,
    Summary,
)


@dataclass
class DiskTable:
    """A table on the disk."""

    secret: bytes
    summary: Summary
    digest: str
    log: list[str] = field(default_factory=list)
    lease: int = 0
    owner: str = ""


class Disk:
    """`is_living(name)` says whether a process has sent a heartbeat recently; `written` is called at every commit,
    before anything changes, to check the invariants, and `claimed` when a table has a new owner."""

    def __init__(
        self,
        is_living: Callable[[str], bool],
        written: Callable[[str, Batch | NewTableRow], None],
        claimed: Callable[[str], None],
    ) -> None:
        self.tables: dict[str, DiskTable] = {}
        self._is_living = is_living
        self._written = written
        self._claimed = claimed

    def explain_refusal(self, writer: str, batch: Batch) -> StoreError | None:
        """The error for a batch that must not be written."""
        return self.is_fenced(writer, batch) or self.is_behind(batch)

    def is_fenced(self, writer: str, batch: Batch) -> StoreError | None:
        stored = self.tables[batch.table]
        if (stored.lease, stored.owner) != (batch.lease, writer):
            return LeaseLost(f"lease {batch.lease} of {writer}, but the newest is {stored.lease} of {stored.owner}")
        return None

    def is_behind(self, batch: Batch) -> StoreError | None:
        last = len(self.tables[batch.table].log)
        if last != batch.after:
            return StaleWrite(f"the writer knows {batch.after} events, but there are {last}")
        return None

    def write(self, writer: str, batch: Batch) -> None:
        """Commit a batch, all or nothing."""
        self._written(writer, batch)
        stored = self.tables[batch.table]
        stored.log += batch.events
        stored.summary = batch.summary
        stored.digest = batch.digest
        for new_table in batch.new_tables:
            self.create(new_table)

    def create(self, new_table: NewTableRow) -> None:
        if new_table.table in self.tables:
            raise StaleWrite(f"there is a table {new_table.table} already")
        self._written("", new_table)
        secret, summary, digest = new_table.secret, new_table.summary, new_table.digest
        self.tables[new_table.table] = DiskTable(secret, summary, digest, list(new_table.events))

    def digest_of(self, table: str) -> LogDigest:
        stored = self.tables[table]
        return LogDigest(len(stored.log), stored.digest)

    def claim(self, who: str, table: str) -> Claim | None:
        stored = self.tables.get(table)
        if stored is None:
            return None
        if stored.owner != who:
            if stored.owner and self._is_living(stored.owner):
                return Claim(None, stored.owner)
            stored.owner = who
            stored.lease += 1
            self._claimed(table)
        return Claim(stored.lease, who)

    def release(self, who: str, table: str, lease: int) -> None:
        stored = self.tables[table]
        if (stored.owner, stored.lease) == (who, lease):
            stored.owner = ""

    def release_all(self, who: str) -> None:
        for stored in self.tables.values():
            if stored.owner == who:
                stored.owner = ""

    def due(self, who: str, before: float) -> list[str]:
        found = []
        for name, stored in self.tables.items():
            wake = stored.summary.wake
            if wake is not None and wake <= before and (stored.owner in ("", who) or not self._is_living(stored.owner)):
                found.append((wake, name))
        return [name for _, name in sorted(found)]
