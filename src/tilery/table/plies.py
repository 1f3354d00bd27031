"""The plies of an event: what its moves, written in notation, lead to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from tilery.core.position import Position
from tilery.table import events


class PlayedPly(NamedTuple):
    """A ply, and the position before it."""

    before: Position
    actor: int
    action: int


class PlayedPlies(NamedTuple):
    """The plies of an event and the position after them; the handler has worked them out already."""

    plies: tuple[PlayedPly, ...]
    position: Position
    actor: int  # of that position


def replay_texts(position: Position, texts: Iterable[str]) -> PlayedPlies:
    """What moves in notation lead to."""
    plies = []
    for text in texts:
        action = position.action(text)
        plies.append(PlayedPly(position, position.actor, action))
        position = position.play(action)
    return PlayedPlies(tuple(plies), position, position.actor)


def texts_of(event: events.Started | events.Played) -> tuple[str, ...]:
    """The moves of an event."""
    return event.deals if isinstance(event, events.Started) else (event.move, *event.deals)


def in_current_notation(position: Position, event: events.Started | events.Played) -> events.Started | events.Played:
    """An event that was stored with an earlier version of the game's notation, in the current one."""
    game = position.game
    earlier = Position(game.in_version(event.version), position.row)
    plies = replay_texts(earlier, texts_of(event)).plies
    texts = tuple(game.write_move(ply.before.row, ply.action) for ply in plies)
    if isinstance(event, events.Started):
        return replace(event, deals=texts, version=game.version)
    return replace(event, move=texts[0], deals=texts[1:], version=game.version)
