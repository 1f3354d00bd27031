"""Faults of a store: each breaks one of its promises."""

from __future__ import annotations

from tests.server.simulation.store import SimStore
from tilery.server.store.interface import Batch, Claim, StoreError


class Unordered(SimStore):
    def why_not(self, batch: Batch) -> StoreError | None:
        return self.disk.is_fenced(self.name, batch)


class Unfenced(SimStore):
    def why_not(self, batch: Batch) -> StoreError | None:
        return self.disk.is_behind(batch)


class Greedy(SimStore):
    def claim_now(self, table: str) -> Claim | None:
        kept = self.disk.tables.get(table)
        if kept and kept.owner != self.name:
            kept.owner = ""
        return super().claim_now(table)
