"""The settings of the server: flags override the environment, which overrides a file. docs/server.md lists them."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused

PREFIX = "TILERY_"
ALL_NETWORKS = "0.0.0.0"
_LOCAL = ("127.0.0.1", "localhost", "::1")


def setting(default: Any, about: str) -> Any:
    """A setting with its default and its help text."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Settings:
    """All settings. The environment variable of a setting is its name in capitals after `TILERY_`."""

    host: str = setting("127.0.0.1", "the address to listen on; 0.0.0.0 for every network")
    port: int = setting(8000, "the port; 0 for any free one. If none is set and 8000 is in use, one of the next ten")
    lan: bool = setting(False, "listen on every network, and print the address and its QR code for phones nearby")
    public_url: str = setting("", "the address for others, such as http://192.168.1.7:8000; detected by default")
    open: bool = setting(False, "open the address in the browser, if there is a desktop")
    database: str = setting("", "a file, or postgresql://...; by default tilery.db in the data folder")
    process_name: str = setting("", "what the proxy calls this process if several share a database, such as p1")
    allowed_origins: str = setting("", "other origins that may connect, such as https://example.org, comma-separated")
    allowed_hosts: str = setting("", "other host names of this server, comma-separated; * for any (see docs/server.md)")
    behind_proxy: bool = setting(False, "trust X-Forwarded-For of a reverse proxy, and send cookies over https only")
    bot_workers: int = setting(1, "processes that compute bots' moves and hints")
    max_pending_commands: int = setting(300, "commands executed at the same time; further ones are refused as busy")
    max_sockets: int = setting(20_000, "open WebSockets; further ones are rejected")
    max_sockets_per_address: int = setting(200, "open WebSockets from one address")
    max_connections_per_address: int = setting(400, "open connections from one address, requests and WebSockets")
    requests_per_second: float = setting(20.0, "requests per second from one address, on average")
    requests_burst: float = setting(100.0, "requests that one address may send at once")
    cpu_per_second: float = setting(0.2, "seconds of CPU time a second for the replays, records, ... of one address")
    cpu_burst: float = setting(1.0, "seconds of CPU time that one address may use at once")
    tables_per_hour: float = setting(60.0, "tables and rematches that one address may create per hour")
    public_tables_per_address: int = setting(5, "public tables from one address that may wait for players")
    seats_per_hour: float = setting(240.0, "seats that one address may take per hour")
    commands_per_second: float = setting(50.0, "moves and other commands per second from one address, on average")
    commands_burst: float = setting(250.0, "commands that one address may send at once")
    stored_bytes_per_hour: float = setting(10_000_000.0, "bytes that one address may add to the store per hour")
    messages_per_second: float = setting(10.0, "messages per second on one WebSocket, on average")
    messages_burst: float = setting(40.0, "messages that one WebSocket may send at once")
    heartbeat_interval: float = setting(25.0, "seconds without a message after which a client sends a ping")
    idle_timeout: float = setting(70.0, "seconds after which a silent WebSocket is closed")
    header_timeout: float = setting(5.0, "seconds for the headers of a request; then an idle connection is closed")
    request_timeout: float = setting(10.0, "seconds to send a request, to read its response, or to send hello")
    max_queued_messages: int = setting(64, "messages queued for a slow client before it is disconnected")
    reconnect_delay: float = setting(5.0, "seconds after which clients should reconnect when the server stops")
    log_level: str = setting("info", "the lowest level that is logged: debug, info, warning or error")


# The names of 0.1.0, which are still read in files, in the environment and as flags.
OLD_NAMES = {
    "share": "public_url",
    "origins": "allowed_origins",
    "most_pending": "max_pending_commands",
    "most_sockets": "max_sockets",
    "sockets_per_address": "max_sockets_per_address",
    "requests_at_once": "requests_burst",
    "messages_at_once": "messages_burst",
    "heartbeat": "heartbeat_interval",
    "silence": "idle_timeout",
    "patience": "request_timeout",
    "outbox": "max_queued_messages",
    "back_in": "reconnect_delay",
    "log": "log_level",
}
KINDS: dict[str, type] = {one.name: type(one.default) for one in fields(Settings)}
MAX_VALUE = 1_000_000_000  # of any number
ANY_HOST = "*"  # among `allowed_hosts`
_ORIGIN = re.compile(r"https?://[a-z0-9.:_\[\]-]+", re.ASCII)
_HOST_NAME = re.compile(r"[A-Za-z0-9._-]+", re.ASCII)
_PROCESS_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
_BOOLEANS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def _read(name: str, value: Any, where: str) -> Any:
    kind = KINDS[name]
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _BOOLEANS[str(value).lower()]
        if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
            raise ValueError
        if kind is int and isinstance(value, float) and not value.is_integer():
            raise ValueError
        return kind(value)
    except (ValueError, TypeError, OverflowError, KeyError):
        expected = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}[kind]
        raise Refused(f"{where}: {name} must be {expected}, not {str(value)[:40]!a}") from None


def _from_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"the settings file {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} is not valid TOML: {error}") from None
    for name in values:
        if name not in KINDS and name not in OLD_NAMES:
            raise Refused(f"{path}: unknown setting {name[:40]!a}; `tilery serve --help` lists them")
    return {name: _read(name, value, str(path)) for name, value in renamed(values).items()}


def renamed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by their current names; if both names are used, the current one wins."""
    return {OLD_NAMES[name]: value for name, value in values.items() if name in OLD_NAMES} | {
        name: value for name, value in values.items() if name not in OLD_NAMES
    }


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values = {}
    for name in (*OLD_NAMES, *KINDS):  # the current names win
        variable = PREFIX + name.upper()
        if variable in environment:
            current = OLD_NAMES.get(name, name)
            values[current] = _read(current, environment[variable], f"the variable {variable}")
    return values


def _check(settings: Settings) -> Settings:
    if not 0 <= settings.port <= 65_535:
        raise Refused(f"port must be 0 to 65535, not {settings.port}")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise Refused(f"log_level must be debug, info, warning or error, not {settings.log_level[:20]!a}")
    if not settings.host.strip():
        raise Refused("host must be an address such as 127.0.0.1; 0.0.0.0 for every network")
    for one in fields(Settings):
        value = getattr(settings, one.name)
        if one.name != "port" and type(value) in (int, float) and not 0 < value <= MAX_VALUE:
            raise Refused(f"{one.name} must be more than 0 and at most {MAX_VALUE}, not {str(value)[:40]}")
    for name in ("requests_burst", "tables_per_hour", "seats_per_hour", "commands_burst", "messages_burst"):
        if getattr(settings, name) < 1:
            raise Refused(f"{name} must be at least 1")
    if settings.lan and settings.behind_proxy:
        raise Refused("lan and behind_proxy exclude each other: behind a proxy, only the proxy may reach the server")
    if settings.public_url and not _ORIGIN.fullmatch(settings.public_url):
        raise Refused(
            f"public_url must be https:// or http:// and a host without a path, not {settings.public_url[:40]!a}"
        )
    if settings.process_name and not _PROCESS_NAME.fullmatch(settings.process_name):
        raise Refused(
            f"process_name must be 1 to 32 letters, digits, hyphens and underscores, not {settings.process_name[:40]!a}"
        )
    if settings.idle_timeout <= settings.heartbeat_interval:
        raise Refused("idle_timeout must be longer than heartbeat_interval")
    for origin in listed(settings.allowed_origins):
        if not _ORIGIN.fullmatch(origin):
            raise Refused(f"an origin must be https:// or http:// and a host without a path, not {origin[:40]!a}")
    for name in listed(settings.allowed_hosts):
        if name != ANY_HOST and not _HOST_NAME.fullmatch(name):
            raise Refused(f"an allowed host must be a name without a port, such as tables.lan, not {name[:40]!a}")
    return settings


def listed(value: str) -> list[str]:
    """The parts of a setting that are separated by commas."""
    return [part.strip() for part in value.split(",") if part.strip()]


def given_settings(
    file: Path | None, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """The settings that were given explicitly. Flags win over the environment, and the environment over the file."""
    values = _from_file(file) if file else {}
    values |= _from_environment(environment)
    return values | renamed({name: value for name, value in flags.items() if value is not None})


def settings_of(given: Mapping[str, Any]) -> Settings:
    """All settings: the given ones, and the defaults for the rest."""
    settings = _check(replace(Settings(), **given))
    return replace(settings, host=ALL_NETWORKS) if settings.lan and settings.host in _LOCAL else settings


def read_settings(file: Path | None, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """Flags win over the environment, the environment over the file, the file over the defaults."""
    return settings_of(given_settings(file, flags, environment))
