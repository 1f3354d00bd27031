"""docs/server.md matches the code: settings, limits, backups, flags. `tests/deploy` tests the files of deploy/."""

from __future__ import annotations

import asyncio
import re
from dataclasses import fields
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.in_process_server import InProcessServer, run
from tests.docs.test_docs import Block, blocks_of, run_console
from tests.wire_client import legal_texts
from tilery.cli.server_app import serve
from tilery.server.bots import allowed, pool, worker
from tilery.server.settings import OLD_NAMES, PREFIX, Settings, read_settings
from tilery.server.store.postgres_sql import SILENT_SECONDS
from tilery.server.store.sqlite import SqliteStore

PAGE = ROOT / "docs" / "server.md"
TEXT = PAGE.read_text(encoding="utf-8")


def table_under(head: str) -> list[list[str]]:
    """The cells of the table whose head begins like this."""
    table = re.search(rf"^\| {re.escape(head)} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert table, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]


def plain(cell: str) -> str:
    return cell.strip("`")


# Settings


def test_the_table_of_settings_is_that_of_the_code() -> None:
    rows = table_under("name")
    assert [plain(row[0]) for row in rows] == [one.name for one in fields(Settings)]
    for row, one in zip(rows, fields(Settings), strict=True):
        name, flag, variable, default, meaning = row
        assert plain(flag) == f"--{plain(name).replace('_', '-')}"
        assert plain(variable) == PREFIX + one.name.upper()
        assert read_settings(None, {}, {plain(variable): plain(default)} if default else {}) == Settings()
        assert bool(default) == (one.default != "")
        assert meaning


def test_every_flag_of_the_table_exists() -> None:
    flags = set(serve.__signature__.parameters)  # type: ignore[attr-defined]
    assert flags == {"config", *(plain(row[0]) for row in table_under("name")), *OLD_NAMES}


# Numbers


def test_the_table_of_numbers_is_what_is_counted() -> None:
    async def ask(server: InProcessServer) -> str:
        _, metrics, _ = await server.request("GET", "/metrics")
        return str(metrics)

    counted = re.findall(r"^(tilery_\w+) ", run(ask), re.MULTILINE)
    assert [plain(row[0]) for row in table_under("metric")] == counted


def test_the_table_of_health_is_what_is_answered() -> None:
    async def ask(server: InProcessServer) -> list[int]:
        answers = []
        for row in table_under("endpoint"):
            status, _, _ = await server.request("GET", plain(row[0]))
            answers.append(status)
        server.context.is_closing = True
        status, _, _ = await server.request("GET", "/readyz")
        return [*answers, status]

    assert run(ask) == [200, 200, 200, 503]


@pytest.mark.parametrize(
    "number",
    [
        "one second of CPU time",
        f"{allowed.MAX_NODES:,} nodes",
        "ten seconds of CPU time",
        f"nice {worker.NICENESS}",
        f"{worker.MAX_MEMORY >> 30} GiB",
        "three seconds of silence",
    ],
)
def test_numbers_in_the_text(number: str) -> None:
    assert number in " ".join(TEXT.split())
    assert (allowed.MAX_CPU_SECONDS, pool.CPU_LIMIT, SILENT_SECONDS) == (1.0, 10.0, 3)


# Copies


async def _two_tables(server: InProcessServer) -> None:
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bob"}]
    token = "a" * 32
    for _ in range(2):
        _, mine, _ = await server.request("POST", "/api/tables", {"game": "azul", "seats": seats, "token": token})
    path = f"/api/tables/{mine['table']}"
    for number in range(8):
        command = {"type": "start", "id": "s", "step": 0, "entropy": "5eed"}
        if number:
            _, state, _ = await server.request("GET", path, token=token)
            command = {"type": "play", "id": f"p{number}", "step": state["step"], "move": legal_texts(state)[0]}
        status, answer, _ = await server.request("POST", f"{path}/commands", command, token)
        assert status == 200, answer
    status, answer, _ = await server.request(
        "POST", f"{path}/commands", {"type": "say", "id": "t", "step": 0, "text": "good night"}, token
    )
    assert status == 200, answer


def test_copies_are_made_as_shown(tmp_path: Path) -> None:
    folder, data = tmp_path / "work", tmp_path / "data"
    folder.mkdir()

    async def fill() -> None:
        server = InProcessServer(SqliteStore(data / "tilery.db"))
        await server.context.table_host.open()
        await _two_tables(server)
        await server.context.table_host.close()

    asyncio.run(fill())
    (block,) = [block for block in blocks_of(TEXT) if block.language == "session"]
    run_console(Block("console", *block[1:]), folder, PAGE.name)
