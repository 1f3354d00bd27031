"""`tilery serve` and the group `tilery db`: their options. Imports nothing slow: `--help` is quick."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from tilery.cli import options
from tilery.cli.options import command
from tilery.server.settings import KINDS, OLD_NAMES, Settings

db = typer.Typer(
    name="db",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="For server operators: back up, restore, check and repair the database.",
)


@db.callback()
def _main(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _with_setting_flags(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command one flag for each setting of the server, and a hidden one for each of its old names."""
    parameters = list(inspect.signature(function, eval_str=True).parameters.values())[:-1]
    flags = [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                KINDS[setting.name] | None,
                typer.Option(
                    f"--{setting.name.replace('_', '-')}",
                    help=f"{setting.metadata['about'][0].upper()}{setting.metadata['about'][1:]}."
                    + (f" Default: {setting.default}." if setting.default not in ("", False) else ""),
                    show_default=False,
                ),
            ],
        )
        for setting in fields(Settings)
    ] + [
        inspect.Parameter(
            old,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[KINDS[new] | None, typer.Option(f"--{old.replace('_', '-')}", hidden=True)],
        )
        for old, new in OLD_NAMES.items()
    ]
    function.__signature__ = inspect.Signature([*parameters, *flags])  # type: ignore[attr-defined]
    function.__annotations__ |= {flag.name: flag.annotation for flag in flags}
    return function


@_with_setting_flags
def serve(
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="A TOML file with the settings below, such as log_level."),
    ] = None,
    **flags: Any,
) -> None:
    """Run a server with tables for people and bots.

    By default only this machine can reach it. [bold]--lan[/bold] makes it reachable in your local network and prints a
    QR code for phones; [bold]--open[/bold] opens it in your browser. Ctrl-C stops it; nothing is lost.

    Everything is stored in one file in the data folder; with [bold]--database postgresql://...[/bold] several servers
    share all tables. Each setting may also be given in a file or in the environment (TILERY_PORT for --port).

    Examples:
    $ tilery serve --open
    $ tilery serve --lan
    $ tilery serve --host 0.0.0.0 --port 8080
    """
    from tilery.cli.serve import run_server

    run_server(config, flags)


@command(db)
def backup(
    file: Annotated[Path, typer.Argument(help="The file to create; it must not exist yet.")],
    database: options.Database = None,
) -> None:
    """Copy the whole database into one file, even while the server runs.

    Keep the copy private: it contains the secrets of running games.

    Example:
    $ tilery db backup monday.db
    """
    from tilery.cli.db import backup_store

    backup_store(database, file)


@command(db)
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `tilery db backup`.")],
    database: options.Database = None,
) -> None:
    """Fill an empty database from a backup.

    A backup of SQLite can be restored into PostgreSQL and the other way round.

    Example:
    $ tilery db restore monday.db --database postgresql://tilery@localhost/tilery
    """
    from tilery.cli.db import restore_store

    restore_store(database, file)


@command(db)
def check(database: options.Database = None, json: options.Json = False) -> None:
    """Check every table: replay its game, verify its deals, and compare what the database says about it.

    Works on the database of a running server, and on a copy. Every problem is shown with its table, and
    [bold]tilery db repair[/bold] says what can be done about it. The exit code is 1 if anything is wrong.

    Example:
    $ tilery db check --database monday.db
    """
    from tilery.cli.db import check_store

    if not check_store(database, json=json):
        raise typer.Exit(1)


@command(db)
def repair(
    database: options.Database = None,
    aside: Annotated[
        Path | None,
        typer.Option("--aside", metavar="FILE", help="The file to create for damaged tables.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
) -> None:
    """Set damaged tables aside into a file, and keep the rest. Stop the server first.

    What follows from the events of a table (its entry in the lobby, its alarm) and lost indexes are written again. A
    SQLite file is written anew, and the old one keeps its content under another name.

    Examples:
    $ tilery db repair --dry-run
    $ tilery db repair
    $ tilery db repair --database postgresql://tilery@localhost/tilery --aside damaged.db
    """
    from tilery.cli.db import repair_store

    repair_store(database, aside, dry_run=dry_run)
