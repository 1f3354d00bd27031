"""A position as a typed value for programs: what `Position.view` returns, and what tables send."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tilery.core.view import View as BaseView
from tilery.core.view import ViewChanges

from .edition import Edition
from .kernel.layout import NOBODY
from .rules import Rules, rules_of
from .view import ENDINGS, PHASES, SEAT_PHASES, Board, board_of, counts, read_fields, tiles_in, view_of

_SIMPLE = ("round", "starter", "stalled")  # fields of a row that are the same in the view


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


def changes_of(edition: Edition, before: bytes, after: bytes) -> ViewChanges:
    """What leads from the view of one row to that of another, without making the views: most of a row stays."""
    old, new = read_fields(before), read_fields(after)
    changed: dict[str, Any] = {}
    for name in _SIMPLE:
        if old[name] != new[name]:
            changed[name] = new[name]
    if old["phase"] != new["phase"] or old["seat"] != new["seat"]:
        phase, was = PHASES[new["phase"]], PHASES[old["phase"]]
        seats = [fields["seat"] if at in SEAT_PHASES else None for fields, at in ((old, was), (new, phase))]
        changed |= {"phase": phase} if phase != was else {}
        changed |= {"seat": seats[1]} if seats[0] != seats[1] else {}
    if old["marker"] != new["marker"]:
        changed["marker"] = None if new["marker"] == NOBODY else new["marker"]
    for name in ("bag", "lid"):
        if old[name] != new[name]:
            changed[name] = counts(new[name])
    if old["piles"] != new["piles"]:
        for source, (then, now) in enumerate(zip(old["piles"], new["piles"], strict=True)):
            if then != now:
                changed[f"factories.{source - 1}" if source else "centre"] = tiles_in(edition, now)
    if old["discs"] != new["discs"]:
        changed["discs"] = tuple([edition.discs[kind] for kind in new["discs"][1 : rules_of(after).factories + 1]])
    if old["ended"] != new["ended"]:
        changed["ended_by"] = ENDINGS[new["ended"]]
    if (old["saucer_seat"] == NOBODY) != (new["saucer_seat"] == NOBODY):
        changed["saucer_gone"] = new["saucer_seat"] != NOBODY
    for seat in range(rules_of(after).seats):
        then_board, now_board = board_of(edition, old, seat), board_of(edition, new, seat)
        if then_board is not now_board:
            _compare_boards(f"boards.{seat}", then_board, now_board, changed)
    return ViewChanges(changed)


def _compare_boards(path: str, old: Board, new: Board, changed: dict[str, Any]) -> None:
    for name in ("score", "floor", "saucer"):
        if getattr(old, name) != getattr(new, name):
            changed[f"{path}.{name}"] = getattr(new, name)
    for name in ("lines", "wall"):
        then, now = getattr(old, name), getattr(new, name)
        if then != now:
            for at, (one, other) in enumerate(zip(then, now, strict=True)):
                if one != other:
                    changed[f"{path}.{name}.{at}"] = other
