"""`tilery simulate`: many games between bots, with statistics."""

from __future__ import annotations

import json as json_module
import time
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tilery.cli.arguments import seat_names, seed_or_fresh, variant
from tilery.cli.files import check_new, check_writable, write_safely
from tilery.cli.output import console
from tilery.core.english import counted
from tilery.engine.family import family_of
from tilery.engine.simulation import simulate
from tilery.games import game


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
    """Let bots play, and print statistics as a table or as JSON."""
    chosen = game(name)
    players = seat_names(chosen, seats, people=False)
    rules = variant(chosen, variant_text, len(players), bare=bare)
    seed = seed_or_fresh(seed)
    if save:
        check_new(save)
        check_writable(save)
    family_of(chosen, "greedy")  # compiled before the bar appears and the clock starts
    start = time.perf_counter()
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
    seconds = time.perf_counter() - start
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
    table = Table(title=f"{chosen.title}, {rules.text}: {counted(games, 'game')}")
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
        console.print(f"Wrote {counted(games, 'record')} to {save}", soft_wrap=True)
