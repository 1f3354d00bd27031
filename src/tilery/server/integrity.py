"""Integrity of a store: every row is read, every command carried out again, every deal verified.

A finding is about one table, or about the store as a whole. Damage never stops the check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from tilery.core.refusals import Refused
from tilery.games import game
from tilery.server.hosting.live_tables import summary_of
from tilery.server.store.digests import NO_EVENTS, extend_digest
from tilery.server.store.inspection import BadRows, RawTable, Snapshot, StoredTable, open_snapshot, read_rows
from tilery.server.store.interface import Summary
from tilery.server.store.migrations import SQLITE, latest_version, missing_statements
from tilery.table.state import Table
from tilery.table.verification import BadLog, check_times, read_log, verify_log

Progress = Callable[[int, int], None]

# What a repair does about a finding: the table is set aside; columns that follow from its events are written again; the
# file or the index is written again.
Remedy = Literal["set aside", "correct", "rebuild"]


class Finding(NamedTuple):
    """Something wrong: with a table, or ("") with the store as a whole."""

    table: str
    problem: str
    remedy: Remedy


class CheckedTable(NamedTuple):
    """A table with what is wrong with it, and with the columns that follow from its events, if those are right."""

    raw: RawTable
    findings: tuple[Finding, ...] = ()
    summary: Summary | None = None
    digest: str = ""

    @property
    def is_damaged(self) -> bool:
        """Whether it has to be set aside."""
        return any(finding.remedy == "set aside" for finding in self.findings)

    @property
    def has_digest(self) -> bool:
        return bool(self.raw.row and self.raw.row.get("digest"))


class Report:
    """The result of a check."""

    def __init__(self) -> None:
        self.tables = 0
        self.events = 0
        self.without_digest = 0
        self.findings: list[Finding] = []

    @property
    def wrong_tables(self) -> int:
        return len({finding.table for finding in self.findings if finding.table})


def find_problem(name: str, secret: bytes, log: Sequence[str]) -> str:
    """The first problem of a table's log; "" if there is none."""
    try:
        _verified(name, secret, log, vouched=False)
    except BadLog as problem:
        return str(problem)
    return ""


def _verified(name: str, secret: bytes, texts: Sequence[str], *, vouched: bool) -> Table:
    """The table after its events. `vouched`: the digest says that nobody has changed their times."""
    log = read_log(texts)
    if not vouched:
        check_times(log)
    return verify_log(name, secret, log, game)


def check(database: str, progress: Progress = lambda done, total: None) -> Report:  # noqa: ARG005
    """Check a store or a backup; a server may be using it."""
    report = Report()
    with open_snapshot(database) as snapshot:
        report.findings += check_store(snapshot)
        for table in check_tables(snapshot, progress):
            report.tables += 1
            report.events += len(table.raw.events)
            report.without_digest += not table.has_digest
            report.findings += table.findings
    return report


def check_store(snapshot: Snapshot) -> list[Finding]:
    """What is wrong with the store as a whole."""
    if later := _later_version(snapshot):
        return [Finding("", later, "rebuild")]
    return [Finding("", problem, "rebuild") for problem in snapshot.problems()]


def _later_version(snapshot: Snapshot) -> str:
    """Why this Tilery cannot judge the store, "" if it can."""
    try:
        missing_statements(snapshot.version, SQLITE)
    except Refused as refused:
        return str(refused)
    return ""


def check_tables(snapshot: Snapshot, progress: Progress) -> Iterator[CheckedTable]:
    """Check one table after the other; those of a later version are skipped."""
    numbers = [] if _later_version(snapshot) else snapshot.numbers()
    names: set[str] = set()
    for done, number in enumerate(numbers, 1):
        raw = snapshot.table(number)
        checked = check_table(raw, is_current=snapshot.version == latest_version())
        if raw.row and raw.name in names:
            twice = Finding(raw.name, "another table has the same name", "set aside")
            checked = checked._replace(findings=(*checked.findings, twice))
        names.add(raw.name)
        yield checked
        progress(done, len(numbers))


def check_table(raw: RawTable, *, is_current: bool) -> CheckedTable:
    """Check a table. Of a store that has not been migrated yet, the lobby's view is not compared."""
    try:
        stored = read_rows(raw)
        digest = extend_digest(NO_EVENTS, stored.texts)
        if stored.digest not in (None, digest):
            raise BadRows("its events are not those that were stored: their digest is another one")
        table = _verified(stored.name, stored.secret, stored.texts, vouched=stored.digest is not None)
    except (BadRows, BadLog) as problem:
        return CheckedTable(raw, (Finding(raw.name, str(problem), "set aside"),))
    summary = summary_of(table)
    return CheckedTable(raw, tuple(_compare_summary(stored, summary, is_current=is_current)), summary, digest)


def _compare_summary(stored: StoredTable, summary: Summary, *, is_current: bool) -> Iterator[Finding]:
    """The columns of a table that do not follow from its events. The lobby's view of a table without a digest may be
    that of the earlier version which wrote it."""
    for column in Summary._fields:
        if column in ("public", "card") and (stored.digest is None or not is_current):
            continue
        if getattr(stored.summary, column) != getattr(summary, column):
            yield Finding(stored.name, f"its `{column}` is not what follows from its events", "correct")
