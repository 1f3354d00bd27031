"""`tilery show`: a position as a board, as text, as a picture or as JSON."""

from __future__ import annotations

import json as json_module
from pathlib import Path

from rich.table import Table

from tilery.cli.arguments import as_seen, position_or_record, record_as_seen
from tilery.cli.files import write_safely
from tilery.cli.output import console, names_of, print_board, print_score
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import BasePosition, Position, actor_name
from tilery.core.refusals import Refused


def show_position(
    what: str,
    *,
    ply: int | None,
    number: int,
    seat: int | None,
    counts: bool,
    svg: Path | None,
    moves: bool,
    probabilities: bool,
    text: bool,
    json: bool,
) -> None:
    """Print a position in the chosen form."""
    whole, record = position_or_record(what, ply, number)
    position = as_seen(whole, seat)
    if svg:
        if record:
            _write_picture(svg, record_as_seen(record, seat).svg(ply, counts=counts))
        else:
            _write_picture(svg, position.svg(counts=counts))
        return
    if json:
        listing = {"text": position.text, **position.view, "moves": [move.text for move in position.moves()]}
        if position.actor == CHANCE and isinstance(position, Position):
            listing["probabilities"] = position.probabilities()
        print(json_module.dumps(listing))
        return
    if text:
        print(position.text)
        return
    table = _probabilities(position) if probabilities else None  # this may refuse, so it comes before any output
    names = names_of(record) if record else ()
    print_board(position, names)
    if moves:
        _print_moves(position)
    if table:
        console.print(table)
    if position.outcome:
        console.print()
        print_score(position, names or [f"Seat {seat + 1}" for seat in range(position.seats)])


def _write_picture(path: Path, picture: str) -> None:
    if str(path) == "-":
        print(picture)
        return
    write_safely(path, picture)
    console.print(f"Wrote {path}", soft_wrap=True)


def _print_moves(position: BasePosition) -> None:
    table = Table(title=f"{len(position.moves())} legal moves")
    table.add_column("move", style="bold")
    table.add_column("in words")
    game = position.game
    for action in position.actions():
        table.add_row(position.move_text(action), game.describe_move(position.row, action))
    console.print(table)


def _probabilities(position: BasePosition) -> Table:
    if not isinstance(position, Position):
        raise Refused("probabilities are known only for a whole position: leave out --seat")
    if position.actor != CHANCE:
        why = "the game is over" if position.actor == OVER else f"{actor_name(position.actor)} is to move"
        raise Refused(f"there is no deal to list probabilities for: {why}")
    table = Table(title="Possible deals")
    table.add_column("deal", style="bold")
    table.add_column("probability", justify="right")
    for move, p in sorted(position.probabilities().items(), key=lambda item: -item[1]):
        table.add_row(move, f"{100 * p:.3f} %")
    return table
