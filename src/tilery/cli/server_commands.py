"""The commands of the server and their options. Bodies import what they need, so that `--help` is quick."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from tilery.server.settings import KINDS, Settings

db = typer.Typer(
    name="db",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="For who runs a server: copy its store, restore it, check it.",
)

_Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="DB", help="A file, or postgresql://...; by default tilery.db in the data folder."
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@db.callback()
def _main(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one flag for each setting of the server."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[:-1]
    flags = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                KINDS[one.name] | None,
                typer.Option(
                    f"--{one.name.replace('_', '-')}",
                    help=f"{one.metadata['about'][0].upper()}{one.metadata['about'][1:]}."
                    + (f" Default: {one.default}." if one.default not in ("", False) else ""),
                    show_default=False,
                ),
            ],
        )
        for one in fields(Settings)
    ]
    command.__signature__ = inspect.Signature([*own, *flags])  # type: ignore[attr-defined]
    command.__annotations__ |= {flag.name: flag.annotation for flag in flags}
    return command


@_with_flags
def serve(
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="A file of settings (TOML, the names below).")
    ] = None,
    **flags: Any,
) -> None:
    """Open tables for people and bots; Ctrl-C stops.

    Only this machine can reach it. [bold]--lan[/bold] lets in everybody in your network, and shows a code that
    phones read; [bold]--open[/bold] opens it in your browser.

    Everything is kept in one file in the data folder; with [bold]--database postgresql://...[/bold] several servers
    share all tables. Each setting may also stand in a file or in the environment (--port: TILERY_PORT).

    Examples:  tilery serve --open  ·  tilery serve --lan  ·  tilery serve --host 0.0.0.0 --port 8080
    """
    from tilery.cli.server import run_server

    run_server(config, flags)


@db.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The new file; it must not exist.")], database: _Database = None
) -> None:
    """Copy the whole store into one file, also while the server runs. The copy contains the tables' secrets."""
    from tilery.cli.server import backup_store

    backup_store(database, file)


@db.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `tilery db backup` wrote.")], database: _Database = None
) -> None:
    """Fill an empty store from a copy, of either kind: also the way from SQLite to PostgreSQL."""
    from tilery.cli.server import restore_store

    restore_store(database, file)


@db.command()
def check(database: _Database = None, json: _Json = False) -> None:
    """Replay every game of the store, and verify every deal. Exit code 1 if anything is wrong."""
    from tilery.cli.server import check_store

    if not check_store(database, json=json):
        raise typer.Exit(1)
