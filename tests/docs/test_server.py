"""docs/server.md and deploy/ match the code: settings, limits, backups, flags."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
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
DEPLOY = ROOT / "deploy"
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


# Files to run it with


def test_the_file_of_settings_is_read() -> None:
    path = DEPLOY / "tilery.toml"
    settings = read_settings(path, {}, {})
    assert settings.behind_proxy
    assert settings.host == "127.0.0.1"
    for line in path.read_text(encoding="utf-8").splitlines():
        if example := re.match(r"# (\w+) = (.*)", line):  # what is only shown must be right too
            value = json.loads(example[2])
            assert getattr(read_settings(None, {example[1]: value}, {}), example[1]) == value


def unit() -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "tilery.service", encoding="utf-8")
    return unit


def test_the_unit_starts_the_server_with_flags_that_it_knows(tmp_path: Path) -> None:
    service = unit()["Service"]
    program, command, *arguments = shlex.split(service["ExecStart"])
    assert (Path(program).name, command) == ("tilery", "serve")
    options = {**os.environ, "COLUMNS": "200", "TERM": "dumb"}
    shown = subprocess.run(
        [sys.executable, "-m", "tilery", "serve", "--help"], capture_output=True, text=True, env=options, check=True
    ).stdout
    for flag in arguments:
        if flag.startswith("--"):
            assert re.search(rf"{flag}\b", shown), flag
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    config = tmp_path / "tilery.toml"
    shutil.copy(DEPLOY / "tilery.toml", config)
    assert Path(given.pop("--config")).name == config.name
    settings = read_settings(config, {flag[2:]: value for flag, value in given.items() if flag != "--port"}, {})
    assert (settings.host, given["--port"]) == ("127.0.0.1", str(settings.port))


def test_the_unit_is_locked_up() -> None:
    service = unit()["Service"]
    assert service["Environment"] == "TILERY_DATA=%S/tilery TILERY_CACHE=%C/tilery"
    assert service["StateDirectory"] == service["CacheDirectory"] == "tilery"
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "RestrictSUIDSGID"):
        assert service[name] == "yes", name
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    assert "MemoryDenyWriteExecute" not in service  # the rules are compiled while it runs


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    text = (DEPLOY / "tilery.service").read_text(encoding="utf-8")
    path = tmp_path / "tilery.service"
    path.write_text(text.replace("/opt/tilery/bin/tilery", sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "tilery.service" in line]
    assert not ours


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile: name and arguments."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(name, rest) for name, rest in lines]


def test_the_container_runs_the_server_and_not_as_root() -> None:
    said = dict(instructions())  # the last one of each
    assert said["USER"] == "tilery"
    assert json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"]) == ["tilery", "serve"]
    (volume,) = json.loads(said["VOLUME"])
    variables = dict(re.findall(r"(\w+)=(\S+)", said["ENV"]))
    assert variables["TILERY_DATA"] == volume
    settings = read_settings(None, {}, variables)
    assert (settings.host, settings.port) == ("0.0.0.0", int(said["EXPOSE"]))
    assert "slim" in said["FROM"]


def test_the_container_copies_what_is_there() -> None:
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources)


def test_the_container_asks_for_its_health_with_python() -> None:
    command = dict(instructions())["HEALTHCHECK"].partition("CMD ")[2]
    program, flag, code = json.loads(command)
    assert (program, flag) == ("python", "-c")
    compile(code, "healthcheck", "exec")
    assert f":{Settings().port}/readyz" in code
