"""Looking at positions and records: show, replay, verify."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from tilery.cli.choosing import first_record, position_or_record
from tilery.cli.files import read_file, write_safely
from tilery.cli.printing import console, print_board, print_score
from tilery.core.actors import CHANCE
from tilery.core.position import Position, actor_name
from tilery.core.record import Record
from tilery.core.record_text import split_records
from tilery.core.refusals import Refused
from tilery.games import read_record


def show_position(
    what: str,
    *,
    ply: int | None,
    svg: Path | None,
    moves: bool,
    odds: bool,
    text: bool,
    json: bool,
) -> None:
    """Show a position in the wanted form."""
    position, record = position_or_record(what, ply)
    if svg:
        count = (len(record.plies) if ply is None else ply) if record else 0
        write_safely(svg, record.svg(count) if record else position.svg())
        console.print(f"Wrote {svg}")
        return
    if json:
        listing = {"text": position.text, **position.view, "moves": position.moves()}
        if position.actor == CHANCE:
            listing["odds"] = position.odds()
        print(json_module.dumps(listing))
        return
    if text:
        print(position.text)
        return
    names = record.players if record else ()
    print_board(position, names)
    if moves:
        _print_moves(position)
    if odds:
        _print_odds(position)
    if position.outcome:
        console.print()
        print_score(position, names or [f"Seat {seat + 1}" for seat in range(position.seats)])


def _print_moves(position: Position) -> None:
    table = Table(title=f"{len(position.moves())} legal moves")
    table.add_column("move", style="bold")
    table.add_column("in words")
    for action in position.actions():
        table.add_row(position.move_text(action), position.tell(action))
    console.print(table)


def _print_odds(position: Position) -> None:
    table = Table(title="What chance may bring next")
    table.add_column("outcome", style="bold")
    table.add_column("odds", justify="right")
    for move, p in sorted(position.odds().items(), key=lambda item: -item[1]):
        table.add_row(move, f"{100 * p:.3f} %")
    console.print(table)


def _heading(record: Record, count: int) -> Text:
    heading = Text(f"Ply {count} of {len(record.plies)}", "bold")
    if count:
        before = record.position(count - 1)
        ply = record.plies[count - 1]
        who = record.players[ply.actor] if ply.actor >= 0 else actor_name(ply.actor)
        heading.append(f": {before.move_text(ply.action)} ", "bold").append(f"({who}: {before.tell(ply.action)})", "")
    if count in record.comments:
        heading.append(f"\n{record.comments[count]}", "italic")
    return heading


def _step(record: Record, count: int) -> None:
    console.rule(style="dim")
    console.print(_heading(record, count), soft_wrap=True)
    print_board(record.position(count), record.players)


def replay_file(file: Path, *, ply: int, everything: bool) -> None:
    """Step through a record, by keys where somebody is there to press them."""
    record = first_record(file)
    last = len(record.plies)
    if not 0 <= ply <= last:
        raise Refused(f"this record has {last} plies, not {ply}")
    if everything or not sys.stdin.isatty():
        for count in range(ply, last + 1):
            _step(record, count)
    else:
        _step_by_keys(record, ply)
    if record.last.outcome:
        print_score(record.last, record.players)


def _step_by_keys(record: Record, count: int) -> None:
    last = len(record.plies)
    while True:
        _step(record, count)
        try:
            key = input(f"[{count}/{last}] Enter: on, b: back, number, e: end, q: quit > ").strip().lower()
        except EOFError:
            return
        if key == "q" or (key == "" and count == last):
            return
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


def verify_files(files: Sequence[Path], *, json: bool) -> bool:
    """Replay all records of the files; True when all are right."""
    found = []
    for file in files:
        try:
            parts = list(split_records(read_file(file)))
        except (Refused, OSError) as error:
            found.append({"file": str(file), "ok": False, "problem": str(error)})
            continue
        for number, (line, part) in enumerate(parts, start=1):
            verdict = {"file": str(file), "record": number, "line": line, **_verdict(part, line)}
            found.append(verdict)
    wrong = [verdict for verdict in found if not verdict["ok"]]
    if json:
        print(json_module.dumps({"records": found, "right": len(found) - len(wrong), "wrong": len(wrong)}))
        return not wrong
    for verdict in wrong:
        console.print(f"{verdict['file']}: {verdict['problem']}", style="red", soft_wrap=True, markup=False)
    console.print(f"{len(found) - len(wrong)} right, {len(wrong)} wrong", style="bold")
    return not wrong


def _verdict(text: str, line: int) -> dict[str, object]:
    try:
        record = read_record(text, first_line=line)
    except Refused as error:
        return {"ok": False, "problem": str(error)}
    return {"ok": True, "plies": len(record.plies), "result": record.result}
