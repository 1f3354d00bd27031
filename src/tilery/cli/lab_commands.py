"""The commands of the lab and their options. Bodies import what they need, so that `--help` is quick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

lab = typer.Typer(
    name="lab",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="For who makes the bots: measure the ladder, find weights by playing.",
)


@lab.callback()
def _main(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_Variant = Annotated[
    str | None, typer.Option("--variant", "-v", metavar="TEXT", help="As for [bold]tilery play[/bold].")
]
_Seed = Annotated[str | None, typer.Option("--seed", help="A number or word: the same seed deals the same.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
_Game = Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="azul, chocolatier or schokoly.")]
_Seats = Annotated[int | None, typer.Option("--seats", "-s", metavar="N", help="How many seats: 2, 3 or 4.")]
_Workers = Annotated[
    int | None, typer.Option("--workers", "-w", min=1, max=1024, help="Processes at work. Default: all cores.")
]
_Folder = Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Keep everything in this folder.")]


def arena(
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT BOT...", help="Such as greedy or level-3.")] = None,
    bot: Annotated[list[str] | None, typer.Option("--bot", metavar="BOT", help="One more bot.")] = None,
    game: _Game = "azul",
    variant: _Variant = None,
    seats: _Seats = None,
    games: Annotated[int | None, typer.Option("--games", "-n", help="Of each pairing. Default: 100 or so.")] = None,
    seed: _Seed = None,
    workers: _Workers = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option("--sprt", metavar="ELO0 ELO1", help="Stop as soon as one of the two is accepted."),
    ] = None,
    out: _Folder = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="DIR", help="Go on with this run.")] = None,
    json: _Json = False,
) -> None:
    """Let bots play matches: paired games on the same deals, with error bars, kept in a folder.

    Two bots play a match, more play everybody against everybody. With three or four seats one of the first bot
    sits among copies of the second.

    Examples:  tilery arena greedy random -n 200  ·  tilery arena level-3 level-2 --sprt 0 50 -n 2000 -o match
    """
    from tilery.cli.lab import play_arena

    names = [*(bots or []), *(bot or [])]
    play_arena(
        names,
        game=game,
        variant_text=variant,
        seats=seats,
        games=games,
        seed=seed,
        workers=workers,
        sprt=sprt,
        out=out,
        resume=resume,
        json=json,
    )


@lab.command()
def ladder(
    game: _Game = "azul",
    variant: _Variant = None,
    seats: _Seats = None,
    games: Annotated[int | None, typer.Option("--games", "-n", help="Of each pairing. Default: 200 or so.")] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The page; what it says is kept beside it as JSON.")
    ] = Path("docs/ladder.md"),
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Where the games are kept.")] = None,
    workers: _Workers = None,
    seed: Annotated[str, typer.Option("--seed", help="A number or word: the same seed deals the same.")] = "ladder",
    sample: Annotated[int, typer.Option("--sample", min=1, help="How many moves of each bot are judged.")] = 300,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="How long each of them is judged.")] = 20_000,
    page: Annotated[bool, typer.Option("--page", help="Only write the page anew from what is kept.")] = False,
) -> None:
    """Measure the ladder: neighbours play each other, all are rated, their moves are judged, and the page is written.

    It can be interrupted and started again; other variants on the page stay as they are.
    """
    from tilery.cli.lab import measure_ladder, write_page

    if page:
        write_page(out)
        return
    measure_ladder(
        game=game,
        variant_text=variant,
        seats=seats,
        games=games,
        out=out,
        data=data,
        workers=workers,
        seed=seed,
        sample=sample,
        nodes=nodes,
    )


@lab.command()
def tune(
    game: _Game = "azul",
    variant: _Variant = None,
    seats: _Seats = None,
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="A,B,...", help="Only these. Default: all there are.")
    ] = None,
    iterations: Annotated[int, typer.Option("--iterations", "-i", min=1, max=1_000_000)] = 1000,
    games: Annotated[int | None, typer.Option("--games-per-iteration", "-n", help="Default: one pair.")] = None,
    limit: Annotated[str, typer.Option("--limit", help="How long each move is thought about.")] = "300n",
    method: Annotated[
        str | None, typer.Option("--method", help="A search by its name. Default: the strongest.")
    ] = None,
    nudge: Annotated[float, typer.Option("--nudge", help="By what share weights are changed to and fro.")] = 0.2,
    step: Annotated[float, typer.Option("--step", help="How far a won iteration moves them, as a share.")] = 0.02,
    seed: Annotated[str, typer.Option("--seed", help="A number or word: the same seed plays the same.")] = "tune",
    workers: _Workers = None,
    out: _Folder = None,
    match: Annotated[int, typer.Option("--match", metavar="N", help="Then new against old, N games at most.")] = 0,
    sprt: Annotated[
        tuple[float, float], typer.Option("--sprt", metavar="ELO0 ELO1", help="What that match decides between.")
    ] = (0.0, 20.0),
) -> None:
    """Find weights of an evaluation by playing: all are nudged to and fro at once, and follow the winner (SPSA).

    Every iteration is kept, and the same command goes on with a run that was interrupted.
    """
    from tilery.cli.tuning import tune_weights

    tune_weights(
        game=game,
        variant_text=variant,
        seats=seats,
        weights=weights,
        iterations=iterations,
        games=games,
        limit=limit,
        method=method,
        nudge=nudge,
        step=step,
        seed=seed,
        workers=workers,
        out=out,
        match=match,
        sprt=sprt,
    )


@lab.command()
def fit(
    variant: Annotated[
        list[str] | None, typer.Option("--variant", "-v", help="2, 3, 4 or one of them with ,grey. Default: all six.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=20, max=1_000_000, help="Of each variant.")] = 2000,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="How long each move is thought about.")] = 300,
    seed: _Seed = None,
    workers: _Workers = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where the models are written.")] = Path(
        "fitted.json"
    ),
) -> None:
    """Fit the knowledge of Azul: the engine plays against itself, then a regression tells what boards are worth.

    The file goes to [bold]engine/azul/fitted.json[/bold] when a match says that it is better.
    """
    from tilery.cli.fitting import fit_knowledge

    fit_knowledge(variants=variant or [], games=games, nodes=nodes, seed=seed, workers=workers, out=out)
