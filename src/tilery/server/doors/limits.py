"""How much somebody may ask for: buckets that fill slowly, one for each connection and one for each address."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

MOST_ADDRESSES = 50_000


class Bucket:
    """Holds at most `most`, gets `rate` a second."""

    __slots__ = ("at", "left")

    def __init__(self, most: float, now: float) -> None:
        self.left = most
        self.at = now

    def take(self, now: float, rate: float, most: float, cost: float = 1.0) -> bool:
        """Take some out, if there is enough."""
        self.left = min(most, self.left + max(0.0, now - self.at) * rate)
        self.at = now
        if self.left < cost:
            return False
        self.left -= cost
        return True


class Buckets:
    """A bucket for each address; those not used for long are forgotten (they would be full again)."""

    def __init__(self, rate: float, most: float, now: Callable[[], float]) -> None:
        self.rate, self.most, self._now = rate, most, now
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Whether this address may do one more thing."""
        now = self._now()
        bucket = self._of.pop(address, None) or Bucket(self.most, now)
        self._of[address] = bucket
        while len(self._of) > MOST_ADDRESSES:
            self._of.popitem(last=False)
        return bucket.take(now, self.rate, self.most, cost)


def address_of(scope: dict[str, Any], behind_proxy: bool) -> str:
    """Who asks: the address, or for IPv6 the network that one customer usually has."""
    client = scope.get("client")
    text = client[0] if client else ""
    if behind_proxy:
        text = _forwarded(scope["headers"]) or text
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "?"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def _forwarded(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """What the proxy in front of us wrote: the last one, for the others could be anybody's."""
    last = ""
    for name, value in headers:
        if name == b"x-forwarded-for":
            last = value.decode("latin-1").rpartition(",")[2].strip()
    return last
