"""The settings of the server: a file, the environment or flags, the later ones winning. docs/server.md lists them."""

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
EVERYWHERE = "0.0.0.0"  # the address that stands for all networks
_LOCAL = ("127.0.0.1", "localhost", "::1")


def setting(default: Any, about: str) -> Any:
    """A setting with a default, and what it is for."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Settings:
    """All settings. The name in capitals with `TILERY_` in front is the variable of the environment."""

    host: str = setting("127.0.0.1", "the address to listen on; 0.0.0.0 for every network")
    port: int = setting(8000, "the port; 0 takes any free one. If none is named and it is taken, one of the next ten")
    lan: bool = setting(False, "listen on every network, and show the address and its QR code to phones in the room")
    share: str = setting("", "the address for others in the network, such as http://192.168.1.7:8000; else found out")
    open: bool = setting(False, "open the address in the browser, where there is a desktop")
    database: str = setting("", "a file, or postgresql://...; by default tilery.db in the data folder")
    origins: str = setting("", "other origins whose pages may connect, such as https://example.org, with commas")
    behind_proxy: bool = setting(False, "trust X-Forwarded-For of a proxy in front, and send cookies over https only")
    bot_workers: int = setting(1, "processes that think for bots")
    most_pending: int = setting(300, "commands carried out at once; more are answered with overloaded")
    most_sockets: int = setting(20_000, "open sockets; more are turned away")
    sockets_per_address: int = setting(200, "open sockets of one address")
    requests_per_second: float = setting(20.0, "requests of one address a second, in the long run")
    requests_at_once: float = setting(100.0, "requests that an address may save up")
    tables_per_hour: float = setting(60.0, "tables that one address may make in an hour")
    messages_per_second: float = setting(10.0, "messages of one socket a second, in the long run")
    messages_at_once: float = setting(40.0, "messages that a socket may save up")
    heartbeat: float = setting(25.0, "seconds after which a client should give a sign of life")
    silence: float = setting(70.0, "seconds after which a silent socket is cut")
    patience: float = setting(10.0, "seconds for a request to come in and its answer to be read, or for a hello")
    outbox: int = setting(64, "messages that may wait for a slow reader before it is cut")
    back_in: float = setting(5.0, "seconds after which clients are asked to come back when the server stops")
    log: str = setting("info", "what is logged: debug, info, warning or error")


KINDS: dict[str, type] = {one.name: type(one.default) for one in fields(Settings)}
MOST = 1_000_000_000  # of anything
_ORIGIN = re.compile(r"https?://[a-z0-9.:_\[\]-]+", re.ASCII)
_WORDS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def _read(name: str, value: Any, where: str) -> Any:
    kind = KINDS[name]
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _WORDS[str(value).lower()]
        if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
            raise ValueError
        if kind is int and isinstance(value, float) and not value.is_integer():
            raise ValueError
        return kind(value)
    except (ValueError, TypeError, OverflowError, KeyError):
        expected = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]
        raise Refused(f"{where}: {name} is {expected}, not {str(value)[:40]!a}") from None


def _from_file(path: Path) -> dict[str, Any]:
    try:
        words = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: {error}") from None
    for name in words:
        if name not in KINDS:
            raise Refused(f"{path}: there is no setting {name[:40]!a}; `tilery serve --help` lists them")
    return {name: _read(name, value, str(path)) for name, value in words.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for name in KINDS:
        variable = PREFIX + name.upper()
        if variable in environment:
            found[name] = _read(name, environment[variable], f"the variable {variable}")
    return found


def _check(settings: Settings) -> Settings:
    if not 0 <= settings.port <= 65_535:
        raise Refused(f"a port is 0 to 65535, not {settings.port}")
    if settings.log not in ("debug", "info", "warning", "error"):
        raise Refused(f"log is debug, info, warning or error, not {settings.log[:20]!a}")
    if not settings.host.strip():
        raise Refused("host is an address such as 127.0.0.1; 0.0.0.0 for every network")
    for one in fields(Settings):
        value = getattr(settings, one.name)
        if one.name != "port" and type(value) in (int, float) and not 0 < value <= MOST:
            raise Refused(f"{one.name} is more than 0 and at most {MOST}, not {str(value)[:40]}")
    for name in ("requests_at_once", "tables_per_hour", "messages_at_once"):
        if getattr(settings, name) < 1:
            raise Refused(f"{name} is at least 1, or nobody could do anything")
    if settings.lan and settings.behind_proxy:
        raise Refused("lan and behind_proxy do not go together: nobody but the proxy may reach the server")
    if settings.share and not _ORIGIN.fullmatch(settings.share):
        raise Refused(f"share is https:// or http:// and a host, and nothing behind it, not {settings.share[:40]!a}")
    if settings.silence <= settings.heartbeat:
        raise Refused("silence is longer than heartbeat, or everybody would be cut")
    for origin in settings.origins.split(","):
        if origin.strip() and not _ORIGIN.fullmatch(origin.strip()):
            raise Refused(f"an origin is https:// or http:// and a host, and nothing behind it, not {origin[:40]!a}")
    return settings


def said_settings(
    file: Path | None, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """What somebody said. Flags win over the environment, and the environment over the file."""
    found = _from_file(file) if file else {}
    found |= _from_environment(environment)
    return found | {name: value for name, value in flags.items() if value is not None}


def settings_of(said: Mapping[str, Any]) -> Settings:
    """All settings: what was said, and the defaults for the rest."""
    settings = _check(replace(Settings(), **said))
    return replace(settings, host=EVERYWHERE) if settings.lan and settings.host in _LOCAL else settings


def read_settings(file: Path | None, flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """Flags win over the environment, the environment over the file, the file over the defaults."""
    return settings_of(said_settings(file, flags, environment))
