"""`tilery replay`: step through a recorded game."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.text import Text

from tilery.cli.arguments import record_as_seen, record_of
from tilery.cli.effects_output import print_sentences
from tilery.cli.output import ask, console, names_of, print_board, print_score
from tilery.core.position import BasePosition, actor_name
from tilery.core.record_text import AnyRecord
from tilery.core.refusals import Refused


def _print_step(record: AnyRecord, count: int) -> None:
    """Print a position, under the ply that led to it and what that ply did."""
    names = names_of(record)
    console.rule(style="dim")
    heading = Text(f"Ply {count} of {len(record.plies)}", "bold")
    before: BasePosition | None = record.position(count - 1) if count else None
    if before:
        ply = record.plies[count - 1]
        who = names[ply.actor] if ply.actor >= 0 else actor_name(ply.actor)
        heading.append(f": {before.move_text(ply.action)}").append(f" ({who})", "not bold")
    console.print(heading, soft_wrap=True)
    if before:
        print_sentences(before.describe_effects(ply.action, names))
    if count in record.comments:
        console.print(record.comments[count], style="italic", soft_wrap=True)
    print_board(record.position(count), names)


def replay_file(file: Path, *, ply: int, number: int, seat: int | None, everything: bool, text: bool) -> None:
    """Step through a record: with keys at a terminal, otherwise all at once. With `text`, print only its text."""
    record = record_as_seen(record_of(file, number), seat)
    last = len(record.plies)
    if text:
        print(record.text, end="")
        return
    if not 0 <= ply <= last:
        raise Refused(f"there is no ply {ply}: this record has {last}")
    if everything or not (sys.stdin and sys.stdin.isatty()):
        for count in range(ply, last + 1):
            _print_step(record, count)
        ply = last
    else:
        ply = _step_by_keys(record, ply)
    if record.position(ply).outcome:
        print_score(record.last, names_of(record))


def _step_by_keys(record: AnyRecord, count: int) -> int:
    """Step with keys, and return the ply that was shown last."""
    last = len(record.plies)
    while True:
        _print_step(record, count)
        try:
            key = ask(f"[{count}/{last}] Enter: next, b: back, number, e: end, q: quit > ").lower()
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
            console.print(f"{key!r} is not one of: Enter, b, a number, e, q")
