"""Why something is not a legal move: a code, its arguments, and the id of the rule that forbids it."""

from __future__ import annotations

from functools import cache

from tilery.core.refusals import Argument, NotLegal, Refused, Sentences, from_one

from .actions import cell_of, take_of
from .edition import Edition
from .kernel import legality
from .kernel.layout import ADD, CENTRE, CHOOSE, DEAL, LAY, START_AT
from .sentences import texts_of
from .view import View, view_of


def _expected(edition: Edition) -> dict[str, str]:
    """What may be played, by phase."""
    blue, yellow, red, black, white = tuple(edition.letters)
    first, second, third, fourth, _ = edition.names.values()
    factory, floor = edition.words["factory"], edition.words["floor"]
    take = (
        f"a move such as 3{red}2 (from {factory} 3, {third}, to line 2) "
        f"or C{black}F (from the centre, {fourth}, to the {floor})"
    )
    return {
        "start": "the starting seat, such as start=2",
        "discs": f"a special disc, such as 5=keeper or 3=magnet{red}",
        "fill": f"the tiles of the next {factory}, such as +{blue}{blue}{yellow}{red}",
        "extra": f"the extra tile, such as extra={white}",
        "offer": take,
        "spreader": f"{take}, from the spreader 3{red}2<{blue}>{yellow}{black} "
        f"({first} to the left, {second} and {fourth} to the right)",
        "tiling": "the choice of a cell, such as 4:2 (line 4, column 2)",
        "over": "nothing: the game is over",
    }


_DUE_RULE = {
    "start": "AZ-4",
    "discs": "MC-2",
    "fill": "AZ-10",
    "extra": "MC-3",
    "offer": "AZ-12",
    "tiling": "AZ-50",
}


def _due(edition: Edition) -> dict[str, str]:
    """What comes first, by phase."""
    blue, yellow, red, _, _ = tuple(edition.letters)
    return {
        "start": "the starting seat is drawn first, such as start=2",
        "discs": "the special discs are laid first, such as 3=keeper",
        "fill": f"the next {edition.words['factory']} is filled first, such as +{blue}{blue}{yellow}{red}",
        "extra": f"the extra gets its tile first, such as extra={red}",
        "offer": f"it is the factory offer: take tiles, such as 3{red}2",
        "tiling": "it is wall tiling: choose a cell, such as 4:2",
    }


@cache
def sentences_of(edition: Edition) -> Sentences:
    """The sentences in the letters and words of an edition."""
    letters, names, words = edition.letters, edition.names, edition.words
    factory, wall = words["factory"], words["wall"]
    listed = ", ".join(f"{letter} {name}" for letter, name in names.items())
    not_a_move = "{text} is not a move:"
    return texts_of(edition).extended(
        {
            "no-such-source": f"{not_a_move} {{letter}} is neither a {factory} (1 to 9) nor C, the centre; expected "
            "{expected}",
            "no-such-colour": f"{not_a_move} {{letter}} is not a colour ({listed}); expected {{expected}}",
            "no-such-line": f"{not_a_move} there is no line {{letter}} (1 to 5, or F for the floor); expected "
            "{expected}",
            "not-a-deal": f"{not_a_move} a deal is + and one to four colours of {letters}; expected {{expected}}",
            "colour-order": f"in {{text}} the colours are written in the order {letters}: write {{right}}, not "
            "{letters}",
            "no-factory": f"there is no {factory} {{source}}: {{factories}} lie in the circle",
            "no-such-tile": f"{{from}} holds no {{colour}} {words['tile']}",
            "line-full": "line {line} is full",
            "row-shows-colour": f"{wall} row {{line}} already shows {{colour}}",
            "line-holds-other": "line {line} holds {held} and takes only that colour",
            "not-the-spreader": "only a take from the spreader has < and >, and {from} is not the spreader",
            "spreader-sides": "say for each remaining colour of the spreader ({rest}) whether it goes < or >",
            "no-sides": "no colour can be laid that way: only the rest of the spreader goes < or >",
            "other-line": "lines are tiled top to bottom: line {due_line} is next, not line {line}",
            "cell-taken": f"column {{column}} of {wall} row {{line}} already has a {words['tile']}",
            "column-shows-colour": "column {column} already shows {colour}",
            "wrong-number": f"the next {factory} gets {{due_tiles}} tiles, not {{number}}",
            "bag-first": "the last {colour} tiles of the bag are drawn before the lid is poured in",
            "too-few-tiles": "only {left} {colour} tiles can be drawn, not {number}",
            "no-tile-left": "no {colour} tile can be drawn",
            "disc-there": "the {disc} is already in the circle",
            "disc-order": "special discs are laid clockwise: the next one must be at {first} to {last}, not {source}",
            "no-seat": "there is no seat {seat}: {seats} seats play",
        },
        {
            "due_line": from_one,
            "held": lambda letter: names[str(letter)],
            "from": lambda value: "the centre" if value == CENTRE else f"{factory} {value}",
            "rest": lambda value: str(value or "none is left"),
        },
        {"expected": _expected(edition), "due": _due(edition)},
    )


def _refuse(edition: Edition, code: str, rule: str, **arguments: Argument) -> NotLegal:
    return sentences_of(edition).not_legal(code, rule, **arguments)


def _closed_line(edition: Edition, view: View, colour: int, line: int) -> NotLegal:
    """AZ-15, AZ-16: the rule that closes a line."""
    board = view.boards[view.seat or 0]
    held = board.lines[line]
    if len(held) == line + 1:
        return _refuse(edition, "line-full", "AZ-15", line=line)
    if edition.letters[colour] in board.wall[line]:
        return _refuse(edition, "row-shows-colour", "AZ-16", line=line, colour=edition.letters[colour])
    return _refuse(edition, "line-holds-other", "AZ-15", line=line, held=held[0])


def _refused_take(edition: Edition, view: View, action: int, code: int) -> NotLegal:
    spreader = view.discs.index("spreader") + 1 if "spreader" in view.discs else 0
    colour, source, line, _ = take_of(action, spreader)
    if code == legality.NO_FACTORY:
        return _refuse(edition, "no-factory", "AZ-1", source=source, factories=view.rules.factories)
    if code == legality.NO_SUCH_TILE:
        rule = "AZ-13" if source == CENTRE else "AZ-12"
        return _refuse(edition, "no-such-tile", rule, **{"from": source}, colour=edition.letters[colour])
    if code == legality.LINE_CLOSED:
        return _closed_line(edition, view, colour, line)
    shown = view.factories[source - 1] if source else ""
    rest = "".join(letter for letter in edition.letters if letter in shown and letter != edition.letters[colour])
    return _refuse(edition, "spreader-sides", "MC-7", rest=rest)


def _refused_choice(edition: Edition, view: View, action: int, code: int) -> NotLegal:
    line, column = cell_of(action)
    board = view.boards[view.seat or 0]
    due = next((k for k, tiles in enumerate(board.lines) if len(tiles) == k + 1), 0)
    if code == legality.OTHER_LINE:
        return _refuse(edition, "other-line", "AZ-50", due_line=due, line=line)
    if board.wall[line][column] != ".":
        return _refuse(edition, "cell-taken", "AZ-50", line=line, column=column)
    return _refuse(edition, "column-shows-colour", "AZ-50", column=column, colour=board.lines[line][0])


def _refused_deal(edition: Edition, view: View, action: int, code: int) -> NotLegal:
    drawn = [action - DEAL >> 3 * c & 7 for c in range(5)]
    undealt = sum(view.bag) + sum(view.lid)
    if code == legality.WRONG_NUMBER:
        due = min(4, undealt)
        return _refuse(edition, "wrong-number", "AZ-10" if due == 4 else "AZ-32", due_tiles=due, number=sum(drawn))
    pours = sum(drawn) > sum(view.bag)
    for colour, number in enumerate(drawn):
        if pours and number < view.bag[colour]:
            return _refuse(edition, "bag-first", "AZ-32", colour=edition.letters[colour])
    left = [view.bag[colour] + (view.lid[colour] if pours else 0) for colour in range(len(drawn))]
    colour = next(colour for colour, number in enumerate(drawn) if number > left[colour])
    letter = edition.letters[colour]
    return _refuse(edition, "too-few-tiles", "AZ-32", left=left[colour], colour=letter, number=drawn[colour])


def _refused_disc(edition: Edition, view: View, action: int, code: int) -> NotLegal:
    source, kind = divmod(action - LAY, 10)
    if code == legality.LAID_ALREADY:
        return _refuse(edition, "disc-there", "MC-1", disc=edition.discs[kind])
    laid = [place + 1 for place, other in enumerate(view.discs) if other != "plain"]
    first = laid[-1] + 1 if laid else 1
    last = view.rules.factories - (view.rules.seats - len(laid)) + 1
    return _refuse(edition, "disc-order", "MC-2", first=first, last=last, source=source)


def explain_refusal(edition: Edition, row: bytes, action: int, code: int) -> Refused:
    """The exception for a code that the kernel's `refusal` returned."""
    view = view_of(edition, row)
    if code == legality.NO_ACTION:
        return sentences_of(edition).not_a_move("not-a-number", number=action)
    if code == legality.GAME_OVER:
        return _refuse(edition, "game-over", "AZ-30")
    if code == legality.NOT_NOW:
        return _refuse(edition, "not-now", _DUE_RULE[view.phase], due=view.phase)
    if code == legality.WRONG_DIRECTIONS:
        return _refuse(edition, "no-sides", "MC-7")
    if code == legality.NO_SEAT:
        return _refuse(edition, "no-seat", "AZ-4", seat=action - START_AT, seats=view.rules.seats)
    if action < CHOOSE:
        return _refused_take(edition, view, action, code)
    if action < START_AT:
        return _refused_choice(edition, view, action, code)
    if action >= DEAL:
        return _refused_deal(edition, view, action, code)
    if action >= ADD:
        return _refuse(edition, "no-tile-left", "AZ-32", colour=edition.letters[action - ADD])
    return _refused_disc(edition, view, action, code)
