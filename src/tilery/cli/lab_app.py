"""`tilery arena` and the group `tilery lab`: their options. Imports nothing slow: `--help` is quick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilery.cli import options
from tilery.cli.options import command

lab = typer.Typer(
    name="lab",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="For bot developers: measure the levels, tune and fit evaluations.",
)


@lab.callback()
def _main(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_Variant = Annotated[
    str | None, typer.Option("--variant", "-v", metavar="TEXT", help="See [bold]tilery play --help[/bold].")
]


def arena(
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT", help="Two or more bots, such as greedy or level-3.")
    ] = None,
    bot: Annotated[
        list[str] | None, typer.Option("--bot", metavar="BOT", help="One more bot; may be given several times.")
    ] = None,
    game: options.GameOption = "azul",
    variant: _Variant = None,
    seats: options.SeatCount = None,
    games: Annotated[int | None, typer.Option("--games", "-n", help="Games per pairing. Default: about 100.")] = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            "--sprt", metavar="ELO0 ELO1", help="Stop when it is clear whether the first bot is ELO0 or ELO1 stronger."
        ),
    ] = None,
    out: options.RunFolder = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Resume the run in this folder.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Let bots play matches and print the results with error bars.

    Games are played in pairs on the same deals, and saved in a folder. Two bots play a match, more play a round robin.
    With three or four seats, one copy of the first bot plays against copies of the second.

    Examples:
    $ tilery arena greedy random --games 200
    $ tilery arena level-3 level-2 --sprt 0 50 --games 2000 --out match
    $ tilery arena --resume match
    """
    from tilery.cli.arena import play_arena

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


@command(lab)
def ladder(
    game: options.GameOption = "azul",
    variant: _Variant = None,
    seats: options.SeatCount = None,
    games: Annotated[int | None, typer.Option("--games", "-n", help="Games per pairing. Default: about 200.")] = None,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="The page to write; its data is saved next to it as JSON."),
    ] = Path("docs/ladder.md"),
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Folder for the games. Default: ladder in the data folder."),
    ] = None,
    workers: options.Workers = None,
    seed: Annotated[
        str, typer.Option("--seed", help="A number or a word. The same seed gives the same deals.")
    ] = "ladder",
    sample: Annotated[int, typer.Option("--sample", min=1, help="Number of moves of each bot that are judged.")] = 300,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes searched for each of these moves.")] = 20_000,
    page: Annotated[bool, typer.Option("--page", help="Only rewrite the page from the saved data.")] = False,
) -> None:
    """Measure how strong the levels of the bots are, and write docs/ladder.md.

    Neighbouring levels play matches and are rated; a search judges a sample of their moves. The same command resumes an
    interrupted measurement. Other variants on the page are not changed.

    Examples:
    $ tilery lab ladder --game azul --variant grey
    $ tilery lab ladder --page
    """
    from tilery.cli.ladder import measure_ladder, write_page

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


@command(lab)
def tune(
    game: options.GameOption = "azul",
    variant: _Variant = None,
    seats: options.SeatCount = None,
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="A,B,...", help="Only these weights. Default: all.")
    ] = None,
    iterations: Annotated[
        int, typer.Option("--iterations", "-i", min=1, max=1_000_000, help="Number of SPSA iterations.")
    ] = 1000,
    games: Annotated[
        int | None, typer.Option("--games-per-iteration", "-n", help="Games per iteration. Default: one pair.")
    ] = None,
    limit: Annotated[str, typer.Option("--limit", help="Search limit for each move.")] = "300n",
    method: Annotated[
        str | None, typer.Option("--method", help="The name of a search. Default: the strongest.")
    ] = None,
    nudge: Annotated[float, typer.Option("--nudge", help="How far weights are varied at first: 0.2 is 20 %.")] = 0.2,
    step: Annotated[
        float, typer.Option("--step", help="How far the first iteration moves them at most: 0.02 is 2 %.")
    ] = 0.02,
    seed: Annotated[
        str, typer.Option("--seed", help="A number or a word. The same seed plays the same games.")
    ] = "tune",
    workers: options.Workers = None,
    out: options.RunFolder = None,
    match: Annotated[
        int, typer.Option("--match", metavar="N", help="Then play up to N games, new weights against old.")
    ] = 0,
    sprt: Annotated[
        tuple[float, float],
        typer.Option("--sprt", metavar="ELO0 ELO1", help="The hypotheses of that match, as for tilery arena."),
    ] = (0.0, 20.0),
) -> None:
    """Tune the weights of an evaluation by playing games (SPSA).

    Each iteration varies all weights at once, in random directions, and moves them towards the side that wins. Every
    iteration is saved. The same command resumes an interrupted run.

    Example:
    $ tilery lab tune --iterations 500 --out tuning --match 2000
    """
    from tilery.cli.tune import tune_weights

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


@command(lab)
def fit(
    variant: Annotated[
        list[str] | None, typer.Option("--variant", "-v", help="2, 3 or 4, optionally with ,grey. Default: all six.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=20, max=1_000_000, help="Games per variant.")] = 2000,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes searched for each move.")] = 300,
    seed: options.Seed = None,
    workers: options.Workers = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where the models are written.")] = Path(
        "fitted.json"
    ),
) -> None:
    """Fit the evaluation of Azul to games that the engine plays against itself.

    A regression on these games estimates how many points a board is worth. If a match shows that the new models are
    stronger, copy the file to [bold]engine/azul/fitted.json[/bold].

    Example:
    $ tilery lab fit --variant 2 --variant 2,grey --games 4000
    """
    from tilery.cli.fit import fit_evaluation

    fit_evaluation(variants=variant or [], games=games, nodes=nodes, seed=seed, workers=workers, out=out)
