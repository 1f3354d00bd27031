"""A hint in the middle of a game: the best moves as the person at the keyboard could know them."""

from __future__ import annotations

from tilery.cli.printing import console
from tilery.cli.thinking import lines_table, spinner, think_aloud, told
from tilery.core.position import Position
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.family import method_of
from tilery.engine.limits import Limit
from tilery.engine.report import method_for

LIMIT = Limit(time=1.0)
LINES = 3


def print_hint(position: Position, seed: str) -> None:
    """Think for about a second, and print the best moves. Only what the seat sees is thought about."""
    if position.actor < 0:
        console.print("There is nothing to decide here: type the deal.", style="yellow")
        return
    seen = position.seen_by(position.actor)
    if len(seen.actions()) == 1:
        console.print(f"There is only one move: {seen.moves()[0]}.")
        return
    try:
        method = method_for(seen, LIMIT, None)
        method_of(seen.game, method)  # compiled first, where it says so
        with spinner("Thinking (Ctrl-C: stop) ..."):
            info, cut_short = think_aloud(seen, LIMIT, stream=Stream("hint", seed), method=method, lines=LINES)
    except Refused as error:
        console.print(f"No hint: {error}", style="yellow")
        return
    console.print(lines_table(seen, info, words=False))
    console.print(f"{'Stopped early. ' if cut_short else ''}{told(info)}", style="dim")
