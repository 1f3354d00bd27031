"""Metrics of the server for `/metrics`: numbers only, no names and no tokens."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass
class Metrics:
    """All metrics are 0 when the process starts."""

    pending: int = 0  # commands being executed now
    accepted: int = 0
    refused: int = 0
    repeated: int = 0
    busy: int = 0
    tables_created: int = 0
    bots_waited: int = 0
    bots_failed: int = 0
    sockets: int = 0  # open now
    sockets_opened: int = 0
    sockets_cut: int = 0  # by the server, because they were slow, silent or over the limit
    messages_in: int = 0
    messages_out: int = 0
    requests: int = 0
    requests_limited: int = 0

    def lines(self) -> list[str]:
        """The text format of Prometheus, line by line."""
        lines = []
        for one in fields(self):
            number = getattr(self, one.name)
            lines += gauge(one.name, number) if one.name in _GAUGES else _counter(one.name, number)
        return lines


_GAUGES = ("pending", "sockets")


def gauge(name: str, number: float) -> list[str]:
    """A number that goes up and down."""
    return [f"# TYPE tilery_{name} gauge", f"tilery_{name} {number}"]


def _counter(name: str, number: float) -> list[str]:
    return [f"# TYPE tilery_{name}_total counter", f"tilery_{name}_total {number}"]
