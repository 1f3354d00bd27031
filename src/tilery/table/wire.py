"""What a server tells its clients over the WebSocket, as types. What is told is what the type lists, and nothing else.
The responses to requests are in `responses.py`.

docs/wire.md, the OpenAPI description and the types of the web client are written from these classes. Seats, lines and
columns count from 0 here and everywhere on the wire; texts for people count from 1. The types of moves, effects and
views belong to the games.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tilery.core.effects import Effect
from tilery.core.move import Move
from tilery.core.refusals import Argument
from tilery.core.view import View, ViewChanges
from tilery.table.events import Loss, OfferKind, SeatKind, Status

VERSION = 3  # of the wire protocol

encode = msgspec.json.Encoder().encode


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A message over the WebSocket; `type` says which."""


# --- parts of a state


class Seat(msgspec.Struct, frozen=True):
    """A seat of a table."""

    kind: SeatKind
    name: str  # for a bot its own name, unless it plays on for a person
    bot: str  # the bot that plays; empty for people
    gone: bool  # the person has left while the game goes on
    lost: Loss | Literal[""]  # empty if the seat has not lost


class ClockSetting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The time that each seat gets: `base` and `increment`, or `days`."""

    base: int = 0  # seconds for the game
    increment: int = 0  # seconds after each move
    days: int = 0  # for each move; then there is no base and no increment


class Clock(ClockSetting, frozen=True, kw_only=True, omit_defaults=True):
    """The clocks of a table."""

    left: tuple[float, ...]  # seconds that each seat has at this moment; only the clock of `actor` is running


class OpenOffer(msgspec.Struct, frozen=True):
    """An offer that stands."""

    offer: int  # its number, for `answer`
    what: OfferKind
    by: tuple[int, ...]  # the seats of the person who made it
    seat: int | None  # for `replace`; otherwise null
    bot: str  # for `replace`; otherwise empty
    agreed: tuple[int, ...]  # seats that have agreed


class Result(msgspec.Struct, frozen=True):
    """The result of a game."""

    scores: tuple[int, ...]  # points of each seat
    winners: tuple[int, ...]  # seats; several share a win
    ended_by: str  # the ending by the rules, such as `row`; or `resigned`, `time`, `draw`
    rule: str  # the rule that ended it; empty if none did


class ScoreItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where points come from."""

    code: str
    points: tuple[int, ...]  # of each seat
    arguments: dict[str, Argument] = {}  # of the code


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as one person may see it."""

    table: str  # its name
    game: str
    variant: str  # as it is written in a position
    commitment: str  # the server's commitment to the deals
    public: bool  # as given when the table was created
    chat: bool  # as given when the table was created
    seats: tuple[Seat, ...]
    before: str = ""  # of a rematch: the previous table
    status: Status  # closed: it was never started
    seq: int  # the number of the last event
    step: int  # the number of the last event that changed the game, to be sent with commands
    plies: int  # how many plies the game has had, deals included
    actor: int | None  # the seat to move; null if there is none
    clock: Clock | None
    offer: OpenOffer | None  # the offer that stands
    result: Result | UnsetType = UNSET  # only when the game is over
    breakdown: tuple[ScoreItem, ...] | UnsetType = UNSET  # only when the game is over
    entropy: str | UnsetType = UNSET  # only when the game is over: what everyone added
    secret: str | UnsetType = UNSET  # only when the game is over: what determined the deals
    rematch: str = ""  # the table of the rematch, if one was agreed on
    you: tuple[int, ...]  # your seats, also those that a bot has taken over; empty for everybody else
    host: bool  # whether you created the table
    viewer: int | None  # the seat from whose perspective `position` is shown; null for a spectator
    position: View | None  # null before the game
    moves: tuple[Move, ...] = ()  # all legal moves, if you are to move


class StateChanges(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of a state that have changed, with their new values; absent fields are as before."""

    seq: int
    step: int | UnsetType = UNSET
    plies: int | UnsetType = UNSET
    actor: int | UnsetType | None = UNSET
    clock: Clock | UnsetType = UNSET
    offer: OpenOffer | UnsetType | None = UNSET
    viewer: int | UnsetType | None = UNSET
    position: View | UnsetType = UNSET  # the whole position, if it is shown from another perspective
    position_changes: ViewChanges | UnsetType = UNSET  # otherwise what has changed in it
    moves: tuple[Move, ...] | UnsetType = UNSET


# --- events


class Ply(msgspec.Struct, frozen=True):
    """A move of a player, or one step of chance."""

    actor: int  # -1 is chance
    move: Move
    effects: tuple[Effect, ...]  # what it did


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Something that happened at a table; `type` says what."""

    seq: int  # its number
    at: float  # seconds since 1970, by the server's clock
    who: tuple[int, ...] = ()  # seats of the person whose command it was; absent if no command or a bot caused it


class Created(TableEvent, frozen=True, kw_only=True, tag="created"):
    """The table was created."""

    game: str
    rules: str
    names: tuple[str, ...]
    bots: tuple[str, ...]
    commitment: str
    clock: ClockSetting | None
    public: bool
    chat: bool
    before: str


class Sat(TableEvent, frozen=True, kw_only=True, tag="sat"):
    """Someone took a seat."""

    seat: int
    name: str
    entropy: str


class Left(TableEvent, frozen=True, kw_only=True, tag="left"):
    """A person left."""

    seats: tuple[int, ...]


class Returned(TableEvent, frozen=True, kw_only=True, tag="returned"):
    """A person who had left came back."""

    seats: tuple[int, ...]


class Renamed(TableEvent, frozen=True, kw_only=True, tag="renamed"):
    """A seat has a new name."""

    seat: int
    name: str


class Arranged(TableEvent, frozen=True, kw_only=True, tag="arranged"):
    """The host gave a seat to a bot, or opened it."""

    seat: int
    bot: str


class Started(TableEvent, frozen=True, kw_only=True, tag="started"):
    """The game began."""

    entropy: str  # what everyone added
    plies: tuple[Ply, ...]  # the first chance outcomes


class Played(TableEvent, frozen=True, kw_only=True, tag="played"):
    """A move, and the chance outcomes after it."""

    seat: int
    plies: tuple[Ply, ...]


class TakenBack(TableEvent, frozen=True, kw_only=True, tag="taken-back"):
    """The game is back at this number of plies."""

    plies: int


class Resigned(TableEvent, frozen=True, kw_only=True, tag="resigned"):
    """A seat has lost."""

    seat: int
    why: Loss
    bot: str  # plays on if the game does


class Drawn(TableEvent, frozen=True, kw_only=True, tag="drawn"):
    """Everyone agreed on a draw."""


class Offered(TableEvent, frozen=True, kw_only=True, tag="offered"):
    """An offer stands; its number is this `seq`."""

    what: OfferKind
    seat: int | None
    bot: str


class Agreed(TableEvent, frozen=True, kw_only=True, tag="agreed"):
    """One more person agreed."""


class Declined(TableEvent, frozen=True, kw_only=True, tag="declined"):
    """The offer no longer stands."""


class Replaced(TableEvent, frozen=True, kw_only=True, tag="replaced"):
    """A bot plays on for a person who has left."""

    seat: int
    bot: str


class Said(TableEvent, frozen=True, kw_only=True, tag="said"):
    """A chat message. It is text, never markup."""

    seat: int
    text: str


class Resumed(TableEvent, frozen=True, kw_only=True, tag="resumed"):
    """The server was down: the time of this turn starts again."""


class Revealed(TableEvent, frozen=True, kw_only=True, tag="revealed"):
    """The game is over."""

    secret: str  # behind the deals


class Rematched(TableEvent, frozen=True, kw_only=True, tag="rematched"):
    """A rematch was agreed on."""

    table: str  # of the rematch


class Closed(TableEvent, frozen=True, kw_only=True, tag="closed"):
    """The table was closed before the game began."""


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


# --- messages


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message."""

    seat: int
    text: str


class Welcome(Message, frozen=True, kw_only=True, omit_defaults=True, tag="welcome"):
    """The response to `hello`."""

    version: int  # of the protocol
    heartbeat: float  # send a `ping` if you have sent no message for this many seconds
    fresh: bool  # false: `events` contains exactly what you have missed; true: discard what you knew
    history: tuple[Ply, ...] | UnsetType = UNSET  # only if `fresh`: all plies so far
    chat_history: tuple[ChatMessage, ...] | UnsetType = UNSET  # only if `fresh`: the last 50 chat messages
    events: tuple[AnyEvent, ...]  # what has happened since `after`; empty if `fresh`
    state: State  # the current state of the table


class Update(Message, frozen=True, kw_only=True, omit_defaults=True, tag="update"):
    """Something has happened."""

    after: int  # the `seq` of the state that `changes` is about: the last event before these
    events: tuple[AnyEvent, ...]  # one or more, in order
    state: State | UnsetType = UNSET  # the whole state after them, or
    changes: StateChanges | UnsetType = UNSET  # what has changed in it


class ErrorInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why something was refused."""

    kind: str  # how a program should react
    code: str  # the exact reason
    text: str  # the reason in English
    arguments: dict[str, Argument] = {}  # of the code
    rule: str = ""  # the id of the rule that forbids it
    line: int | None = None  # in a text that cannot be read, from 1
    column: int | None = None
    move: int | None = None  # which of the given moves, from 0
    retry_delay: float | None = None  # with some kinds, such as `busy`: try again after this many seconds


class Reply(Message, frozen=True, kw_only=True, omit_defaults=True, tag="reply"):
    """The outcome of a command, sent once it is safely stored or refused."""

    id: str | None  # of the command; null if no id could be read
    ok: bool  # whether it was carried out
    seq: int | UnsetType = UNSET  # if `ok`: the number of its first event
    error: ErrorInfo | UnsetType = UNSET  # if not `ok`: the reason
    state: State | UnsetType = UNSET  # only if the command was stale: the current state


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Who is looking at the table now, as far as this server process knows."""

    here: tuple[int, ...]  # seats whose players are connected
    watching: int  # the number of spectators: people who play no seat


class Closing(Message, frozen=True, kw_only=True, tag="closing"):
    """The server is about to stop; nothing is lost."""

    reconnect_delay: float  # reconnect after this many seconds


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping."""


AnyMessage = Welcome | Update | Reply | Presence | Closing | Pong
