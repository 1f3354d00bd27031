"""Quotas: what one address may create, execute and store. Nothing is executed when a quota is used up, and what was not
executed is not charged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tilery.server.hosting.host import CommandResult, Sender, TableHost, Unavailable
from tilery.server.lobby import Lobby
from tilery.server.rate_limits import Buckets, limit_reached
from tilery.server.settings import Settings
from tilery.table.commands import Answer, AnyCommand, Offer, Sit
from tilery.table.creation import Setup
from tilery.table.refusals import TableRefused
from tilery.table.state import Table

HOUR = 3600.0  # seconds


class Quotas:
    """Creates tables and executes commands for addresses, each within its quotas."""

    def __init__(self, table_host: TableHost, settings: Settings, now: Callable[[], float]) -> None:
        self._table_host = table_host
        self._commands = Buckets(settings.commands_per_second, settings.commands_burst, now)
        self._tables = _hourly(settings.tables_per_hour, now)
        self._seats = _hourly(settings.seats_per_hour, now)
        self._stored = _hourly(settings.stored_bytes_per_hour, now)
        self.lobby = Lobby(table_host, settings.public_tables_per_address)

    async def create(self, address: str, setup: Setup, key: str) -> Table:
        """Create a table."""
        try:
            self._check_stored(address)
            return await self._create(address, setup, key)
        except TableRefused as refused:
            self._count(refused)
            raise

    async def _create(self, address: str, setup: Setup, key: str) -> Table:
        tables = self._tables
        if not tables.take(address):
            raise limit_reached("too-many-tables", tables.wait(address))
        create = partial(self._table_host.create, setup, key, self._sender(address))
        try:
            return await (self.lobby.create(address, create) if setup.public else create())
        except Unavailable:  # it may have been created
            raise
        except Exception:
            tables.charge(address, -1)
            raise

    async def submit(self, address: str, name: str, key: str, command: AnyCommand) -> CommandResult:
        """Execute a command."""
        try:
            if not self._commands.take(address):
                raise limit_reached("too-many-commands", self._commands.wait(address))
            self._check_stored(address)
            if isinstance(command, Sit):
                result = await self._take_seat(address, name, key, command)
            elif (isinstance(command, Offer) and command.what == "rematch") or (
                isinstance(command, Answer) and command.yes
            ):
                result = await self._agree(address, name, key, command)
            else:
                return await self._table_host.submit(name, key, command, self._sender(address))
        except TableRefused as refused:
            self._count(refused)
            raise
        if result.refused:
            self._count(result.refused)
        return result

    async def _take_seat(self, address: str, name: str, key: str, command: Sit) -> CommandResult:
        seats = self._seats
        if not seats.take(address):
            raise limit_reached("too-many-seats", seats.wait(address))
        return await self._paid(seats, address, name, key, command, self._sender(address))

    async def _agree(self, address: str, name: str, key: str, command: Offer | Answer) -> CommandResult:
        """Execute what may create a table: if it does, it counts as a new table. Whether it does, only the owner of the
        table knows."""
        tables = self._tables
        if not tables.take(address):
            sender = self._sender(address, tables.wait(address))
            return await self._table_host.submit(name, key, command, sender)
        result = await self._paid(tables, address, name, key, command, self._sender(address))
        if result.refused is None and not result.created:
            tables.charge(address, -1)
        return result

    async def _paid(
        self, limit: Buckets, address: str, name: str, key: str, command: AnyCommand, sender: Sender
    ) -> CommandResult:
        """Execute a command for which a token was taken; give it back if the command is not executed."""
        try:
            result = await self._table_host.submit(name, key, command, sender)
        except Unavailable:  # it may have been executed
            raise
        except Exception:
            limit.charge(address, -1)
            raise
        if result.refused:
            limit.charge(address, -1)
        return result

    def _sender(self, address: str, table_wait: float = 0.0) -> Sender:
        return Sender(partial(self._stored.charge, address), table_wait)

    def _check_stored(self, address: str) -> None:
        wait = self._stored.wait(address)
        if wait:
            raise limit_reached("too-much-stored", wait)

    def _count(self, refused: TableRefused) -> None:
        if refused.kind == "too-many-requests":
            self._table_host.metrics.requests_limited += 1


def _hourly(most: float, now: Callable[[], float]) -> Buckets:
    """A limit per hour, all of which may be used at once."""
    return Buckets(most / HOUR, most, now)
