"""Checks whether a position can occur in a game; a problem is a refusal with the rule that it breaks."""

from __future__ import annotations

from tilery.core.refusals import Refused

from .edition import CERAMIC, Edition
from .sentences import texts_of
from .view import Board, View

_refuse = texts_of(CERAMIC).refused  # sentences without the name of a colour are the same in every edition


def check(edition: Edition, view: View) -> Refused | None:
    """The first problem of a view, None if there is none."""
    return _tiles(edition, view) or _marker(view) or _discs(view) or _boards(edition, view) or _phase(view)


def _tiles(edition: Edition, view: View) -> Refused | None:
    """AZ-60: twenty tiles of each colour."""
    for colour, letter in enumerate(edition.letters):
        places = [view.centre, *view.factories]
        for board in view.boards:
            places += [*board.lines, *board.wall, board.floor, board.saucer or ""]
        count = view.bag[colour] + view.lid[colour] + sum(place.count(letter) for place in places)
        if count != 20:
            return texts_of(edition).refused("tile-count", "AZ-60", number=count, colour=letter)
    return None


def _marker(view: View) -> Refused | None:
    """AZ-13, AZ-18, AZ-60: one marker, and it lies where its holder is."""
    for seat, board in enumerate(view.boards):
        here = (board.floor + (board.saucer or "")).count("m")
        if here > (seat == view.marker):
            return _refuse("marker-not-held", "AZ-60", seat=seat)
        kept_aside = here == 0 and seat == view.marker and view.phase == "offer"
        if kept_aside and len(board.floor) < 7:
            return _refuse("marker-not-on-floor", "AZ-13", seat=seat)
    if view.phase in ("start", "discs", "fill", "extra") and view.marker is not None:
        return _refuse("marker-not-in-centre", "AZ-10")
    return None


def _discs(view: View) -> Refused | None:
    """MC-1, MC-2: each special disc once, as many as there are seats."""
    special = [kind for kind in view.discs if kind != "plain"]
    if len(set(special)) < len(special):
        return _refuse("disc-twice", "MC-1")
    if view.rules.specials == "none" or view.phase == "start":
        wanted = (0, 0)
    elif view.phase == "discs":
        wanted = (0, view.rules.seats - 1)
    else:
        wanted = (view.rules.seats, view.rules.seats)
    if not wanted[0] <= len(special) <= wanted[1]:
        return _refuse("special-discs", "MC-2", number=len(special), right=wanted[1])
    last = max((place for place, kind in enumerate(view.discs) if kind != "plain"), default=-1)
    if view.phase == "discs" and len(view.discs) - 1 - last < view.rules.seats - len(special):
        return _refuse("no-room-for-discs", "MC-2")
    if sum(board.saucer is not None for board in view.boards) > 1:
        return _refuse("saucer-twice", "MC-1")
    if view.saucer_gone and view.phase not in ("offer", "tiling"):
        return _refuse("saucer-away", "MC-8")
    return None


def _boards(edition: Edition, view: View) -> Refused | None:
    for seat, board in enumerate(view.boards):
        problem = _wall(edition, seat, board, view) or _lines(seat, board)
        if problem:
            return problem
    return None


def _wall(edition: Edition, seat: int, board: Board, view: View) -> Refused | None:
    for line, cells in enumerate(board.wall):
        for column, letter in enumerate(cells):
            if letter == ".":
                continue
            if view.rules.wall == "coloured" and (edition.letters.index(letter) + line) % 5 != column:
                return _refuse("wrong-cell", "AZ-6", seat=seat, letter=letter, column=column, line=line)
            if cells.count(letter) > 1:
                return _refuse("row-twice", "AZ-16", seat=seat, line=line, letter=letter)
            if [other[column] for other in board.wall].count(letter) > 1:
                return _refuse("column-twice", "AZ-50", seat=seat, column=column, letter=letter)
    if view.phase not in ("tiling", "over") and any("." not in cells for cells in board.wall):
        return _refuse("row-complete", "AZ-30", seat=seat)
    return None


def _lines(seat: int, board: Board) -> Refused | None:
    for line, tiles in enumerate(board.lines):
        if tiles and tiles[0] in board.wall[line]:
            return _refuse("line-shown", "AZ-16", seat=seat, line=line)
    return None


def _phase(view: View) -> Refused | None:
    """What must hold in each phase, and what the limits require."""
    limits = view.rules
    if limits.round_limit and view.round > limits.round_limit:
        return _refuse("after-round-limit", "AZ-34", rounds=limits.round_limit)
    if limits.stall_limit and view.stalled == limits.stall_limit and view.phase not in ("tiling", "over"):
        return _refuse("after-stall-limit", "AZ-35", rounds=limits.stall_limit)
    on_discs = "".join(view.factories)
    offered = view.centre + on_discs
    undealt = sum(view.bag) + sum(view.lid)
    if view.phase == "offer":
        return None if offered else _refuse("nothing-offered", "AZ-19")
    if view.phase in ("tiling", "over"):
        if offered:
            return _refuse("tiles-left", "AZ-19")
        return _tiling(view) if view.phase == "tiling" else _over(view, undealt)
    return _setting_up(view, undealt)


def _setting_up(view: View, undealt: int) -> Refused | None:
    """The phases in which chance acts: AZ-10, AZ-32, MC-2, MC-3."""
    if view.phase == "start" and (view.rules.start is not None or view.starter or view.round > 1):
        return _refuse("start-drawn", "AZ-4")
    if view.phase == "discs" and view.rules.specials == "none":
        return _refuse("no-special-discs", "MC-2")
    if view.phase == "discs" and view.rules.specials == "game" and view.round > 1:
        return _refuse("discs-laid", "MC-2")
    if any(board.floor or line_full(board) for board in view.boards):
        return _refuse("boards-not-tiled", "AZ-20, AZ-22")
    if undealt == 0:
        return _refuse("nothing-to-deal", "AZ-33")
    if view.centre:
        return _refuse("centre-not-empty", "AZ-10")
    filled = [len(tiles) for tiles in view.factories]
    if view.phase == "fill":
        count = sum(1 for tiles in filled if tiles)
        if filled != [4] * count + [0] * (len(filled) - count) or count == len(filled):
            return _refuse("discs-not-in-order", "AZ-32")
    elif view.phase == "extra":
        if "extra" not in view.discs or not any(filled):
            return _refuse("no-extra", "MC-3")
    elif any(filled):
        return _refuse("discs-not-empty", "AZ-10")
    return None


def line_full(board: Board) -> bool:
    """Whether some line is full."""
    return any(len(tiles) == line + 1 for line, tiles in enumerate(board.lines))


def _tiling(view: View) -> Refused | None:
    """AZ-50, AZ-52: the seat to act has a cell to choose."""
    if view.rules.wall != "grey" or view.seat is None:
        return _refuse("no-cell-chosen", "AZ-50")
    if not line_full(view.boards[view.seat]):
        return _refuse("no-full-line", "AZ-52", seat=view.seat)
    return _tiled_already(view, view.seat)


def _tiled_already(view: View, choosing: int) -> Refused | None:
    """AZ-52: the seats before the one that chooses are done."""
    seat = view.starter
    while seat != choosing:
        if line_full(view.boards[seat]) or view.boards[seat].floor or view.boards[seat].saucer:
            return _refuse("tiles-first", "AZ-52", seat=seat, choosing=choosing)
        seat = (seat + 1) % view.rules.seats
    return None


def _over(view: View, undealt: int) -> Refused | None:
    """AZ-30, AZ-33, AZ-34, AZ-35: the reason for the end holds."""
    if any(board.floor or line_full(board) for board in view.boards):
        return _refuse("end-not-tiled", "AZ-20, AZ-22")
    row = any("." not in cells for board in view.boards for cells in board.wall)
    limits = view.rules
    reasons = {  # in the order in which they are checked
        "row": row,
        "stall": limits.stall_limit is not None and view.stalled == limits.stall_limit,
        "rounds": limits.round_limit is not None and view.round == limits.round_limit,
        "tiles": undealt == 0,
    }
    first = next((reason for reason, holds in reasons.items() if holds), "nothing")
    return None if first == view.ended_by else _refuse("other-ending", ending=first, claimed=view.ended_by)
