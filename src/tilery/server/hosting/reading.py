"""Reading a table from its stored events, a slice at a time, so that a long one does not hold up all others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from tilery.core.game import Game
from tilery.server.store.digests import NO_EVENTS, extend_digest
from tilery.server.store.interface import LogDigest
from tilery.table.events import read_event
from tilery.table.state import AppliedEvent, Table, first_of

EVENTS_IN_SLICE = 100  # one to five milliseconds
EVENTS_IN_DIGEST_SLICE = 1_000  # one or two milliseconds


async def apply_stored(table: Table, texts: Sequence[str]) -> AsyncIterator[AppliedEvent]:
    """Apply stored events to a table; between slices, other tasks run. Damaged events may raise anything."""
    for number, text in enumerate(texts, 1):
        yield table.apply(read_event(text))
        if number % EVENTS_IN_SLICE == 0:
            await asyncio.sleep(0)


async def digest_after(texts: Sequence[str], stored: LogDigest | None, known: int = 0, digest: str = NO_EVENTS) -> str:
    """The digest of a log after more events; `digest` is that of the first `known` ones. Raises `ValueError` if it is
    not what the store noted. `stored` was read before the events: there may be later ones."""
    noted = stored.number - known if stored else 0
    if noted > len(texts):
        raise ValueError(f"the last {noted - len(texts)} events are missing")
    for first, last in ((0, max(0, noted)), (max(0, noted), len(texts))):
        for start in range(first, last, EVENTS_IN_DIGEST_SLICE):
            digest = extend_digest(digest, texts[start : min(last, start + EVENTS_IN_DIGEST_SLICE)])
            await asyncio.sleep(0)
        if stored and stored.digest is not None and last == noted and digest != stored.digest:
            raise ValueError("the events are not those that were stored: their digest is another one")
    return digest


async def read_table(name: str, texts: Sequence[str], find_game: Callable[[str], Game]) -> Table:
    """A table from its stored events, like `table.state.fold`."""
    table = first_of(name, texts[0], find_game)
    async for _ in apply_stored(table, texts[1:]):
        pass
    return table
