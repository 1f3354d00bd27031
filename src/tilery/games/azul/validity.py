"""Checks whether a position can occur in a game; a problem is described in words, with the rule it breaks."""

from __future__ import annotations

from .view import LETTERS, NAMES, Board, View


def check(view: View) -> str:
    """The first problem of a view, empty if there is none."""
    for test in (_tiles, _marker, _discs, _boards, _phase):
        problem = test(view)
        if problem:
            return problem
    return ""


def _tiles(view: View) -> str:
    """AZ-60: twenty tiles of each colour."""
    for colour, letter in enumerate(LETTERS):
        places = [view.centre, *view.factories]
        for board in view.boards:
            places += [*board.lines, *board.wall, board.floor, board.saucer or ""]
        count = view.bag[colour] + view.lid[colour] + sum(place.count(letter) for place in places)
        if count != 20:
            return f"there are {count} {NAMES[colour]} tiles in all, not 20 (AZ-60)"
    return ""


def _marker(view: View) -> str:
    """AZ-13, AZ-18, AZ-60: one marker, and it lies where its holder is."""
    for seat, board in enumerate(view.boards):
        here = (board.floor + (board.saucer or "")).count("m")
        if here > (seat == view.marker):
            return f"seat {seat + 1} has a marker on its board that it does not hold (AZ-60)"
        kept_aside = here == 0 and seat == view.marker and view.phase == "offer"
        if kept_aside and len(board.floor) < 7:
            return f"seat {seat + 1} holds the marker, but it is not on its floor line (AZ-13)"
    if view.phase in ("start", "discs", "fill", "extra") and view.marker is not None:
        return "the marker must lie in the centre while a round is set up (AZ-10)"
    return ""


def _discs(view: View) -> str:
    """MC-1, MC-2: each special disc once, as many as there are seats."""
    special = [kind for kind in view.discs if kind != "plain"]
    if len(set(special)) < len(special):
        return "a special disc lies in the circle twice (MC-1)"
    if view.rules.specials == "none" or view.phase == "start":
        wanted = (0, 0)
    elif view.phase == "discs":
        wanted = (0, view.rules.seats - 1)
    else:
        wanted = (view.rules.seats, view.rules.seats)
    if not wanted[0] <= len(special) <= wanted[1]:
        return f"{len(special)} special discs lie in the circle, not {wanted[1]} (MC-2)"
    last = max((place for place, kind in enumerate(view.discs) if kind != "plain"), default=-1)
    if view.phase == "discs" and len(view.discs) - 1 - last < view.rules.seats - len(special):
        return "there is no room for the special discs that are still to be laid clockwise (MC-2)"
    if sum(board.saucer is not None for board in view.boards) > 1:
        return "the saucer lies at two boards (MC-1)"
    if view.saucer_gone and view.phase not in ("offer", "tiling"):
        return "the saucer must be back in the circle between rounds (MC-8)"
    return ""


def _boards(view: View) -> str:
    for seat, board in enumerate(view.boards):
        problem = _wall(board, view) or _lines(board)
        if problem:
            return f"seat {seat + 1}: {problem}"
    return ""


def _wall(board: Board, view: View) -> str:
    for line, cells in enumerate(board.wall):
        for column, letter in enumerate(cells):
            if letter == ".":
                continue
            if view.rules.wall == "coloured" and (LETTERS.index(letter) + line) % 5 != column:
                return f"{letter} does not belong in column {column + 1} of wall row {line + 1} (AZ-6)"
            if cells.count(letter) > 1:
                return f"wall row {line + 1} shows {letter} twice (AZ-16)"
            if [other[column] for other in board.wall].count(letter) > 1:
                return f"wall column {column + 1} shows {letter} twice (AZ-50)"
    if view.phase not in ("tiling", "over") and any("." not in cells for cells in board.wall):
        return "a complete row has ended the game (AZ-30)"
    return ""


def _lines(board: Board) -> str:
    for line, tiles in enumerate(board.lines):
        if tiles and tiles[0] in board.wall[line]:
            return f"line {line + 1} holds a colour that its wall row shows (AZ-16)"
    return ""


def _phase(view: View) -> str:
    """What must hold in each phase, and what the limits require."""
    limits = view.rules
    if limits.round_limit and view.round > limits.round_limit:
        return f"the game was cut off after round {limits.round_limit} (AZ-34)"
    if limits.stall_limit and view.stalled == limits.stall_limit and view.phase not in ("tiling", "over"):
        return f"the game ended after {limits.stall_limit} rounds without a tile on a wall (AZ-35)"
    on_discs = "".join(view.factories)
    offered = view.centre + on_discs
    undealt = sum(view.bag) + sum(view.lid)
    if view.phase == "offer":
        return "" if offered else "in the offer at least one tile must be left to take (AZ-19)"
    if view.phase in ("tiling", "over"):
        if offered:
            return "tiling only begins when no tile is left to take (AZ-19)"
        return _tiling(view) if view.phase == "tiling" else _over(view, undealt)
    return _setting_up(view, undealt)


def _setting_up(view: View, undealt: int) -> str:
    """The phases in which chance acts: AZ-10, AZ-32, MC-2, MC-3."""
    if view.phase == "start" and (view.rules.start is not None or view.starter or view.round > 1):
        return "the starting seat is only drawn before round 1, and only if no seat is given (AZ-4)"
    if view.phase == "discs" and view.rules.specials == "none":
        return "there are no special discs to lay (MC-2)"
    if view.phase == "discs" and view.rules.specials == "game" and view.round > 1:
        return "the special discs were laid in round 1 (MC-2)"
    if any(board.floor or line_full(board) for board in view.boards):
        return "floor lines must be empty and no line full while a round is set up (AZ-20, AZ-22)"
    if undealt == 0:
        return "no tile is left to deal (AZ-33)"
    if view.centre:
        return "the centre must be empty while a round is set up (AZ-10)"
    filled = [len(tiles) for tiles in view.factories]
    if view.phase == "fill":
        count = sum(1 for tiles in filled if tiles)
        if filled != [4] * count + [0] * (len(filled) - count) or count == len(filled):
            return "discs must be filled in order with 4 tiles each, and one must still be empty (AZ-32)"
    elif view.phase == "extra":
        if "extra" not in view.discs or not any(filled):
            return "only the extra disc gets one more tile (MC-3)"
    elif any(filled):
        return "the discs must be empty before they are filled (AZ-10)"
    return ""


def line_full(board: Board) -> bool:
    """Whether some line is full."""
    return any(len(tiles) == line + 1 for line, tiles in enumerate(board.lines))


def _tiling(view: View) -> str:
    """AZ-50, AZ-52: the seat to act has a cell to choose."""
    if view.rules.wall != "grey" or view.seat is None:
        return "only on the grey wall does a seat choose a cell (AZ-50)"
    if not line_full(view.boards[view.seat]):
        return f"seat {view.seat + 1} has no full line to tile (AZ-52)"
    return _tiled_already(view, view.seat)


def _tiled_already(view: View, choosing: int) -> str:
    """AZ-52: the seats before the one that chooses are done."""
    seat = view.starter
    while seat != choosing:
        if line_full(view.boards[seat]) or view.boards[seat].floor or view.boards[seat].saucer:
            return f"seat {seat + 1} must have tiled before seat {choosing + 1} (AZ-52)"
        seat = (seat + 1) % view.rules.seats
    return ""


def _over(view: View, undealt: int) -> str:
    """AZ-30, AZ-33, AZ-34, AZ-35: the reason for the end holds."""
    if any(board.floor or line_full(board) for board in view.boards):
        return "floor lines must be empty and no line full after the last tiling (AZ-20, AZ-22)"
    row = any("." not in cells for board in view.boards for cells in board.wall)
    limits = view.rules
    reasons = {  # in the order in which they are checked
        "row": row,
        "stall": limits.stall_limit is not None and view.stalled == limits.stall_limit,
        "rounds": limits.round_limit is not None and view.round == limits.round_limit,
        "tiles": undealt == 0,
    }
    first = next((reason for reason, holds in reasons.items() if holds), "nothing")
    return "" if first == view.ended_by else f"the game was ended by {first}, not by {view.ended_by}"
