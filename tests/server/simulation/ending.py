"""What has to be so once everything is quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.server.simulation.watch import Truth, Watch, standing_of
from tilery.games import game
from tilery.table import events as happened
from tilery.table.fairness import check_fairness
from tilery.table.state import Table, fold

if TYPE_CHECKING:
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

SAMPLE = 10  # one run of so many is looked at closely


def check_end(world: World) -> None:
    watch = world.watch
    for process in world.processes.values():
        if process.is_up:
            _check_process(watch, process)
    for client in world.clients:
        last = watch.truths[client.table].table.number
        watch.hold(client.seq == last, "{} knows {} of {} events", client.name, client.seq, last)
    _check_refusals(watch)
    for name, truth in watch.truths.items():
        _check_rematch(watch, name, truth)
        if world.seed % SAMPLE == 0:
            _check_log(world, name, truth)


def _check_process(watch: Watch, process: Process) -> None:
    for copy in process.serving:
        watch.hold(copy.was_broken_off, "{} was never answered by {}", copy, process.name)
    keeper = process.keeper
    watch.hold(keeper.counts.pending == 0, "{} counts {} commands as pending", process.name, keeper.counts.pending)
    for name, live in keeper._lives.items():
        if live.listeners:
            held = live.table is not None and is_same(live.table, watch.truths[name].table)
            watch.hold(held, "{} has listeners at {}, but not what the disk has", process.name, name)


def is_same(one: Table, other: Table) -> bool:
    return (
        standing_of(one) == standing_of(other)
        and (one.number, one.position, one.left, one.turn_began, one.entropy, one.seats)
        == (other.number, other.position, other.left, other.turn_began, other.entropy, other.seats)
        and (one._marks, one._answers) == (other._marks, other._answers)
    )


def _check_refusals(watch: Watch) -> None:
    """What was refused or not taken on each time it was sent has not happened."""
    outcomes: dict[tuple[str, str, str], set[str]] = {}
    for copy in watch.copies:
        outcomes.setdefault((copy.table, copy.client.who, copy.command.id), set()).add(copy.outcome)
    for (table, who, command), all_of_them in outcomes.items():
        if all_of_them <= {"refused", "overloaded"}:
            number = watch.truths[table].numbers.get((who, command))
            watch.hold(number is None, "{} was refused, but it is event {}", command, number)


def _check_rematch(watch: Watch, name: str, truth: Truth) -> None:
    if truth.table.rematch:
        after = watch.truths.get(truth.table.rematch)
        watch.hold(after is not None and after.table.before == name, "the rematch of {} is not there", name)
    if truth.table.before:
        before = watch.truths[truth.table.before].table
        watch.hold(before.rematch == name, "{} is no rematch of {}", name, before.name)


def _check_log(world: World, name: str, truth: Truth) -> None:
    """Read anew, as a process would: the same table; and the deals are the ones that were promised."""
    table = fold(name, world.disk.tables[name].log, game)
    world.watch.hold(is_same(table, truth.table), "the log of {} gives another table", name)
    if table.secret and not any(isinstance(event, happened.TakenBack) for event in truth.events):
        check_fairness(table.record())
