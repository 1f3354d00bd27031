"""Bots for the tests of the arena, by name; a function of a module, so that workers find it too."""

from __future__ import annotations

import os
import time

from tilery import Seen, Stream
from tilery.engine.bots import Bot, bot

CLOSED: list[str] = []


def first(seen: Seen, stream: Stream) -> int:
    """The first legal move, always."""
    del stream
    return seen.actions()[0]


def illegal(seen: Seen, stream: Stream) -> int:
    """Plays at random, but something illegal from the second round on."""
    if seen.round > 1:
        return 1_000_000
    return stream.choice(seen.actions())


def failing(seen: Seen, stream: Stream) -> int:
    """Plays at random until the second round, then breaks down."""
    if seen.round > 1:
        raise RuntimeError("no idea\nwhat {to} do \x07")
    return stream.choice(seen.actions())


def nonsense(seen: Seen, stream: Stream) -> int:
    """Answers with no number at all."""
    del seen, stream
    return None  # type: ignore[return-value]


def quitting(seen: Seen, stream: Stream) -> int:
    """Wants to end the whole program."""
    raise SystemExit(f"{seen.seat} {stream}")


def dying(seen: Seen, stream: Stream) -> int:
    """Takes its process along."""
    del seen, stream
    os._exit(3)


def texting(seen: Seen, stream: Stream) -> int:
    """Answers in notation."""
    return stream.choice(seen.moves())  # type: ignore[return-value]


def slow(seen: Seen, stream: Stream) -> int:
    """Plays at random, some milliseconds a move."""
    time.sleep(0.004)
    return stream.choice(seen.actions())


OWN = {
    play.__name__: Bot(play.__name__, "", play)
    for play in (first, illegal, failing, nonsense, quitting, dying, texting, slow)
}


def find(name: str) -> Bot:
    """One of these, or one of the house."""
    if name == "closing":
        return Bot(name, "a bot that holds on to something", first, close=lambda: CLOSED.append(name))
    return OWN.get(name) or bot(name)
