"""The events of a table: what is stored. A table is the fold of its events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from tilery.core.confusables import with_visible_characters

OfferKind = Literal["takeback", "draw", "replace", "rematch"]
Loss = Literal["resigned", "time"]
SeatKind = Literal["open", "person", "bot"]
Status = Literal["open", "playing", "over", "closed"]  # closed: it was never started


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """`at` is the time, `by` the sender of the command (the first part of a token's hash), `id` the command's id."""

    at: float
    by: str
    id: str

    @property
    def type(self) -> str:
        """The kind of event, such as `played`."""
        return str(self.__struct_config__.tag)


class Created(Event, frozen=True, tag="created"):
    """The table was created. For each seat: its name, the hash of its holder's token and its bot ("" for none)."""

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


class Sat(Event, frozen=True, tag="sat"):
    seat: int
    name: str
    key: str
    entropy: str


class Left(Event, frozen=True, tag="left"):
    """Before the game: the seats are open again. During the game: their player is gone."""

    seats: tuple[int, ...]


class Returned(Event, frozen=True, tag="returned"):
    seats: tuple[int, ...]


class Renamed(Event, frozen=True, tag="renamed"):
    seat: int
    name: str


class Arranged(Event, frozen=True, tag="arranged"):
    """A seat was opened, or given to a bot."""

    seat: int
    bot: str


class Started(Event, frozen=True, tag="started", omit_defaults=True):
    entropy: str  # of all devices, joined
    deals: tuple[str, ...]
    version: int = 1  # of the game's notation (`Game.version`) in which the deals are written


class Played(Event, frozen=True, tag="played", omit_defaults=True):
    """A move, and the deals that followed it."""

    seat: int
    move: str
    deals: tuple[str, ...]
    version: int = 1  # as in `Started`


class TakenBack(Event, frozen=True, tag="taken-back"):
    """The game went back to its first `plies` plies."""

    plies: int


class Resigned(Event, frozen=True, tag="resigned"):
    """A seat has lost: it resigned or ran out of time. If the game goes on, `bot`
    takes over."""

    seat: int
    why: Loss
    bot: str


class Drawn(Event, frozen=True, tag="drawn"):
    """Everybody agreed on a draw."""


class Offered(Event, frozen=True, tag="offered"):
    what: OfferKind
    seat: int | None
    bot: str


class Agreed(Event, frozen=True, tag="agreed"):
    """One of the people agreed to the offer."""


class Declined(Event, frozen=True, tag="declined"):
    """The offer no longer stands."""


class Replaced(Event, frozen=True, tag="replaced"):
    """A bot took over a seat from somebody who has left."""

    seat: int
    bot: str


class Said(Event, frozen=True, tag="said"):
    seat: int
    text: str


class Resumed(Event, frozen=True, tag="resumed"):
    """A server process has taken over the table: the current turn starts again."""


class Revealed(Event, frozen=True, tag="revealed"):
    """The game is over, and the secret is published."""

    secret: str


class Rematched(Event, frozen=True, tag="rematched"):
    table: str


class Closed(Event, frozen=True, tag="closed"):
    """The table was closed before the game started."""


AnyEvent = (
    Created
    | Sat
    | Left
    | Returned
    | Renamed
    | Arranged
    | Started
    | Played
    | TakenBack
    | Resigned
    | Drawn
    | Offered
    | Agreed
    | Declined
    | Replaced
    | Said
    | Resumed
    | Revealed
    | Rematched
    | Closed
)
_encode = msgspec.json.Encoder().encode
_decode: Callable[[str], AnyEvent] = msgspec.json.Decoder(AnyEvent).decode
_OLD_TYPES = {'{"type":"founded",': '{"type":"created",'}  # as stores of 0.1.0 begin


def write_event(event: Event) -> str:
    """An event as one line of JSON."""
    return _encode(event).decode()


def read_event(text: str) -> AnyEvent:
    """The inverse of `write_event`. Events of all earlier versions must stay readable: a new field needs a default."""
    for old, new in _OLD_TYPES.items():
        if text.startswith(old):
            text = new + text[len(old) :]
    event = _decode(text)
    return event if text.isascii() else _with_visible_text(event)


def _with_visible_text(event: AnyEvent) -> AnyEvent:
    """An event as people may see it: earlier versions allowed names and messages with characters that nobody sees."""
    if isinstance(event, (Sat, Renamed)):
        return replace(event, name=with_visible_characters(event.name))
    if isinstance(event, Created):
        return replace(event, names=tuple(map(with_visible_characters, event.names)))
    return replace(event, text=with_visible_characters(event.text)) if isinstance(event, Said) else event
