"""Helpers for the tests of bots: positions, fake workers, processes."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.notation import texts
from tests.server.bots import fake
from tilery import Position, Seen, Stream, game

LONG = "plain-uct@200000n"  # seconds of thinking, in Schokoly
SECONDS = 40.0  # more than anything here takes


def new_game(name: str = "azul", variant: str = "2") -> Position:
    return game(name).new(variant).settle(Stream("beginning"))


def seen_in(position: Position) -> Seen:
    return position.seen_by(position.actor)


def command(behaviour: Callable[[fake.Request], None], seen: Seen, file: Path | None = None) -> list[str]:
    """A fake worker."""
    return [sys.executable, fake.__file__, behaviour.__name__, texts(seen)[0], str(file or "-")]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        await asyncio.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether a process is running; zombies do not count."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not stat.parent.parent.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
