"""Where a server can be reached: from its own machine, and from others in the same network."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

from tilery.server.settings import Settings

# Addresses that nobody has, or that are as far away as a private network goes: which way would a packet take?
_FAR_AWAY = {
    socket.AF_INET: ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255"),
    socket.AF_INET6: ("2001:db8::1",),
}
_SIGNS_OF_A_CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"))


def lan_address(family: socket.AddressFamily = socket.AF_INET) -> str:
    """The address of this machine in the local network, or "". The system is only asked which of its addresses it
    would use; nothing is sent."""
    for target in _FAR_AWAY[family]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            asked.connect((target, 9))
            found = str(asked.getsockname()[0])
            if _is_for_others(found):
                return found
    return ""


def _is_for_others(address: str) -> bool:
    """Whether others could reach an address."""
    read = ipaddress.ip_address(address.partition("%")[0])
    return not (read.is_loopback or read.is_unspecified or read.is_link_local)


def in_a_container() -> bool:
    """Whether the network seen from here may be one that nobody else knows."""
    return any(sign.exists() for sign in _SIGNS_OF_A_CONTAINER)


@dataclass(frozen=True)
class Place:
    """Where a server listens."""

    host: str
    port: int
    settings: Settings

    @property
    def local(self) -> str:
        """The address for who sits at this machine."""
        host = "localhost" if self.host in ("127.0.0.1", "0.0.0.0") else "[::1]" if self.host == "::" else self.host
        return f"http://{_bracketed(host)}:{self.port}/"

    def share(self) -> str:
        """The address for others in the network, without a slash behind it; "" where there is none. It is found out
        anew each time, for machines move from one network to the next."""
        settings = self.settings
        if settings.share:
            return settings.share
        if settings.behind_proxy or (in_a_container() and not settings.lan):
            return ""
        address = self.host
        if address == "0.0.0.0":
            address = lan_address()
        elif address == "::":
            address = lan_address() or lan_address(socket.AF_INET6)
        return f"http://{_bracketed(address)}:{self.port}" if address and _is_for_others(address) else ""


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
