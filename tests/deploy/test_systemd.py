"""deploy/tilery.service and deploy/tilery.toml: what systemd and the server make of them."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.deploy.tools import tool
from tilery.server.settings import PREFIX, Settings, read_settings

DEPLOY = ROOT / "deploy"
SERVICE = DEPLOY / "tilery.service"
MAX_EXPOSURE = 2.0  # of `systemd-analyze security`, from 0 to 10; up to 4.9 is called "OK"
# A value for every setting that is not its default.
OTHERS: dict[str, Any] = {
    "host": "127.0.0.9",
    "port": 8443,
    "lan": False,  # excludes behind_proxy, and listens everywhere
    "public_url": "https://tables.example.org",
    "database": "/srv/tables.db",
    "process_name": "p1",
    "allowed_origins": "https://play.example.org",
    "allowed_hosts": "tables.lan",
    "log_level": "error",
}


def unit() -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(SERVICE, encoding="utf-8")
    return unit


def other_value(name: str, default: Any) -> Any:
    if name in OTHERS:
        return OTHERS[name]
    return not default if isinstance(default, bool) else type(default)(default + 3)


def test_the_file_of_settings_is_read() -> None:
    path = DEPLOY / "tilery.toml"
    settings = read_settings(path, {}, {})
    assert settings.behind_proxy
    assert settings.host == "127.0.0.1"
    for line in path.read_text(encoding="utf-8").splitlines():
        if example := re.match(r"# (\w+) = (.*)", line):  # what is only shown must be right too
            value = json.loads(example[2])
            assert getattr(read_settings(None, {example[1]: value}, {}), example[1]) == value


def test_no_setting_of_the_file_is_overridden(tmp_path: Path) -> None:
    """With the flags and the environment of the unit, every setting is what the file says."""
    service = unit()["Service"]
    program, command, *arguments = shlex.split(service["ExecStart"])
    assert (Path(program).name, command) == ("tilery", "serve")
    flags = dict(zip(arguments[::2], arguments[1::2], strict=True))
    assert Path(flags.pop("--config")).name == "tilery.toml"
    given = {flag.removeprefix("--").replace("-", "_"): value for flag, value in flags.items()}
    environment = dict(word.split("=", 1) for word in shlex.split(service["Environment"]))
    values = {one.name: other_value(one.name, one.default) for one in fields(Settings)}
    file = tmp_path / "tilery.toml"
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items()), encoding="utf-8")
    assert read_settings(file, given, environment) == Settings(**values)


def test_the_unit_keeps_the_store_and_the_cache_in_its_own_folders() -> None:
    service = unit()["Service"]
    assert service["Environment"] == f"{PREFIX}DATA=%S/tilery {PREFIX}CACHE=%C/tilery"
    assert service["StateDirectory"] == service["CacheDirectory"] == "tilery"
    assert service["StateDirectoryMode"] == "0700"


def test_the_unit_has_more_files_than_sockets() -> None:
    """Each connection is an open file; the store, the workers and the page need some too."""
    assert int(unit()["Service"]["LimitNOFILE"]) > 2 * Settings().max_sockets


def test_compiling_is_allowed() -> None:
    assert "MemoryDenyWriteExecute" not in unit()["Service"]


@pytest.fixture
def runnable(tmp_path: Path) -> Path:
    """The unit with a program that is there."""
    tool("systemd-analyze")
    path = tmp_path / SERVICE.name
    text = SERVICE.read_text(encoding="utf-8")
    assert "/opt/tilery/bin/tilery" in text
    path.write_text(text.replace("/opt/tilery/bin/tilery", sys.executable), encoding="utf-8")
    return path


def verified(path: Path) -> list[str]:
    """What systemd has to say about a unit."""
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False)
    return [line for line in done.stderr.splitlines() if path.name in line]


def test_systemd_understands_the_unit(runnable: Path) -> None:
    assert not verified(runnable)
    with runnable.open("a") as file:
        file.write("[Service]\nLimitNoFiles=9\n")
    assert verified(runnable)


def test_the_unit_is_locked_up(runnable: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE * 10:.0f}", str(runnable)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd is older than 250")
    assert done.returncode == 0, done.stdout
