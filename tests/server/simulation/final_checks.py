"""The invariants at the end of a run, when nothing happens any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.server.simulation.invariants import Invariants, StoredTable, state_of
from tilery.games import game
from tilery.server.integrity import find_problem
from tilery.server.store.digests import NO_EVENTS, extend_digest
from tilery.table.state import Table, fold

if TYPE_CHECKING:
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

SAMPLE = 10  # one run in this many is checked in detail


def check_end(world: World) -> None:
    invariants = world.invariants
    for process in world.processes.values():
        if process.is_up:
            _check_process(invariants, process)
    for client in world.clients:
        last = invariants.tables[client.table].table.number
        invariants.check(
            client.seq == last or not client.is_done, "{} knows {} of {} events", client.name, client.seq, last
        )
    _check_refusals(invariants)
    for name, actual in invariants.tables.items():
        _check_rematch(invariants, name, actual)
        if world.seed % SAMPLE == 0:
            _check_log(world, name, actual)


def _check_process(invariants: Invariants, process: Process) -> None:
    for copy in process.serving:
        invariants.check(copy.was_cancelled, "{} was never answered by {}", copy, process.name)
    table_host = process.table_host
    invariants.check(
        table_host.metrics.pending == 0, "{} counts {} commands as pending", process.name, table_host.metrics.pending
    )
    for live in table_host.live_tables.all():
        if live.listeners:
            held = live.table is not None and is_same(live.table, invariants.tables[live.name].table)
            invariants.check(held, "{} has listeners at {}, but not what the disk has", process.name, live.name)


def is_same(one: Table, other: Table) -> bool:
    return (
        state_of(one) == state_of(other)
        and (one.number, one.position, one.time_left, one.turn_began, one.entropy, one.seats)
        == (other.number, other.position, other.time_left, other.turn_began, other.entropy, other.seats)
        and (one._command_hashes, one._first_events) == (other._command_hashes, other._first_events)
    )


def _check_refusals(invariants: Invariants) -> None:
    """A command whose every copy was refused or rejected was not executed."""
    outcomes: dict[tuple[str, str, str], set[str]] = {}
    for copy in invariants.copies:
        outcomes.setdefault((copy.table, copy.client.who, copy.command.id), set()).add(copy.outcome)
    for (table, who, command), all_of_them in outcomes.items():
        if all_of_them <= {"refused", "busy"}:
            number = invariants.tables[table].numbers.get((who, command))
            invariants.check(number is None, "{} was refused, but it is event {}", command, number)


def _check_rematch(invariants: Invariants, name: str, actual: StoredTable) -> None:
    if actual.table.rematch:
        after = invariants.tables.get(actual.table.rematch)
        invariants.check(after is not None and after.table.before == name, "the rematch of {} is not there", name)
    if actual.table.before:
        before = invariants.tables[actual.table.before].table
        invariants.check(before.rematch == name, "{} is no rematch of {}", name, before.name)


def _check_log(world: World, name: str, actual: StoredTable) -> None:
    """Reading the log gives the same table, and the deals match the commitment."""
    table = fold(name, world.disk.tables[name].log, game)
    world.invariants.check(is_same(table, actual.table), "the log of {} gives another table", name)
    stored = world.disk.tables[name]
    problem = find_problem(name, stored.secret, stored.log)
    world.invariants.check(not problem, "the log of {} does not follow: {}", name, problem)
    right = stored.digest == extend_digest(NO_EVENTS, stored.log)
    world.invariants.check(right, "the digest of {} is not that of its log", name)
