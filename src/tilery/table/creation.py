"""Creating a table: from a setup, or as the rematch of another table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

import msgspec

from tilery.core.game import Game, Rules
from tilery.core.refusals import Refused
from tilery.core.sentences import within
from tilery.table.clock import read_clock
from tilery.table.events import Created
from tilery.table.fairness import commitment_of
from tilery.table.refusals import TableRefused
from tilery.table.state import WHO, Seat, Table
from tilery.table.text_input import read_new_name
from tilery.table.wire import ClockSetting

MAX_VARIANT_CHARACTERS = 100


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who gets a seat: the host (`me`, for any number of seats), a bot, or the first person who takes it (`open`)."""

    kind: Literal["me", "open", "bot"]
    name: str = ""
    bot: str = ""


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to play, and with whom."""

    game: str
    seats: tuple[SeatPlan, ...]  # in the order of play
    variant: str = ""  # the options without the number of seats, such as `grey,specials`
    clock: ClockSetting | None = None
    public: bool = False
    chat: bool = True


@dataclass(frozen=True)
class NewTable:
    """A table to be stored: its name, its secret and its first event."""

    table: str
    secret: bytes
    event: Created


def _rules(game: Game, setup: Setup) -> Rules:
    if len(setup.variant) > MAX_VARIANT_CHARACTERS:
        length = len(setup.variant)
        raise TableRefused("bad-text", "text-too-long", what="variant", most=MAX_VARIANT_CHARACTERS, length=length)
    text = f"{len(setup.seats)},{game.normalise_variant(setup.variant)}".rstrip(",")
    try:
        return game.with_table_limits(game.variant(text))
    except Refused as error:
        raise TableRefused.of("bad-text", within(error, "in_variant", text[:60])) from None


def _seat(plan: SeatPlan, number: int, key: str, bot_names: Collection[str]) -> Seat:
    if plan.kind == "me":
        return Seat(read_new_name(plan.name or f"Player {number + 1}", (), bot_names), key)
    return Seat(plan.bot, "", plan.bot) if plan.kind == "bot" else Seat()


def create_table(
    setup: Setup,
    key: str,
    now: float,
    name_and_secret: tuple[str, bytes],
    find_game: Callable[[str], Game],
    check_bot: Callable[[Game, Rules, str], None],
    bot_names: Collection[str] = (),
) -> NewTable:
    """Create a table; its host is the person whose token has the hash `key`. People cannot have the `bot_names`."""
    if not key:
        raise TableRefused("not-allowed", "token-for-table")
    try:
        game = find_game(setup.game)
    except Refused as error:
        raise TableRefused.of("bad-text", error) from None
    rules = _rules(game, setup)
    for plan in setup.seats:
        if plan.kind == "bot":
            check_bot(game, rules, plan.bot)
    seats = [_seat(plan, number, key, bot_names) for number, plan in enumerate(setup.seats)]
    clock = read_clock(msgspec.to_builtins(setup.clock))
    name, secret = name_and_secret
    event = Created(
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
    return NewTable(name, secret, event)


def rematch_of(table: Table, now: float, name_and_secret: tuple[str, bytes], agreed: Collection[str] = ()) -> NewTable:
    """A table for the same people and bots, each one seat further on. A bot replaces everybody who has left, except
    those who have `agreed` to the rematch."""
    seats = [
        Seat(seat.name, seat.key)
        if seat.key and (not seat.gone or seat.key[:WHO] in agreed)
        else Seat(seat.bot or "greedy", "", seat.bot or "greedy")
        for seat in table.seats
    ]
    seats = seats[-1:] + seats[:-1]
    name, secret = name_and_secret
    event = Created(
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
        chat=table.has_chat,
        before=table.name,
    )
    return NewTable(name, secret, event)
