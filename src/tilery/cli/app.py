"""All commands and their options. Bodies import what they need, so that `--help` is quick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from tilery.cli.lab_commands import arena, lab
from tilery.cli.server_commands import db, serve

app = typer.Typer(
    name="tilery",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Azul, Azul: Master Chocolatier and Schokoly in the terminal: play, look, analyse, count, simulate, verify.",
    epilog="The exact rules, the notation and the Python interface are described in the project's docs folder.",
)

# What Typer raises for options that are not there; where that class lives depends on Typer's version.
WrongUse = cast("type[Exception]", typer.BadParameter.__mro__[1])


def wrong_use(error: Any) -> str:
    """Such an error in one line."""
    problem = " ".join(error.format_message().split()).rstrip(".")
    return f"{problem} (see {error.ctx.command_path if error.ctx else 'tilery'} --help)"


_Game = Annotated[str, typer.Argument(help="azul, chocolatier or schokoly", show_default=True)]
_Variant = Annotated[
    str | None,
    typer.Option(
        "--variant",
        "-v",
        metavar="TEXT",
        help="Options joined by commas. Azul: grey, specials, specials=game, start=N, start=drawn, rounds=N, stall=N; "
        "what you say replaces the default (coloured wall, for chocolatier with special factories). "
        "Schokoly: large (48 cards), swap (3 players).",
    ),
]
_Bare = Annotated[
    bool, typer.Option("--bare", help="Azul without a stall limit (tables end a game after 10 idle rounds).")
]
_Seed = Annotated[str | None, typer.Option("--seed", help="A number or word: the same seed deals the same.")]
_What = Annotated[
    str, typer.Argument(metavar="POSITION|FILE", help="A position's text, or a record's file (- for stdin).")
]
_Record = Annotated[int, typer.Option("--record", min=1, help="Which game of a file that holds several.")]
_Seat = Annotated[int | None, typer.Option("--seat", metavar="N", help="As seat N sees it (hidden hands stay hidden).")]
_Limit = Annotated[
    str,
    typer.Option(
        "--limit", help="How long to think: 10ms, 1.5s (CPU), 2ws (on the wall), 500n (nodes), 4d (plies), joined by +."
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def _version(wanted: bool) -> None:
    if wanted:
        from tilery import __version__

        typer.echo(f"tilery {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    context: typer.Context,
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def play(
    game: _Game = "azul",
    seats: Annotated[
        str | None,
        typer.Option("--seats", "-s", metavar="A,B,...", help="2 to 4: person, or a bot (see tilery bots)."),
    ] = None,
    variant: _Variant = None,
    seed: _Seed = None,
    deals: Annotated[
        str, typer.Option("--deals", help="drawn: by the program; typed: by you, from a real table.")
    ] = "drawn",
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Keep the game in this file.")] = None,
    bare: _Bare = False,
) -> None:
    """Play a game, at once: you against a bot unless you say otherwise.

    Type a move such as [bold]3R2[/bold] (from factory 3, red, to line 2), or [bold]moves[/bold] for a list to
    pick from, [bold]hint[/bold] for advice, or [bold]help[/bold]. Every move is saved;
    [bold]tilery resume[/bold] goes on.

    Examples:  tilery play  ·  tilery play -v grey -s person,person,greedy  ·  tilery play schokoly -s person,random
    """
    from tilery.cli.starting import start_session

    start_session(game, seats, variant, seed=seed, deals=deals, save=save, bare=bare)


@app.command()
def resume(
    file: Annotated[Path | None, typer.Argument(help="The saved game; by default the latest unfinished one.")] = None,
    seats: Annotated[
        str | None, typer.Option("--seats", "-s", metavar="A,B,...", help="Who plays on; by default who played.")
    ] = None,
    seed: _Seed = None,
) -> None:
    """Go on with a saved game."""
    from tilery.cli.starting import resume_session

    resume_session(file, seats_text=seats, seed=seed)


@app.command()
def show(
    what: _What,
    ply: Annotated[int | None, typer.Option("--ply", help="Of a record: after so many plies.")] = None,
    record: _Record = 1,
    seat: _Seat = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="In a picture: sizes of groups, contacts (Schokoly).")
    ] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture (- for stdout).")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the legal moves in words.")] = False,
    odds: Annotated[bool, typer.Option("--odds", help="List the odds of what chance brings next.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Print only the position's text.")] = False,
    json: _Json = False,
) -> None:
    """Show a position: as a board, a text, a picture or JSON.

    Examples:  tilery show game.tilery --ply 12  ·  tilery show game.tilery --svg board.svg
    """
    from tilery.cli.looking import show_position

    show_position(
        what,
        ply=ply,
        number=record,
        seat=seat,
        counts=counts,
        svg=svg,
        moves=moves,
        odds=odds,
        text=text,
        json=json,
    )


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record's file (- for stdin).")],
    ply: Annotated[int, typer.Option("--ply", help="Begin after so many plies.")] = 0,
    record: _Record = 1,
    seat: _Seat = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every position without asking.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Print only the record's text (with --seat: as it saw it).")
    ] = False,
) -> None:
    """Step through a recorded game: Enter goes on, b back, a number to that ply, e to the end, q quits."""
    from tilery.cli.looking import replay_file

    replay_file(file, ply=ply, number=record, seat=seat, everything=everything, text=text)


@app.command()
def analyse(
    what: _What,
    ply: Annotated[
        int | None, typer.Option("--ply", help="Of a record: after so many plies (default: the last decision).")
    ] = None,
    record: _Record = 1,
    seat: Annotated[int | None, typer.Option("--seat", metavar="N", help="The seat that decides.")] = None,
    limit: _Limit = "1s",
    lines: Annotated[int, typer.Option("--lines", "-l", min=1, max=1000, help="How many moves to list.")] = 5,
    method: Annotated[
        str | None, typer.Option("--method", help="A search by its name; default: the strongest.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=64, help="How many threads think.")] = 1,
    seed: _Seed = None,
    json: _Json = False,
) -> None:
    """Find the best moves of a position: odds to win, expected margin, what follows. Ctrl-C stops early.

    Only what the seat that decides can see is thought about.

    Examples:  tilery analyse game.tilery --ply 12  ·  tilery analyse game.tilery --limit 10s --threads 4
    """
    from tilery.cli.analysing import analyse_position

    analyse_position(
        what,
        ply=ply,
        number=record,
        seat=seat,
        limit=limit,
        lines=lines,
        method=method,
        threads=threads,
        seed=seed,
        json=json,
    )


@app.command()
def bots(
    game: Annotated[str | None, typer.Option("--game", "-g", help="With the levels and searches of this game.")] = None,
    json: _Json = False,
) -> None:
    """List the bots that can take a seat."""
    from tilery.cli.roster import list_bots

    list_bots(game, json=json)


@app.command()
def engine(
    limit: _Limit = "1s",
    workers: Annotated[
        int, typer.Option("--analysis-threads", min=1, max=64, help="How many queries are thought about at once.")
    ] = 1,
    quit_at_once: Annotated[
        bool, typer.Option("--quit-without-waiting", help="At the end of the input, cancel what is not answered yet.")
    ] = False,
) -> None:
    """Answer other programs: one JSON object a line on standard input, answers on standard output.

    The protocol is described in docs/protocol.md.
    """
    from tilery.cli.serving import serve_engine

    serve_engine(limit, workers=workers, wait=not quit_at_once)


@app.command()
def perft(
    what: Annotated[
        str | None, typer.Argument(metavar="[POSITION|FILE]", help="Default: a first deal of Azul.")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", "-d", min=0, max=20, help="Plies to look ahead.")] = 3,
    divide: Annotated[bool, typer.Option("--divide", help="Count each move by itself.")] = False,
    ply: Annotated[int | None, typer.Option("--ply", help="Of a record: after so many plies.")] = None,
    record: _Record = 1,
    json: _Json = False,
) -> None:
    """Count all lines of play of a given length: a fingerprint of the rules, and a measure of speed."""
    from tilery.cli.counting import count_lines

    count_lines(what, depth=depth, divide=divide, ply=ply, number=record, json=json)


@app.command()
def simulate(
    game: _Game = "azul",
    seats: Annotated[
        str, typer.Option("--seats", "-s", metavar="A,B,...", help="2 to 4 of random, greedy.")
    ] = "greedy,greedy",
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=10_000_000, help="How many games.")] = 1000,
    variant: _Variant = None,
    seed: _Seed = None,
    threads: Annotated[int | None, typer.Option("--threads", min=1, max=1024, help="Default: all cores.")] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Keep all games as records.")] = None,
    bare: _Bare = False,
    json: _Json = False,
) -> None:
    """Let bots play many games in parallel, and print statistics.

    Example:  tilery simulate --seats greedy,random --games 10000 --seed 1
    """
    from tilery.cli.counting import simulate_games

    simulate_games(game, seats, games, variant, seed=seed, threads=threads, save=save, bare=bare, json=json)


app.command()(arena)
app.add_typer(lab, name="lab")
app.command()(serve)
app.add_typer(db, name="db")


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Record files, each with any number of games.")],
    fairness: Annotated[
        bool, typer.Option("--fairness", help="Games of a server: verify that every deal was decided beforehand.")
    ] = False,
    json: _Json = False,
) -> None:
    """Replay recorded games and say what is wrong where. Exit code 1 if anything is."""
    from tilery.cli.looking import verify_files

    if not verify_files(files, fairness=fairness, json=json):
        raise typer.Exit(1)


@app.command()
def bench(
    family: Annotated[str | None, typer.Option("--game", help="Only azul, or only schokoly.")] = None,
    json: _Json = False,
) -> None:
    """Search some fixed positions and print one number for how the engine behaves, and its speed.

    The number changes when play changes, and with nothing else. [bold]make bench[/bold] measures speed thoroughly.
    """
    from tilery.cli.counting import print_signature

    print_signature(family, json=json)
