"""Verification of a table's log: every event must follow from the events before it.

The rules of a table are not written a second time. For each command that was carried out, the command is made again
from the events that it left, the handler carries it out once more, and the events must be the same: seat, sender, deals
and all. What people choose freely (names, chat messages, ids) cannot be verified in this way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from tilery.core.confusables import looks_of
from tilery.core.game import Game
from tilery.core.refusals import Refused
from tilery.table import commands, events
from tilery.table.creation import SeatPlan, Setup, create_table
from tilery.table.events import AnyEvent, Event
from tilery.table.fairness import Dealer, commitment_of, join_entropy
from tilery.table.handler import CommandContext, Handled, handle, resume, tick
from tilery.table.plies import in_current_notation
from tilery.table.refusals import TableRefused
from tilery.table.state import Table
from tilery.table.wire import ClockSetting

MAX_TIME_BACK = 86_400.0  # seconds: the clocks of servers are set right now and then, and differ

_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)
_FREE_TEXT = {events.Sat: "name", events.Renamed: "name", events.Said: "text"}
_ANY_TEXT = "x"  # in commands: whether a text may be used is decided when it is typed, and not again years later
_ANY_NAMES = "abcdefghijklmnopqrstuvwxyz"  # more than seats


class BadLog(Exception):
    """An event that does not follow from the ones before; the text names it, and no name, key or secret."""


def read_log(texts: Sequence[str]) -> list[AnyEvent]:
    """The events of a log. Raises `BadLog`."""
    log = []
    for number, text in enumerate(texts, 1):
        try:
            log.append(events.read_event(text))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise BadLog(f"event {number} cannot be read") from None
    return log


def check_times(log: Sequence[Event]) -> None:
    """Raise `BadLog` if an event is far before the one before it."""
    before = log[0].at if log else 0.0
    for number, event in enumerate(log, 1):
        if event.at < before - MAX_TIME_BACK:
            raise BadLog(f"event {number} ({event.type}): it is earlier than the one before it")
        before = event.at


def verify_log(name: str, secret: bytes, log: Sequence[AnyEvent], find_game: Callable[[str], Game]) -> Table:
    """The table after its events. Raises `BadLog` at the first event that does not follow from those before it."""
    if not log:
        raise BadLog("there are no events")
    number = 0
    try:
        table = _created(name, secret, log[0], find_game)
        dealer = Dealer(secret)
        while number + 1 < len(log):
            number += 1
            number += _verify_next(table, log, number, dealer) - 1
    except BadLog as problem:
        raise BadLog(f"event {number + 1} ({log[number].type}): {problem}") from None
    except Refused as refused:  # its sentence may contain a name
        raise BadLog(f"event {number + 1} ({log[number].type}): it would be refused ({refused.code})") from None
    except Exception as error:  # a damaged event may raise anything
        raise BadLog(f"event {number + 1} ({log[number].type}): it is impossible ({type(error).__name__})") from None
    return table


def _created(name: str, secret: bytes, created: AnyEvent, find_game: Callable[[str], Game]) -> Table:
    """The table after its first event, which is made again from a setup."""
    if not isinstance(created, events.Created):
        raise BadLog("the first event does not create the table")
    if created.commitment != commitment_of(secret):
        raise BadLog("the secret does not match the commitment")
    seats = [
        SeatPlan(kind="bot", bot=bot) if bot else SeatPlan(kind="me" if key else "open", name=_ANY_TEXT)
        for _, key, bot in zip(created.names, created.keys, created.bots, strict=True)
    ]
    clock = msgspec.convert(created.clock, ClockSetting | None)
    variant = created.rules.partition(",")[2]
    setup = Setup(
        game=created.game, seats=tuple(seats), variant=variant, clock=clock, public=created.public, chat=created.chat
    )
    event = create_table(setup, created.host, created.at, (name, secret), find_game, lambda *_: None).event
    names = tuple(
        given if key else right for given, key, right in zip(created.names, created.keys, event.names, strict=True)
    )
    event = replace(event, names=names, before=created.before)
    if created.before:  # a rematch: several people have seats from the start
        event = replace(event, keys=created.keys, host=next(filter(None, created.keys), ""))
    _compare((event,), (created,))
    for key in (created.host, *filter(None, created.keys)):
        _check_key(key)
    table = Table(name, created, find_game)
    table.apply(created)
    return table


def _check_key(key: str) -> None:
    if not _KEY.fullmatch(key):
        raise BadLog("a key is not a hash")


def _verify_next(table: Table, log: Sequence[AnyEvent], index: int, dealer: Dealer) -> int:
    """Carry out the command that left the event at an index, again; returns the number of its events."""
    first = log[index]
    try:
        handled = _carry_out(table, log, index, dealer)
    except TableRefused as refused:
        if refused.kind != "full":  # a limit of today, not of the version that accepted the command
            raise
        count = next((n for n, event in enumerate(log[index:]) if _head(event) != _head(first)), len(log) - index)
        handled = Handled(tuple(log[index : index + count]))
    if handled.repeated is not None:
        raise BadLog(f"its id is the one of event {handled.repeated}")
    if not handled.events:
        raise BadLog("nothing has led to it")
    stored = [_current(table, event) for event in log[index : index + len(handled.events)]]
    _compare(_with_free_texts(handled.events, stored), stored)
    for event in stored:
        table.apply(event, handled.played)
    return len(stored)


def _head(event: Event) -> tuple[float, str, str]:
    return event.at, event.by, event.id


def _carry_out(table: Table, log: Sequence[AnyEvent], index: int, dealer: Dealer) -> Handled:
    """What the handler makes of the command that left the event at an index, or of the time."""
    first = log[index]
    if isinstance(first, events.Resumed):
        return Handled(resume(table, first.at))
    if isinstance(first, events.Closed) or (isinstance(first, events.Resigned) and first.why == "time"):
        return Handled(tick(table, first.at, dealer))
    if isinstance(first, events.Sat):
        _check_key(first.key)
    main = log[index + 1] if isinstance(first, events.Returned) and index + 1 < len(log) else first
    make = _COMMANDS.get(type(main))
    if make is None:
        raise BadLog("no command has led to it")
    bot = getattr(main, "seat", None) if not main.by else None
    if bot is not None and (table.actor != bot or table.seats[bot].kind != "bot"):
        raise BadLog("nobody has sent its command")
    new_table = next((event.table for event in log[index : index + 3] if isinstance(event, events.Rematched)), "")
    context = CommandContext(
        table,
        make(table, _current(table, main), {"id": first.id, "step": table.step}),
        main.key if isinstance(main, events.Sat) else main.by,
        bot,
        first.at,
        dealer,
        lambda: (new_table, b""),
        lambda _: None,
    )
    return handle(context)


def _current(table: Table, event: AnyEvent) -> AnyEvent:
    """An event in the current notation."""
    if isinstance(event, (events.Started, events.Played)) and event.version != table.game.version:
        return in_current_notation(table.position, event)
    return event


def _with_free_texts(made: Sequence[Event], stored: Sequence[Event]) -> list[Event]:
    """Events with the names and chat messages of the stored ones."""
    return [
        replace(event, **{name: getattr(other, name)})
        if (name := _FREE_TEXT.get(type(event))) and type(event) is type(other)
        else event
        for event, other in zip(made, [*stored, *made[len(stored) :]], strict=True)
    ]


def _compare(made: Sequence[Event], stored: Sequence[Event]) -> None:
    if len(stored) < len(made):
        raise BadLog(f"an event {made[len(stored)].type} is missing after it")
    for right, found in zip(made, stored, strict=True):
        if type(right) is not type(found):
            raise BadLog(f"an event {right.type} should be there")
        wrong = [name for name in found.__struct_fields__ if getattr(right, name) != getattr(found, name)]
        if wrong:
            raise BadLog(f"`{wrong[0]}` of {found.type} is not what follows from the events before")


def _added_entropy(table: Table, event: events.Started) -> str:
    """The entropy that the sender of the command added to that of the seats."""
    before = join_entropy(table.entropy)
    if event.entropy == before:
        return ""
    return event.entropy.removeprefix(f"{before}," if before else "")


_Make = Callable[[Table, Any, dict[str, Any]], commands.AnyCommand]
_COMMANDS: dict[type[Event], _Make] = {
    events.Sat: lambda table, event, head: commands.Sit(
        name=_any_name(table), seat=event.seat, entropy=event.entropy, **head
    ),
    events.Left: lambda _, __, head: commands.Leave(**head),
    events.Renamed: lambda table, event, head: commands.Rename(name=_any_name(table), seat=event.seat, **head),
    events.Arranged: lambda _, event, head: commands.Arrange(seat=event.seat, bot=event.bot, **head),
    events.Started: lambda table, event, head: commands.Start(entropy=_added_entropy(table, event), **head),
    events.Played: lambda _, event, head: commands.Play(move=event.move, **head),
    events.Resigned: lambda _, event, head: commands.Resign(seat=event.seat, **head),
    events.Offered: lambda _, event, head: commands.Offer(what=event.what, seat=event.seat, bot=event.bot, **head),
    events.Agreed: lambda table, _, head: commands.Answer(offer=_offer(table), yes=True, **head),
    events.Declined: lambda table, _, head: commands.Answer(offer=_offer(table), yes=False, **head),
    events.Said: lambda _, __, head: commands.Say(text=_ANY_TEXT, **head),
}


def _any_name(table: Table) -> str:
    """A name that looks like nobody's at the table."""
    taken = frozenset[str]().union(*(looks_of(seat.name) for seat in table.seats))
    return next(name for name in _ANY_NAMES if not looks_of(name) & taken)


def _offer(table: Table) -> int:
    return table.offer.number if table.offer else 0
