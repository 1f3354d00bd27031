"""The log: an internal error is logged with its type and the file and line that raised it, never with its message."""

from __future__ import annotations

import errno
import inspect
import io
import json
import logging
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.http_and_websocket.in_process import World, create_table, run, start_game
from tilery.server.hosting import ownership
from tilery.server.logs import Log, error_fields, redirect_library_logs

SECRET = "not for the log"


def _raise(*_: object, **__: object) -> Any:
    raise ZeroDivisionError(SECRET)


LINE = inspect.getsourcelines(_raise)[1] + 1
HERE = f"server/test_logs.py:{LINE}"


def entries(world: World, what: str) -> list[dict[str, Any]]:
    logged = world.written.getvalue()
    assert SECRET not in logged
    return [entry for entry in map(json.loads, logged.splitlines()) if entry["what"] == what]


def test_an_error_has_its_type_and_the_place_where_it_was_raised() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        _raise()
    assert error_fields(caught.value) == {"error": "ZeroDivisionError", "where": HERE}
    assert error_fields(KeyError(SECRET)) == {"error": "KeyError", "where": ""}


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    class FullDisk(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    Log("info", FullDisk()).info("lost")


def test_the_path_of_a_module_is_relative_to_the_package() -> None:
    with pytest.raises(ValueError, match="not in tuple") as caught:
        Log("loud")
    assert re.fullmatch(r"server/logs\.py:\d+", error_fields(caught.value)["where"])


def test_an_internal_error_of_a_command_is_logged_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna)
            monkeypatch.setattr(ownership, "handle", _raise)
            say = {"type": "say", "id": "s", "step": 1, "text": "hello"}
            response = await anna.post(f"{where}/commands", json=say)
            assert (response.status_code, response.json()["error"]["kind"]) == (500, "internal-error")
            assert SECRET not in response.text

    (entry,) = entries(run(tmp_path, story), "internal-error")
    assert (entry["level"], entry["command"], entry["error"], entry["where"]) == (
        "error",
        "say",
        "ZeroDivisionError",
        HERE,
    )


def test_an_internal_error_of_a_request_is_logged_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            await create_table(anna)
        monkeypatch.setattr(world.table_host.store, "lobby", _raise)
        transport = httpx.ASGITransport(app=world.app, client=("127.0.0.1", 1), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            response = await client.get("/api/lobby")
            assert (response.status_code, response.json()["error"]["kind"]) == (500, "internal-error")
            assert SECRET not in response.text

    (entry,) = entries(run(tmp_path, story), "internal-error")
    assert (entry["path"], entry["error"], entry["where"]) == ("/api/lobby", "ZeroDivisionError", HERE)


def test_an_error_that_a_library_logs_has_its_file_and_line_too() -> None:
    out = io.StringIO()
    redirect_library_logs(Log("debug", out))
    try:
        _raise()
    except ZeroDivisionError:
        logging.getLogger("some.library").exception("it failed: %s", SECRET)
    entry = json.loads(out.getvalue())
    assert (entry["what"], entry["logger"], entry["error"], entry["where"]) == (
        "library",
        "some.library",
        "ZeroDivisionError",
        HERE,
    )
    assert SECRET not in out.getvalue()
