"""Settings: a file, the environment, flags; and a clear message of one line for every error."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tilery.core.refusals import Refused
from tilery.server.settings import KINDS, OLD_NAMES, Settings, read_settings


def _file(folder: Path, text: str) -> Path:
    path = folder / "tilery.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_flags_win_over_the_environment_and_that_over_the_file_and_that_over_the_defaults(tmp_path: Path) -> None:
    file = _file(tmp_path, "port = 1\nsilence = 101\nheartbeat = 11\nback_in = 1.5\n")
    found = read_settings(file, {"port": 3, "log": None}, {"TILERY_PORT": "2", "TILERY_IDLE_TIMEOUT": "102"})
    assert (found.port, found.idle_timeout, found.heartbeat_interval, found.reconnect_delay) == (3, 102.0, 11.0, 1.5)
    assert (found.log_level, found.max_queued_messages) == ("info", 64)


def test_every_setting_can_be_set_in_every_way(tmp_path: Path) -> None:
    values: dict[str, Any] = {one.name: one.default for one in fields(Settings)}
    values |= {
        "port": 1234,
        "database": "x.db",
        "allowed_origins": "https://a.example",
        "allowed_hosts": "tables.lan, *",
        "behind_proxy": True,
        "idle_timeout": 99.0,
    }
    lines = [f"{name} = {str(value).lower() if value is True else repr(value)}" for name, value in values.items()]
    from_file = read_settings(_file(tmp_path, "\n".join(lines).replace("= False", "= false")), {}, {})
    variables = {f"TILERY_{name.upper()}": str(value) for name, value in values.items()}
    assert from_file == read_settings(None, {}, variables) == read_settings(None, values, {}) == Settings(**values)


def test_other_environment_variables_are_ignored() -> None:
    assert read_settings(None, {}, {"TILERY_CACHE": "/tmp", "TILERY_JIT": "0", "PORT": "1"}) == Settings()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("port = 'many'", "port must be a whole number, not 'many'"),
        ("port = 80.5", "port must be a whole number, not '80.5'"),
        ("port = true", "port must be a whole number, not 'True'"),
        ("port = []", "port must be a whole number, not '[]'"),
        ("port = inf", "port must be a whole number, not 'inf'"),
        ("port = nan", "port must be a whole number, not 'nan'"),
        ("port = 1979-05-27", "port must be a whole number, not '1979-05-27'"),
        ("port = 70000", "port must be 0 to 65535, not 70000"),
        ("port = -1", "port must be 0 to 65535, not -1"),
        ("idle_timeout = 'long'", "idle_timeout must be a number, not 'long'"),
        ("idle_timeout = nan", "idle_timeout must be more than 0"),
        ("idle_timeout = inf", "idle_timeout must be more than 0"),
        ("idle_timeout = 1e300", "idle_timeout must be more than 0"),
        ("idle_timeout = 0", "idle_timeout must be more than 0"),
        ("idle_timeout = 10", "idle_timeout must be longer than heartbeat_interval"),
        ("max_queued_messages = -4", "max_queued_messages must be more than 0"),
        ("max_queued_messages = {a = 1}", "max_queued_messages must be a whole number"),
        ("host = 5", "host must be a string, not '5'"),
        ("host = ' '", "host must be an address"),
        ("database = ['a']", "database must be a string"),
        ("behind_proxy = 'perhaps'", "behind_proxy must be true or false, not 'perhaps'"),
        ("behind_proxy = 2", "behind_proxy must be true or false, not '2'"),
        ("process_name = 'p 1'", "process_name must be 1 to 32 letters, digits, hyphens and underscores, not 'p 1'"),
        ("process_name = 'p@1'", "process_name must be 1 to 32"),
        ("log = 'loud'", "log_level must be debug, info, warning or error, not 'loud'"),
        ("allowed_origins = 'example.org'", "an origin must be https:// or http:// and a host"),
        ("allowed_origins = 'https://example.org/'", "an origin must be https:// or http:// and a host"),
        ("allowed_origins = 'https://a.example, *'", "an origin must be https:// or http:// and a host"),
        ("allowed_hosts = 'https://tables.lan'", "an allowed host must be a name without a port"),
        ("allowed_hosts = 'tables.lan:8000'", "an allowed host must be a name without a port"),
        ("allowed_hosts = 'a.lan, *.lan'", "an allowed host must be a name without a port"),
        ("requests_burst = 0.5", "requests_burst must be at least 1"),
        ("tables_per_hour = 0.5", "tables_per_hour must be at least 1"),
        ("messages_burst = 0.5", "messages_burst must be at least 1"),
        ("colour = 'blue'", "unknown setting 'colour'"),
        ("[server]\nport = 1", "unknown setting 'server'"),
        ("port = ", "Invalid value"),
        ("port = 1\nport = 2", "Cannot overwrite a value"),
    ],
)
def test_an_invalid_file_is_refused_in_one_line(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=re.escape(problem)) as caught:
        read_settings(_file(tmp_path, text), {}, {})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value", "problem"),
    [
        ("TILERY_PORT", "", "the variable TILERY_PORT: port must be a whole number, not ''"),
        ("TILERY_PORT", "8e3", "the variable TILERY_PORT: port must be a whole number, not '8e3'"),
        ("TILERY_PORT", "9" * 5000, "the variable TILERY_PORT: port must be a whole number"),
        ("TILERY_IDLE_TIMEOUT", "nan", "idle_timeout must be more than 0"),
        ("TILERY_HEARTBEAT_INTERVAL", "-1", "heartbeat_interval must be more than 0"),
        ("TILERY_BEHIND_PROXY", "", "behind_proxy must be true or false, not ''"),
        ("TILERY_HOST", "", "host must be an address"),
        ("TILERY_LOG", "\n", "log_level must be debug, info, warning or error, not '\\n'"),
    ],
)
def test_an_invalid_variable_is_refused_in_one_line(variable: str, value: str, problem: str) -> None:
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
    """The one line that it prints to stderr before it exits."""
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
            (_serving(*store, "--port", "99999"), "port must be 0 to 65535"),
            (_serving(*store, "--port", "many"), "'--port'"),
            (_serving(*store, TILERY_PORT="many"), "port must be a whole number"),
            (_serving(*store, "--config", str(_file(tmp_path, "port = ["))), "tilery.toml"),
            (
                _serving(*store, "--port", "0", "--host", "no.such.host.invalid"),
                "cannot listen on no.such.host.invalid",
            ),
            (_serving(*store, "--port", str(taken.getsockname()[1])), "try another --port"),
            (_serving("--port", "0", "--database", "mysql://x"), "expected a path"),
            (_serving("--port", "0", "--database", str(tmp_path)), str(tmp_path)),
            (_serving("--port", "0", "--database", str(letter)), "letter.txt"),
        ]
        for process, problem in servers:
            assert problem in _said(process)
    assert letter.read_text() == "Dear Anna, " * 500


# The names of 0.1.0


VALUES: dict[str, Any] = {
    "share": "http://192.168.1.7:8000",
    "origins": "https://a.example",
    "most_pending": 301,
    "most_sockets": 302,
    "sockets_per_address": 303,
    "requests_at_once": 304.0,
    "messages_at_once": 305.0,
    "heartbeat": 26.0,
    "silence": 71.0,
    "patience": 11.0,
    "outbox": 65,
    "back_in": 6.0,
    "log": "debug",
}


def test_the_names_of_0_1_0_are_all_known_and_none_is_a_present_name() -> None:
    assert VALUES.keys() == OLD_NAMES.keys()
    assert set(OLD_NAMES.values()) <= KINDS.keys()
    assert not OLD_NAMES.keys() & KINDS.keys()


@pytest.mark.parametrize("old", OLD_NAMES)
def test_a_name_of_0_1_0_is_still_read_and_the_present_one_wins(old: str, tmp_path: Path) -> None:
    new, value = OLD_NAMES[old], VALUES[old]
    default = getattr(Settings(), new)
    assert value != default
    expected = replace(Settings(), **{new: value})
    line, line_of_new = f"{old} = {value!r}\n", f"{new} = {default!r}\n"
    variable, variable_of_new = f"TILERY_{old.upper()}", f"TILERY_{new.upper()}"
    assert read_settings(_file(tmp_path, line), {}, {}) == expected
    assert read_settings(None, {}, {variable: str(value)}) == expected
    assert read_settings(None, {old: value}, {}) == expected
    for order in (line + line_of_new, line_of_new + line):
        assert read_settings(_file(tmp_path, order), {}, {}) == Settings()
    assert read_settings(None, {}, {variable: str(value), variable_of_new: str(default)}) == Settings()
    assert read_settings(None, {old: value, new: default}, {}) == Settings()


def test_a_flag_of_0_1_0_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = _file(tmp_path, "idle_timeout = 101\nreconnect_delay = 1\noutbox = 10\n")
    settings = read_settings(file, {"silence": 103.0}, {"TILERY_IDLE_TIMEOUT": "102", "TILERY_BACK_IN": "2"})
    assert (settings.idle_timeout, settings.reconnect_delay, settings.max_queued_messages) == (103.0, 2.0, 10)


def test_the_help_lists_the_present_names_and_hides_the_old_ones() -> None:
    command = [sys.executable, "-m", "tilery", "serve", "--help"]
    env = {**os.environ, "COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"}
    text = subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout
    flags = set(re.findall(r"--[a-z][a-z-]*", text))
    assert {f"--{name.replace('_', '-')}" for name in KINDS} <= flags
    assert not {f"--{name.replace('_', '-')}" for name in OLD_NAMES} & flags
