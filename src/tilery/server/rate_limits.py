"""Rate limits by token buckets: one for each connection, and one for each address."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

MAX_ADDRESSES = 50_000


class Bucket:
    """A token bucket: `rate` tokens are added per second, up to `burst`."""

    __slots__ = ("left", "updated_at")

    def __init__(self, burst: float, now: float) -> None:
        self.left = burst
        self.updated_at = now

    def take(self, now: float, rate: float, burst: float, cost: float = 1.0) -> bool:
        """Take `cost` tokens; False if there are not enough, and then none is taken."""
        self.left = min(burst, self.left + max(0.0, now - self.updated_at) * rate)
        self.updated_at = now
        if self.left < cost:
            return False
        self.left -= cost
        return True


class Buckets:
    """A bucket for each address. The least recently used are dropped; by then they would be full again."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self.rate, self.burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take tokens from the bucket of an address; False if its limit is reached."""
        now = self._now()
        bucket = self._buckets.pop(address, None) or Bucket(self.burst, now)
        self._buckets[address] = bucket
        while len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(now, self.rate, self.burst, cost)


def address_of(scope: dict[str, Any], behind_proxy: bool) -> str:
    """The address of a client; for IPv6 its /64 network, which usually belongs to one customer."""
    client = scope.get("client")
    text = client[0] if client else ""
    if behind_proxy:
        text = _forwarded_for(scope["headers"]) or text
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "?"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def _forwarded_for(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The last address of X-Forwarded-For, which the proxy added; clients can make up the others."""
    last = ""
    for name, value in headers:
        if name == b"x-forwarded-for":
            last = value.decode("latin-1").rpartition(",")[2].strip()
    return last
