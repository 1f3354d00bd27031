"""`tilery db`: back up, restore, check and repair the database behind the server."""

from __future__ import annotations

import json as json_module
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tilery.cli.files import store_address
from tilery.cli.output import console

if TYPE_CHECKING:
    from tilery.server.integrity import Finding


@contextmanager
def _progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; yield the function that updates it with (done, total)."""
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _stopped_cleanly() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end a command as Ctrl-C does: files that are not complete are removed."""

    def stop(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(number, signal.signal(number, stop)) for number in signals]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def backup_store(database: str | None, file: Path) -> None:
    """Copy the database into a file."""
    from tilery.server.store.backup import backup

    with _stopped_cleanly(), _progress_bar("Copying") as progress:
        backup(store_address(database), file, progress)
    console.print(f"Copied to {file}. Keep it private: it contains the secrets of running games.", soft_wrap=True)


def restore_store(database: str | None, file: Path) -> None:
    """Fill an empty database from a backup."""
    from tilery.server.store.backup import restore

    with _progress_bar("Restoring") as progress:
        restore(file, store_address(database), progress)
    console.print("Restored. `tilery db check` replays every game in it.")


def check_store(database: str | None, *, json: bool) -> bool:
    """Check every table; True if nothing is wrong."""
    from tilery.server.integrity import check

    with _progress_bar("Replaying") as progress:
        report = check(store_address(database), progress)
    if json:
        problems = [{"table": finding.table or None, "problem": finding.problem} for finding in report.findings]
        counts = {"tables": report.tables, "events": report.events, "without_digest": report.without_digest}
        print(json_module.dumps({**counts, "problems": problems}))
        return not problems
    print_findings(report.findings)
    replayed = f"{report.tables} tables with {report.events} events replayed, {report.wrong_tables} wrong."
    console.print(replayed, style="bold")
    if report.without_digest:
        console.print(
            f"{report.without_digest} of them have no digest, because an earlier version wrote them: nobody can tell "
            "whether their last events are missing. They get one with their next event, or by `tilery db repair`.",
            soft_wrap=True,
        )
    return not report.findings


def print_findings(findings: Sequence[Finding]) -> None:
    """One line for each finding."""
    for finding in findings:
        where = f"table {finding.table}" if finding.table else "the store"
        console.print(f"{where}: {finding.problem}", style="red", soft_wrap=True)


def repair_store(database: str | None, aside: Path | None, *, dry_run: bool) -> None:
    """Set damaged tables aside, and say what was done about each finding."""
    from tilery.server.repair import repair

    with _stopped_cleanly(), _progress_bar("Repairing") as progress:
        done = repair(store_address(database), aside=aside, dry_run=dry_run, progress=progress)
    print_findings(done.findings)
    if not done.is_needed:
        console.print(f"Nothing to repair in {done.tables} tables.", style="bold")
        return
    would = "would be " if dry_run else ""
    corrected = {finding.table for finding in done.findings if finding.table} - done.set_aside
    for names, what in ((done.set_aside, "set aside"), (corrected, "corrected")):
        for name in sorted(names):
            console.print(f"table {name}: {would}{what}", soft_wrap=True)
    console.print(f"{done.tables} tables {would}kept, {len(done.set_aside)} set aside.", style="bold")
    if done.aside:
        console.print(f"Set aside into {done.aside}; keep it private: it contains secrets.", soft_wrap=True)
    if done.original:
        console.print(f"The old file is now {done.original}; delete it when you no longer need it.", soft_wrap=True)
