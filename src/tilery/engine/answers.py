"""The answers of the engine process as typed values; docs/protocol.md describes their fields."""

from __future__ import annotations

import json

import msgspec
from msgspec import UNSET, UnsetType

from tilery.core.move import Move


class RootInfo(msgspec.Struct, frozen=True, rename="camel"):
    """The value of a position for the seat that has to decide, and how it was found."""

    win: float
    margin: float
    wins: tuple[float, ...]
    margins: tuple[float, ...]
    depth: int
    nodes: int
    solved: bool
    share_solved: float
    horizon: str
    seconds: float
    cpu: float
    engine: str
    method: str


class MoveInfo(msgspec.Struct, frozen=True, rename="camel"):
    """A move and its value; `pv` is the variation, beginning with the move itself."""

    move: Move
    order: int
    win: float
    margin: float
    visits: int
    solved: bool
    pv: tuple[Move, ...]


class Analysis(msgspec.Struct, frozen=True, rename="camel"):
    """The answer to an analysis query, and the output of `tilery analyse --json` (without an id)."""

    id: str | UnsetType
    turn_number: int
    is_during_search: bool
    position: str
    seat: int
    root_info: RootInfo | None  # None: terminated before the search began
    move_infos: tuple[MoveInfo, ...]
    cancelled: bool | UnsetType = UNSET


class Played(msgspec.Struct, frozen=True):
    """The answer to `play`."""

    id: str
    move: str | None  # None: terminated before the search began
    cancelled: bool | UnsetType = UNSET


class Version(msgspec.Struct, frozen=True):
    """The answer to `query_version`."""

    id: str
    action: str
    name: str
    version: str
    protocol: int
    games: tuple[str, ...]


class BotInfo(msgspec.Struct, frozen=True):
    """A bot in the answer to `query_bots`."""

    name: str
    about: str


class Bots(msgspec.Struct, frozen=True):
    """The answer to `query_bots`."""

    id: str
    action: str
    bots: tuple[BotInfo, ...]


class Terminated(msgspec.Struct, frozen=True, rename="camel"):
    """The answer to `terminate` and `terminate_all`."""

    id: str
    action: str
    terminate_ids: tuple[str, ...] | UnsetType
    terminated: int


class Failure(msgspec.Struct, frozen=True):
    """The answer to what cannot be done."""

    id: str | None
    error: str
    field: str | None


class Warned(msgspec.Struct, frozen=True):
    """A line about a field that is not known."""

    id: str
    warning: str
    field: str


Answer = Analysis | Played | Version | Bots | Terminated | Failure | Warned


def answer_line(answer: Answer) -> str:
    """An answer as one line of JSON in ASCII, with its line feed."""
    return json.dumps(msgspec.to_builtins(answer), allow_nan=False) + "\n"
