"""The OpenAPI schema, and whether the server adheres to it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.server.http_and_websocket.clients import AGAINST_BOT, Person
from tests.server.server_process import ServerProcess

REQUESTS = {
    "/api/games": {"get"},
    "/api/lobby": {"get"},
    "/api/tables": {"post"},
    "/api/tables/{name}": {"get"},
    "/api/tables/{name}/seat": {"post"},
    "/api/tables/{name}/claim": {"post"},
    "/api/tables/{name}/follow": {"post"},
    "/api/tables/{name}/commands": {"post"},
    "/api/tables/{name}/record": {"get"},
    "/api/tables/{name}/positions/{ply}": {"get"},
    "/api/tables/{name}/replay": {"get"},
    "/api/tables/{name}/preview": {"get"},
    "/api/tables/{name}/hint": {"post"},
    "/api/records": {"post"},
    "/api/study": {"post"},
    "/api/server": {"get"},
    "/api/qr": {"get"},
}
COMMANDS = {"Sit", "Leave", "Rename", "Arrange", "Start", "Play", "Resign", "Offer", "Answer", "Say"}


def test_the_openapi_schema_has_every_endpoint_and_every_command(server: ServerProcess) -> None:
    schema = httpx.get(f"{server.url}/api/openapi.json").json()
    assert {path: set(methods) for path, methods in schema["paths"].items()} == REQUESTS
    models = schema["components"]["schemas"]
    assert set(models) >= COMMANDS
    for name in COMMANDS:
        assert {"type", "id", "step"} <= set(models[name]["required"])
        assert models[name]["additionalProperties"] is False


def test_the_api_page_has_the_same_without_scripts(server: ServerProcess) -> None:
    page = httpx.get(f"{server.url}/api")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in page.text
    for path in REQUESTS:
        assert path in page.text
    for name in COMMANDS:
        assert f'id="{name}"' in page.text


@pytest.mark.parametrize("real", [True, False], ids=["at a table", "anywhere"])
def test_schemathesis_finds_nothing(real: bool, server: ServerProcess, anna: Person, tmp_path: Path) -> None:
    """Hundreds of requests generated from the schema, valid and invalid ones. Some valid ones may be refused: a
    schema cannot express all rules of a table."""
    anna.make(seats=AGAINST_BOT)
    config = tmp_path / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.name" = "{anna.table}"\n' if real else "")
    left_out = "positive_data_acceptance" + (
        ",negative_data_rejection" if real else ""
    )  # a right name in a wrong place
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", "--no-color"]
    command += ["--max-examples", "5", "--generation-deterministic", "--exclude-checks", left_out]
    command += ["-H", f"Authorization: Bearer {anna.token}", f"{server.url}/api/openapi.json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert f"Operations:       {len(REQUESTS)} selected" in done.stdout
    cases = re.search(r"(\d+) generated", done.stdout)
    assert cases is not None
    assert int(cases[1]) > 100
    assert '"internal-error"' not in server.logged()
