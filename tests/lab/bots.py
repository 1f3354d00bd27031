"""Bots for the tests of the arena, by name; `find` is a module-level function, so that workers can import it."""

from __future__ import annotations

import os
import time

from tests.notation import texts
from tilery import Seen, Stream
from tilery.engine.bots import Bot, bot

CLOSED: list[str] = []


def first(seen: Seen, stream: Stream) -> int:
    """Always plays the first legal move."""
    del stream
    return seen.actions()[0]


def illegal(seen: Seen, stream: Stream) -> int:
    """Plays at random, but an illegal move from the second round on."""
    if seen.round > 1:
        return 1_000_000
    return stream.choice(seen.actions())


def failing(seen: Seen, stream: Stream) -> int:
    """Plays at random until the second round, then raises an error."""
    if seen.round > 1:
        raise RuntimeError("no idea\nwhat {to} do \x07")
    return stream.choice(seen.actions())


def nonsense(seen: Seen, stream: Stream) -> int:
    """Returns None instead of an action."""
    del seen, stream
    return None  # type: ignore[return-value]


def quitting(seen: Seen, stream: Stream) -> int:
    """Tries to end the whole program."""
    raise SystemExit(f"{seen.seat} {stream}")


def dying(seen: Seen, stream: Stream) -> int:
    """Kills its process."""
    del seen, stream
    os._exit(3)


def in_notation(seen: Seen, stream: Stream) -> int:
    """Returns its move in notation."""
    return stream.choice(texts(seen))  # type: ignore[return-value]


def slow(seen: Seen, stream: Stream) -> int:
    """Plays at random, and takes some milliseconds per move."""
    time.sleep(0.004)
    return stream.choice(seen.actions())


OWN = {
    play.__name__: Bot(play.__name__, "", play)
    for play in (first, illegal, failing, nonsense, quitting, dying, in_notation, slow)
}


def find(name: str) -> Bot:
    """One of these bots, or a standard one."""
    if name == "closing":
        return Bot(name, "a bot that must be closed", first, close=lambda: CLOSED.append(name))
    return OWN.get(name) or bot(name)
