"""The decorator for commands, and the options that several commands share. Imports nothing slow: `--help` is quick."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import getdoc
from pathlib import Path
from typing import Annotated, TypeVar

import typer

Command = TypeVar("Command", bound=Callable[..., None])


def command(group: typer.Typer) -> Callable[[Command], Command]:
    """Add a function to a group as a command; its docstring is the help text."""

    def add(function: Command) -> Command:
        group.command(help=help_text(getdoc(function) or ""))(function)
        return function

    return add


def help_text(docstring: str) -> str:
    """Turn a docstring into a help text: join the lines of each paragraph, except those of examples (`$ ...`)."""
    paragraphs = docstring.split("\n\n")
    return "\n\n".join(re.sub(r"\n(?!\$ )", " ", paragraph) for paragraph in paragraphs)


Bare = Annotated[
    bool,
    typer.Option("--bare", help="Azul without a stall limit (default: 10 rounds in a row without a tile on a wall)."),
]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="DB", help="A file, or postgresql://... Default: tilery.db in the data folder."),
]
Game = Annotated[str, typer.Argument(help="azul, chocolatier or schokoly", show_default=True)]
GameOption = Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="azul, chocolatier or schokoly.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Limit = Annotated[
    str,
    typer.Option(
        "--limit",
        help="How long to think: 10ms or 1.5s (of CPU time), 2ws (wall clock), 500n (nodes), 4d (plies); join with +.",
    ),
]
Ply = Annotated[
    int | None, typer.Option("--ply", metavar="N", help="For a record: the position after N plies. Default: the last.")
]
RecordNumber = Annotated[int, typer.Option("--record", min=1, help="Which game, if the file holds several.")]
RunFolder = Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Save the run in this folder.")]
SeatCount = Annotated[int | None, typer.Option("--seats", "-s", metavar="N", help="Number of seats: 2, 3 or 4.")]
SearchSeed = Annotated[
    str | None, typer.Option("--seed", help="A number or a word. The same seed gives the same search.")
]
Seed = Annotated[str | None, typer.Option("--seed", help="A number or a word. The same seed gives the same deals.")]
Source = Annotated[
    str, typer.Argument(metavar="POSITION|FILE", help="The text of a position, or a record file (- for stdin).")
]
Variant = Annotated[
    str | None,
    typer.Option(
        "--variant",
        "-v",
        metavar="TEXT",
        help="Options joined by commas, such as grey,stall=5. "
        "Azul: grey, specials, specials=game, start=N, start=drawn, rounds=N, stall=N; "
        "they replace the default (coloured wall; chocolatier: with special factories). "
        "Schokoly: large (48 cards), swap (3 players).",
    ),
]
ViewingSeat = Annotated[
    int | None, typer.Option("--seat", metavar="N", help="As seen by seat N (hidden hands stay hidden).")
]
Workers = Annotated[
    int | None, typer.Option("--workers", "-w", min=1, max=1024, help="Number of processes. Default: all cores.")
]
