"""Bots by name. A bot gets a `Seen` and a stream, and answers with an action; it is at home in every game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from tilery.core.game import Actions, Game, Ints, Rows
from tilery.core.jit import prepare
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.core.text import listed
from tilery.engine.knowledge.codes import GREEDY, RANDOM


@dataclass(frozen=True)
class Bot:
    """A program that plays."""

    name: str
    about: str
    code: int  # what `Knowledge.play_games` calls it
    choose: Callable[[Seen, Stream], int]


@dataclass(frozen=True)
class Knowledge:
    """What the engine knows of one family of games, compiled."""

    greedy: Callable[[Rows, int, Ints, Actions, Rows], int]
    play_games: Callable[[Rows, int, int, Ints, Ints, int, Ints, Actions, Rows], int]


@cache
def _knowledge(family: str) -> Knowledge:
    """The room of `engine/knowledge` that has the name of the family."""
    room = import_module(f"tilery.engine.knowledge.{family}")
    prepare(room.NAME, room.SIGNATURES)
    return Knowledge(room.greedy, room.play_games)


def knowledge_of(game: Game) -> Knowledge:
    """What is known of a game."""
    if find_spec(f"tilery.engine.knowledge.{game.family}") is None:
        raise Refused(f"nothing is known about playing {game.title} yet")
    return _knowledge(game.family)


def prepare_bots(game: Game, names: Sequence[str]) -> None:
    """Compile what these bots need (others in the list are no bots), so that nobody waits in the middle of a game."""
    if any(name in BOTS and BOTS[name].choose is not _random for name in names):
        knowledge_of(game)


def _random(seen: Seen, stream: Stream) -> int:
    return stream.choice(seen.actions())


def _greedy(seen: Seen, stream: Stream) -> int:
    rows = np.frombuffer(bytearray(seen.row), dtype=np.uint8).reshape(1, -1)
    kernel = seen.game.kernel
    greedy = knowledge_of(seen.game).greedy
    return greedy(rows, 0, stream.generators(), kernel.new_list(), kernel.new_rows(1))


BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", "any legal move, all alike", RANDOM, _random),
        Bot("greedy", "the move that leaves it best off at once, looking no further", GREEDY, _greedy),
    )
}


def bot(name: str) -> Bot:
    """A bot by its name."""
    try:
        return BOTS[name]
    except KeyError:
        raise Refused(f"there is no bot {name[:40]!a}: expected {listed(list(BOTS))}") from None
