"""What can be typed in a game besides moves."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tilery.cli.printing import console
from tilery.core.game import Game

COMMANDS = (
    ("moves", "list all legal moves; then type a number to play one"),
    ("hint", "think for a second and tell the best moves (Ctrl-C stops thinking)"),
    ("board, score, text", "print the board, the score so far, the position's text"),
    ("rules", "the rules in short"),
    ("undo", "take back your last move (against bots, or where you type the deals)"),
    ("save FILE", "keep a copy of the game in a file"),
    ("new", "choose another game, variant and players"),
    ("quit", "leave; the game is saved and `tilery resume` goes on"),
)


def print_commands(played: Game) -> None:
    """All commands, after the way a move is typed."""
    table = Table.grid(padding=(0, 3))
    for command, about in (played.typed, *COMMANDS):
        table.add_row(Text(command, "bold"), about)
    console.print(table)
