"""The results of a match as tables, and its progress; shared by `tilery arena` and `tilery lab`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tilery.cli.output import console, program
from tilery.core.game import Rules
from tilery.games import game as game_named
from tilery.lab.arena import Standings, run_arena
from tilery.lab.match import seatings
from tilery.lab.settings import Settings
from tilery.lab.summary import summary


def _percent(listing: dict[str, Any]) -> str:
    error = listing["error"]
    return f"{100 * listing['score']:.1f} ± {'?' if error is None else f'{100 * error:.1f}'}"


def _elo(listing: dict[str, Any]) -> str:
    """An Elo difference with its error; only a bound if every game was won or lost."""
    low, high = listing["elo_range"]
    if listing["elo"] is None:
        return f"> {low:+.0f}" if high is None else f"< {high:+.0f}"
    error = listing["elo_error"]
    return f"{listing['elo']:+.0f} ± {'?' if error is None else f'{error:.0f}'}"


def _cpu(listing: dict[str, Any]) -> str:
    return " / ".join(f"{ms:.1f}" if ms < 99.5 else f"{ms:.0f}" for ms in (listing["cpu_ms"], listing["cpu_ms_most"]))


def _games(listing: dict[str, Any]) -> str:
    return f"{listing['wins']}/{listing['draws']}/{listing['losses']}"


def _pairs(listing: dict[str, Any]) -> str:
    """How many pairs gave 0, ½, 1, 1½ and 2 wins; empty if a pair is more than two games."""
    return " ".join(map(str, listing.get("pairs", [])))


def results_table(results: dict[str, Any]) -> Table:
    """The results of each bot."""
    table = Table(title=f"{game_named(results['game']).title}, {results['variant']}: {results['games']:,} games")
    table.add_column("bot", overflow="fold")
    headings: tuple[str, ...]
    if results["bots"] or not results["pairings"]:
        headings = ("score %", "Elo", "points", "CPU ms", "+/=/-")
    else:
        headings = ("firsts %", "Elo", "ahead %", "points", "CPU ms")  # no more, to leave room for the names
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for one in results["bots"]:
        table.add_row(one["bot"], _percent(one), _elo(one), f"{one['points']:.1f}", _cpu(one), _games(one))
    for one in [] if results["bots"] else results["pairings"]:
        points, others = f"{one['points']:.1f}", one["others"]
        placed = _percent(one["placement"])
        table.add_row(one["first"], _percent(one), _elo(one), placed, points, _cpu(one))
        table.add_row(f"others: {one['second']}", "", "", "", f"{others['points']:.1f}", _cpu(others))
    return table


def pairings_table(results: dict[str, Any]) -> Table:
    """The results of each pairing, if there are more than two bots."""
    table = Table(title="Direct matches")
    for heading in ("first", "second"):
        table.add_column(heading, overflow="fold")
    for heading in ("score %", "Elo", "+/=/-", "0 ½ 1 1½ 2"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in results["pairings"]:
        table.add_row(one["first"], one["second"], _percent(one), _elo(one), _games(one), _pairs(one))
    return table


def print_results(results: dict[str, Any]) -> None:
    """Print the results of a run."""
    console.print(results_table(results))
    if len(results["pairings"]) > 1:
        console.print(pairings_table(results))
    elif results["bots"]:
        (one,) = results["pairings"]
        console.print(f"Pairs in which {one['first']} won 0, ½, 1, 1½ and 2 games: {_pairs(one)}", soft_wrap=True)
    if "ratings" in results:
        ranked = sorted(results["ratings"].items(), key=lambda item: -item[1][0])
        ratings = ", ".join(f"{name} {elo:.0f}{f' ± {error:.0f}' if error else ''}" for name, (elo, error) in ranked)
        console.print(f"Ratings: {ratings}")
    if not results["bots"] and results["pairings"]:
        console.print(
            f"Par: first in {100 * results['pairings'][0]['par']:.1f} % of the games, ahead of 50 % of the opponents."
        )
    test = results.get("sprt")
    if test:
        low, high = test["bounds"]
        hypotheses = f"H0: {test['elo0']:g} Elo, H1: {test['elo1']:g} Elo"
        verdict = f"{test['verdict']} accepted" if test["verdict"] else "not decided"
        console.print(f"SPRT: {verdict} ({hypotheses}); LLR {test['llr']:.2f}, bounds {low:.2f} and {high:.2f}")
    for remark in results["remarks"]:
        console.print(f"Lost because of an error: {remark}", style="yellow", soft_wrap=True)


@contextmanager
def live_results(total: int, *, quiet: bool) -> Iterator[Callable[[Standings], None]]:
    """Show a progress bar and a table on a terminal; yield the function that updates them."""
    if quiet or not console.is_terminal:
        yield lambda _: None
        return
    bar = Progress(TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console)
    task = bar.add_task("", total=total)
    latest: list[Standings] = []

    def rendered() -> Group:
        return Group(*([results_table(summary(latest[0]))] if latest and latest[0].results else []), bar)

    def update(standings: Standings) -> None:
        latest[:] = [standings]
        bar.update(task, completed=standings.games)

    with Live(get_renderable=rendered, console=console, refresh_per_second=2, transient=True):
        yield update


def run_with_progress(
    settings: Settings, path: Path, *, workers: int | None, quiet: bool, resume_with: str
) -> Standings:
    """Play a run to its end with a progress bar; on Ctrl-C, print the command that resumes it."""
    total = settings.games * len(settings.pairings)
    try:
        with live_results(total, quiet=quiet) as update:
            return run_arena(settings, path, workers=workers, progress=update)
    except KeyboardInterrupt:
        if not quiet:
            console.print(f"Every finished pair is saved. Resume with: {program()} {resume_with}", soft_wrap=True)
        raise


def whole_pairs(games: int, rules: Rules) -> int:
    """`games`, rounded up to whole pairs."""
    each = len(seatings(rules))
    return -(-games // each) * each
