"""A table for tests: people are letters, the time is a number, and every event is logged as a server would."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import count
from typing import Any

import msgspec
import pytest

from tests.notation import texts
from tilery.core.game import Game, Rules
from tilery.core.kernel.actors import CHANCE
from tilery.core.refusals import Refused
from tilery.games import game
from tilery.table import commands, events, wire
from tilery.table.creation import NewTable, SeatPlan, Setup, create_table
from tilery.table.events import Event, write_event
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, Handled, handle, resume, tick
from tilery.table.refusals import TableRefused
from tilery.table.state import WHO, AppliedEvent, Table
from tilery.table.views import TableViews

SECRET = bytes(range(32))
BOTS = ("greedy", "random")


def short(value: object) -> str:
    """A value as part of a test id."""
    return ascii(value)[:24]


def key_of(person: str) -> str:
    """The hash of a person's token; "" for a person without one."""
    return (person * 64)[:64]


def who_of(person: str) -> str:
    return key_of(person)[:WHO]


def check_name(bot: str) -> None:
    if bot not in BOTS:
        raise TableRefused.of("bad-text", Refused(f"there is no bot {bot[:40]!a}"))


def check_bot(_: Game, __: Rules, bot: str) -> None:
    check_name(bot)


def setup_of(seats: str, name: str = "azul", **others: Any) -> Setup:
    """Seats as letters: `a` is the host, `*` is a bot, everything else is open."""
    plans = {"a": SeatPlan(kind="me", name="Anna"), "*": SeatPlan(kind="bot", bot="greedy")}
    plans_of_seats = tuple(plans.get(letter, SeatPlan(kind="open")) for letter in seats)
    clock = others.pop("clock", None)
    return Setup(game=name, seats=plans_of_seats, clock=clock and msgspec.convert(clock, wire.ClockSetting), **others)


def new_table(setup: Setup, person: str = "a", now: float = 0.0, secret: bytes = SECRET, table: str = "T") -> NewTable:
    return create_table(setup, key_of(person), now, (table, secret), game, check_bot)


def snapshot(table: Table) -> dict[str, Any]:
    """The complete state of a table, for comparison."""
    simple = (
        "name rules host commitment clock public has_chat before created_at start position status number step entropy "
        "secret time_left turn_began offer result rematch chat_count plies actor deadline"
    )
    state: dict[str, Any] = {name: getattr(table, name) for name in simple.split()}
    state["offer"] = asdict(table.offer) if table.offer else None
    state["time_left"], state["entropy"] = list(table.time_left), list(table.entropy)
    state["seats"] = [asdict(seat) for seat in table.seats]
    state["game"], state["record"] = table.game.name, table.record()
    state["chat"], state["recent"] = list(table.chat), list(table.recent)
    state["commands"] = (table._command_hashes.tobytes(), table._first_events.tobytes())
    return state


class TableDriver:
    """A table, its log and its dealer. By default everybody in `seats` sits down and the game starts."""

    def __init__(
        self,
        seats: str = "ab",
        name: str = "azul",
        *,
        start: bool = True,
        dealer: Dealer | None = None,
        new: NewTable | None = None,
        **others: Any,
    ) -> None:
        self.now = 0.0
        self.ids = count(1)
        self.new = new or new_table(setup_of(seats, name, **others))
        self.dealer = dealer or Dealer(self.new.secret)
        self.table = Table(self.new.table, self.new.event, game)
        self.log: list[str] = []
        self.applied: list[AppliedEvent] = []
        self.events: list[Event] = []
        self.handled = Handled()
        self.shown = TableViews(self.table, self.now).shown()  # what everybody knew before the last events
        self.apply(Handled((self.new.event,)))
        if new is None:
            for number, letter in enumerate(seats):
                if letter not in "a*.":
                    self.do(letter, commands.Sit, name=letter.upper(), seat=number, entropy=f"{number:02x}")
            if start:
                self.do("a", commands.Start, entropy="cafe")

    def apply(self, handled: Handled) -> list[AppliedEvent]:
        self.shown = TableViews(self.table, self.now).shown()
        self.applied = []
        for event in handled.events:
            self.log.append(write_event(event))
            self.events.append(event)
            self.applied.append(self.table.apply(event, handled.played))
        return self.applied

    def handle(self, person: str, command: commands.AnyCommand, bot: int | None = None) -> Handled:
        """The events that a command would have; nothing is changed."""
        return handle(
            CommandContext(
                self.table, command, key_of(person), bot, self.now, self.dealer, lambda: ("U", b"u" * 32), check_name
            )
        )

    def command(self, kind: type[commands.AnyCommand], **fields: Any) -> commands.AnyCommand:
        return kind(**{"id": f"c{next(self.ids)}", "step": self.table.step, **fields})

    def do(
        self, person: str, kind: type[commands.AnyCommand], *, by_bot: int | None = None, **fields: Any
    ) -> list[AppliedEvent]:
        """Carry out a command."""
        self.handled = self.handle(person, self.command(kind, **fields), by_bot)
        return self.apply(self.handled)

    def refused(self, person: str, command: type[commands.AnyCommand], kind: str, **fields: Any) -> TableRefused:
        """Send a command that must be refused in this way (or one of several, `a|b`) and change nothing."""
        before = snapshot(self.table)
        with pytest.raises(TableRefused) as caught:
            self.handle(person, self.command(command, **fields))
        assert caught.value.kind in kind.split("|"), caught.value
        assert snapshot(self.table) == before
        return caught.value

    def tick(self) -> list[AppliedEvent]:
        return self.apply(Handled(tick(self.table, self.now, self.dealer)))

    def resume(self) -> list[AppliedEvent]:
        return self.apply(Handled(resume(self.table, self.now)))

    @property
    def actor(self) -> int:
        assert self.table.actor is not None
        return self.table.actor

    @property
    def turn_of(self) -> str:
        """The letter of the person whose turn it is, "" for a bot."""
        seat = self.table.seats[self.actor]
        return "" if seat.bot else seat.key[:1]

    def move(self, which: int = 0) -> list[AppliedEvent]:
        """Make the legal move number `which` for the seat to move."""
        moves = texts(self.table.position)
        bot = self.actor if self.table.seats[self.actor].kind == "bot" else None
        return self.do(self.turn_of, commands.Play, by_bot=bot, move=moves[which % len(moves)])

    def move_until_chance(self) -> None:
        """Move until chance has acted."""
        deals = self.table.history.deals
        while self.table.history.deals == deals:
            self.move()

    def move_without_chance(self) -> None:
        """Make a move after which nothing is dealt."""
        for which, move in enumerate(texts(self.table.position)):
            if self.table.position.play(move).actor >= 0:
                self.move(which)
                return
        raise AssertionError("every move is followed by a deal")

    def finish(self, step: int = 0) -> None:
        """Play to the end."""
        while self.table.status == "playing":
            self.move(step * self.table.plies)

    def offer(self, person: str, what: str, **fields: Any) -> int:
        """Make an offer; returns its number."""
        applied = self.do(person, commands.Offer, what=what, **fields)
        return next(each.number for each in applied if isinstance(each.event, events.Offered))

    def answer(self, person: str, offer: int, yes: bool = True) -> list[AppliedEvent]:
        return self.do(person, commands.Answer, offer=offer, yes=yes)

    def agree(self, by: str, what: str, people: str, **fields: Any) -> None:
        """Make an offer, and let these people agree."""
        number = self.offer(by, what, **fields)
        for person in people:
            self.answer(person, number)

    def state(self, person: str = "") -> dict[str, Any]:
        """The state of the table as a person sees it."""
        state: dict[str, Any] = json.loads(wire.encode(TableViews(self.table, self.now).state(who_of(person))))
        return state

    def updates(self) -> TableViews:
        """The views for updates about the last events."""
        return TableViews(self.table, self.now, self.shown, self.applied)


def event_types(applied: list[AppliedEvent]) -> list[str]:
    """The types of events."""
    return [each.event.type for each in applied]


def dealt(driver: TableDriver) -> list[str]:
    """All deals of the game so far."""
    record = driver.table.record()
    positions = list(record.positions())
    return [
        position.move_text(ply.action)
        for ply, position in zip(record.plies, positions, strict=False)
        if ply.actor == CHANCE
    ]
