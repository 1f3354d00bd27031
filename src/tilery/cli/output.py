"""Printing to the terminal with rich, and reading lines from the keyboard."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilery.core.position import BasePosition
from tilery.core.record_text import AnyRecord

with contextlib.suppress(ImportError):  # not available on Windows
    import readline  # noqa: F401  importing it makes the arrow keys work in `input`

# Without markup: names of players and files may contain anything.
console = Console(highlight=False, markup=False, emoji=False)

_MAX_NAME_CHARACTERS = 18  # the room for a name on a printed board
_WIDEST = 100  # longer lines of prose are hard to read
_HEADING = " " * 9  # the width of the headings in the rules


def ask(prompt: str) -> str:
    """Read one line from the keyboard; EOFError at the end of the input."""
    if sys.stdin is None:
        raise EOFError
    return input(prompt).strip()


def program() -> str:
    """The command that runs this program: its name if it is on the PATH, otherwise its path."""
    if shutil.which("tilery"):
        return "tilery"
    called = Path(sys.argv[0])
    if called.name not in ("tilery", "tilery.exe"):
        return f"{shlex.quote(sys.executable)} -m tilery"
    try:
        return shlex.quote(os.path.relpath(called))
    except (ValueError, OSError):  # on another drive, or the current folder was deleted
        return shlex.quote(str(called))


def names_of(record: AnyRecord) -> tuple[str, ...]:
    """The names of the players for the screen: shortened, and never empty."""
    names = []
    for seat, player in enumerate(record.players):
        name = Text(player.strip() or f"Seat {seat + 1}")
        name.truncate(_MAX_NAME_CHARACTERS, overflow="ellipsis")
        names.append(name.plain)
    return tuple(names)


def board_text(position: BasePosition, names: Sequence[str] = ()) -> Text:
    """A board in colour."""
    game = position.game
    lines = []
    for line in game.board(position.row, names):
        text = Text.assemble(*((part, game.styles.get(style, "")) for part, style in line))
        text.rstrip()  # trailing blanks would wrap on a narrow terminal
        lines.append(text)
    return Text("\n").join(lines)


def print_board(position: BasePosition, names: Sequence[str] = ()) -> None:
    """Print a board without wrapping its lines."""
    console.print(board_text(position, names), soft_wrap=True)


def print_rules(text: str) -> None:
    """Print a summary of the rules, wrapped for this terminal; indented lines stay separate lines."""
    width = min(console.width, _WIDEST)
    for line in text.strip().replace("\n ", "\f ").replace("\n\n", "\f\f").replace("\n", " ").split("\f"):
        console.print(fill(line.rstrip(), width, subsequent_indent=_HEADING), soft_wrap=True)


def print_score(position: BasePosition, names: Sequence[str]) -> None:
    """Print the score with its breakdown, and how the game ended."""
    game = position.game
    table = Table(title="Final score" if position.outcome else "Score so far")
    table.add_column("points for")
    for name in names:
        table.add_column(name, justify="right")
    items = game.breakdown(position.row)
    for item in items:
        table.add_row(item.what, *map(str, item.points), style="bold" if item is items[-1] else "")
    console.print(table)
    outcome = position.outcome
    if outcome is None:
        return
    if outcome.truncated:
        console.print(f"The game was cut off by {outcome.ended_by} ({outcome.rule}): nobody wins.")
    else:
        winners = " and ".join(names[seat] for seat in outcome.winners)
        verb = "share the win" if len(outcome.winners) > 1 else "wins" if winners != "You" else "win"
        console.print(Text.assemble((f"{winners} {verb}", "bold"), f", by {outcome.ended_by} ({outcome.rule})."))
