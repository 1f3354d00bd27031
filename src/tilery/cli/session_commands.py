"""The commands that can be typed in a game instead of a move."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tilery.cli.output import console
from tilery.core.game import Game

COMMANDS = (
    ("moves", "list all legal moves; then type a number to play one"),
    ("try MOVE", "print what a move would do and bring, without playing it"),
    ("hint", "think for a second and list the best moves (Ctrl-C stops)"),
    ("board, score, text", "print the board, the score so far, the text of the position"),
    ("rules", "print a summary of the rules"),
    ("undo", "take back your last move (against bots, or with typed deals)"),
    ("save FILE", "save a copy of the game in a file"),
    ("new", "choose another game, variant and players"),
    ("quit", "leave; the game is saved, and `tilery resume` continues it"),
)


def print_commands(played: Game) -> None:
    """Print how to type a move, then all commands."""
    table = Table.grid(padding=(0, 3))
    for command, about in (played.move_help, *COMMANDS):
        table.add_row(Text(command, "bold"), about)
    console.print(table)
