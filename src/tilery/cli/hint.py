"""`hint` in `tilery play`: the best moves, from what the person at the keyboard can see."""

from __future__ import annotations

from tilery.cli.output import console
from tilery.cli.search_output import search_summary, spinner, think_interruptibly, variations_table
from tilery.core.position import Position
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.family import method_of
from tilery.engine.limits import Limit
from tilery.engine.report import method_for

LIMIT = Limit(time=1.0)
VARIATIONS = 3


def print_hint(position: Position, seed: str) -> None:
    """Search for about a second and print the best moves. The search knows only what the seat to move can see."""
    if position.actor < 0:
        console.print("There is nothing to decide here: type the deal.", style="yellow")
        return
    seen = position.seen_by(position.actor)
    if len(seen.actions()) == 1:
        console.print(f"There is only one move: {seen.moves()[0]}.")
        return
    try:
        method = method_for(seen, LIMIT, None)
        method_of(seen.game, method)  # compiled before the spinner appears
        with spinner("Thinking (Ctrl-C: stop) ..."):
            stream = Stream("hint", seed)
            info, was_stopped = think_interruptibly(seen, LIMIT, stream=stream, method=method, variations=VARIATIONS)
    except Refused as error:
        console.print(f"No hint: {error}", style="yellow")
        return
    console.print(variations_table(seen, info, words=False))
    console.print(f"{'Stopped early. ' if was_stopped else ''}{search_summary(info)}", style="dim")
