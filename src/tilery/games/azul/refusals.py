"""Why something is not a legal move: a code, its arguments, and the id of the rule that forbids it."""

from __future__ import annotations

from tilery.core.refusals import Argument, NotLegal, Refused, Sentences, from_one

from .actions import cell_of, take_of
from .kernel import legality
from .kernel.layout import ADD, CENTRE, CHOOSE, DEAL, LAY, START_AT
from .view import KINDS, LETTERS, NAMES, View, view_of


def _colour(value: Argument) -> str:
    return NAMES[LETTERS.index(str(value))]


def _place(value: Argument) -> str:
    return "the centre" if value == CENTRE else f"factory {value}"


_TAKE = "a move such as 3R2 (from factory 3, red, to line 2) or CKF (from the centre, black, to the floor)"
_EXPECTED = {  # by phase
    "start": "the starting seat, such as start=2",
    "discs": "a special disc, such as 5=keeper or 3=magnetR",
    "fill": "the tiles of the next factory, such as +BBYR",
    "extra": "the extra tile, such as extra=W",
    "offer": _TAKE,
    "spreader": f"{_TAKE}, from the spreader 3R2<B>YK (blue to the left, yellow and black to the right)",
    "tiling": "the choice of a cell, such as 4:2 (line 4, column 2)",
    "over": "nothing: the game is over",
}

_DUE = {  # by phase
    "start": ("the starting seat is drawn first, such as start=2", "AZ-4"),
    "discs": ("the special discs are laid first, such as 3=keeper", "MC-2"),
    "fill": ("the next factory is filled first, such as +BBYR", "AZ-10"),
    "extra": ("the extra gets its tile first, such as extra=R", "MC-3"),
    "offer": ("it is the factory offer: take tiles, such as 3R2", "AZ-12"),
    "tiling": ("it is wall tiling: choose a cell, such as 4:2", "AZ-50"),
}

SENTENCES = Sentences(
    {
        "not-a-number": "{number} is not the number of an action",
        "too-long": "a move has at most {most} characters, this one has {length}",
        "not-a-move": "{text} is not a move; expected {expected}",
        "no-such-source": "{text} is not a move: {found} is neither a factory (1 to 9) nor C, the centre; expected "
        "{expected}",
        "no-such-colour": "{text} is not a move: {found} is not a colour (B blue, Y yellow, R red, K black, W white); "
        "expected {expected}",
        "no-such-line": "{text} is not a move: there is no line {found} (1 to 5, or F for the floor); expected "
        "{expected}",
        "not-a-deal": "{text} is not a move: a deal is + and one to four colours of BYRKW; expected {expected}",
        "colour-order": f"in {{text}} the colours are written in the order {LETTERS}: write {{right}}, not {{found}}",
        "game-over": "the game is over",
        "not-now": "not now: {due}",
        "no-factory": "there is no factory {source}: {factories} lie in the circle",
        "no-such-tile": "{from} holds no {colour} tile",
        "line-full": "line {line} is full",
        "row-shows-colour": "wall row {line} already shows {colour}",
        "line-holds-other": "line {line} holds {held} and takes only that colour",
        "not-the-spreader": "only a take from the spreader has < and >, and {from} is not the spreader",
        "spreader-sides": "say for each remaining colour of the spreader ({rest}) whether it goes < or >",
        "no-sides": "no colour can be laid that way: only the rest of the spreader goes < or >",
        "other-line": "lines are tiled top to bottom: line {due_line} is next, not line {line}",
        "cell-taken": "column {column} of wall row {line} already has a tile",
        "column-shows-colour": "column {column} already shows {colour}",
        "wrong-number": "the next factory gets {due_tiles} tiles, not {number}",
        "bag-first": "the last {colour} tiles of the bag are drawn before the lid is poured in",
        "too-few-tiles": "only {left} {colour} tiles can be drawn, not {number}",
        "no-tile-left": "no {colour} tile can be drawn",
        "not-drawable": "these tiles cannot be drawn",
        "disc-there": "the {disc} is already in the circle",
        "disc-order": "special discs are laid clockwise: the next one must be at {first} to {last}, not {source}",
        "no-seat": "there is no seat {seat}: {seats} seats play",
    },
    {
        "line": from_one,
        "due_line": from_one,
        "column": from_one,
        "seat": from_one,
        "colour": _colour,
        "held": _colour,
        "from": _place,
        "text": ascii,
        "rest": lambda value: str(value or "none is left"),
        "expected": lambda value: _EXPECTED[str(value)],
        "due": lambda value: _DUE[str(value)][0],
        "length": lambda value: f"{value:,}",
    },
)

_refuse = SENTENCES.not_legal


def _closed_line(view: View, colour: int, line: int) -> NotLegal:
    """AZ-15, AZ-16: the rule that closes a line."""
    board = view.boards[view.seat or 0]
    held = board.lines[line]
    if len(held) == line + 1:
        return _refuse("line-full", "AZ-15", line=line)
    if LETTERS[colour] in board.wall[line]:
        return _refuse("row-shows-colour", "AZ-16", line=line, colour=LETTERS[colour])
    return _refuse("line-holds-other", "AZ-15", line=line, held=held[0])


def _refused_take(view: View, action: int, code: int) -> NotLegal:
    spreader = view.discs.index("spreader") + 1 if "spreader" in view.discs else 0
    colour, source, line, _ = take_of(action, spreader)
    if code == legality.NO_FACTORY:
        return _refuse("no-factory", "AZ-1", source=source, factories=view.rules.factories)
    if code == legality.NO_SUCH_TILE:
        rule = "AZ-13" if source == CENTRE else "AZ-12"
        return _refuse("no-such-tile", rule, **{"from": source}, colour=LETTERS[colour])
    if code == legality.LINE_CLOSED:
        return _closed_line(view, colour, line)
    shown = view.factories[source - 1] if source else ""
    rest = "".join(letter for letter in LETTERS if letter in shown and letter != LETTERS[colour])
    return _refuse("spreader-sides", "MC-7", rest=rest)


def _refused_choice(view: View, action: int, code: int) -> NotLegal:
    line, column = cell_of(action)
    board = view.boards[view.seat or 0]
    due = next((k for k, tiles in enumerate(board.lines) if len(tiles) == k + 1), 0)
    if code == legality.OTHER_LINE:
        return _refuse("other-line", "AZ-50", due_line=due, line=line)
    if board.wall[line][column] != ".":
        return _refuse("cell-taken", "AZ-50", line=line, column=column)
    return _refuse("column-shows-colour", "AZ-50", column=column, colour=board.lines[line][0])


def _refused_deal(view: View, action: int, code: int) -> NotLegal:
    drawn = [action - DEAL >> 3 * c & 7 for c in range(5)]
    undealt = sum(view.bag) + sum(view.lid)
    if code == legality.WRONG_NUMBER:
        due = min(4, undealt)
        return _refuse("wrong-number", "AZ-10" if due == 4 else "AZ-32", due_tiles=due, number=sum(drawn))
    pours = sum(drawn) > sum(view.bag)
    for colour, number in enumerate(drawn):
        if pours and number < view.bag[colour]:
            return _refuse("bag-first", "AZ-32", colour=LETTERS[colour])
        left = view.bag[colour] + (view.lid[colour] if pours else 0)
        if number > left:
            return _refuse("too-few-tiles", "AZ-32", left=left, colour=LETTERS[colour], number=number)
    return _refuse("not-drawable", "AZ-32")


def _refused_disc(view: View, action: int, code: int) -> NotLegal:
    source, kind = divmod(action - LAY, 10)
    if code == legality.LAID_ALREADY:
        return _refuse("disc-there", "MC-1", disc=KINDS[kind])
    laid = [place + 1 for place, other in enumerate(view.discs) if other != "plain"]
    first = laid[-1] + 1 if laid else 1
    last = view.rules.factories - (view.rules.seats - len(laid)) + 1
    return _refuse("disc-order", "MC-2", first=first, last=last, source=source)


def explain_refusal(row: bytes, action: int, code: int) -> Refused:
    """The exception for a code that the kernel's `refusal` returned."""
    view = view_of(row)
    if code == legality.NO_ACTION:
        return SENTENCES.not_a_move("not-a-number", number=action)
    if code == legality.GAME_OVER:
        return _refuse("game-over", "AZ-30")
    if code == legality.NOT_NOW:
        return _refuse("not-now", _DUE[view.phase][1], due=view.phase)
    if code == legality.WRONG_DIRECTIONS:
        return _refuse("no-sides", "MC-7")
    if code == legality.NO_SEAT:
        return _refuse("no-seat", "AZ-4", seat=action - START_AT, seats=view.rules.seats)
    if action < CHOOSE:
        return _refused_take(view, action, code)
    if action < START_AT:
        return _refused_choice(view, action, code)
    if action >= DEAL:
        return _refused_deal(view, action, code)
    if action >= ADD:
        return _refuse("no-tile-left", "AZ-32", colour=LETTERS[action - ADD])
    return _refused_disc(view, action, code)
