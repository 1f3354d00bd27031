"""The lobby: public tables that wait for players, and public games to watch. One address cannot fill it."""

from __future__ import annotations

import random
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from tilery.server.hosting.host import NoTable, TableError, TableHost
from tilery.server.store.interface import ShownStatus
from tilery.table.refusals import TableRefused
from tilery.table.state import Table

LOBBY_SIZE = 50  # the most open tables, and the most running games, that the lobby shows
CANDIDATES = 4 * LOBBY_SIZE  # the newest, from which they are chosen
MAX_TABLES = 50_000  # whose creators are remembered

Card = tuple[str, str]  # the name of a table, and what is shown of it


class Lobby:
    """Knows in memory which address created which public table, since this process was started; `most` of each address
    may wait for players."""

    def __init__(self, table_host: TableHost, most: int) -> None:
        self._table_host = table_host
        self._most = most
        self._creators: OrderedDict[str, str] = OrderedDict()  # by the name of the table
        self._waiting: dict[str, set[str]] = {}  # tables that may be waiting, by address
        self._creating: Counter[str] = Counter()  # tables that are being created, by address

    async def create(self, address: str, create: Callable[[], Awaitable[Table]]) -> Table:
        """Create a public table, unless too many of this address are waiting."""
        if self._is_full(address):
            await self._forget_started(address)
            if self._is_full(address):
                raise TableRefused("too-many-requests", "too-many-public-tables", most=self._most)
        self._creating[address] += 1
        try:
            table = await create()
        finally:
            self._creating[address] -= 1
            if not self._creating[address]:
                del self._creating[address]
        self._creators[table.name] = address
        self._waiting.setdefault(address, set()).add(table.name)
        if len(self._creators) > MAX_TABLES:
            oldest, creator = self._creators.popitem(last=False)
            self._forget(oldest, creator)
        return table

    def _is_full(self, address: str) -> bool:
        return len(self._waiting.get(address, ())) + self._creating[address] >= self._most

    async def _forget_started(self, address: str) -> None:
        """Forget the tables of an address that do not wait any more. One without an open seat may still get one."""

        def is_waiting(table: Table, _: float) -> bool:
            return table.status == "open"

        for name in tuple(self._waiting.get(address, ())):
            try:
                if await self._table_host.read(name, is_waiting):
                    continue
            except NoTable:
                pass
            except TableError:
                continue
            self._forget(name, address)

    def _forget(self, name: str, address: str) -> None:
        """A table does not wait any more; who created it is still known."""
        waiting = self._waiting.get(address, set())
        waiting.discard(name)
        if not waiting:
            self._waiting.pop(address, None)

    async def shown(self, status: ShownStatus) -> list[Card]:
        """The public tables with this status that the lobby shows, the newest first."""
        found = await self._table_host.store.lobby(CANDIDATES, status)
        return fair_choice(found, self._creators.get, self._most)


def fair_choice(tables: Sequence[Card], creator_of: Callable[[str], str | None], most: int) -> list[Card]:
    """The tables to show if there is not room for all: `most` of each known creator; then the newest ones, and some of
    the others at random, so that each of them is shown from time to time. They stay in their order."""
    if len(tables) <= LOBBY_SIZE:
        return list(tables)
    counts: Counter[str] = Counter()
    chosen: list[Card] = []
    others: list[Card] = []
    for card in tables:
        creator = creator_of(card[0])
        if creator is not None:
            counts[creator] += 1
        (chosen if creator is None or counts[creator] <= most else others).append(card)
    if len(chosen) > LOBBY_SIZE:
        newest = LOBBY_SIZE // 2
        chosen = chosen[:newest] + random.sample(chosen[newest:], LOBBY_SIZE - newest)
    else:
        chosen += others[: LOBBY_SIZE - len(chosen)]
    names = {name for name, _ in chosen}
    return [card for card in tables if card[0] in names]
