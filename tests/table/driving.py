"""A table in a test: people are letters, the time is a number, and every event is stored as a server would."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import count
from typing import Any

import pytest

from tilery.core.game import Game, Rules
from tilery.core.kernel.actors import CHANCE
from tilery.games import game
from tilery.table import commands as asked
from tilery.table import events as happened
from tilery.table.events import Event, write_event
from tilery.table.fairness import Dealer
from tilery.table.founding import New, SeatPlan, Setup, found
from tilery.table.handling import Asking, Handled, handle, resume, tick
from tilery.table.refusing import TableRefused
from tilery.table.state import WHO, Happening, Table
from tilery.table.telling import Telling

SECRET = bytes(range(32))
BOTS = ("greedy", "random")


def short(value: object) -> str:
    """A value in the name of a test."""
    return ascii(value)[:24]


def key_of(person: str) -> str:
    """The hash of a person's token; "" for who has none."""
    return (person * 64)[:64]


def who_of(person: str) -> str:
    return key_of(person)[:WHO]


def check_name(bot: str) -> None:
    if bot not in BOTS:
        raise TableRefused("bad-text", f"there is no bot {bot[:40]!a}")


def check_bot(_: Game, __: Rules, bot: str) -> None:
    check_name(bot)


def setup_of(seats: str, name: str = "azul", **others: Any) -> Setup:
    """Seats as letters: `a` makes the table and sits there, `*` is a bot, everything else is open."""
    plans = {"a": SeatPlan(kind="me", name="Anna"), "*": SeatPlan(kind="bot", bot="greedy")}
    return Setup(game=name, seats=[plans.get(letter, SeatPlan(kind="open")) for letter in seats], **others)


def founded(setup: Setup, person: str = "a", now: float = 0.0, secret: bytes = SECRET, table: str = "T") -> New:
    return found(setup, key_of(person), now, (table, secret), game, check_bot)


def snapshot(table: Table) -> dict[str, Any]:
    """All that a table shows of itself."""
    simple = (
        "name rules host commitment clock public chats before founded_at start position status number step entropy "
        "secret left turn_began offer result rematch said plies deals actor deadline"
    )
    state: dict[str, Any] = {name: getattr(table, name) for name in simple.split()}
    state["offer"] = asdict(table.offer) if table.offer else None
    state["left"], state["entropy"] = list(table.left), list(table.entropy)
    state["seats"] = [asdict(seat) for seat in table.seats]
    state["game"], state["record"] = table.game.name, table.record()
    state["chat"], state["recent"] = list(table.chat), list(table.recent)
    state["answered"] = (table._marks.tobytes(), table._answers.tobytes())
    return state


class Room:
    """A table, its log and its dealer. All of `seats` sit down and the game begins, unless told otherwise."""

    def __init__(
        self,
        seats: str = "ab",
        name: str = "azul",
        *,
        start: bool = True,
        dealer: Dealer | None = None,
        new: New | None = None,
        **others: Any,
    ) -> None:
        self.now = 0.0
        self.ids = count(1)
        self.new = new or founded(setup_of(seats, name, **others))
        self.dealer = dealer or Dealer(self.new.secret)
        self.table = Table(self.new.table, self.new.event, game)
        self.log: list[str] = []
        self.events: list[Event] = []
        self.handled = Handled()
        self.apply((self.new.event,))
        if new is None:
            for number, letter in enumerate(seats):
                if letter not in "a*.":
                    self.do(letter, asked.Sit, name=letter.upper(), seat=number, entropy=f"{number:02x}")
            if start:
                self.do("a", asked.Start, entropy="cafe")

    def apply(self, events: tuple[Event, ...]) -> list[Happening]:
        happenings = []
        for event in events:
            self.log.append(write_event(event))
            self.events.append(event)
            happenings.append(self.table.apply(event))
        return happenings

    def ask(self, person: str, command: asked.AnyCommand, bot: int | None = None) -> Handled:
        """What the table would do; nothing is changed by asking."""
        return handle(
            Asking(
                self.table, command, key_of(person), bot, self.now, self.dealer, lambda: ("U", b"u" * 32), check_name
            )
        )

    def command(self, kind: type[asked.AnyCommand], **fields: Any) -> asked.AnyCommand:
        return kind(**{"id": f"c{next(self.ids)}", "step": self.table.step, **fields})

    def do(
        self, person: str, kind: type[asked.AnyCommand], *, by_bot: int | None = None, **fields: Any
    ) -> list[Happening]:
        """A command that is carried out."""
        self.handled = self.ask(person, self.command(kind, **fields), by_bot)
        return self.apply(self.handled.events)

    def refused(self, person: str, kind: type[asked.AnyCommand], code: str, **fields: Any) -> TableRefused:
        """A command that is refused with this code (or one of those, `a|b`); nothing changes."""
        before = snapshot(self.table)
        with pytest.raises(TableRefused) as caught:
            self.ask(person, self.command(kind, **fields))
        assert caught.value.code in code.split("|"), caught.value
        assert snapshot(self.table) == before
        return caught.value

    def tick(self) -> list[Happening]:
        return self.apply(tick(self.table, self.now, self.dealer))

    def resume(self) -> list[Happening]:
        return self.apply(resume(self.table, self.now))

    @property
    def actor(self) -> int:
        assert self.table.actor is not None
        return self.table.actor

    @property
    def turn_of(self) -> str:
        """The letter of the person whose turn it is, "" for a bot."""
        seat = self.table.seats[self.actor]
        return "" if seat.bot else seat.key[:1]

    def move(self, which: int = 0) -> list[Happening]:
        """Whoever's turn it is makes one of the legal moves."""
        moves = self.table.position.moves()
        bot = self.actor if self.table.seats[self.actor].kind == "bot" else None
        return self.do(self.turn_of, asked.Play, by_bot=bot, move=moves[which % len(moves)])

    def move_until_chance(self) -> None:
        """Move until chance has acted."""
        deals = self.table.deals
        while self.table.deals == deals:
            self.move()

    def move_without_chance(self) -> None:
        """Make a move after which nothing is dealt."""
        for which, move in enumerate(self.table.position.moves()):
            if self.table.position.play(move).actor >= 0:
                self.move(which)
                return
        raise AssertionError("every move is followed by a deal")

    def finish(self, step: int = 0) -> None:
        """Play to the end."""
        while self.table.status == "playing":
            self.move(step * self.table.plies)

    def offer(self, person: str, what: str, **fields: Any) -> int:
        """Make an offer; its number."""
        happenings = self.do(person, asked.Offer, what=what, **fields)
        return next(each.number for each in happenings if isinstance(each.event, happened.Offered))

    def answer(self, person: str, offer: int, yes: bool = True) -> list[Happening]:
        return self.do(person, asked.Answer, offer=offer, yes=yes)

    def agree(self, by: str, what: str, people: str, **fields: Any) -> None:
        """An offer that everybody agrees to."""
        number = self.offer(by, what, **fields)
        for person in people:
            self.answer(person, number)

    def state(self, person: str = "") -> dict[str, Any]:
        """What a person is told about the table as it stands."""
        told: dict[str, Any] = json.loads(Telling(self.table, self.now).state(who_of(person)))
        return told


def kinds(happenings: list[Happening]) -> list[str]:
    """What has happened, in short."""
    return [each.event.type for each in happenings]


def dealt(room: Room) -> list[str]:
    """All deals of the game so far."""
    record = room.table.record()
    positions = list(record.positions())
    return [
        position.move_text(ply.action)
        for ply, position in zip(record.plies, positions, strict=False)
        if ply.actor == CHANCE
    ]
