"""Stores with a very long table, written without playing its game."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tilery.core.streams import Stream
from tilery.games import game
from tilery.server.auth import key_of
from tilery.server.hosting.live_tables import summary_of
from tilery.server.store.interface import NewTableRow
from tilery.server.store.sqlite import SqliteStore
from tilery.table import commands
from tilery.table.creation import SeatPlan, Setup, create_table
from tilery.table.events import Event, write_event
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, handle
from tilery.table.state import Table

TOKEN = "0123456789abcdef" * 2
SECRET = bytes(range(32))
SETUP = Setup(game="azul", seats=(SeatPlan(kind="me", name="Anna"), SeatPlan(kind="bot", bot="greedy")))


def long_table(name: str, events: int) -> NewTableRow:
    """A table where a person plays moves against a bot and takes them back again and again."""
    key = key_of(TOKEN)
    new = create_table(SETUP, key, 1.0, (name, SECRET), game, lambda *_: None)
    table = Table(name, new.event, game)
    dealer = Dealer(SECRET)
    texts: list[str] = []
    stream = Stream("long table")

    def apply(event: Event) -> None:
        texts.append(write_event(event))
        table.apply(event)

    def command(given: commands.AnyCommand, bot: int | None = None) -> None:
        sender = key if bot is None else ""
        context = CommandContext(table, given, sender, bot, 2.0, dealer, lambda: (name, SECRET), lambda _: None)
        for event in handle(context).events:
            apply(event)

    apply(new.event)
    command(commands.Start(id="start", step=1))
    while len(texts) < events:
        number = len(texts)
        if table.actor == 0 and table.plies > 20:
            command(commands.Offer(id=f"o{number}", step=table.step, what="takeback"))
        assert table.actor is not None
        move = stream.choice(table.position.moves()).text
        command(commands.Play(id=f"p{number}", step=table.step, move=move), table.actor or None)
    if table.actor:
        command(commands.Play(id="last", step=table.step, move=table.position.moves()[0].text), table.actor)
    return NewTableRow(name, SECRET, tuple(texts), summary_of(table))


def write_store(path: Path, *tables: NewTableRow) -> None:
    """Create a store with these tables."""

    async def write() -> None:
        store = SqliteStore(path)
        await store.open()
        for table in tables:
            await store.create(table)
        await store.close()

    asyncio.run(write())
