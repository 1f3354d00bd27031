"""Counting: perft and simulation."""

from __future__ import annotations

import json as json_module
import time
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tilery.cli.choosing import position_or_record, seat_names, seed_or_fresh, variant
from tilery.cli.files import check_new, check_writable, write_safely
from tilery.cli.printing import console
from tilery.core.perft import divide as divide_lines
from tilery.core.perft import perft
from tilery.core.position import Position
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.core.text import listed
from tilery.engine.family import family_of
from tilery.engine.signature import VARIANTS, sign
from tilery.engine.simulation import simulate
from tilery.games import game


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def count_lines(what: str | None, *, depth: int, divide: bool, ply: int | None, number: int, json: bool) -> None:
    """Perft of a position."""
    if what is None:
        position = game("azul").new().settle(Stream("perft"))
    else:
        found, _ = position_or_record(what, ply, number)
        if not isinstance(found, Position):
            raise Refused("lines of play are counted from a whole position, not from what a seat sees")
        position = found
    began = time.perf_counter()
    parts = divide_lines(position, depth) if divide and depth else {}
    total = sum(parts.values()) if parts else perft(position, depth)
    seconds = time.perf_counter() - began
    if json:
        listing = {"position": position.text, "depth": depth, "lines": total, "seconds": seconds}
        print(json_module.dumps({**listing, "divide": parts} if divide else listing))
        return
    for move, count in parts.items():
        console.print(f"{move:<10}{count:>16,}")
    console.print(f"depth {depth}: {_counted(total, 'line')} in {seconds:.2f} s", style="bold")
    if what is None:
        console.print(f"from {position.text}", style="dim", soft_wrap=True)


def simulate_games(
    name: str,
    seats: str,
    games: int,
    variant_text: str | None,
    *,
    seed: str | None,
    threads: int | None,
    save: Path | None,
    bare: bool,
    json: bool,
) -> None:
    """Bots among themselves, with statistics as a table or as JSON."""
    chosen = game(name)
    players = seat_names(chosen, seats, people=False)
    rules = variant(chosen, variant_text, len(players), bare=bare)
    seed = seed_or_fresh(seed)
    if save:
        check_new(save)
        check_writable(save)
    family_of(chosen, "greedy")  # compile before the bar appears and the clock runs
    began = time.perf_counter()
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=json or not console.is_terminal) as bar:
        task = bar.add_task("", total=games)
        tally = simulate(
            chosen,
            rules,
            players,
            games,
            seed=seed,
            threads=threads,
            keep=save is not None,
            progress=lambda done: bar.advance(task, done),
        )
    seconds = time.perf_counter() - began
    if save:
        write_safely(save, "\n".join(record.text for record in tally.records))
    summary = {
        "game": chosen.name,
        "variant": rules.text,
        "seed": seed,
        **tally.summary(players),
        "seconds": seconds,
    }
    if json:
        print(json_module.dumps(summary))
        return
    table = Table(title=f"{chosen.title}, {rules.text}: {_counted(games, 'game')}")
    for heading in ("seat", "bot"):
        table.add_column(heading)
    for heading in ("wins", "score", "deviation", "highest"):
        table.add_column(heading, justify="right")
    for number, seat in enumerate(summary["seats"], start=1):
        table.add_row(
            str(number),
            seat["player"],
            f"{100 * seat['wins']:.1f} ± {100 * seat['wins_error']:.1f} %",
            f"{seat['score']:.1f}",
            f"{seat['score_deviation']:.1f}",
            str(seat["highest"]),
        )
    console.print(table)
    endings = ", ".join(f"{what} {count:,}" for what, count in summary["endings"].items())
    console.print(
        f"{summary['moves_a_game']:.1f} moves and {summary['rounds_a_game']:.2f} rounds a game; ended by: {endings}"
    )
    console.print(f"{games / seconds:,.0f} games a second; seed {seed}", style="dim")
    if save:
        console.print(f"Wrote {_counted(games, 'record')} to {save}", soft_wrap=True)


def print_signature(family: str | None, *, json: bool) -> None:
    """What the engine answers about fixed positions, as one number, and how fast it searched."""
    if family is not None and family not in VARIANTS:
        raise Refused(f"{family[:40]!a} has no signature: expected {listed(list(VARIANTS))}")
    with console.status("Searching ...", spinner="dots") as status:
        number, counts = sign((family,) if family else tuple(VARIANTS), lambda what: status.update(f"{what} ..."))
    if json:
        searched = {name: {"nodes": count.nodes, "seconds": count.seconds} for name, count in counts.items()}
        print(json_module.dumps({"signature": number, "searched": searched}))
        return
    for name, count in counts.items():
        console.print(f"{name:<20}{count.nodes:>10,} nodes {count.nodes / count.seconds:>12,.0f} a second")
    console.print(f"signature {number}", style="bold")
