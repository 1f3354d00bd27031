"""`tilery`: its commands and their options. The groups are in lab_app.py and server_app.py.

Each command is implemented in the module of the same name. It is imported only when the command runs, so that `--help`
stays quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from tilery.cli import options
from tilery.cli.lab_app import arena, lab
from tilery.cli.options import command
from tilery.cli.server_app import db, serve

app = typer.Typer(
    name="tilery",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Azul, Azul: Master Chocolatier and Schokoly in the terminal: play, analyse, simulate, serve.",
    epilog="The rules, the notation and the Python library are described in the docs folder of the project.",
)

# The exception that Typer raises for an invalid command line; which module defines it depends on Typer's version.
UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])


def usage_problem(error: Any) -> str:
    """A `UsageError` in one line, such as `No such option: --x (see tilery play --help)`."""
    problem = " ".join(error.format_message().split()).rstrip(".")
    return f"{problem} (see {error.ctx.command_path if error.ctx else 'tilery'} --help)"


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from tilery import __version__

        typer.echo(f"tilery {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@command(app)
def play(
    game: options.Game = "azul",
    seats: Annotated[
        str | None,
        typer.Option("--seats", "-s", metavar="A,B,...", help="2 to 4 players: person, or a bot (see tilery bots)."),
    ] = None,
    variant: options.Variant = None,
    seed: options.Seed = None,
    deals: Annotated[
        str, typer.Option("--deals", help="drawn: the program deals; typed: you type what was dealt at a real table.")
    ] = "drawn",
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save the game in this file.")] = None,
    bare: options.Bare = False,
) -> None:
    """Play a game in the terminal, by default against a bot.

    Type a move such as [bold]3R2[/bold] (from factory 3, red, to pattern line 2), or [bold]moves[/bold] for a list to
    pick from, [bold]hint[/bold] for advice, [bold]help[/bold] for all commands. Every move is saved;
    [bold]tilery resume[/bold] continues the game.

    Examples:
    $ tilery play
    $ tilery play --variant grey --seats person,person,greedy
    $ tilery play schokoly --seats person,random
    """
    from tilery.cli.play import start_session

    start_session(game, seats, variant, seed=seed, deals=deals, save=save, bare=bare)


@command(app)
def resume(
    file: Annotated[Path | None, typer.Argument(help="The saved game. Default: the latest unfinished one.")] = None,
    seats: Annotated[
        str | None, typer.Option("--seats", "-s", metavar="A,B,...", help="Who plays from now on. Default: as before.")
    ] = None,
    seed: options.Seed = None,
) -> None:
    """Continue a saved game.

    Examples:
    $ tilery resume
    $ tilery resume game.tilery --seats person,level-2
    """
    from tilery.cli.play import resume_session

    resume_session(file, seats_text=seats, seed=seed)


@command(app)
def show(
    what: options.Source,
    ply: options.Ply = None,
    record: options.RecordNumber = 1,
    seat: options.ViewingSeat = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="With --svg: label groups and contacts with their sizes (Schokoly).")
    ] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture (- for stdout).")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the legal moves in words.")] = False,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="List the possible deals with their probabilities.")
    ] = False,
    former_probabilities: Annotated[
        bool, typer.Option("--odds", hidden=True, help="The former name of --probabilities.")
    ] = False,
    text: Annotated[bool, typer.Option("--text", help="Print only the text of the position.")] = False,
    json: options.Json = False,
) -> None:
    """Show a position as a board, as text, as a picture or as JSON.

    Examples:
    $ tilery show game.tilery --ply 12
    $ tilery show game.tilery --ply 12 --moves
    $ tilery show game.tilery --svg board.svg
    """
    from tilery.cli.show import show_position

    show_position(
        what,
        ply=ply,
        number=record,
        seat=seat,
        counts=counts,
        svg=svg,
        moves=moves,
        probabilities=probabilities or former_probabilities,
        text=text,
        json=json,
    )


@command(app)
def replay(
    file: Annotated[Path, typer.Argument(help="A record file (- for stdin).")],
    ply: Annotated[int, typer.Option("--ply", metavar="N", help="Start after N plies.")] = 0,
    record: options.RecordNumber = 1,
    seat: options.ViewingSeat = None,
    everything: Annotated[bool, typer.Option("--all", help="Print all positions without waiting for a key.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Print only the text of the record (with --seat: as that seat saw it).")
    ] = False,
) -> None:
    """Step through a recorded game.

    Keys: Enter shows the next position, b goes back, a number goes to that ply, e to the end; q quits.

    Example:
    $ tilery replay game.tilery --seat 1
    """
    from tilery.cli.replay import replay_file

    replay_file(file, ply=ply, number=record, seat=seat, everything=everything, text=text)


@command(app)
def analyse(
    what: options.Source,
    ply: Annotated[
        int | None,
        typer.Option(
            "--ply", metavar="N", help="For a record: the position after N plies. Default: the last decision."
        ),
    ] = None,
    record: options.RecordNumber = 1,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", help="The last decision of seat N. Default: of any seat.")
    ] = None,
    limit: options.Limit = "1s",
    variations: Annotated[
        int, typer.Option("--variations", min=1, max=1000, help="How many moves to list, each with its variation.")
    ] = 5,
    former_variations: Annotated[
        int | None,
        typer.Option("--lines", "-l", min=1, max=1000, hidden=True, help="The former name of --variations."),
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", help="The name of a search. Default: the strongest.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=64, help="Number of search threads.")] = 1,
    seed: options.SearchSeed = None,
    json: options.Json = False,
) -> None:
    """Find the best moves in a position.

    Each is listed with its win probability, the expected margin in points and the moves expected after it. The search
    knows only what the seat to move can see. Ctrl-C stops it early.

    Examples:
    $ tilery analyse game.tilery --ply 12
    $ tilery analyse game.tilery --limit 10s --threads 4 --variations 10
    """
    from tilery.cli.analyse import analyse_position

    analyse_position(
        what,
        ply=ply,
        number=record,
        seat=seat,
        limit=limit,
        variations=variations if former_variations is None else former_variations,
        method=method,
        threads=threads,
        seed=seed,
        json=json,
    )


@command(app)
def bots(
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Include the levels and searches of this game.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the bots that can take a seat.

    Examples:
    $ tilery bots
    $ tilery bots --game schokoly
    """
    from tilery.cli.bots import list_bots

    list_bots(game, json=json)


@command(app)
def engine(
    limit: options.Limit = "1s",
    workers: Annotated[
        int, typer.Option("--analysis-threads", min=1, max=64, help="Number of queries searched at the same time.")
    ] = 1,
    quit_at_once: Annotated[
        bool,
        typer.Option(
            "--quit-without-waiting", help="At the end of the input, cancel the queries that are still running."
        ),
    ] = False,
) -> None:
    """Run the engine for other programs.

    It reads requests from standard input, one JSON object per line, and answers on standard output, as described in
    docs/protocol.md.

    Example:
    $ echo '{"id": "1", "action": "query_version"}' | tilery engine
    """
    from tilery.cli.engine import serve_engine

    serve_engine(limit, workers=workers, wait=not quit_at_once)


@command(app)
def perft(
    what: Annotated[
        str | None, typer.Argument(metavar="POSITION|FILE", help="Default: the first round of Azul, after the deal.")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", "-d", min=0, max=20, help="Number of plies.")] = 3,
    divide: Annotated[bool, typer.Option("--divide", help="Count separately for each first move.")] = False,
    ply: options.Ply = None,
    record: options.RecordNumber = 1,
    json: options.Json = False,
) -> None:
    """Count all lines of play of a given length.

    The counts are a fingerprint of the rules, and a measure of speed.

    Example:
    $ tilery perft --depth 2 --divide
    """
    from tilery.cli.perft import print_perft

    print_perft(what, depth=depth, divide=divide, ply=ply, number=record, json=json)


@command(app)
def simulate(
    game: options.Game = "azul",
    seats: Annotated[
        str, typer.Option("--seats", "-s", metavar="A,B,...", help="2 to 4 of: random, greedy.")
    ] = "greedy,greedy",
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=10_000_000, help="Number of games.")] = 1000,
    variant: options.Variant = None,
    seed: options.Seed = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, max=1024, help="Number of threads. Default: all cores.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save all games as records.")] = None,
    bare: options.Bare = False,
    json: options.Json = False,
) -> None:
    """Let bots play many games in parallel and print statistics.

    Example:
    $ tilery simulate --seats greedy,random --games 10000 --seed 1
    """
    from tilery.cli.simulate import simulate_games

    simulate_games(game, seats, games, variant, seed=seed, threads=threads, save=save, bare=bare, json=json)


command(app)(arena)
app.add_typer(lab, name="lab")
command(app)(serve)
app.add_typer(db, name="db")


@command(app)
def verify(
    files: Annotated[list[Path], typer.Argument(help="Record files, each with one or more games.")],
    fairness: Annotated[
        bool,
        typer.Option(
            "--fairness", help="For games from a server: verify that every deal was fixed before the game began."
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Replay recorded games and report every error with its line.

    The exit code is 1 if anything is wrong.

    Examples:
    $ tilery verify monday.tilery tuesday.tilery
    $ tilery verify --fairness game.tilery
    """
    from tilery.cli.verify import verify_files

    if not verify_files(files, fairness=fairness, json=json):
        raise typer.Exit(1)


@command(app)
def bench(
    family: Annotated[str | None, typer.Option("--game", help="azul or schokoly. Default: both.")] = None,
    json: options.Json = False,
) -> None:
    """Search fixed positions and print the engine's signature and speed.

    The signature changes if and only if the engine's play changes. [bold]make bench[/bold] measures speed thoroughly.

    Example:
    $ tilery bench --game azul
    """
    from tilery.cli.bench import print_signature

    print_signature(family, json=json)
