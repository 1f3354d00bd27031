"""Turns a command into events, or refuses it. Nothing is changed here: callers store and apply the events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position
from tilery.core.refusals import Refused
from tilery.table import commands, events
from tilery.table.creation import NewTable, rematch_of
from tilery.table.events import Event, Loss
from tilery.table.fairness import Dealer, join_entropy
from tilery.table.offers import check_draw, check_rematch, check_replacement, people_to_ask, plies_after_takeback
from tilery.table.plies import PlayedPlies, PlayedPly
from tilery.table.refusals import TableRefused, from_rules
from tilery.table.state import WHO, Table
from tilery.table.text_input import MAX_CHAT_MESSAGES, read_chat, read_entropy, read_id, read_new_name

SUBSTITUTE = "greedy"  # takes over the seat of a side that has lost while others play on
MAX_EVENTS = 20_000  # of one table; after that only moves and resignations are accepted
# Seconds after which a table that nobody has started is closed; the key says whether the table is public.
OPEN_FOR = {True: 86_400.0, False: 30 * 86_400.0}


@dataclass(slots=True)
class CommandContext:
    """A command, and everything else that is needed to handle it."""

    table: Table
    command: commands.AnyCommand
    key: str  # the hash of the sender's token; "" without a token
    bot: int | None  # the sender's seat if the sender is one of the server's own bots
    now: float
    dealer: Dealer
    new_table_id: Callable[[], tuple[str, bytes]]  # returns a name and a secret for a new table
    check_bot: Callable[[str], None]  # refuses bots that may not play at this table
    bot_names: Collection[str] = ()  # which people cannot have
    who: str = field(init=False)  # the id of the sender
    mine: list[int] = field(init=False)  # the seats that the sender plays

    def __post_init__(self) -> None:
        self.who = who = self.key[:WHO]
        self.mine = self.table.seats_played_by(who)

    @property
    def head(self) -> tuple[float, str, str]:
        """The first three fields of every event."""
        return self.now, self.who, self.command.id


class Handled(NamedTuple):
    """The events of a command, and a table to create with them. `repeated` is the number of the first event if the
    command was carried out before, `played` what the event `started` or `played` among them leads to."""

    events: tuple[Event, ...] = ()
    new: NewTable | None = None
    repeated: int | None = None
    played: PlayedPlies | None = None


def handle(context: CommandContext) -> Handled:
    """The events that follow from a command. Raises `TableRefused`."""
    table, command = context.table, context.command
    read_id(command.id)
    first = table.first_event_of(context.who, command.id) if context.who else None
    if first is not None:
        return Handled(repeated=first)
    if table.status == "closed":
        raise TableRefused("not-now", "table-closed")
    if table.number >= MAX_EVENTS and not isinstance(command, (commands.Play, commands.Resign)):
        raise TableRefused("full", "too-many-events", most=MAX_EVENTS)
    handled = _HANDLERS[type(command)](context, command)
    gone = [seat for seat in context.mine if table.seats[seat].gone]
    if gone and not isinstance(command, commands.Leave):
        back = events.Returned(*context.head, seats=tuple(gone))
        handled = handled._replace(events=(back, *handled.events))
    return handled


def _check_step(context: CommandContext) -> None:
    if context.command.step != context.table.step:
        raise TableRefused("stale", "game-moved-on")


def _check_time(context: CommandContext) -> None:
    """Refuse a command from the deadline on, even if `tick` has not been called yet."""
    deadline = context.table.deadline
    if deadline is not None and context.now >= deadline:
        raise TableRefused("late", "time-up")


def _require_status(context: CommandContext, status: str) -> None:
    if context.table.status != status:
        codes = {"open": "not-started", "playing": "already-started", "over": "game-over"}
        raise TableRefused("not-now", codes[context.table.status])


def _require_seat(context: CommandContext) -> None:
    if not context.mine:
        raise TableRefused("not-seated", "seat-needed")


def _own_seat(context: CommandContext, wanted: int | None) -> int:
    """The seat that a command is about: `wanted`, or the sender's only one."""
    _require_seat(context)
    if wanted is None and len(context.mine) > 1:
        raise TableRefused("bad-text", "which-seat")
    seat = context.mine[0] if wanted is None else wanted
    if seat not in context.mine:
        raise TableRefused("not-allowed", "not-your-seat")
    return seat


def _new_name(context: CommandContext, text: str) -> str:
    """A name for a seat of the sender, whose other seats may be called the same."""
    others = [seat.name for seat in context.table.seats if seat.key and seat.key != context.key]
    return read_new_name(text, others, context.bot_names)


def _sit(context: CommandContext, command: commands.Sit) -> Handled:
    table = context.table
    _require_status(context, "open")
    if not context.key:
        raise TableRefused("not-allowed", "token-for-seat")
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if not free:
        raise TableRefused("taken", "no-free-seat")
    seat = free[0] if command.seat is None else command.seat
    if not 0 <= seat < len(table.seats):
        raise TableRefused("bad-text", "no-such-seat", index=seat, last=len(table.seats) - 1)
    if seat not in free:
        raise TableRefused("taken", "seat-taken")
    name, entropy = _new_name(context, command.name), read_entropy(command.entropy)
    return Handled((events.Sat(*context.head, seat=seat, name=name, key=context.key, entropy=entropy),))


def _leave(context: CommandContext, _: commands.Leave) -> Handled:
    table = context.table
    _require_seat(context)
    if all(table.seats[seat].gone for seat in context.mine):
        raise TableRefused("not-now", "already-left")
    left = events.Left(*context.head, seats=tuple(context.mine))
    if table.status == "open" and table.people() == {context.who}:
        return Handled((left, events.Closed(*context.head)))
    return Handled((left,))


def _rename(context: CommandContext, command: commands.Rename) -> Handled:
    seat = _own_seat(context, command.seat)
    if context.table.status == "over":
        raise TableRefused("not-now", "names-final")
    return Handled((events.Renamed(*context.head, seat=seat, name=_new_name(context, command.name)),))


def _arrange(context: CommandContext, command: commands.Arrange) -> Handled:
    _require_status(context, "open")
    if not context.who or context.who != context.table.host:
        raise TableRefused("not-allowed", "host-arranges")
    if not 0 <= command.seat < len(context.table.seats):
        raise TableRefused("bad-text", "no-such-seat", index=command.seat, last=len(context.table.seats) - 1)
    if command.bot:
        context.check_bot(command.bot)
    return Handled((events.Arranged(*context.head, seat=command.seat, bot=command.bot or ""),))


def _start(context: CommandContext, command: commands.Start) -> Handled:
    table = context.table
    _require_status(context, "open")
    if not context.mine and (not context.who or context.who != table.host):
        raise TableRefused("not-seated", "players-start")
    if any(seat.kind == "open" for seat in table.seats):
        raise TableRefused("not-now", "seat-open")
    added = read_entropy(command.entropy)
    entropy = join_entropy([*table.entropy, added] if added else table.entropy)
    played, deals = _deal(context, table.position, [entropy])
    started = events.Started(*context.head, entropy=entropy, deals=deals, version=table.game.version)
    return Handled((started,), played=played)


def _deal(
    context: CommandContext, position: Position, added: Sequence[str], *first: PlayedPly
) -> tuple[PlayedPlies, tuple[str, ...]]:
    """Deal until it is no longer chance's turn, with the entropy that was added; `first` is the ply that led to the
    position."""
    actor = position.actor
    if actor != CHANCE:
        return PlayedPlies(first, position, actor), ()
    entropy = join_entropy(added)
    plies: list[PlayedPly] = []
    texts: list[str] = []
    number = context.table.history.deals
    while actor == CHANCE:
        action = context.dealer.deal(position, entropy, number + len(plies))
        plies.append(PlayedPly(position, CHANCE, action))
        texts.append(position.move_text(action))
        position = position.play(action)
        actor = position.actor
    return PlayedPlies((*first, *plies), position, actor), tuple(texts)


def _play(context: CommandContext, command: commands.Play) -> Handled:
    table = context.table
    if context.bot is None:
        _require_seat(context)
    _require_status(context, "playing")
    _check_step(context)
    actor = table.actor
    assert actor is not None
    if actor not in (context.mine if context.bot is None else [context.bot]):
        raise TableRefused("not-your-turn", "turn-of-other", name=table.seats[actor].name)
    _check_time(context)
    position = table.position
    try:
        action = position.action(command.move)
        after = position.play(action)
    except Refused as refused:
        raise from_rules(refused) from None
    first = PlayedPly(position, actor, action)
    played, deals = _deal(context, after, table.entropy, first)
    move = position.move_text(action)
    event = events.Played(*context.head, seat=actor, move=move, deals=deals, version=table.game.version)
    ends = played.actor == OVER
    return Handled((event, _reveal(context)) if ends else (event,), played=played)


def _reveal(context: CommandContext) -> events.Revealed:
    return events.Revealed(*context.head, secret=context.dealer.reveal())


def _lose(table: Table, dealer: Dealer, seat: int, why: Loss, head: tuple[float, str, str]) -> Handled:
    """A seat resigns or runs out of time: with two sides left, the game ends; with more, the others play on."""
    side = table.side(seat)
    remaining = {table.side(number) for number, other in enumerate(table.seats) if not other.lost} - {side}
    ends = len(remaining) <= 1
    lost = events.Resigned(*head, seat=seat, why=why, bot="" if ends else SUBSTITUTE)
    return Handled((lost, events.Revealed(*head, secret=dealer.reveal()))) if ends else Handled((lost,))


def _resign(context: CommandContext, command: commands.Resign) -> Handled:
    seat = _own_seat(context, command.seat)
    _require_status(context, "playing")
    return _lose(context.table, context.dealer, seat, "resigned", context.head)


def _require_participant(context: CommandContext, what: str) -> None:
    """Require a seat; for a rematch, a seat that a bot has taken over counts too."""
    if what != "rematch" or not context.table.seats_of(context.who):
        _require_seat(context)


def _offer(context: CommandContext, command: commands.Offer) -> Handled:
    table = context.table
    _require_participant(context, command.what)
    _check_step(context)
    _check_time(context)
    if table.offer:
        raise TableRefused("not-now", "offer-pending", offer=table.offer.what)
    seat, bot = (command.seat, command.bot or "") if command.what == "replace" else (None, "")
    if command.what == "takeback":
        plies_after_takeback(table, context.who)
    elif command.what == "draw":
        check_draw(table, context.who)
    elif command.what == "replace":
        check_replacement(table, seat, context.now)
        if seat in context.mine:
            raise TableRefused("not-allowed", "replace-yourself")
        if not bot:
            raise TableRefused("bad-text", "bot-missing")
        context.check_bot(bot)
    else:
        check_rematch(table)
    offered = events.Offered(*context.head, what=command.what, seat=seat, bot=bot)
    if people_to_ask(table, command.what, context.who, seat):
        return Handled((offered,))
    done = _carry_out(context, command.what, context.who, seat, bot)
    return Handled((offered, *done.events), done.new)


def _answer(context: CommandContext, command: commands.Answer) -> Handled:
    table, offer = context.table, context.table.offer
    _require_participant(context, offer.what if offer else "")
    if offer is None or offer.number != command.offer:
        raise TableRefused("stale", "offer-gone")
    _check_time(context)
    people = people_to_ask(table, offer.what, offer.by, offer.seat, context.who)
    if not command.yes:
        if context.who != offer.by and context.who not in people:
            raise TableRefused("not-allowed", "not-yours-to-decline")
        return Handled((events.Declined(*context.head),))
    if context.who not in people:
        raise TableRefused("not-allowed", "not-yours-to-agree")
    if context.who in offer.agreed:
        raise TableRefused("not-now", "already-agreed")
    agreed = events.Agreed(*context.head)
    if people - offer.agreed - {context.who}:
        return Handled((agreed,))
    done = _carry_out(context, offer.what, offer.by, offer.seat, offer.bot)
    return Handled((agreed, *done.events), done.new)


def _carry_out(context: CommandContext, what: str, by: str, seat: int | None, bot: str) -> Handled:
    """Carry out an offer that everybody has agreed to."""
    table = context.table
    if what == "takeback":
        return Handled((events.TakenBack(*context.head, plies=plies_after_takeback(table, by)),))
    if what == "draw":
        return Handled((events.Drawn(*context.head), _reveal(context)))
    if what == "replace":
        assert seat is not None
        return Handled((events.Replaced(*context.head, seat=seat, bot=bot),))
    agreed = {by, context.who, *(table.offer.agreed if table.offer else ())}
    new = rematch_of(table, context.now, context.new_table_id(), agreed)
    return Handled((events.Rematched(*context.head, table=new.table),), new)


def _say(context: CommandContext, command: commands.Say) -> Handled:
    _require_seat(context)
    if not context.table.has_chat:
        raise TableRefused("not-allowed", "no-chat")
    if context.table.chat_count >= MAX_CHAT_MESSAGES:
        raise TableRefused("full", "chat-full", most=MAX_CHAT_MESSAGES)
    return Handled((events.Said(*context.head, seat=context.mine[0], text=read_chat(command.text)),))


_HANDLERS: dict[type[commands.Command], Callable[..., Handled]] = {
    commands.Sit: _sit,
    commands.Leave: _leave,
    commands.Rename: _rename,
    commands.Arrange: _arrange,
    commands.Start: _start,
    commands.Play: _play,
    commands.Resign: _resign,
    commands.Offer: _offer,
    commands.Answer: _answer,
    commands.Say: _say,
}


# --- without a command


def tick(table: Table, now: float, dealer: Dealer) -> tuple[Event, ...]:
    """The events that are due by now: a seat has run out of time, or nobody has started the table."""
    head = (now, "", "")
    if table.status == "open" and now >= table.created_at + OPEN_FOR[table.public]:
        return (events.Closed(*head),)
    if table.deadline is not None and now >= table.deadline:
        assert table.actor is not None
        return _lose(table, dealer, table.actor, "time", head).events
    return ()


def resume(table: Table, now: float) -> tuple[Event, ...]:
    """The events when a server process takes over a table: nobody is charged for the time without a server."""
    if table.status == "playing" and table.clock and not table.clock.days:
        return (events.Resumed(now, "", ""),)
    return ()


def wakes_at(table: Table) -> float | None:
    """When the server has to act without a command, in seconds since 1970; 0 (at once) if it is a bot's turn."""
    if table.status == "open":
        return table.created_at + OPEN_FOR[table.public]
    if table.actor is not None and table.seats[table.actor].kind == "bot":
        return 0.0
    return table.deadline
