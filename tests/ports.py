"""Ports for programs that have to be told one."""

from __future__ import annotations

import random
import socket

# Below the ports that systems give to outgoing connections, and to servers without a port of their own: otherwise one
# of them could take the port before it is used.
FIRST, LAST = 20_000, 29_999
_CHOICE = random.SystemRandom()  # tests in other processes have the same seed


def free_port() -> int:
    """A port that nobody listens on."""
    while True:
        port = _CHOICE.randint(FIRST, LAST)
        try:
            with socket.create_server(("", port)):
                return port
        except OSError:
            continue
