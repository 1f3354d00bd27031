"""The addresses under which a server can be reached: from its own machine, and from others on the same network."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

from tilery.server.settings import Settings

# Addresses that no machine has, or at the far end of a private network: to find out which of its own addresses the
# system would send from.
_PROBES = {
    socket.AF_INET: ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255"),
    socket.AF_INET6: ("2001:db8::1",),
}
_CONTAINER_FILES = (Path("/.dockerenv"), Path("/run/.containerenv"))


def lan_address(family: socket.AddressFamily = socket.AF_INET) -> str:
    """The address of this machine on the local network, or "". The system is only asked which of its addresses it
    would use; nothing is sent."""
    for target in _PROBES[family]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            probe.connect((target, 9))
            address = str(probe.getsockname()[0])
            if _is_reachable(address):
                return address
    return ""


def _is_reachable(address: str) -> bool:
    """Whether other machines could reach an address."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local)


def in_a_container() -> bool:
    """Whether this process runs in a container, whose addresses are unknown outside."""
    return any(file.exists() for file in _CONTAINER_FILES)


@dataclass(frozen=True)
class ServerAddress:
    """Where a server listens."""

    host: str
    port: int
    settings: Settings

    @property
    def local(self) -> str:
        """The address for browsers on this machine."""
        host = "localhost" if self.host in ("127.0.0.1", "0.0.0.0") else "[::1]" if self.host == "::" else self.host
        return f"http://{_bracketed(host)}:{self.port}/"

    def public_url(self) -> str:
        """The address for others on the network, without a trailing slash; "" if there is none. It is detected each
        time, because machines move between networks."""
        settings = self.settings
        if settings.public_url:
            return settings.public_url
        if settings.behind_proxy or (in_a_container() and not settings.lan):
            return ""
        address = self.host
        if address == "0.0.0.0":
            address = lan_address()
        elif address == "::":
            address = lan_address() or lan_address(socket.AF_INET6)
        return f"http://{_bracketed(address)}:{self.port}" if address and _is_reachable(address) else ""


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
