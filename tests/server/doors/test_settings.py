"""Settings: a file, the environment, flags; and one clear line for everything that is wrong."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tilery.core.refusals import Refused
from tilery.server.settings import Settings, read_settings


def _file(folder: Path, text: str) -> Path:
    path = folder / "tilery.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_flags_win_over_the_environment_and_that_over_the_file_and_that_over_the_defaults(tmp_path: Path) -> None:
    file = _file(tmp_path, "port = 1\nsilence = 101\nheartbeat = 11\nback_in = 1.5\n")
    found = read_settings(file, {"port": 3, "log": None}, {"TILERY_PORT": "2", "TILERY_SILENCE": "102"})
    assert (found.port, found.silence, found.heartbeat, found.back_in) == (3, 102.0, 11.0, 1.5)
    assert (found.log, found.outbox) == ("info", 64)


def test_every_setting_can_be_said_in_every_way(tmp_path: Path) -> None:
    values: dict[str, Any] = {one.name: one.default for one in fields(Settings)}
    values |= {"port": 1234, "database": "x.db", "origins": "https://a.example", "behind_proxy": True, "silence": 99.0}
    lines = [f"{name} = {str(value).lower() if value is True else repr(value)}" for name, value in values.items()]
    from_file = read_settings(_file(tmp_path, "\n".join(lines).replace("= False", "= false")), {}, {})
    variables = {f"TILERY_{name.upper()}": str(value) for name, value in values.items()}
    assert from_file == read_settings(None, {}, variables) == read_settings(None, values, {}) == Settings(**values)


def test_other_variables_are_nobodys_business() -> None:
    assert read_settings(None, {}, {"TILERY_CACHE": "/tmp", "TILERY_JIT": "0", "PORT": "1"}) == Settings()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("port = 'many'", "port is a whole number, not 'many'"),
        ("port = 80.5", "port is a whole number, not '80.5'"),
        ("port = true", "port is a whole number, not 'True'"),
        ("port = []", "port is a whole number, not '[]'"),
        ("port = inf", "port is a whole number, not 'inf'"),
        ("port = nan", "port is a whole number, not 'nan'"),
        ("port = 1979-05-27", "port is a whole number, not '1979-05-27'"),
        ("port = 70000", "a port is 0 to 65535, not 70000"),
        ("port = -1", "a port is 0 to 65535, not -1"),
        ("silence = 'long'", "silence is a number, not 'long'"),
        ("silence = nan", "silence is more than 0"),
        ("silence = inf", "silence is more than 0"),
        ("silence = 1e300", "silence is more than 0"),
        ("silence = 0", "silence is more than 0"),
        ("silence = 10", "silence is longer than heartbeat"),
        ("outbox = -4", "outbox is more than 0"),
        ("outbox = {a = 1}", "outbox is a whole number"),
        ("host = 5", "host is a text, not '5'"),
        ("host = ' '", "host is an address"),
        ("database = ['a']", "database is a text"),
        ("behind_proxy = 'perhaps'", "behind_proxy is true or false, not 'perhaps'"),
        ("behind_proxy = 2", "behind_proxy is true or false, not '2'"),
        ("log = 'loud'", "log is debug, info, warning or error, not 'loud'"),
        ("origins = 'example.org'", "an origin is https:// or http:// and a host"),
        ("origins = 'https://example.org/'", "an origin is https:// or http:// and a host"),
        ("origins = 'https://a.example, *'", "an origin is https:// or http:// and a host"),
        ("requests_at_once = 0.5", "requests_at_once is at least 1"),
        ("tables_per_hour = 0.5", "tables_per_hour is at least 1"),
        ("messages_at_once = 0.5", "messages_at_once is at least 1"),
        ("colour = 'blue'", "there is no setting 'colour'"),
        ("[server]\nport = 1", "there is no setting 'server'"),
        ("port = ", "Invalid value"),
        ("port = 1\nport = 2", "Cannot overwrite a value"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_in_one_line(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=re.escape(problem)) as caught:
        read_settings(_file(tmp_path, text), {}, {})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value", "problem"),
    [
        ("TILERY_PORT", "", "the variable TILERY_PORT: port is a whole number, not ''"),
        ("TILERY_PORT", "8e3", "the variable TILERY_PORT: port is a whole number, not '8e3'"),
        ("TILERY_PORT", "9" * 5000, "the variable TILERY_PORT: port is a whole number"),
        ("TILERY_SILENCE", "nan", "silence is more than 0"),
        ("TILERY_HEARTBEAT", "-1", "heartbeat is more than 0"),
        ("TILERY_BEHIND_PROXY", "", "behind_proxy is true or false, not ''"),
        ("TILERY_HOST", "", "host is an address"),
        ("TILERY_LOG", "\n", "log is debug, info, warning or error, not '\\n'"),
    ],
)
def test_what_is_wrong_in_the_environment_is_told_in_one_line(variable: str, value: str, problem: str) -> None:
    with pytest.raises(Refused, match=re.escape(problem)) as caught:
        read_settings(None, {}, {variable: value})
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No such file"):
        read_settings(tmp_path / "none.toml", {}, {})
    with pytest.raises(Refused, match="directory"):
        read_settings(tmp_path, {}, {})
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refused, match="codec can't decode"):
        read_settings(binary, {}, {})


def _serving(*flags: str, **variables: str) -> subprocess.Popen[str]:
    """A server that cannot start."""
    command = [sys.executable, "-m", "tilery", "serve", *flags]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **variables})


def _said(process: subprocess.Popen[str]) -> str:
    """In the one line with which it ends."""
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert "Traceback" not in errors
    assert len(errors.strip().splitlines()) == 1, errors
    return errors


def test_a_server_that_cannot_start_says_why_in_one_line_and_exits_with_2(tmp_path: Path) -> None:
    store = ("--database", str(tmp_path / "t.db"))
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, " * 500)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        servers = [
            (_serving(*store, "--port", "99999"), "a port is 0 to 65535"),
            (_serving(*store, "--port", "many"), "'--port'"),
            (_serving(*store, TILERY_PORT="many"), "port is a whole number"),
            (_serving(*store, "--config", str(_file(tmp_path, "port = ["))), "tilery.toml"),
            (
                _serving(*store, "--port", "0", "--host", "no.such.host.invalid"),
                "cannot listen on no.such.host.invalid",
            ),
            (_serving(*store, "--port", str(taken.getsockname()[1])), "try another --port"),
            (_serving("--port", "0", "--database", "mysql://x"), "a store is a path"),
            (_serving("--port", "0", "--database", str(tmp_path)), str(tmp_path)),
            (_serving("--port", "0", "--database", str(letter)), "letter.txt"),
        ]
        for process, problem in servers:
            assert problem in _said(process)
    assert letter.read_text() == "Dear Anna, " * 500
