"""What the terminal shows, with rich, and what it asks."""

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

from tilery.core.position import Standing
from tilery.core.record_text import AnyRecord

with contextlib.suppress(ImportError):  # Windows has none
    import readline  # noqa: F401  the arrow keys work in `input` once it is imported

# Names and files may contain anything: nothing that is printed is markup.
console = Console(highlight=False, markup=False, emoji=False)

_LONGEST_NAME = 18  # what a printed board has room for
_WIDEST = 100  # longer lines of prose are hard to read
_HEADING = " " * 9  # what the guide's headings take up


def ask(prompt: str) -> str:
    """One line from the keyboard; EOFError where nobody is there (any more)."""
    if sys.stdin is None:
        raise EOFError
    return input(prompt).strip()


def program() -> str:
    """How this program is called again from here: by its name where a shell finds it, else by its path."""
    if shutil.which("tilery"):
        return "tilery"
    called = Path(sys.argv[0])
    if called.name not in ("tilery", "tilery.exe"):
        return f"{shlex.quote(sys.executable)} -m tilery"
    try:
        return shlex.quote(os.path.relpath(called))
    except (ValueError, OSError):  # on another drive, or from a folder that is gone
        return shlex.quote(str(called))


def names_of(record: AnyRecord) -> tuple[str, ...]:
    """What the players are called on the screen: short, and never nothing."""
    names = []
    for seat, player in enumerate(record.players):
        name = Text(player.strip() or f"Seat {seat + 1}")
        name.truncate(_LONGEST_NAME, overflow="ellipsis")
        names.append(name.plain)
    return tuple(names)


def board_text(standing: Standing, names: Sequence[str] = ()) -> Text:
    """A printed board in colour."""
    game = standing.game
    lines = []
    for line in game.board(game, standing.row, names):
        text = Text.assemble(*((piece, game.styles.get(style, "")) for piece, style in line))
        text.rstrip()  # a narrow terminal would break lines for nothing
        lines.append(text)
    return Text("\n").join(lines)


def print_board(standing: Standing, names: Sequence[str] = ()) -> None:
    """Print a board, never broken in the middle of a line."""
    console.print(board_text(standing, names), soft_wrap=True)


def print_guide(text: str) -> None:
    """The rules in short, broken anew for this terminal; lines that begin with blanks stay on their own."""
    width = min(console.width, _WIDEST)
    for line in text.strip().replace("\n ", "\f ").replace("\n\n", "\f\f").replace("\n", " ").split("\f"):
        console.print(fill(line.rstrip(), width, subsequent_indent=_HEADING), soft_wrap=True)


def print_score(position: Standing, names: Sequence[str]) -> None:
    """The score with its breakdown, and how the game ended."""
    game = position.game
    table = Table(title="Final score" if position.outcome else "Score so far")
    table.add_column("points for")
    for name in names:
        table.add_column(name, justify="right")
    counts = game.breakdown(game, position.row)
    for count in counts:
        last = count is counts[-1]
        table.add_row(count.what, *map(str, count.points), style="bold" if last else "")
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
