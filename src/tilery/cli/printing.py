"""What the terminal shows, with rich."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilery.core.position import Position, Standing

console = Console(highlight=False)


def board_text(standing: Standing, names: Sequence[str] = ()) -> Text:
    """A printed board in colour."""
    game = standing.game
    text = Text()
    for number, line in enumerate(game.board(game, standing.row, names)):
        if number:
            text.append("\n")
        for piece, style in line:
            text.append(piece, game.styles.get(style, ""))
    return text


def print_board(standing: Standing, names: Sequence[str] = ()) -> None:
    """Print a board, never broken in the middle of a line."""
    console.print(board_text(standing, names), soft_wrap=True)


def print_score(position: Position, names: Sequence[str]) -> None:
    """The score with its breakdown, and how the game ended."""
    game = position.game
    table = Table(title="Final score" if position.outcome else "Score so far")
    table.add_column("points for")
    for name in names:
        table.add_column(name, justify="right")
    counts = game.breakdown(game, position.row)
    for count in counts:
        last = count is counts[-1]
        table.add_row(count.what, *map(str, count.points), style="bold" if last else "", end_section=False)
    console.print(table)
    outcome = position.outcome
    if outcome is None:
        return
    if outcome.truncated:
        console.print(f"The game was cut off by {outcome.ended_by} ({outcome.rule}): nobody wins.")
    else:
        winners = " and ".join(names[seat] for seat in outcome.winners)
        verb = "share the win" if len(outcome.winners) > 1 else "wins" if winners != "You" else "win"
        console.print(Text(f"{winners} {verb}", "bold").append(f", by {outcome.ended_by} ({outcome.rule}).", ""))
