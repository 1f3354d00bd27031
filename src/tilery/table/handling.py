"""What a table makes of a command: the events that follow from it, or a refusal. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position
from tilery.core.record import Ply
from tilery.core.refusals import Refused
from tilery.table import commands as asked
from tilery.table import events as happened
from tilery.table.fairness import Dealer, joined
from tilery.table.founding import New, rematch_of
from tilery.table.offers import asked_people, check_draw, check_rematch, check_replacement, takeback_to
from tilery.table.refusing import TableRefused, of_rules
from tilery.table.state import WHO, Table
from tilery.table.words import MOST_CHAT, read_chat, read_entropy, read_id, read_name

SUBSTITUTE = "greedy"  # plays on for who has given up a game of more than two sides
MOST_EVENTS = 20_000  # of one table; then it can only be played to its end
OPEN_FOR = {True: 86_400.0, False: 30 * 86_400.0}  # seconds a table waits for its start, in the lobby or not


@dataclass
class Asking:
    """A command, and all that comes from outside with it."""

    table: Table
    command: asked.AnyCommand
    key: str  # the hash of the sender's token; "" for who has none
    bot: int | None  # the seat, where one of the server's own bots asks
    now: float
    dealer: Dealer
    fresh: Callable[[], tuple[str, bytes]]  # a name and a secret for a new table
    check_bot: Callable[[str], None]  # refuses a bot that may not sit here
    who: str = field(init=False)  # the sender
    mine: list[int] = field(init=False)  # the seats that the sender plays

    def __post_init__(self) -> None:
        self.who = who = self.key[:WHO]
        seats = self.table.seats
        self.mine = [seat for seat in self.table.seats_of(who) if seats[seat].who == who]

    @property
    def head(self) -> tuple[float, str, str]:
        """What every event begins with."""
        return self.now, self.who, self.command.id


class Handled(NamedTuple):
    """What follows: events, and a table that is made with them. `repeated` is the number of the first event, if the
    command was carried out before."""

    events: tuple[happened.Event, ...] = ()
    new: New | None = None
    repeated: int | None = None


def handle(ask: Asking) -> Handled:
    """Carry out a command, or raise `TableRefused`."""
    table, command = ask.table, ask.command
    read_id(command.id)
    first = table.answered(ask.who, command.id) if ask.who else None
    if first is not None:
        return Handled(repeated=first)
    if table.status == "closed":
        raise TableRefused("not-now", "the table is closed")
    if table.number >= MOST_EVENTS and not isinstance(command, (asked.Play, asked.Resign)):
        raise TableRefused("full", "too much has happened at this table: it can only be played to its end")
    handled = _HANDLERS[type(command)](ask, command)
    gone = [seat for seat in ask.mine if table.seats[seat].gone]
    if gone and not isinstance(command, asked.Leave):
        back = happened.Returned(*ask.head, seats=tuple(gone))
        handled = Handled((back, *handled.events), handled.new)
    return handled


def _check_step(ask: Asking) -> None:
    if ask.command.step != ask.table.step:
        raise TableRefused("stale", "the game has moved on since: look at it as it is now")


def _check_time(ask: Asking) -> None:
    """At the deadline the time is up, even if nobody has looked at the clock yet (`tick`)."""
    deadline = ask.table.deadline
    if deadline is not None and ask.now >= deadline:
        raise TableRefused("late", "the time is up")


def _need(ask: Asking, status: str) -> None:
    if ask.table.status != status:
        now = {
            "open": "the game has not begun yet",
            "playing": "the game has begun already",
            "over": "the game is over",
        }
        raise TableRefused("not-now", now[ask.table.status])


def _need_seat(ask: Asking) -> None:
    if not ask.mine:
        raise TableRefused("not-seated", "this needs a seat at the table")


def _own_seat(ask: Asking, wanted: int | None) -> int:
    """The seat that is meant: the one named, or the only one."""
    _need_seat(ask)
    if wanted is None and len(ask.mine) > 1:
        raise TableRefused("bad-text", "say which of your seats is meant")
    seat = ask.mine[0] if wanted is None else wanted
    if seat not in ask.mine:
        raise TableRefused("not-allowed", "this is not your seat")
    return seat


def _sit(ask: Asking, command: asked.Sit) -> Handled:
    table = ask.table
    _need(ask, "open")
    if not ask.key:
        raise TableRefused("not-allowed", "a seat is taken with a token")
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if not free:
        raise TableRefused("taken", "every seat is taken")
    seat = free[0] if command.seat is None else command.seat
    if not 0 <= seat < len(table.seats):
        raise TableRefused("bad-text", f"seats are 0 to {len(table.seats) - 1}")
    if seat not in free:
        raise TableRefused("taken", "this seat is taken")
    name, entropy = read_name(command.name), read_entropy(command.entropy)
    return Handled((happened.Sat(*ask.head, seat=seat, name=name, key=ask.key, entropy=entropy),))


def _leave(ask: Asking, _: asked.Leave) -> Handled:
    table = ask.table
    _need_seat(ask)
    if all(table.seats[seat].gone for seat in ask.mine):
        raise TableRefused("not-now", "you have left already")
    left = happened.Left(*ask.head, seats=tuple(ask.mine))
    if table.status == "open" and table.people() == {ask.who}:
        return Handled((left, happened.Closed(*ask.head)))
    return Handled((left,))


def _rename(ask: Asking, command: asked.Rename) -> Handled:
    seat = _own_seat(ask, command.seat)
    if ask.table.status == "over":
        raise TableRefused("not-now", "the game is over, and its record has these names")
    return Handled((happened.Renamed(*ask.head, seat=seat, name=read_name(command.name)),))


def _arrange(ask: Asking, command: asked.Arrange) -> Handled:
    _need(ask, "open")
    if not ask.who or ask.who != ask.table.host:
        raise TableRefused("not-allowed", "only who made the table arranges its seats")
    if not 0 <= command.seat < len(ask.table.seats):
        raise TableRefused("bad-text", f"seats are 0 to {len(ask.table.seats) - 1}")
    if command.bot:
        ask.check_bot(command.bot)
    return Handled((happened.Arranged(*ask.head, seat=command.seat, bot=command.bot or ""),))


def _start(ask: Asking, command: asked.Start) -> Handled:
    table = ask.table
    _need(ask, "open")
    if not ask.mine and (not ask.who or ask.who != table.host):
        raise TableRefused("not-seated", "who plays here starts the game")
    if any(seat.kind == "open" for seat in table.seats):
        raise TableRefused("not-now", "a seat is still open")
    added = read_entropy(command.entropy)
    entropy = joined([*table.entropy, added] if added else table.entropy)
    ahead, deals = _deal(ask, table.position, entropy)
    return Handled((happened.Started(*ask.head, entropy=entropy, deals=deals, ahead=ahead),))


def _deal(ask: Asking, position: Position, entropy: str, *first: Ply) -> tuple[happened.Ahead, tuple[str, ...]]:
    """Let the dealer act until a seat has to; `first` is the ply that led here."""
    actor = position.actor
    if actor != CHANCE:
        return happened.Ahead(first, position, actor), ()
    plies: list[Ply] = []
    texts: list[str] = []
    number = ask.table.deals
    while actor == CHANCE:
        action = ask.dealer.deal(position, entropy, number + len(plies))
        plies.append(Ply(CHANCE, action))
        texts.append(position.move_text(action))
        position = position.play(action)
        actor = position.actor
    return happened.Ahead((*first, *plies), position, actor), tuple(texts)


def _play(ask: Asking, command: asked.Play) -> Handled:
    table = ask.table
    if ask.bot is None:
        _need_seat(ask)
    _need(ask, "playing")
    _check_step(ask)
    actor = table.actor
    assert actor is not None
    if actor not in (ask.mine if ask.bot is None else [ask.bot]):
        raise TableRefused("not-your-turn", f"it is the turn of {table.seats[actor].name}")
    _check_time(ask)
    position = table.position
    try:
        action = position.action(command.move)
        after = position.play(action)
    except Refused as refused:
        raise of_rules(refused) from None
    ahead, deals = _deal(ask, after, joined(table.entropy), Ply(actor, action))
    move = position.move_text(action)
    played = happened.Played(*ask.head, seat=actor, move=move, deals=deals, ahead=ahead)
    if ahead.actor == OVER:
        return Handled((played, _reveal(ask)))
    return Handled((played,))


def _reveal(ask: Asking) -> happened.Revealed:
    return happened.Revealed(*ask.head, secret=ask.dealer.reveal())


def _lose(table: Table, dealer: Dealer, seat: int, why: str, head: tuple[float, str, str]) -> Handled:
    """A seat gives up or is out of time: two sides end the game, of three or more the others play on."""
    side = table.side(seat)
    stay = {table.side(number) for number, place in enumerate(table.seats) if not place.lost} - {side}
    ends = len(stay) <= 1
    lost = happened.Resigned(*head, seat=seat, why=why, bot="" if ends else SUBSTITUTE)
    return Handled((lost, happened.Revealed(*head, secret=dealer.reveal()))) if ends else Handled((lost,))


def _resign(ask: Asking, command: asked.Resign) -> Handled:
    seat = _own_seat(ask, command.seat)
    _need(ask, "playing")
    return _lose(ask.table, ask.dealer, seat, "resigned", ask.head)


def _need_part(ask: Asking, what: str) -> None:
    """A rematch is for all who have played, also those for whom a bot has played on."""
    if what != "rematch" or not ask.table.seats_of(ask.who):
        _need_seat(ask)


def _offer(ask: Asking, command: asked.Offer) -> Handled:
    table = ask.table
    _need_part(ask, command.what)
    _check_step(ask)
    _check_time(ask)
    if table.offer:
        raise TableRefused("not-now", f"answer the offer of a {table.offer.what} first")
    seat, bot = (command.seat, command.bot or "") if command.what == "replace" else (None, "")
    if command.what == "takeback":
        takeback_to(table, ask.who)
    elif command.what == "draw":
        check_draw(table, ask.who)
    elif command.what == "replace":
        check_replacement(table, seat, ask.now)
        if seat in ask.mine:
            raise TableRefused("not-allowed", "a bot takes over from others: who gives up resigns")
        if not bot:
            raise TableRefused("bad-text", "say which bot shall play on")
        ask.check_bot(bot)
    else:
        check_rematch(table)
    offered = happened.Offered(*ask.head, what=command.what, seat=seat, bot=bot)
    if asked_people(table, command.what, ask.who, seat):
        return Handled((offered,))
    done = _carry_out(ask, command.what, ask.who, seat, bot)
    return Handled((offered, *done.events), done.new)


def _answer(ask: Asking, command: asked.Answer) -> Handled:
    table, offer = ask.table, ask.table.offer
    _need_part(ask, offer.what if offer else "")
    if offer is None or offer.number != command.offer:
        raise TableRefused("stale", "this offer does not stand any more")
    _check_time(ask)
    people = asked_people(table, offer.what, offer.by, offer.seat, ask.who)
    if not command.yes:
        if ask.who != offer.by and ask.who not in people:
            raise TableRefused("not-allowed", "you are not asked")
        return Handled((happened.Declined(*ask.head),))
    if ask.who not in people:
        raise TableRefused("not-allowed", "the others are asked, not you")
    if ask.who in offer.agreed:
        raise TableRefused("not-now", "you have agreed already")
    agreed = happened.Agreed(*ask.head)
    if people - offer.agreed - {ask.who}:
        return Handled((agreed,))
    done = _carry_out(ask, offer.what, offer.by, offer.seat, offer.bot)
    return Handled((agreed, *done.events), done.new)


def _carry_out(ask: Asking, what: str, by: str, seat: int | None, bot: str) -> Handled:
    """Everybody has agreed."""
    table = ask.table
    if what == "takeback":
        return Handled((happened.TakenBack(*ask.head, plies=takeback_to(table, by)),))
    if what == "draw":
        return Handled((happened.Drawn(*ask.head), _reveal(ask)))
    if what == "replace":
        assert seat is not None
        return Handled((happened.Replaced(*ask.head, seat=seat, bot=bot),))
    here = {by, ask.who, *(table.offer.agreed if table.offer else ())}
    new = rematch_of(table, ask.now, ask.fresh(), here)
    return Handled((happened.Rematched(*ask.head, table=new.table),), new)


def _say(ask: Asking, command: asked.Say) -> Handled:
    _need_seat(ask)
    if not ask.table.chats:
        raise TableRefused("not-allowed", "there is no chat at this table")
    if ask.table.said >= MOST_CHAT:
        raise TableRefused("full", f"a table takes {MOST_CHAT} lines of chat")
    return Handled((happened.Said(*ask.head, seat=ask.mine[0], text=read_chat(command.text)),))


_HANDLERS: dict[type[asked.Command], Callable[..., Handled]] = {
    asked.Sit: _sit,
    asked.Leave: _leave,
    asked.Rename: _rename,
    asked.Arrange: _arrange,
    asked.Start: _start,
    asked.Play: _play,
    asked.Resign: _resign,
    asked.Offer: _offer,
    asked.Answer: _answer,
    asked.Say: _say,
}


# What happens without a command


def tick(table: Table, now: float, dealer: Dealer) -> tuple[happened.Event, ...]:
    """What the time brings: a clock at zero, a table that nobody starts."""
    head = (now, "", "")
    if table.status == "open" and now >= table.founded_at + OPEN_FOR[table.public]:
        return (happened.Closed(*head),)
    if table.deadline is not None and now >= table.deadline:
        assert table.actor is not None
        return _lose(table, dealer, table.actor, "time", head).events
    return ()


def resume(table: Table, now: float) -> tuple[happened.Event, ...]:
    """What a server does that takes up a table after another one: its absence costs nobody time."""
    if table.status == "playing" and table.clock and not table.clock.days:
        return (happened.Resumed(now, "", ""),)
    return ()


def wakes_at(table: Table) -> float | None:
    """When the server has to look at the table by itself; 0 where one of its bots has to move."""
    if table.status == "open":
        return table.founded_at + OPEN_FOR[table.public]
    if table.actor is not None and table.seats[table.actor].kind == "bot":
        return 0.0
    return table.deadline
