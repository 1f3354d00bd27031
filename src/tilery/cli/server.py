"""`tilery serve` and `tilery db`."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from tilery.cli.files import data_folder
from tilery.cli.printing import console
from tilery.core.refusals import Refused
from tilery.server.settings import read_settings


def _address(database: str | None) -> str:
    """Where the store is."""
    if database:
        return database
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tilery.db")


def run_server(config: Path | None, flags: Mapping[str, Any]) -> None:
    """Serve until somebody stops it."""
    settings = read_settings(config, flags)
    try:
        from tilery.server.serving import serve
        from tilery.server.store.opening import open_store
    except ModuleNotFoundError as error:
        raise Refused(f"the server needs the package {error.name}: pip install tilery") from None
    store = open_store(_address(settings.database))

    def ready(address: str) -> None:
        console.print(Text.assemble("Tables are open at ", (address, "bold"), ". Ctrl-C stops."), soft_wrap=True)

    serve(store, settings, ready)
    console.print("Stopped; everything is kept.")


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar, told by (done, total)."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def backup_store(database: str | None, file: Path) -> None:
    """Copy a store into a file."""
    from tilery.server.store.copying import backup

    with _bar("Copying") as progress:
        backup(_address(database), file, progress)
    console.print(f"Copied into {file}. Keep it to yourself: it contains the secrets of running games.", soft_wrap=True)


def restore_store(database: str | None, file: Path) -> None:
    """Fill an empty store from a file."""
    from tilery.server.store.copying import restore

    with _bar("Restoring") as progress:
        restore(file, _address(database), progress)
    console.print("Restored. `tilery db check` replays every game of it.")


def check_store(database: str | None, *, json: bool) -> bool:
    """Replay every game; True when all are right."""
    from tilery.server.checking import problem_of
    from tilery.server.store.copying import walk

    tables = events = 0
    problems = []
    with _bar("Replaying") as progress:
        for name, secret, log in walk(_address(database)):
            tables += 1
            events += len(log)
            problem = problem_of(name, secret, log)
            if problem:
                problems.append({"table": name, "problem": problem})
            progress(tables, tables)
    if json:
        print(json_module.dumps({"tables": tables, "events": events, "problems": problems}))
        return not problems
    for found in problems:
        console.print(f"table {found['table']}: {found['problem']}", style="red", soft_wrap=True)
    console.print(f"{tables} tables with {events} events replayed, {len(problems)} wrong.", style="bold")
    return not problems
