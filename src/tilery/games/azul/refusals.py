"""Why an action is not legal, in words, with the id of the rule that forbids it."""

from __future__ import annotations

from tilery.core.refusals import NotAMove, NotLegal, Refused

from .actions import cell_of, take_of
from .kernel import legality
from .kernel.layout import ADD, CENTRE, CHOOSE, DEAL, LAY, START_AT
from .validity import NAMES
from .view import KINDS, LETTERS, View, view_of

_DUE = {
    "start": ("the starting seat is drawn first, such as start=2", "AZ-4"),
    "discs": ("the special discs are laid first, such as 3=keeper", "MC-2"),
    "fill": ("the next factory is filled first, such as +BBYR", "AZ-10"),
    "extra": ("the extra gets its tile first, such as extra=R", "MC-3"),
    "offer": ("it is the factory offer: take tiles, such as 3R2", "AZ-12"),
    "tiling": ("it is wall tiling: choose a cell, such as 4:2", "AZ-50"),
}


def _closed_line(view: View, colour: int, line: int) -> NotLegal:
    """AZ-15, AZ-16: the rule that closes a line."""
    board = view.boards[view.seat or 0]
    held = board.lines[line]
    if len(held) == line + 1:
        return NotLegal(f"line {line + 1} is full", "AZ-15")
    if LETTERS[colour] in board.wall[line]:
        return NotLegal(f"wall row {line + 1} already shows {NAMES[colour]}", "AZ-16")
    other = NAMES[LETTERS.index(held[0])] if held else "another colour"
    return NotLegal(f"line {line + 1} holds {other} and takes only that colour", "AZ-15")


def _refused_take(view: View, action: int, code: int) -> NotLegal:
    spreader = view.discs.index("spreader") + 1 if "spreader" in view.discs else 0
    colour, source, line, _ = take_of(action, spreader)
    where = "the centre" if source == CENTRE else f"factory {source}"
    if code == legality.NO_FACTORY:
        return NotLegal(f"there is no factory {source}: {view.rules.factories} lie in the circle", "AZ-1")
    if code == legality.NO_SUCH_TILE:
        return NotLegal(f"{where} holds no {NAMES[colour]} tile", "AZ-13" if source == CENTRE else "AZ-12")
    if code == legality.LINE_CLOSED:
        return _closed_line(view, colour, line)
    return NotLegal("a take from the spreader says for each remaining colour whether it goes < or >", "MC-7")


def _refused_choice(view: View, action: int, code: int) -> NotLegal:
    line, column = cell_of(action)
    board = view.boards[view.seat or 0]
    due = next((k for k, tiles in enumerate(board.lines) if len(tiles) == k + 1), 0)
    if code == legality.OTHER_LINE:
        return NotLegal(f"lines are tiled top to bottom: line {due + 1} is next, not line {line + 1}", "AZ-50")
    if board.wall[line][column] != ".":
        return NotLegal(f"column {column + 1} of wall row {line + 1} already has a tile", "AZ-50")
    name = NAMES[LETTERS.index(board.lines[line][0])]
    return NotLegal(f"column {column + 1} already shows {name}", "AZ-50")


def _refused_deal(view: View, action: int, code: int) -> NotLegal:
    drawn = [action - DEAL >> 3 * c & 7 for c in range(5)]
    undealt = sum(view.bag) + sum(view.lid)
    if code == legality.WRONG_NUMBER:
        due = min(4, undealt)
        return NotLegal(f"the next factory gets {due} tiles, not {sum(drawn)}", "AZ-10" if due == 4 else "AZ-32")
    pours = sum(drawn) > sum(view.bag)
    for colour, number in enumerate(drawn):
        if pours and number < view.bag[colour]:
            return NotLegal(f"the last {NAMES[colour]} tiles of the bag are drawn before the lid is poured in", "AZ-32")
        there = view.bag[colour] + (view.lid[colour] if pours else 0)
        if number > there:
            return NotLegal(f"only {there} {NAMES[colour]} tiles can be drawn, not {number}", "AZ-32")
    return NotLegal("these tiles cannot be drawn", "AZ-32")


def _refused_disc(view: View, action: int, code: int) -> NotLegal:
    disc, kind = divmod(action - LAY, 10)
    if code == legality.LAID_ALREADY:
        return NotLegal(f"the {KINDS[kind]} is already in the circle", "MC-1")
    laid = [place + 1 for place, other in enumerate(view.discs) if other != "plain"]
    first = laid[-1] + 1 if laid else 1
    last = view.rules.factories - (view.rules.seats - len(laid)) + 1
    return NotLegal(f"special discs are laid clockwise: the next one must be at {first} to {last}, not {disc}", "MC-2")


def explain_refusal(row: bytes, action: int, code: int) -> Refused:
    """The exception for a code that the kernel's `refusal` returned."""
    view = view_of(row)
    if code == legality.NO_ACTION:
        return NotAMove(f"{action} is not the number of an action")
    if code == legality.GAME_OVER:
        return NotLegal("the game is over", "AZ-30")
    if code == legality.NOT_NOW:
        due, rule = _DUE[view.phase]
        return NotLegal(f"not now: {due}", rule)
    if code == legality.WRONG_DIRECTIONS:
        return NotLegal("no colour can be laid that way: only the rest of the spreader goes < or >", "MC-7")
    if code == legality.NO_SEAT:
        return NotLegal(f"there is no seat {action - START_AT + 1}: {view.rules.seats} seats play", "AZ-4")
    if action < CHOOSE:
        return _refused_take(view, action, code)
    if action < START_AT:
        return _refused_choice(view, action, code)
    if action >= DEAL:
        return _refused_deal(view, action, code)
    if action >= ADD:
        return NotLegal(f"no {NAMES[action - ADD]} tile can be drawn", "AZ-32")
    return _refused_disc(view, action, code)
