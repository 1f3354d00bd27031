"""What a ply did and what a round brought, printed in sentences with numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tilery.cli.output import console
from tilery.core.english import agreeing, counted
from tilery.core.position import BasePosition
from tilery.core.record import Record

_INDENT = "  "


def print_wrapped(text: Text, indent: str = "") -> None:
    """Print a paragraph with its further lines indented more than the first."""
    hanging = indent + _INDENT
    for number, line in enumerate(text.wrap(console, max(20, console.width - len(hanging)))):
        line.rstrip()
        console.print(Text(hanging if number else indent) + line, soft_wrap=True)


def print_ply(position: BasePosition, action: int, names: Sequence[str], *, lead: str = "") -> None:
    """Print a legal move and what it does, a line for each sentence."""
    move = (position.move_text(action), "bold")
    sentences = position.describe_effects(action, names)
    if sentences:
        print_wrapped(Text.assemble(lead, move, f": {sentences[0]}"))
        print_sentences(sentences[1:])
    else:  # it changes nothing
        who = f"{names[position.actor]} {agreeing(names[position.actor], 'play')} "
        print_wrapped(Text.assemble(lead, who, move, f": {position.describe(action)}"))


def print_sentences(sentences: Sequence[str]) -> None:
    """Print sentences as indented lines."""
    for sentence in sentences:
        print_wrapped(Text(sentence), _INDENT)


def print_round(record: Record, number: int, names: Sequence[str]) -> None:
    """Print what a round brought each player, and the points after it."""
    game = record.game
    steps = [step for step in zip(record.positions(), record.plies, strict=False) if step[0].round == number]
    effects = [effect for position, ply in steps for effect in position.effects(ply.action)]
    *items, total = game.score_changes(steps[0][0].row, effects)
    console.print(f"Round {number} is over.", style="dim")
    width = max(map(len, names))
    for seat, (name, points) in enumerate(zip(names, record.last.scores(), strict=True)):
        parts = ", ".join(f"{item.what} {item.points[seat]:+}" for item in items if item.points[seat])
        change = f" ({total.points[seat]:+}{f': {parts}' if parts else ''})"
        print_wrapped(Text(f"{name:<{width}}  {counted(points, 'point')}{change}", "dim"), _INDENT)
