"""The current state of a table: the fold of its events. Only `Table.apply` changes it."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Literal, NamedTuple

from tilery.core.game import Game
from tilery.core.kernel.actors import OVER
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.table import events
from tilery.table.clock import Clock, read_clock
from tilery.table.events import Loss, OfferKind, SeatKind, Status
from tilery.table.fairness import COMMITMENT, ENTROPY, SECRET, join_entropy
from tilery.table.history import History
from tilery.table.plies import PlayedPlies, PlayedPly, in_current_notation, replay_texts, texts_of

RECENT = 24  # events kept in memory for clients that reconnect
COMMAND_BITS = 1024  # more make a search for a new command rarer, and a table larger
WHO = 32  # hexadecimal digits of a key (128 bits) that identify a person in events


@dataclass
class Seat:
    """A seat: open, a person's or a bot's."""

    name: str = ""
    key: str = ""  # the hash of the token of the person who sits or sat here
    bot: str = ""
    gone: bool = False  # the person has left during the game
    lost: Loss | Literal[""] = ""
    entropy: str = ""  # added by the person's device before the game

    @property
    def kind(self) -> SeatKind:
        return "bot" if self.bot else "person" if self.key else "open"

    @property
    def who(self) -> str:
        """The id of the person who plays here, "" for none."""
        return "" if self.bot else self.key[:WHO]


@dataclass(frozen=True)
class Result:
    """How a game ended: by the rules, by resignation, on time or by agreement."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_by: str
    rule: str = ""


@dataclass
class OpenOffer:
    """An offer that stands until everybody has agreed, somebody declines or the game moves on."""

    number: int  # of its event
    what: OfferKind
    by: str
    seat: int | None
    bot: str
    agreed: set[str] = field(default_factory=set)


class AppliedEvent(NamedTuple):
    """An event with its number, and its plies if it has any."""

    number: int
    event: events.Event
    plies: tuple[PlayedPly, ...] = ()


class Table:
    """The state of a table, without its secret."""

    def __init__(self, name: str, created: events.Created, find_game: Callable[[str], Game]) -> None:
        self.name = name
        self.game = find_game(created.game)
        self.rules = self.game.variant(created.rules)
        self.variant = created.rules
        self.host = created.host[:WHO]
        self._host_key = created.host
        self.commitment = created.commitment
        self.clock: Clock | None = read_clock(created.clock)
        self.public = created.public
        self.has_chat = created.chat
        self.before = created.before
        self.created_at = created.at
        self.seats = [
            Seat(name, key, bot) for name, key, bot in zip(created.names, created.keys, created.bots, strict=True)
        ]
        self._index_holders()
        self.start: Position = self.game.new(self.rules)
        self.position = self.start
        self._actor = self.start.actor
        self.history = History(self.start)
        self.status: Status = "open"
        self.actor: int | None = None  # the seat whose turn it is
        self.number = 0  # of the last event
        self.step = 0  # the number of the last event that changed the game
        self.entropy: list[str] = []
        self.secret = ""  # "" until it is revealed
        self.time_left = [self.clock.first if self.clock else 0.0] * self.rules.seats
        self.turn_began = created.at
        self.offer: OpenOffer | None = None
        self.result: Result | None = None
        self.rematch = ""
        self.chat: deque[tuple[int, str]] = deque(maxlen=50)
        self.chat_count = 0
        self.recent: deque[tuple[int, events.Event]] = deque(maxlen=RECENT)
        self._command_hashes = array("q")  # of every command; short, so that a table can remember them all
        self._command_bits = 0  # one bit for each hash: most new commands are known to be new without a search
        self._first_events = array("l")

    # --- reading

    @property
    def plies(self) -> int:
        """The number of plies so far."""
        return len(self.history)

    def record(self) -> Record:
        """The game so far; after the game with everything that is needed to verify the deals."""
        tags = {"Table": self.name, COMMITMENT: self.commitment}
        if self.status != "open":
            tags[ENTROPY] = join_entropy(self.entropy)
        if self.secret:
            tags[SECRET] = self.secret
        if self.result and (self.result.ended_by == "draw" or any(seat.lost for seat in self.seats)):
            tags["Ended"] = self.result.ended_by
            tags["Winners"] = ",".join(str(seat + 1) for seat in self.result.winners)
        names = tuple(seat.name or f"Seat {number + 1}" for number, seat in enumerate(self.seats))
        return Record(self.start, self.history.plies(), names, tags)

    def seats_of(self, who: str) -> list[int]:
        """The seats that a person holds, including those that a bot has taken over. Callers have to verify `who`."""
        return self._seats_by_person.get(who, [])

    def seats_played_by(self, who: str) -> list[int]:
        """The seats that a person plays now: those that no bot has taken over. Callers have to verify `who`."""
        return self._seats_by_player.get(who, [])

    def holds(self, key: str) -> bool:
        """Whether `key` is the hash of a token of this table; compared in constant time."""
        known = [seat.key for seat in self.seats if seat.key] + [self._host_key]
        return bool(key) and sum(compare_digest(key, each) for each in known) > 0

    def _index_holders(self) -> None:
        """Rebuild the index from people to their seats."""
        self._seats_by_person: dict[str, list[int]] = {}
        self._seats_by_player: dict[str, list[int]] = {}
        for number, seat in enumerate(self.seats):
            if seat.key:
                self._seats_by_person.setdefault(seat.key[:WHO], []).append(number)
            if seat.who:
                self._seats_by_player.setdefault(seat.who, []).append(number)

    def people(self) -> set[str]:
        """The people who play and have not left."""
        return {seat.who for seat in self.seats if seat.who and not seat.gone}

    def side(self, seat: int) -> int:
        """The side of a seat: partners are one side."""
        return seat % self.rules.sides

    @property
    def deadline(self) -> float | None:
        """When the seat to move runs out of time; None without a clock, or if the seat has lost and a bot plays on."""
        if self.clock is None or self.actor is None or self.seats[self.actor].lost:
            return None
        return self.turn_began + self.time_left[self.actor]

    def first_event_of(self, by: str, command: str) -> int | None:
        """The number of the first event of a command; None if it has not been carried out."""
        command_hash = hash((by, command))
        if not self._command_bits >> command_hash % COMMAND_BITS & 1:
            return None
        try:
            return self._first_events[self._command_hashes.index(command_hash)]
        except ValueError:
            return None

    # --- changing

    def apply(self, event: events.Event, played: PlayedPlies | None = None) -> AppliedEvent:
        """Apply the next event. `played` is what its moves lead to, if that is known."""
        self.number += 1
        if event.id:
            command_hash = hash((event.by, event.id))
            if not self._command_hashes or command_hash != self._command_hashes[-1]:  # its events follow each other
                self._command_hashes.append(command_hash)
                self._command_bits |= 1 << command_hash % COMMAND_BITS
                self._first_events.append(self.number)
        plies: tuple[PlayedPly, ...] = ()
        if isinstance(event, (events.Started, events.Played)):
            self._start_step()
            if event.version != self.game.version:
                event = in_current_notation(self.position, event)
            _APPLY[type(event)](self, event)
            plies = self._play_plies(played or replay_texts(self.position, texts_of(event)))
        else:
            _APPLY[type(event)](self, event)
        self.actor = self._actor if self.status == "playing" else None
        self.recent.append((self.number, event))
        return AppliedEvent(self.number, event, plies)

    def _start_step(self) -> None:
        self.step = self.number
        self.offer = None

    def _play_plies(self, played: PlayedPlies) -> tuple[PlayedPly, ...]:
        """Play the plies of an event."""
        plies, self.position, self._actor = played
        self.history.append(plies)
        outcome = self.position.outcome if self._actor == OVER else None
        if outcome:
            remaining = [seat for seat in outcome.winners if not self.seats[seat].lost]
            self._finish(Result(outcome.scores, tuple(remaining or self._best()), outcome.code, outcome.rule))
        return plies

    def _best(self) -> list[int]:
        """The seats with the most points among those that have not lost."""
        scores = self.position.scores()
        remaining = [seat for seat in range(self.rules.seats) if not self.seats[seat].lost]
        most = max((scores[seat] for seat in remaining), default=0)
        return [seat for seat in remaining if scores[seat] == most]

    def _finish(self, result: Result) -> None:
        self.result = result
        self.status = "over"

    def _created(self, _: events.Created) -> None:
        self._start_step()

    def _set_seat(self, number: int, seat: Seat) -> None:
        """Before the game: replace a seat, together with the entropy that its person added."""
        before = self.seats[number]
        if before.entropy:
            self.entropy.remove(before.entropy)
        self.seats[number] = seat
        if seat.entropy:
            self.entropy.append(seat.entropy)
        self._index_holders()

    def _sat(self, event: events.Sat) -> None:
        self._set_seat(event.seat, Seat(event.name, event.key, entropy=event.entropy))

    def _left(self, event: events.Left) -> None:
        for number in event.seats:
            if self.status == "open":
                self._set_seat(number, Seat())
            else:
                self.seats[number].gone = True
        self.offer = None

    def _returned(self, event: events.Returned) -> None:
        for number in event.seats:
            self.seats[number].gone = False
        if self.offer and self.offer.what == "replace" and self.offer.seat in event.seats:
            self.offer = None

    def _renamed(self, event: events.Renamed) -> None:
        self.seats[event.seat].name = event.name

    def _arranged(self, event: events.Arranged) -> None:
        self._set_seat(event.seat, Seat(event.bot, "", event.bot))

    def _started(self, event: events.Started) -> None:
        self.status = "playing"
        self.entropy = [event.entropy] if event.entropy else []
        self.turn_began = event.at

    def _played(self, event: events.Played) -> None:
        if self.clock:
            self.time_left[event.seat] = self.clock.after_move(self.time_left[event.seat], self._used(event.at))
        self.turn_began = event.at

    def _used(self, now: float) -> float:
        """How long the turn has taken; never negative, even if the server's clock was set back."""
        return max(0.0, now - self.turn_began)

    def _charge_turn(self, now: float) -> None:
        """Charge the time of a turn that ends without a move."""
        if self.clock and self.actor is not None:
            self.time_left[self.actor] -= self._used(now)

    def _taken_back(self, event: events.TakenBack) -> None:
        self._start_step()
        if self.clock and not self.clock.days:
            self._charge_turn(event.at)
        self.position = self.history.take_back(event.plies)
        self._actor = self.position.actor
        self.turn_began = event.at

    def _resigned(self, event: events.Resigned) -> None:
        self._start_step()
        for number, seat in enumerate(self.seats):
            if self.side(number) == self.side(event.seat):
                seat.lost = seat.lost or event.why
        remaining = [number for number, seat in enumerate(self.seats) if not seat.lost]
        if len({self.side(number) for number in remaining}) <= 1:
            self._charge_turn(event.at)
            self._finish(Result(self.position.scores(), tuple(remaining), event.why))
        else:
            self._hand_over(event.seat, event.bot, event.at)

    def _hand_over(self, seat: int, bot: str, now: float) -> None:
        """Let a bot play on for a person."""
        self._restart_turn_of(seat, now)
        self.seats[seat].bot = bot
        self._index_holders()

    def _restart_turn_of(self, seat: int, now: float) -> None:
        """Restart the turn if it is this seat's, because a bot takes over; another seat's turn goes on."""
        if self.actor == seat:
            self.turn_began = now

    def _drawn(self, event: events.Drawn) -> None:
        self._start_step()
        self._charge_turn(event.at)
        remaining = tuple(number for number, seat in enumerate(self.seats) if not seat.lost)
        self._finish(Result(self.position.scores(), remaining, "draw"))

    def _offered(self, event: events.Offered) -> None:
        self.offer = OpenOffer(self.number, event.what, event.by, event.seat, event.bot)

    def _agreed(self, event: events.Agreed) -> None:
        assert self.offer is not None
        self.offer.agreed.add(event.by)

    def _declined(self, _: events.Declined) -> None:
        self.offer = None

    def _replaced(self, event: events.Replaced) -> None:
        self._start_step()
        self._hand_over(event.seat, event.bot, event.at)

    def _said(self, event: events.Said) -> None:
        self.chat_count += 1
        self.chat.append((event.seat, event.text))

    def _resumed(self, event: events.Resumed) -> None:
        self.turn_began = event.at

    def _revealed(self, event: events.Revealed) -> None:
        self.secret = event.secret

    def _rematched(self, event: events.Rematched) -> None:
        self.rematch = event.table
        self.offer = None

    def _closed(self, _: events.Closed) -> None:
        self._start_step()
        self.status = "closed"


_APPLY: dict[type[events.Event], Callable[..., None]] = {
    events.Created: Table._created,
    events.Sat: Table._sat,
    events.Left: Table._left,
    events.Returned: Table._returned,
    events.Renamed: Table._renamed,
    events.Arranged: Table._arranged,
    events.Started: Table._started,
    events.Played: Table._played,
    events.TakenBack: Table._taken_back,
    events.Resigned: Table._resigned,
    events.Drawn: Table._drawn,
    events.Offered: Table._offered,
    events.Agreed: Table._agreed,
    events.Declined: Table._declined,
    events.Replaced: Table._replaced,
    events.Said: Table._said,
    events.Resumed: Table._resumed,
    events.Revealed: Table._revealed,
    events.Rematched: Table._rematched,
    events.Closed: Table._closed,
}


def first_of(name: str, text: str, find_game: Callable[[str], Game]) -> Table:
    """A table from its first stored event, which creates it."""
    created = events.read_event(text)
    assert isinstance(created, events.Created)
    table = Table(name, created, find_game)
    table.apply(created)
    return table


def fold(name: str, log: Iterable[str], find_game: Callable[[str], Game]) -> Table:
    """A table from its stored events."""
    texts = iter(log)
    table = first_of(name, next(texts), find_game)
    for text in texts:
        table.apply(events.read_event(text))
    return table
