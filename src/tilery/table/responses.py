"""The responses of a server to requests, as types. What is told is what the type lists, and nothing else."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tilery.core.effects import Effect
from tilery.core.move import Move
from tilery.core.view import View, ViewChanges
from tilery.table.events import SeatKind
from tilery.table.wire import ClockSetting, ErrorInfo, Ply, Result, ScoreItem


class ErrorResponse(msgspec.Struct, frozen=True):
    """The body of every response that is not a success."""

    error: ErrorInfo


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """The response to whoever created a table or took a seat."""

    table: str  # the name
    token: str  # yours; it is sent here and never again
    invite: str  # the path of the link for others
    seat_link: str  # the path of your private link
    commitment: str  # the server's commitment to the deals to come
    seats: tuple[int, ...]  # yours


class RematchTable(msgspec.Struct, frozen=True):
    """The table of a rematch."""

    table: str
    invite: str  # the path of the link for others


class Variant(msgspec.Struct, frozen=True):
    """A variant of a game, for menus."""

    variant: str
    about: str


class BotInfo(msgspec.Struct, frozen=True):
    """A bot that plays at tables."""

    name: str
    about: str


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game that can be played."""

    name: str  # for programs
    title: str  # for people
    version: int  # of the rules
    seats: tuple[int, ...]  # the possible numbers of seats
    variants: tuple[Variant, ...]
    bots: dict[str, tuple[BotInfo, ...]]  # for each number of seats, the weakest first
    hidden_information: bool  # whether players see different things
    help: str  # how moves are written


class Games(msgspec.Struct, frozen=True):
    """The games that can be played."""

    games: tuple[GameInfo, ...]


class LobbySeat(msgspec.Struct, frozen=True):
    """A seat of a table in the lobby."""

    kind: SeatKind
    name: str


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    table: str
    game: str
    variant: str
    seats: tuple[LobbySeat, ...]
    clock: ClockSetting | None
    created: float  # seconds since 1970


class Lobby(msgspec.Struct, frozen=True):
    """Public tables, each list at most 50, the newest first."""

    tables: tuple[LobbyTable, ...]  # with an open seat
    running: tuple[LobbyTable, ...]  # where a game goes on


class ServerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A server."""

    version: str
    web_client_hash: str  # empty if no web client is built
    public_url: str  # its address for others on the network; empty if unknown


class Preview(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a move would do, or why it is not legal."""

    typed: str  # as given; written as people type it, it is read all the same
    move: Move | UnsetType = UNSET  # if it is legal
    effects: tuple[Effect, ...] | UnsetType = UNSET  # if it is legal
    error: ErrorInfo | UnsetType = UNSET  # if it is not


class Previews(msgspec.Struct, frozen=True):
    """Previews of moves at a table."""

    step: int  # the `step` of the state that they are based on
    previews: tuple[Preview, ...]  # one for each move, in the same order


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """A move with the continuation that the engine expects."""

    moves: tuple[Move, ...]  # the move and the expected continuation, up to 12 moves
    win: float  # your win probability, 0 to 1
    margin: float  # the expected lead in points over the best other side
    nodes: int  # spent on it; 0 if the search does not count by moves
    solved: bool  # whether this is proven


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine would play."""

    step: int  # the `step` of the state that the hint is for
    engine: str  # name and version of the search
    variations: tuple[Variation, ...]  # up to 5, the best first
    horizon: Literal["round", "game"]  # how far `solved` reaches
    solved: bool  # whether the best move is proven
    depth: int  # how much was searched
    nodes: int


class Step(Ply, frozen=True):
    """A ply of a game that is replayed or studied, with the position after it."""

    changes: ViewChanges  # of the position


class RecordInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A record, and one of its positions."""

    game: str
    variant: str
    players: tuple[str, ...]  # names
    tags: dict[str, str]  # all other tags
    result: str  # the value of the tag `Result`
    plies: int  # of the whole game
    ply: int  # the number of plies before `position`
    position: View


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game."""

    game: str
    variant: str
    players: tuple[str, ...]  # names
    tags: dict[str, str]  # all other tags
    result: str  # the value of the tag `Result`
    start: View  # the position before the first ply
    steps: tuple[Step, ...]
    breakdown: tuple[ScoreItem, ...] | None  # if the game is over: where the points come from


class StudyStep(Step, frozen=True):
    """A ply on the analysis board."""

    text: str  # the position after it, in notation


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """A position, and how it came about."""

    game: str
    variant: str
    start: View  # the position that was given
    steps: tuple[StudyStep, ...]  # the given moves, then what chance did
    text: str  # the last position, in notation
    actor: int | None  # whose turn it is: a seat, -1 for chance; null if the game is over
    moves: tuple[Move, ...]  # all legal moves, also for chance; empty if only another player knows them
    previews: tuple[Preview, ...]
    result: Result | None  # if the game is over
    breakdown: tuple[ScoreItem, ...] | None  # if the game is over
