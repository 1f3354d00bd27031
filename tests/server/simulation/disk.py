"""What all simulated processes share and no crash takes away: the tables on the disk, and who owns them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tilery.server.store.interface import Batch, Behind, Claim, Fenced, Founding, StoreError, Summary


@dataclass
class Kept:
    """One table."""

    secret: bytes
    summary: Summary
    log: list[str] = field(default_factory=list)
    lease: int = 0
    owner: str = ""


class Disk:
    """`is_living(name)` tells whether a process has given a sign of life of late; `written` is called at every commit,
    before anything has changed: there the rules of the house are checked."""

    def __init__(self, is_living: Callable[[str], bool], written: Callable[[str, Batch | Founding], None]) -> None:
        self.tables: dict[str, Kept] = {}
        self._is_living = is_living
        self._written = written

    def why_not(self, writer: str, batch: Batch) -> StoreError | None:
        """What speaks against writing a batch."""
        return self.is_fenced(writer, batch) or self.is_behind(batch)

    def is_fenced(self, writer: str, batch: Batch) -> StoreError | None:
        kept = self.tables[batch.table]
        if (kept.lease, kept.owner) != (batch.lease, writer):
            return Fenced(f"lease {batch.lease} of {writer}, but the newest is {kept.lease} of {kept.owner}")
        return None

    def is_behind(self, batch: Batch) -> StoreError | None:
        last = len(self.tables[batch.table].log)
        if last != batch.after:
            return Behind(f"the writer knows {batch.after} events, but there are {last}")
        return None

    def write(self, writer: str, batch: Batch) -> None:
        """The commit: all or nothing, and from now on for ever."""
        self._written(writer, batch)
        kept = self.tables[batch.table]
        kept.log += batch.events
        kept.summary = batch.summary
        for founding in batch.founded:
            self.found(founding)

    def found(self, founding: Founding) -> None:
        if founding.table in self.tables:
            raise Behind(f"there is a table {founding.table} already")
        self._written("", founding)
        self.tables[founding.table] = Kept(founding.secret, founding.summary, list(founding.events))

    def claim(self, who: str, table: str) -> Claim | None:
        kept = self.tables.get(table)
        if kept is None:
            return None
        if kept.owner != who:
            if kept.owner and self._is_living(kept.owner):
                return Claim(None, kept.owner)
            kept.owner = who
            kept.lease += 1
        return Claim(kept.lease, who)

    def release(self, who: str, table: str, lease: int) -> None:
        kept = self.tables[table]
        if (kept.owner, kept.lease) == (who, lease):
            kept.owner = ""

    def give_back(self, who: str) -> None:
        for kept in self.tables.values():
            if kept.owner == who:
                kept.owner = ""

    def due(self, who: str, before: float) -> list[str]:
        found = []
        for name, kept in self.tables.items():
            wake = kept.summary.wake
            if wake is not None and wake <= before and (kept.owner in ("", who) or not self._is_living(kept.owner)):
                found.append((wake, name))
        return [name for _, name in sorted(found)]
