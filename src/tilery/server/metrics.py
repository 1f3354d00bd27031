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
    forwarded: int = 0  # commands sent to the process that owns the table
    tables_created: int = 0
    bots_waited: int = 0
    bots_failed: int = 0
    connections: int = 0  # open now: those of requests, and WebSockets
    connections_cut: int = 0  # by the server, because they were slow or idle, or there were too many
    sockets: int = 0  # open now
    sockets_opened: int = 0
    sockets_redirected: int = 0  # to the process that owns the table
    sockets_cut: int = 0  # by the server, because they were slow, silent or over the limit
    messages_in: int = 0
    messages_out: int = 0
    requests: int = 0
    requests_limited: int = 0
    work_waiting: int = 0  # jobs of the work queue that wait now
    work_done: int = 0
    work_busy: int = 0  # refused, because too many were waiting
    work_limited: int = 0  # refused, because the address had used up its CPU time
    work_abandoned: int = 0  # the client hung up

    def lines(self) -> list[str]:
        """The text format of Prometheus, line by line."""
        lines = []
        for one in fields(self):
            number = getattr(self, one.name)
            lines += gauge(one.name, number) if one.name in _GAUGES else _counter(one.name, number)
        return lines


_GAUGES = ("pending", "connections", "sockets", "work_waiting")


def gauge(name: str, number: float) -> list[str]:
    """A number that goes up and down."""
    return [f"# TYPE tilery_{name} gauge", f"tilery_{name} {number}"]


def _counter(name: str, number: float) -> list[str]:
    return [f"# TYPE tilery_{name}_total counter", f"tilery_{name}_total {number}"]
