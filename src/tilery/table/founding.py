"""How a table is made: by somebody's wish, or as the rematch of another."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tilery.core.game import Game, Rules
from tilery.core.refusals import BadText, Refused
from tilery.table.clock import read_clock
from tilery.table.commands import STRICT
from tilery.table.events import Founded
from tilery.table.fairness import commitment_of
from tilery.table.refusing import TableRefused
from tilery.table.state import WHO, Seat, Table
from tilery.table.words import read_name

LONGEST_VARIANT = 100


@dataclass(frozen=True, kw_only=True)
class SeatPlan:
    """Who shall sit here: whoever makes the table (`me`, also several times), a bot, or whoever comes."""

    __pydantic_config__: ClassVar[Any] = STRICT
    kind: Literal["me", "open", "bot"]
    name: str = ""
    bot: str = ""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What somebody wishes to play."""

    __pydantic_config__: ClassVar[Any] = STRICT
    game: str
    seats: list[SeatPlan]
    variant: str = ""  # options behind the number of seats, such as `grey,specials`
    clock: dict[str, int] | None = None
    public: bool = False
    chat: bool = True


@dataclass(frozen=True)
class New:
    """A table to be made: its name, its secret and its first event."""

    table: str
    secret: bytes
    event: Founded


def _rules(game: Game, setup: Setup) -> Rules:
    if len(setup.variant) > LONGEST_VARIANT:
        raise TableRefused("bad-text", f"a variant has at most {LONGEST_VARIANT} characters")
    words = f"{len(setup.seats)},{game.tidy_variant(setup.variant)}".rstrip(",")
    try:
        return game.at_table(game.variant(words))
    except BadText as error:
        raise TableRefused("bad-text", f"the variant {words[:60]!a}: {error.problem}") from None
    except Refused as error:
        raise TableRefused("bad-text", str(error)) from None


def _seat(plan: SeatPlan, number: int, key: str) -> Seat:
    if plan.kind == "me":
        return Seat(read_name(plan.name or f"Player {number + 1}"), key)
    return Seat(plan.bot, "", plan.bot) if plan.kind == "bot" else Seat()


def found(
    setup: Setup,
    key: str,
    now: float,
    fresh: tuple[str, bytes],
    find: Callable[[str], Game],
    check_bot: Callable[[Game, Rules, str], None],
) -> New:
    """A table as somebody (the holder of the key) wishes it."""
    if not key:
        raise TableRefused("not-allowed", "a table is made with a token")
    try:
        game = find(setup.game)
    except Refused as error:
        raise TableRefused("bad-text", str(error)) from None
    rules = _rules(game, setup)
    for plan in setup.seats:
        if plan.kind == "bot":
            check_bot(game, rules, plan.bot)
    seats = [_seat(plan, number, key) for number, plan in enumerate(setup.seats)]
    clock = read_clock(setup.clock)
    name, secret = fresh
    event = Founded(
        at=now,
        by="",
        id="",
        game=game.name,
        rules=rules.text,
        names=tuple(seat.name for seat in seats),
        keys=tuple(seat.key for seat in seats),
        bots=tuple(seat.bot for seat in seats),
        host=key,
        commitment=commitment_of(secret),
        clock=clock.write() if clock else None,
        public=setup.public,
        chat=setup.chat,
        before="",
    )
    return New(name, secret, event)


def rematch_of(table: Table, now: float, fresh: tuple[str, bytes], here: Collection[str] = ()) -> New:
    """The same people and bots once more, everybody one seat further on. Bots sit for those who have left, but not for
    who is `here` again and agreed."""
    seats = [
        Seat(seat.name, seat.key)
        if seat.key and (not seat.gone or seat.key[:WHO] in here)
        else Seat(seat.bot or "greedy", "", seat.bot or "greedy")
        for seat in table.seats
    ]
    seats = seats[-1:] + seats[:-1]
    name, secret = fresh
    event = Founded(
        at=now,
        by="",
        id="",
        game=table.game.name,
        rules=table.rules.text,
        names=tuple(seat.name for seat in seats),
        keys=tuple(seat.key for seat in seats),
        bots=tuple(seat.bot for seat in seats),
        host=next(seat.key for seat in seats if seat.key),
        commitment=commitment_of(secret),
        clock=table.clock.write() if table.clock else None,
        public=False,
        chat=table.chats,
        before=table.name,
    )
    return New(name, secret, event)
