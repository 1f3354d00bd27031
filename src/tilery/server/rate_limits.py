"""Rate limits by token buckets: one for each connection, and one for each address."""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from tilery.table.refusals import TableRefused

MAX_ADDRESSES = 50_000
MIN_DELAY = 0.1  # seconds that a client is asked to wait at least


class Bucket:
    """A token bucket: `rate` tokens are added per second, up to `burst`."""

    __slots__ = ("left", "updated_at")

    def __init__(self, burst: float, now: float) -> None:
        self.left = burst
        self.updated_at = now

    def take(self, now: float, rate: float, burst: float, cost: float = 1.0) -> bool:
        """Take `cost` tokens; False if there are not enough, and then none is taken."""
        self.refill(now, rate, burst)
        if self.left < cost:
            return False
        self.left -= cost
        return True

    def refill(self, now: float, rate: float, burst: float) -> None:
        """Add the tokens of the time that has passed."""
        self.left = min(burst, self.left + max(0.0, now - self.updated_at) * rate)
        self.updated_at = now


class Buckets:
    """A bucket for each address. The least recently used are dropped; by then they would be full again."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self.rate, self.burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take tokens from the bucket of an address; False if its limit is reached."""
        now = self._now()
        return self._bucket(address, now).take(now, self.rate, self.burst, cost)

    def wait(self, address: str, tokens: float = 1.0) -> float:
        """Seconds until an address has so many tokens; 0 if it has them now."""
        now = self._now()
        bucket = self._bucket(address, now)
        bucket.refill(now, self.rate, self.burst)
        return 0.0 if bucket.left >= tokens else max(MIN_DELAY, (tokens - bucket.left) / self.rate)

    def charge(self, address: str, cost: float) -> None:
        """Take tokens even if there are not enough: then the next ones have to wait. A negative cost gives back."""
        now = self._now()
        bucket = self._bucket(address, now)
        bucket.refill(now, self.rate, self.burst)
        bucket.left -= cost

    def _bucket(self, address: str, now: float) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is not None:
            self._buckets.move_to_end(address)
            return bucket
        bucket = self._buckets[address] = Bucket(self.burst, now)
        if len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket


def limit_reached(code: str, wait: float) -> TableRefused:
    """The refusal of what exceeds a limit, and may be tried again after a while."""
    return TableRefused("too-many-requests", code, seconds=max(1, math.ceil(wait)))


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
