"""What has happened at a table: the only thing that is stored. A table is the fold of its events."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple

from tilery.core.position import Position
from tilery.core.record import Ply


class Ahead(NamedTuple):
    """What an event leads to, worked out already by who made it; never stored."""

    plies: tuple[Ply, ...]
    position: Position
    actor: int  # in that position


@dataclass(frozen=True)
class Event:
    """When it happened, by whose command (`by`, a part of the hash of a token) and by which one."""

    type: ClassVar[str]
    at: float
    by: str
    id: str


@dataclass(frozen=True)
class Founded(Event):
    """The table was made. Of each seat: its name, the hash of its holder's token, its bot ("" where there is none)."""

    type = "founded"
    game: str
    rules: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    bots: tuple[str, ...]
    host: str  # the hash of the token of who made it
    commitment: str
    clock: dict[str, int] | None
    public: bool
    chat: bool
    before: str  # the table of which this is the rematch


@dataclass(frozen=True)
class Sat(Event):
    type = "sat"
    seat: int
    name: str
    key: str
    entropy: str


@dataclass(frozen=True)
class Left(Event):
    """Before the game: the seats are open again. During the game: the player has gone."""

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
    """A seat was made open, or given to a bot."""

    type = "arranged"
    seat: int
    bot: str


@dataclass(frozen=True)
class Started(Event):
    type = "started"
    entropy: str  # of all devices
    deals: tuple[str, ...]
    ahead: Ahead | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Played(Event):
    """A move, and what chance did after it."""

    type = "played"
    seat: int
    move: str
    deals: tuple[str, ...]
    ahead: Ahead | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class TakenBack(Event):
    """The game went back to where it had so many plies."""

    type = "taken-back"
    plies: int


@dataclass(frozen=True)
class Resigned(Event):
    """A seat has lost: it gave up (`why` is "resigned"), or its time was up ("time"). A bot may play on for it."""

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
    """One more person agreed to the offer."""

    type = "agreed"


@dataclass(frozen=True)
class Declined(Event):
    type = "declined"


@dataclass(frozen=True)
class Replaced(Event):
    """A bot plays on for who has left."""

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
    """The server was away: the turn's time begins anew."""

    type = "resumed"


@dataclass(frozen=True)
class Revealed(Event):
    """The game is over: the secret is shown."""

    type = "revealed"
    secret: str


@dataclass(frozen=True)
class Rematched(Event):
    type = "rematched"
    table: str


@dataclass(frozen=True)
class Closed(Event):
    """Nobody started the game."""

    type = "closed"


_KINDS = {kind.type: kind for kind in Event.__subclasses__()}
_NAMES = {kind: tuple(one.name for one in fields(kind) if one.name != "ahead") for kind in _KINDS.values()}


_dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


def plain(event: Event) -> dict[str, Any]:
    """An event in plain values, as it is stored."""
    words: dict[str, Any] = {"type": event.type}
    for name in _NAMES[type(event)]:
        words[name] = getattr(event, name)
    return words


def write_event(event: Event) -> str:
    """One line of JSON."""
    if isinstance(event, Played):  # by far the most of them
        head = f'{{"type":"{event.type}","at":{event.at},"by":"{event.by}","id":"{event.id}","seat":{event.seat}'
        return f'{head},"move":"{event.move}","deals":{write_moves(event.deals)}}}'
    return _dumps(plain(event))


def write_moves(moves: Sequence[str]) -> str:
    """A list in JSON; notation needs no escapes."""
    return '["' + '","'.join(moves) + '"]' if moves else "[]"


def read_event(text: str) -> Event:
    """Read what `write_event` writes. Events of earlier versions stay readable: a new field needs a default."""
    words: dict[str, Any] = json.loads(text)
    kind: Callable[..., Event] = _KINDS[words.pop("type")]
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in words.items()})
