"""Looking at positions and records: show, replay, verify."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from tilery.cli.choosing import as_seen, position_or_record, record_as_seen, record_of
from tilery.cli.files import read_file, write_safely
from tilery.cli.printing import ask, console, names_of, print_board, print_score
from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Position, Standing, actor_name
from tilery.core.record import Record
from tilery.core.record_text import AnyRecord, split_records
from tilery.core.refusals import BadText, Refused
from tilery.games import read_any_record
from tilery.table.fairness import check_fairness


def show_position(
    what: str,
    *,
    ply: int | None,
    number: int,
    seat: int | None,
    counts: bool,
    svg: Path | None,
    moves: bool,
    odds: bool,
    text: bool,
    json: bool,
) -> None:
    """Show a position in the wanted form."""
    found, record = position_or_record(what, ply, number)
    position = as_seen(found, seat)
    if svg:
        if record:
            _write_picture(svg, record_as_seen(record, seat).svg(ply, counts=counts))
        else:
            _write_picture(svg, position.svg(counts=counts))
        return
    if json:
        listing = {"text": position.text, **position.view, "moves": position.moves()}
        if position.actor == CHANCE and isinstance(position, Position):
            listing["odds"] = position.odds()
        print(json_module.dumps(listing))
        return
    if text:
        print(position.text)
        return
    table = _odds(position) if odds else None  # refused, if at all, before anything is printed
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


def _print_moves(position: Standing) -> None:
    table = Table(title=f"{len(position.moves())} legal moves")
    table.add_column("move", style="bold")
    table.add_column("in words")
    game = position.game
    for action in position.actions():
        table.add_row(position.move_text(action), game.tell_move(game, position.row, action))
    console.print(table)


def _odds(position: Standing) -> Table:
    if not isinstance(position, Position):
        raise Refused("the odds of chance are those of a whole position: leave out --seat")
    table = Table(title="What chance may bring next")
    table.add_column("outcome", style="bold")
    table.add_column("odds", justify="right")
    for move, p in sorted(position.odds().items(), key=lambda item: -item[1]):
        table.add_row(move, f"{100 * p:.3f} %")
    return table


def _heading(record: AnyRecord, count: int) -> Text:
    heading = Text().append(f"Ply {count} of {len(record.plies)}", "bold")
    if count:
        before: Standing = record.position(count - 1)
        ply = record.plies[count - 1]
        who = names_of(record)[ply.actor] if ply.actor >= 0 else actor_name(ply.actor)
        heading.append(f": {before.move_text(ply.action)} ", "bold").append(f"({who}: {before.tell(ply.action)})")
    if count in record.comments:
        heading.append(f"\n{record.comments[count]}", "italic")
    return heading


def _step(record: AnyRecord, count: int) -> None:
    console.rule(style="dim")
    console.print(_heading(record, count), soft_wrap=True)
    print_board(record.position(count), names_of(record))


def replay_file(file: Path, *, ply: int, number: int, seat: int | None, everything: bool, text: bool) -> None:
    """Step through a record, by keys where somebody is there to press them; or print its text."""
    record = record_as_seen(record_of(file, number), seat)
    last = len(record.plies)
    if text:
        print(record.text, end="")
        return
    if not 0 <= ply <= last:
        raise Refused(f"this record has {last} plies, not {ply}")
    if everything or not (sys.stdin and sys.stdin.isatty()):
        for count in range(ply, last + 1):
            _step(record, count)
        ply = last
    else:
        ply = _step_by_keys(record, ply)
    if record.position(ply).outcome:
        print_score(record.last, names_of(record))


def _step_by_keys(record: AnyRecord, count: int) -> int:
    """Step as the keys say, and return the ply that was looked at last."""
    last = len(record.plies)
    while True:
        _step(record, count)
        try:
            key = ask(f"[{count}/{last}] Enter: on, b: back, number, e: end, q: quit > ").lower()
        except EOFError:
            return count
        if key == "q" or (key == "" and count == last):
            return count
        if key == "b":
            count = max(0, count - 1)
        elif key == "e":
            count = last
        elif key.isascii() and key.isdigit():
            count = min(last, int(key[:9]))
        elif key == "":
            count += 1
        else:
            console.print(f"{key!r} is none of: Enter, b, a number, e, q")


def verify_files(files: Sequence[Path], *, fairness: bool, json: bool) -> bool:
    """Replay all records of the files (and verify who dealt them); True when all are right."""
    found = []
    for file in files:
        try:
            parts = list(split_records(read_file(file)))
        except Refused as error:
            found.append({"file": str(file), "ok": False, "problem": str(error)})
            continue
        for number, (line, part) in enumerate(parts, start=1):
            verdict = {"file": str(file), "record": number, "line": line, **_verdict(part, line, fairness)}
            found.append(verdict)
    wrong = [verdict for verdict in found if not verdict["ok"]]
    if json:
        print(json_module.dumps({"records": found, "right": len(found) - len(wrong), "wrong": len(wrong)}))
        return not wrong
    for verdict in wrong:
        console.print(f"{verdict['file']}: {verdict['problem']}", style="red", soft_wrap=True)
    console.print(f"{len(found) - len(wrong)} right, {len(wrong)} wrong", style="bold")
    if fairness and not wrong:
        dealt = sum(int(str(verdict["deals"])) for verdict in found)
        console.print(f"All {dealt} deals follow from what was promised before the first one.")
    return not wrong


def _verdict(text: str, line: int, fairness: bool) -> dict[str, object]:
    try:
        record = read_any_record(text, first_line=line)
        verdict = {"ok": True, "plies": len(record.plies), "result": record.result}
        return {**verdict, "deals": _deals(record)} if fairness else verdict
    except BadText as error:
        return {"ok": False, "problem": str(error), "at": {"line": error.line, "column": error.column}}
    except Refused as error:
        return {"ok": False, "problem": str(error)}


def _deals(record: AnyRecord) -> int:
    """How many deals were verified."""
    if not isinstance(record, Record):
        raise Refused("only what one seat saw: download the record again when the game is over")
    return check_fairness(record)
