"""A position as a typed value for programs: what `Position.view` returns, and what tables send."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tilery.core.game import as_rows
from tilery.core.kernel.comparison import numbers_of
from tilery.core.kernel.journal import empty_journal, notes_of
from tilery.core.view import View as BaseView
from tilery.core.view import ViewChanges, view_changes

from .edition import Edition
from .kernel import entries
from .kernel.layout import GIVEN, LINES, NOBODY, ROW
from .kernel.piles import COLOURS
from .rules import Rules
from .view import Board, counts, floor_of, tiles_in, view_of, wall_of

if TYPE_CHECKING:
    from .game import AzulGame


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


_Value = Callable[[Edition, int], Any]  # what the view shows for a number


def _same(_: Edition, number: int) -> int:
    return number


def _counts(_: Edition, pile: int) -> tuple[int, ...]:
    return counts(pile)


def _marker(_: Edition, seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _line(edition: Edition, line: int) -> str:
    return edition.lines[line]


# Where the view shows a number of a row, given its index in the field, and how.
_SHOWN: dict[str, tuple[Callable[[int], str], _Value]] = {
    "seat": (lambda _: "seat", _same),
    "marker": (lambda _: "marker", _marker),
    "piles": (lambda source: f"factories.{source - 1}" if source else "centre", tiles_in),
    "lines": (lambda at: f"boards.{at // (LINES + 1)}.lines.{at % (LINES + 1)}", _line),
    "floor": (lambda seat: f"boards.{seat}.floor", floor_of),
    "score": (lambda seat: f"boards.{seat}.score", _same),
    "bag": (lambda _: "bag", _counts),
    "lid": (lambda _: "lid", _counts),
    "round": (lambda _: "round", _same),
    "starter": (lambda _: "starter", _same),
    "stalled": (lambda _: "stalled", _same),
}
_WALL = "wall_of"


def _shown(name: str, index: int) -> tuple[str, _Value | int | None]:
    """The path of a number in the view, and its value there; for a part of a wall its seat; for a number that changes
    more of the view (the phase, a disc, the saucer) nothing."""
    if name == _WALL:
        return _WALL, index // COLOURS
    if name not in _SHOWN:
        return name, None
    path_of, value = _SHOWN[name]
    return path_of(index), value


_NUMBERS = [_shown(name, index) for name, index in numbers_of(ROW, GIVEN)]


def changes_of(game: AzulGame, before: bytes, after: bytes) -> ViewChanges:
    """What leads from the view of one row to that of another. Mostly it is found without making the views."""
    edition, _ = game.edition, game.kernel  # compiled
    notes = empty_journal()
    entries.compare(as_rows(before, after), notes)
    changed: dict[str, Any] = {}
    walls: set[int] = set()
    for which, number, *_ in notes_of(notes):
        path, value = _NUMBERS[which]
        if isinstance(value, int):
            walls.add(value)
        elif value:
            changed[path] = value(edition, number)
        else:
            return view_changes(values_of(edition, before), values_of(edition, after))
    for seat in walls:
        rows = zip(wall_of(edition, before, seat), wall_of(edition, after, seat), strict=True)
        changed.update({f"boards.{seat}.wall.{line}": new for line, (old, new) in enumerate(rows) if old != new})
    return ViewChanges(changed)
