"""A position as a typed value for programs: what `Position.view` returns, and what tables send."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tilery.core.fields import number_comparer
from tilery.core.view import View as BaseView
from tilery.core.view import ViewChanges, view_changes

from .edition import Edition
from .kernel.layout import LINES, NOBODY, ROW
from .kernel.piles import COLOURS
from .rules import Rules
from .view import DERIVED, Board, counts, floor_of, tiles_in, view_of, wall_of


class AzulView(BaseView, frozen=True):
    """A position of Azul. Seats count from 0; `factories` and `discs` are in the order of the circle."""

    round: int  # from 1
    starter: int  # who started the round
    marker: int | None  # the seat that holds the starting player marker; None: it lies in the centre
    stalled: int  # rounds without a tile on a wall
    bag: tuple[int, ...]  # counts by colour
    lid: tuple[int, ...]  # counts by colour
    centre: str  # tiles, as letters
    discs: tuple[str, ...]  # the kind of each: plain, or a special one
    factories: tuple[str, ...]  # the tiles on each
    boards: tuple[Board, ...]  # one for each seat
    ended_by: str  # row, tiles, stall or rounds when the game is over
    saucer_gone: bool  # whether the saucer lies beside a board


@lru_cache(maxsize=1 << 7)
def _text(rules: Rules) -> str:
    return rules.text


def values_of(edition: Edition, row: bytes) -> AzulView:
    """The typed value of a row."""
    view = view_of(edition, row)
    return AzulView(
        _text(view.rules),
        view.phase,
        view.seat,
        view.round,
        view.starter,
        view.marker,
        view.stalled,
        view.bag,
        view.lid,
        view.centre,
        view.discs,
        view.factories,
        view.boards,
        view.ended_by,
        view.saucer_gone,
    )


# What a number of a row changes in the view, given its index in the field and its new value: path and value.
_CHANGES: dict[str, Callable[[Edition, int, int], tuple[str, Any]]] = {
    "seat": lambda _, __, seat: ("seat", seat),
    "marker": lambda _, __, seat: ("marker", None if seat == NOBODY else seat),
    "piles": lambda edition, source, pile: (
        f"factories.{source - 1}" if source else "centre",
        tiles_in(edition, pile),
    ),
    "lines": lambda edition, at, line: (f"boards.{at // (LINES + 1)}.lines.{at % (LINES + 1)}", edition.lines[line]),
    "floor": lambda edition, seat, floor: (f"boards.{seat}.floor", floor_of(edition, floor)),
    "score": lambda _, seat, score: (f"boards.{seat}.score", score),
    "bag": lambda _, __, pile: ("bag", counts(pile)),
    "lid": lambda _, __, pile: ("lid", counts(pile)),
    "round": lambda _, __, number: ("round", number),
    "starter": lambda _, __, seat: ("starter", seat),
    "stalled": lambda _, __, number: ("stalled", number),
}
_changed_numbers = number_comparer(ROW, [name for name in ROW.names or () if name not in DERIVED])


def changes_of(edition: Edition, before: bytes, after: bytes) -> ViewChanges:
    """What leads from the view of one row to that of another. Mostly it is found without making the views."""
    changed: dict[str, Any] = {}
    walls: set[int] = set()
    for name, index, number in _changed_numbers(before, after):
        if change := _CHANGES.get(name):
            path, value = change(edition, index, number)
            changed[path] = value
        elif name == "wall_of":
            walls.add(index // COLOURS)
        else:  # the phase, a disc, the saucer
            return view_changes(values_of(edition, before), values_of(edition, after))
    for seat in walls:
        rows = zip(wall_of(edition, before, seat), wall_of(edition, after, seat), strict=True)
        changed.update({f"boards.{seat}.wall.{line}": new for line, (old, new) in enumerate(rows) if old != new})
    return ViewChanges(changed)
