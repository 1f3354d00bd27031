"""The lab in the terminal: matches with a bar and a table, the ladder, and weights found by playing."""

from __future__ import annotations

import json as json_module
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tilery.cli.choosing import seed_or_fresh, variant
from tilery.cli.files import data_folder, new_run_folder
from tilery.cli.printing import console, program
from tilery.core.game import Rules
from tilery.core.refusals import Refused
from tilery.engine.bots import bot, check_bot
from tilery.engine.family import family_of
from tilery.games import game as game_named
from tilery.lab.arena import Standings, run_arena
from tilery.lab.folder import read_settings
from tilery.lab.ladder import (
    GAMES_EACH,
    Thinking,
    abouts_of,
    ladder_settings,
    losses,
    section,
    steps_of,
)
from tilery.lab.ladder_page import check_page, keep
from tilery.lab.match import seatings
from tilery.lab.settings import Settings, round_robin, settings_in
from tilery.lab.summary import summary
from tilery.lab.workers import Workers, cores

_GAMES = 100  # of each pairing, or the next number that makes whole pairs


def _percent(listing: dict[str, Any]) -> str:
    error = listing["error"]
    return f"{100 * listing['score']:.1f} ± {'?' if error is None else f'{100 * error:.1f}'}"


def _elo(listing: dict[str, Any]) -> str:
    """A difference with its error; only a bound where everything was won or lost."""
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
    """How many pairs brought so many wins; where a pair is more than two games, nobody lists that."""
    return " ".join(map(str, listing.get("pairs", [])))


def _table(found: dict[str, Any]) -> Table:
    """The table of a run."""
    table = Table(title=f"{game_named(found['game']).title}, {found['variant']}: {found['games']:,} games")
    table.add_column("bot", overflow="fold")
    headings: tuple[str, ...]
    if found["bots"] or not found["pairings"]:
        headings = ("score %", "Elo", "points", "CPU ms", "+/=/-")
    else:
        headings = ("firsts %", "Elo", "ahead %", "points", "CPU ms")  # and no more, so that names have room
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found["bots"]:
        table.add_row(one["bot"], _percent(one), _elo(one), f"{one['points']:.1f}", _cpu(one), _games(one))
    for one in [] if found["bots"] else found["pairings"]:
        points, others = f"{one['points']:.1f}", one["others"]
        placed = _percent(one["placement"])
        table.add_row(one["first"], _percent(one), _elo(one), placed, points, _cpu(one))
        table.add_row(f"others: {one['second']}", "", "", "", f"{others['points']:.1f}", _cpu(others))
    return table


def _pairings(found: dict[str, Any]) -> Table:
    """Who did what against whom, where more than two have played."""
    table = Table(title="Direct matches")
    for heading in ("first", "second"):
        table.add_column(heading, overflow="fold")
    for heading in ("score %", "Elo", "+/=/-", "0 ½ 1 1½ 2"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found["pairings"]:
        table.add_row(one["first"], one["second"], _percent(one), _elo(one), _games(one), _pairs(one))
    return table


def print_run(found: dict[str, Any]) -> None:
    """All that a run has found out."""
    console.print(_table(found))
    if len(found["pairings"]) > 1:
        console.print(_pairings(found))
    elif found["bots"]:
        (one,) = found["pairings"]
        console.print(f"Pairs in which {one['first']} won 0, ½, 1, 1½ and 2 games: {_pairs(one)}", soft_wrap=True)
    if "ratings" in found:
        ranked = sorted(found["ratings"].items(), key=lambda item: -item[1][0])
        ratings = ", ".join(f"{name} {elo:.0f}{f' ± {error:.0f}' if error else ''}" for name, (elo, error) in ranked)
        console.print(f"Ratings: {ratings}")
    if not found["bots"] and found["pairings"]:
        console.print(f"Par is {100 * found['pairings'][0]['par']:.1f} % first places, 50 % of the others left behind.")
    test = found.get("sprt")
    if test:
        low, high = test["bounds"]
        claims = f"H0: {test['elo0']:g} Elo, H1: {test['elo1']:g} Elo"
        verdict = f"{test['verdict']} accepted" if test["verdict"] else "not decided"
        console.print(f"SPRT: {verdict} ({claims}); LLR {test['llr']:.2f}, bounds {low:.2f} and {high:.2f}")
    for remark in found["remarks"]:
        console.print(f"Lost by an error: {remark}", style="yellow", soft_wrap=True)


@contextmanager
def watching(total: int, *, quiet: bool) -> Iterator[Callable[[Standings], None]]:
    """A bar and a table while a run goes on, where somebody sits at a terminal."""
    if quiet or not console.is_terminal:
        yield lambda _: None
        return
    bar = Progress(TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console)
    task = bar.add_task("", total=total)
    latest: list[Standings] = []

    def shown() -> Group:
        return Group(*([_table(summary(latest[0]))] if latest and latest[0].found else []), bar)

    def tell(standings: Standings) -> None:
        latest[:] = [standings]
        bar.update(task, completed=standings.games)

    with Live(get_renderable=shown, console=console, refresh_per_second=2, transient=True):
        yield tell


def run_watched(settings: Settings, path: Path, *, workers: int | None, quiet: bool, again: str) -> Standings:
    """Play a run to its end; whoever interrupts it is told how to go on."""
    total = settings.games * len(settings.pairings)
    try:
        with watching(total, quiet=quiet) as tell:
            return run_arena(settings, path, workers=workers, tell=tell)
    except KeyboardInterrupt:
        if not quiet:
            console.print(f"Every finished pair is kept. Go on with: {program()} {again}", soft_wrap=True)
        raise


def whole_pairs(games: int, rules: Rules) -> int:
    """So many games, or the next number that makes whole pairs."""
    each = len(seatings(rules))
    return -(-games // each) * each


def _chosen(
    bots: Sequence[str],
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    games: int | None,
    seed: str | None,
    sprt: tuple[float, float] | None,
    out: Path | None,
) -> Settings:
    """The settings of a new run (or of one that is in the folder already)."""
    chosen = game_named(game)
    rules = variant(chosen, variant_text, seats)
    begun = read_settings(out) if out else None
    if seed is None and begun is not None and isinstance(begun.get("seed"), str):
        seed = begun["seed"]  # the same command goes on with the same run
    pairings = round_robin(bots, rules)
    for name in bots:
        check_bot(chosen, name, rules)
    wanted = whole_pairs(_GAMES, rules) if games is None else games
    return Settings(chosen.name, rules.text, pairings, wanted, seed_or_fresh(seed), sprt)


def play_arena(
    bots: Sequence[str],
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    games: int | None,
    seed: str | None,
    workers: int | None,
    sprt: tuple[float, float] | None,
    out: Path | None,
    resume: Path | None,
    json: bool,
) -> None:
    """`tilery arena`."""
    if resume is not None:
        if bots or variant_text or seats or games or seed or sprt or out:
            raise Refused("a run is resumed with its own settings: name nothing but --resume DIR, --workers and --json")
        settings = settings_in(resume)
    else:
        settings = _chosen(
            bots, game=game, variant_text=variant_text, seats=seats, games=games, seed=seed, sprt=sprt, out=out
        )
    path = resume or out or new_run_folder("arena")
    again = f"arena --resume {shlex.quote(str(path))}"
    standings = run_watched(settings, path, workers=workers, quiet=json, again=again)
    found = summary(standings)
    if json:
        print(json_module.dumps({**found, "folder": str(path)}))
        return
    print_run(found)
    console.print(f"Seed {settings.seed}; records and results are in {path}", style="dim", soft_wrap=True)


def write_page(out: Path) -> None:
    """`tilery lab ladder --page`."""
    keep(out)
    console.print(f"Wrote {out}", soft_wrap=True)


def measure_ladder(
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    games: int | None,
    out: Path,
    data: Path | None,
    workers: int | None,
    seed: str,
    sample: int,
    nodes: int,
) -> None:
    """`tilery lab ladder`."""
    chosen = game_named(game)
    rules = variant(chosen, variant_text, seats)
    wanted = whole_pairs(GAMES_EACH, rules) if games is None else games
    levels = family_of(chosen).levels(rules)
    steps = steps_of(levels)
    settings = ladder_settings(chosen.name, rules, steps, wanted, seed_or_fresh(seed))
    check_page(out)
    path = (data or data_folder() / "ladder") / f"{chosen.name}-{rules.text.replace(',', '-')}"
    standings = run_watched(settings, path, workers=workers, quiet=False, again="lab ladder with the same options")
    print_run(summary(standings))
    console.print(f"Judging {sample} moves of each bot ...", style="dim")
    with Workers(cores() if workers is None else workers, chosen.name, rules.text, (), bot) as processes:
        judged = losses(path, settings.bots, Thinking(nodes), processes, sample=sample, label=f"{nodes} nodes")
    abouts = abouts_of(levels, {name: bot(name).about for name in settings.bots})
    keep(out, section(standings, steps, abouts, judged, nodes))
    console.print(f"Wrote {out}", soft_wrap=True)
