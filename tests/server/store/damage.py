"""A store with games, and ways to damage one of its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg

from tests.server.store.builders import run
from tests.server.store.conftest import make_store
from tests.table.table_driver import SECRET, TableDriver, new_table, setup_of
from tilery.server.hosting.live_tables import summary_of
from tilery.server.store.interface import NewTableRow, Store
from tilery.server.store.open import is_postgres
from tilery.table import commands
from tilery.table.events import write_event

NAMES = ("red", "blue", "green", "white")


def game_of(name: str, moves: int = 13) -> NewTableRow:
    """A public table of two people with a clock and a chat."""
    setup = setup_of("ab", clock={"base": 300, "increment": 1}, public=True)
    driver = TableDriver(new=new_table(setup, table=name))
    driver.do("b", commands.Sit, name="B", seat=1, entropy="01")
    driver.do("a", commands.Start, entropy="cafe")
    driver.do("b", commands.Say, text="hello")
    for number in range(moves):
        driver.now += 1.5
        driver.move(number * 7)
    driver.resume()
    texts = tuple(map(write_event, driver.events))
    return NewTableRow(name, SECRET, texts, summary_of(driver.table))


def write_games(address: str, *names: str, moves: int = 13) -> None:
    """Fill a store with games."""

    async def work(store: Store) -> None:
        for name in names:
            await store.create(game_of(name, moves))

    run(work, make_store(address))


def execute(address: str, *statements: str) -> None:
    """Change a store behind Tilery's back."""
    if is_postgres(address):
        with psycopg.connect(address, autocommit=True) as postgres:
            postgres.execute("SET search_path = tilery")
            for statement in statements:
                postgres.execute(statement.encode())
        return
    with closing(sqlite3.connect(address, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
        for statement in statements:
            assert connection.execute(statement).rowcount or statement.startswith("DROP")


def spoil_pages(path: Path, *pages: int) -> None:
    """Overwrite pages of a file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(b"\xa5" * size)


def leaves_of(path: Path, table: str) -> list[int]:
    """The pages with rows of a table, in the order of the rows."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return list(_leaves(path.read_bytes(), size, root))


def _leaves(data: bytes, size: int, page: int) -> Iterator[int]:
    start = (page - 1) * size
    if data[start] == 0x0D:
        yield page
    elif data[start] == 0x05:  # its cells point to other pages, and so does its header
        for cell in range(int.from_bytes(data[start + 3 : start + 5], "big")):
            at = start + int.from_bytes(data[start + 12 + 2 * cell : start + 14 + 2 * cell], "big")
            yield from _leaves(data, size, int.from_bytes(data[at : at + 4], "big"))
        yield from _leaves(data, size, int.from_bytes(data[start + 8 : start + 12], "big"))
