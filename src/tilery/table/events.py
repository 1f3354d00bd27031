"""The events of a table: what is stored. A table is the fold of its events."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple

from tilery.core.position import Position
from tilery.core.record import Ply


class PlayedPlies(NamedTuple):
    """The plies of an event and the position after them, computed by the handler so that `Table.apply` need not; never
    stored."""

    plies: tuple[Ply, ...]
    position: Position
    actor: int  # of that position


@dataclass(frozen=True)
class Event:
    """`at` is the time, `by` the sender of the command (the first part of a token's hash), `id` the command's id."""

    type: ClassVar[str]
    at: float
    by: str
    id: str


@dataclass(frozen=True)
class Created(Event):
    """The table was created. For each seat: its name, the hash of its holder's token and its bot ("" for none)."""

    type = "created"
    game: str
    rules: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    bots: tuple[str, ...]
    host: str  # the hash of the host's token
    commitment: str
    clock: dict[str, int] | None
    public: bool
    chat: bool
    before: str  # the table of which this is the rematch, or ""


@dataclass(frozen=True)
class Sat(Event):
    type = "sat"
    seat: int
    name: str
    key: str
    entropy: str


@dataclass(frozen=True)
class Left(Event):
    """Before the game: the seats are open again. During the game: their player is gone."""

    type = "left"
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Returned(Event):
    type = "returned"
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Renamed(Event):
    type = "renamed"
    seat: int
    name: str


@dataclass(frozen=True)
class Arranged(Event):
    """A seat was opened, or given to a bot."""

    type = "arranged"
    seat: int
    bot: str


@dataclass(frozen=True)
class Started(Event):
    type = "started"
    entropy: str  # of all devices, joined
    deals: tuple[str, ...]
    played_plies: PlayedPlies | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Played(Event):
    """A move, and the deals that followed it."""

    type = "played"
    seat: int
    move: str
    deals: tuple[str, ...]
    played_plies: PlayedPlies | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class TakenBack(Event):
    """The game went back to its first `plies` plies."""

    type = "taken-back"
    plies: int


@dataclass(frozen=True)
class Resigned(Event):
    """A seat has lost: it resigned (`why` is "resigned") or ran out of time ("time"). If the game goes on, `bot`
    takes over."""

    type = "resigned"
    seat: int
    why: str
    bot: str


@dataclass(frozen=True)
class Drawn(Event):
    """Everybody agreed on a draw."""

    type = "drawn"


@dataclass(frozen=True)
class Offered(Event):
    type = "offered"
    what: str
    seat: int | None
    bot: str


@dataclass(frozen=True)
class Agreed(Event):
    """One of the people agreed to the offer."""

    type = "agreed"


@dataclass(frozen=True)
class Declined(Event):
    type = "declined"


@dataclass(frozen=True)
class Replaced(Event):
    """A bot took over a seat from somebody who has left."""

    type = "replaced"
    seat: int
    bot: str


@dataclass(frozen=True)
class Said(Event):
    type = "said"
    seat: int
    text: str


@dataclass(frozen=True)
class Resumed(Event):
    """A server process has taken over the table: the current turn starts again."""

    type = "resumed"


@dataclass(frozen=True)
class Revealed(Event):
    """The game is over, and the secret is published."""

    type = "revealed"
    secret: str


@dataclass(frozen=True)
class Rematched(Event):
    type = "rematched"
    table: str


@dataclass(frozen=True)
class Closed(Event):
    """The table was closed before the game started."""

    type = "closed"


_CLASSES = {kind.type: kind for kind in Event.__subclasses__()}
_OLD_TYPES = {"founded": "created"}  # types in stores of 0.1.0
_FIELDS = {kind: tuple(one.name for one in fields(kind) if one.name != "played_plies") for kind in _CLASSES.values()}

_dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


def event_values(event: Event) -> dict[str, Any]:
    """An event as plain values, with the names of the stored fields."""
    values: dict[str, Any] = {"type": event.type}
    for name in _FIELDS[type(event)]:
        values[name] = getattr(event, name)
    return values


def write_event(event: Event) -> str:
    """An event as one line of JSON."""
    if isinstance(event, Played):  # the fast path: most events are moves
        head = f'{{"type":"{event.type}","at":{event.at},"by":"{event.by}","id":"{event.id}","seat":{event.seat}'
        return f'{head},"move":"{event.move}","deals":{write_moves(event.deals)}}}'
    return _dumps(event_values(event))


def write_moves(moves: Sequence[str]) -> str:
    """Moves as a JSON list; notation needs no escapes."""
    return '["' + '","'.join(moves) + '"]' if moves else "[]"


def read_event(text: str) -> Event:
    """The inverse of `write_event`. Events of all earlier versions must stay readable: a new field needs a default."""
    values: dict[str, Any] = json.loads(text)
    event_type = values.pop("type")
    kind: Callable[..., Event] = _CLASSES[_OLD_TYPES.get(event_type, event_type)]
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
