"""`tilery perft`: count the lines of play from a position."""

from __future__ import annotations

import json as json_module
import time

from tilery.cli.arguments import position_or_record
from tilery.cli.output import console
from tilery.core.english import counted
from tilery.core.perft import divide as divide_counts
from tilery.core.perft import perft
from tilery.core.position import Position
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.games import game


def print_perft(what: str | None, *, depth: int, divide: bool, ply: int | None, number: int, json: bool) -> None:
    """Print how many lines of play of `depth` plies a position has; with `divide`, for each first move."""
    if what is None:
        position = game("azul").new().settle(Stream("perft"))
    else:
        source, _ = position_or_record(what, ply, number)
        if not isinstance(source, Position):
            raise Refused("lines of play are counted from a whole position, not from what a seat sees")
        position = source
    start = time.perf_counter()
    parts = divide_counts(position, depth) if divide and depth else {}
    total = sum(parts.values()) if parts else perft(position, depth)
    seconds = time.perf_counter() - start
    if json:
        listing = {"position": position.text, "depth": depth, "lines": total, "seconds": seconds}
        print(json_module.dumps({**listing, "divide": parts} if divide else listing))
        return
    for move, count in parts.items():
        console.print(f"{move:<10}{count:>16,}")
    console.print(f"depth {depth}: {counted(total, 'line')} in {seconds:.2f} s", style="bold")
    if what is None:
        console.print(f"from {position.text}", style="dim", soft_wrap=True)
