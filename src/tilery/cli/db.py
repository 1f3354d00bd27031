"""`tilery db`: back up, restore and check the database behind the server."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tilery.cli.files import store_address
from tilery.cli.output import console


@contextmanager
def _progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; yield the function that updates it with (done, total)."""
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def backup_store(database: str | None, file: Path) -> None:
    """Copy the database into a file."""
    from tilery.server.store.backup import backup

    with _progress_bar("Copying") as progress:
        backup(store_address(database), file, progress)
    console.print(f"Copied to {file}. Keep it private: it contains the secrets of running games.", soft_wrap=True)


def restore_store(database: str | None, file: Path) -> None:
    """Fill an empty database from a backup."""
    from tilery.server.store.backup import restore

    with _progress_bar("Restoring") as progress:
        restore(file, store_address(database), progress)
    console.print("Restored. `tilery db check` replays every game in it.")


def check_store(database: str | None, *, json: bool) -> bool:
    """Replay every game; True if all are right."""
    from tilery.server.integrity import find_problem
    from tilery.server.store.backup import walk

    tables = events = 0
    problems = []
    with _progress_bar("Replaying") as progress:
        for name, secret, log in walk(store_address(database)):
            tables += 1
            events += len(log)
            problem = find_problem(name, secret, log)
            if problem:
                problems.append({"table": name, "problem": problem})
            progress(tables, tables)
    if json:
        print(json_module.dumps({"tables": tables, "events": events, "problems": problems}))
        return not problems
    for wrong in problems:
        console.print(f"table {wrong['table']}: {wrong['problem']}", style="red", soft_wrap=True)
    console.print(f"{tables} tables with {events} events replayed, {len(problems)} wrong.", style="bold")
    return not problems
