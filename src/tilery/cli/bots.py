"""`tilery bots`: list the bots."""

from __future__ import annotations

import json as json_module

from rich.table import Table

from tilery.cli.output import console
from tilery.engine.bots import BOTS
from tilery.engine.family import family_of
from tilery.games import game


def _bots(name: str | None) -> list[tuple[str, str]]:
    """Names and descriptions; for one game, with its levels and searches."""
    if name is None:
        return [(each.name, each.about) for each in BOTS.values()]
    chosen = game(name)
    family = family_of(chosen)
    ladder = {f"level-{number}": level.about for number, level in enumerate(family.levels(chosen.rules), start=1)}
    bots = [
        (each.name, ladder.get(each.name) or each.about)
        for each in BOTS.values()
        if each.name in ladder or not each.name.startswith("level-")
    ]
    searches = [method for method in family.methods if method not in BOTS]
    return bots + [(f"{method}@LIMIT", f"the search {method}, such as {method}@100ms") for method in searches]


def list_bots(name: str | None, *, json: bool) -> None:
    """Print the list of bots as a table or as JSON."""
    bots = _bots(name)
    if json:
        print(json_module.dumps({"bots": [{"name": bot, "about": about} for bot, about in bots]}))
        return
    table = Table.grid(padding=(0, 3))
    table.add_column(style="bold", no_wrap=True)
    for bot, about in bots:
        table.add_row(bot, about)
    console.print(table)
    more = "A search takes a limit per move: tilery@50ms, tilery@500n. cmd:COMMAND runs your own program."
    console.print(more, style="dim")
