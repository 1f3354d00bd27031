"""Planted bugs of a store: each breaks one of its guarantees."""

from __future__ import annotations

from tests.server.simulation.store import SimStore
from tilery.server.store.interface import Batch, Claim, StoreError


class Unordered(SimStore):
    def explain_refusal(self, batch: Batch) -> StoreError | None:
        return self.disk.is_fenced(self.name, batch)


class Unfenced(SimStore):
    def explain_refusal(self, batch: Batch) -> StoreError | None:
        return self.disk.is_behind(batch)


class Greedy(SimStore):
    def claim_now(self, table: str) -> Claim | None:
        stored = self.disk.tables.get(table)
        if stored and stored.owner != self.name:
            stored.owner = ""
        return super().claim_now(table)
