"""All games, and functions that read positions and records of any of them."""

from __future__ import annotations

from collections.abc import Iterator

from tilery.core import record_text
from tilery.core.game import MAX_POSITION_CHARACTERS, Game
from tilery.core.position import Position, Seen
from tilery.core.record import Record, SeenRecord
from tilery.core.record_text import AnyRecord
from tilery.core.sentences import LIBRARY, actor_argument, word_list
from tilery.core.text import Reader

from .azul import AZUL, CHOCOLATIER
from .schokoly import SCHOKOLY

GAMES: dict[str, Game] = {game.name: game for game in (AZUL, CHOCOLATIER, SCHOKOLY)}


def game(name: str) -> Game:
    """A game by its name."""
    try:
        return GAMES[name]
    except KeyError:
        raise LIBRARY.refused("no-such-game", text=name[:40], games=word_list(list(GAMES))) from None


def _game_of(text: str) -> Game:
    """The game that the text of a position begins with."""
    prefixes = {f"{name}:": one for name, one in GAMES.items()}
    reader = Reader(text, LIBRARY, max_length=MAX_POSITION_CHARACTERS, what="position")
    return prefixes[reader.one_of(list(prefixes), "name-of-game")]


def read_position(text: str) -> Position:
    """Read the text of a position of any game."""
    return _game_of(text).read(text)


def read_any_position(text: str) -> Position | Seen:
    """Read the text of a position of any game, or of what a seat or a spectator sees of one."""
    return _game_of(text).read_any(text)


def read_any_record(text: str, *, first_line: int = 1) -> AnyRecord:
    """Read a record of any game, complete or as a seat or a spectator saw it."""
    return record_text.read_record(text, game, first_line=first_line)


def read_record(text: str, *, first_line: int = 1) -> Record:
    """Read the text of a record of any game. The record is replayed; raises `BadText` at the first illegal ply."""
    record = read_any_record(text, first_line=first_line)
    if isinstance(record, SeenRecord):
        raise LIBRARY.refused("seen-record", viewer=actor_argument(record.seat))
    return record


def read_seen_record(text: str, *, first_line: int = 1) -> SeenRecord:
    """Read the text of a record as one seat or a spectator saw it."""
    record = read_any_record(text, first_line=first_line)
    if not isinstance(record, SeenRecord):
        raise LIBRARY.refused("complete-record")
    return record


def read_records(text: str) -> Iterator[Record]:
    """Read a text with any number of records."""
    for line, part in record_text.split_records(text):
        yield read_record(part, first_line=line)
