"""Which hosts and origins requests may name.

A page of another site can reach a server that only its visitors can reach: its host name first leads to its own server,
and a moment later to this one (DNS rebinding). To the browser both are one origin, so comparing `Origin` with `Host`
does not help. But the name in `Host` is still that of the other site: only names of this server are answered. Addresses
are, too, because the attack needs a name.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from tilery.server.settings import ANY_HOST, Settings, listed

Headers = Iterable[tuple[bytes, bytes]]
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s\[\]:@/]+))(?::[0-9]*)?", re.ASCII)
_MAX_SHOWN = 100  # characters of a host in a text


def machine_names() -> set[str]:
    """The names by which other machines on the network may know this one."""
    name = socket.gethostname().lower().removesuffix(".")
    first = name.partition(".")[0]
    return {name, first, f"{first}.local"} if first else set()


class Origins:
    """The hosts and origins of the settings."""

    def __init__(self, settings: Settings) -> None:
        named = {name.lower().removesuffix(".") for name in listed(settings.allowed_hosts)}
        if settings.public_url:
            named.add(urlsplit(settings.public_url).hostname or "")
        # Behind a proxy, this server cannot know its names, and there is nothing to be gained by reaching it through a
        # visitor's browser: everybody can reach it.
        self._any_host = ANY_HOST in named or (settings.behind_proxy and not named)
        self._hosts = {"localhost", settings.host.lower()} | machine_names() | named
        self.allowed = {origin.encode() for origin in listed(settings.allowed_origins)}

    def wrong_host(self, headers: Headers) -> str | None:
        """The Host of a request if it is none of this server's. Browsers always send one; a program need not."""
        for name, value in headers:
            if name == b"host" and value and not (self._any_host or self._is_own(value)):
                return value.decode("latin-1")[:_MAX_SHOWN]
        return None

    def _is_own(self, value: bytes) -> bool:
        match = _HOST.fullmatch(value.decode("latin-1").lower())
        if not match:
            return False
        in_brackets, plain = match.groups()
        if in_brackets:
            return _is_address(in_brackets, ipaddress.IPv6Address)
        host = plain.removesuffix(".")
        return host in self._hosts or _is_address(host, ipaddress.IPv4Address)

    def is_own_page(self, headers: Headers) -> bool:
        """Whether a request comes from the web client of this server, from an allowed origin, or from a program (which
        sends no origin)."""
        headers = tuple(headers)
        hosts = [value for name, value in headers if name == b"host" and value]
        own = {scheme + host for host in hosts for scheme in (b"http://", b"https://")}
        return all(value in own or value in self.allowed for name, value in headers if name == b"origin")

    def allowed_page(self, headers: Headers) -> bytes | None:
        """The origin of a request that comes from a page of an allowed origin."""
        origins = [value for name, value in headers if name == b"origin"]
        return origins[0] if len(origins) == 1 and origins[0] in self.allowed else None


def _is_address(text: str, kind: type[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


def wrong_host_text(host: str) -> str:
    """What somebody is told who used a name that this server does not know."""
    return (
        f"this server does not answer to the host {host}: whoever runs it can add the name to the setting "
        "allowed_hosts, or make it that of public_url"
    )
