"""The games of the house."""

from __future__ import annotations

from collections.abc import Iterator

from tilery.core import record_text
from tilery.core.game import Game
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.core.refusals import Refused
from tilery.core.text import listed

from .azul import AZUL, CHOCOLATIER

GAMES: dict[str, Game] = {game.name: game for game in (AZUL, CHOCOLATIER)}


def game(name: str) -> Game:
    """A game by its name."""
    try:
        return GAMES[name]
    except KeyError:
        raise Refused(f"there is no game {name[:40]!a}: expected {listed(list(GAMES))}") from None


def read_position(text: str) -> Position:
    """Read the text of a position of any game."""
    return game(text.partition(":")[0]).read(text)


def read_record(text: str, *, first_line: int = 1) -> Record:
    """Read the text of a record of any game; it is replayed, and refused where it goes wrong."""
    return record_text.read_record(text, game, first_line=first_line)


def read_records(text: str) -> Iterator[Record]:
    """Read a text that holds any number of records."""
    for line, part in record_text.split_records(text):
        yield read_record(part, first_line=line)
