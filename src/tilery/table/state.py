"""A table as it stands: the fold of its events. `apply` is the only thing that changes it."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest
from typing import NamedTuple

from tilery.core.game import Game
from tilery.core.kernel.actors import CHANCE, OVER, SPECTATOR
from tilery.core.position import Position
from tilery.core.record import Ply, Record
from tilery.table import events as happened
from tilery.table.clock import Clock, read_clock
from tilery.table.fairness import COMMITMENT, ENTROPY, SECRET, joined

RECENT = 24  # events that are kept at hand for who comes back
WHO = 32  # letters of a key (128 bits) by which events name a person


@dataclass
class Seat:
    """One seat: open, a person's or a bot's."""

    name: str = ""
    key: str = ""  # the hash of the token of the person who sits or sat here
    bot: str = ""
    gone: bool = False  # the person has left a game that goes on
    lost: str = ""  # "resigned" or "time"
    entropy: str = ""  # what the person's device has added before the game

    @property
    def kind(self) -> str:
        return "bot" if self.bot else "person" if self.key else "open"

    @property
    def who(self) -> str:
        """The person who plays here, "" where nobody does."""
        return "" if self.bot else self.key[:WHO]


@dataclass(frozen=True)
class Result:
    """How a game at a table ended: by its rules, or because somebody lost or everybody agreed."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_by: str
    rule: str = ""


@dataclass
class OpenOffer:
    """What the people are asked; it stands until all agreed, one declined or the game moved on."""

    number: int  # of its event
    what: str
    by: str
    seat: int | None
    bot: str
    agreed: set[str] = field(default_factory=set)


class Happening(NamedTuple):
    """An event with its number, and in games with secrets what each viewer is told of its plies."""

    number: int
    event: happened.Event
    veiled: Mapping[int, tuple[str, ...]] | None = None  # by viewer


@lru_cache(maxsize=256)  # a command that is carried out is looked for first, and noted a moment later
def _mark(by: str, command: str) -> int:
    """A number for a person's command, small enough to remember all of them."""
    return int.from_bytes(blake2b(f"{by}/{command}".encode(), digest_size=8).digest(), "big", signed=True)


class Table:
    """Everything about a table but its secret."""

    def __init__(self, name: str, founded: happened.Founded, find: Callable[[str], Game]) -> None:
        self.name = name
        self.game = find(founded.game)
        self.rules = self.game.variant(founded.rules)
        self.variant = founded.rules
        self.host = founded.host[:WHO]
        self._host_key = founded.host
        self.commitment = founded.commitment
        self.clock: Clock | None = read_clock(founded.clock)
        self.public = founded.public
        self.chats = founded.chat
        self.before = founded.before
        self.founded_at = founded.at
        self.seats = [
            Seat(name, key, bot) for name, key, bot in zip(founded.names, founded.keys, founded.bots, strict=True)
        ]
        self._note_holders()
        self.start: Position = self.game.new(self.rules)
        self.position = self.start
        self._actor = self.start.actor
        self._actors = array("b")
        self._actions = array("l")
        self.status = "open"
        self.actor: int | None = None  # the seat whose turn it is
        self.number = 0  # of the last event
        self.step = 0  # the number of the last event that changed the game
        self.entropy: list[str] = []
        self.secret = ""  # once it is revealed
        self.left = [self.clock.first if self.clock else 0.0] * self.rules.seats
        self.turn_began = founded.at
        self.offer: OpenOffer | None = None
        self.result: Result | None = None
        self.rematch = ""
        self.chat: deque[tuple[int, str]] = deque(maxlen=50)
        self.said = 0
        self.recent: deque[Happening] = deque(maxlen=RECENT)
        self.plate = ""  # who plays what, as it was told last; "" when it has changed since
        self._marks = array("q")
        self._answers = array("l")

    # What can be asked

    @property
    def plies(self) -> int:
        """How many steps the game has taken."""
        return len(self._actions)

    def record(self) -> Record:
        """The game so far; after its end with everything that is needed to verify the deals."""
        tags = {"Table": self.name, COMMITMENT: self.commitment}
        if self.status != "open":
            tags[ENTROPY] = joined(self.entropy)
        if self.secret:
            tags[SECRET] = self.secret
        if self.result and (self.result.ended_by == "draw" or any(seat.lost for seat in self.seats)):
            tags["Ended"] = self.result.ended_by
            tags["Winners"] = ",".join(str(seat + 1) for seat in self.result.winners)
        plies = tuple(map(Ply, self._actors, self._actions))
        names = tuple(seat.name or f"Seat {number + 1}" for number, seat in enumerate(self.seats))
        return Record(self.start, plies, names, tags)

    def actors_since(self, plies: int) -> list[int]:
        """Who acted, from a ply on."""
        return self._actors[plies:].tolist()

    def last_ply_of(self, seats: Iterable[int]) -> int | None:
        """The last ply that one of these seats decided."""
        mine = set(seats)
        return next((at for at in range(self.plies - 1, -1, -1) if self._actors[at] in mine), None)

    @property
    def deals(self) -> int:
        """How many steps chance has taken."""
        return self._actors.count(CHANCE)

    def seats_of(self, who: str) -> list[int]:
        """The seats that a person holds (also where a bot has taken over). Who it is was made sure of at the door."""
        return self._held.get(who, [])

    def holds(self, key: str) -> bool:
        """Whether this is the hash of a token of this table; all wrong ones take the same time."""
        known = [seat.key for seat in self.seats if seat.key] + [self._host_key]
        return bool(key) and sum(compare_digest(key, each) for each in known) > 0

    def _note_holders(self) -> None:
        """Somebody has come or gone."""
        self._held: dict[str, list[int]] = {}
        for number, seat in enumerate(self.seats):
            if seat.key:
                self._held.setdefault(seat.key[:WHO], []).append(number)

    def people(self) -> set[str]:
        """All people who play."""
        return {seat.who for seat in self.seats if seat.who and not seat.gone}

    def side(self, seat: int) -> int:
        """Partners are one side."""
        return seat % self.rules.sides

    @property
    def deadline(self) -> float | None:
        """When the time of whose turn it is runs out; a bot that plays on for who has lost has all the time."""
        if self.clock is None or self.actor is None or self.seats[self.actor].lost:
            return None
        return self.turn_began + self.left[self.actor]

    def answered(self, by: str, command: str) -> int | None:
        """The number of the first event of a command that was carried out already."""
        try:
            return self._answers[self._marks.index(_mark(by, command))]
        except ValueError:
            return None

    # What changes it

    def apply(self, event: happened.Event) -> Happening:
        """One event more."""
        self.number += 1
        if event.id:
            mark = _mark(event.by, event.id)
            if mark not in self._marks:
                self._marks.append(mark)
                self._answers.append(self.number)
        if type(event) is not happened.Played:
            self.plate = ""
        happening = _APPLY[type(event)](self, event) or Happening(self.number, event)
        self.actor = self._actor if self.status == "playing" else None
        self.recent.append(happening)
        return happening

    def _moved(self) -> None:
        self.step = self.number
        self.offer = None

    def _advance(self, event: happened.Started | happened.Played, texts: tuple[str, ...]) -> Happening:
        """Take the steps of an event."""
        before = self.position
        plies, position, self._actor = event.ahead or _replay(before, texts)
        for ply in plies:
            self._actors.append(ply.actor)
            self._actions.append(ply.action)
        self.position = position
        veiled = _veil(before, plies) if self.game.secret else None
        object.__setattr__(event, "ahead", None)  # it is kept here from now on
        outcome = position.outcome if self._actor == OVER else None
        if outcome:
            stay = [seat for seat in outcome.winners if not self.seats[seat].lost]
            self._over(Result(outcome.scores, tuple(stay or self._best()), outcome.ended_by, outcome.rule))
        return Happening(self.number, event, veiled)

    def _best(self) -> list[int]:
        """Who has the most points of those who have not lost already."""
        scores = self.position.scores()
        stay = [seat for seat in range(self.rules.seats) if not self.seats[seat].lost]
        most = max((scores[seat] for seat in stay), default=0)
        return [seat for seat in stay if scores[seat] == most]

    def _over(self, result: Result) -> None:
        self.result = result
        self.status = "over"

    def _founded(self, _: happened.Founded) -> None:
        self._moved()

    def _put(self, number: int, seat: Seat) -> None:
        """Before the game: somebody else on a seat, or nobody. Who stands up takes the entropy along."""
        before = self.seats[number]
        if before.entropy:
            self.entropy.remove(before.entropy)
        self.seats[number] = seat
        if seat.entropy:
            self.entropy.append(seat.entropy)
        self._note_holders()

    def _sat(self, event: happened.Sat) -> None:
        self._put(event.seat, Seat(event.name, event.key, entropy=event.entropy))

    def _left(self, event: happened.Left) -> None:
        for number in event.seats:
            if self.status == "open":
                self._put(number, Seat())
            else:
                self.seats[number].gone = True
        self.offer = None

    def _returned(self, event: happened.Returned) -> None:
        for number in event.seats:
            self.seats[number].gone = False
        if self.offer and self.offer.what == "replace" and self.offer.seat in event.seats:
            self.offer = None

    def _renamed(self, event: happened.Renamed) -> None:
        self.seats[event.seat].name = event.name

    def _arranged(self, event: happened.Arranged) -> None:
        self._put(event.seat, Seat(event.bot, "", event.bot))

    def _started(self, event: happened.Started) -> Happening:
        self._moved()
        self.status = "playing"
        self.entropy = [event.entropy] if event.entropy else []
        self.turn_began = event.at
        return self._advance(event, event.deals)

    def _played(self, event: happened.Played) -> Happening:
        self._moved()
        if self.clock:
            self.left[event.seat] = self.clock.after_move(self.left[event.seat], self._used(event.at))
        self.turn_began = event.at
        return self._advance(event, (event.move, *event.deals))

    def _used(self, now: float) -> float:
        """How long the turn has taken so far; a server's clock that was set back gives nobody time."""
        return max(0.0, now - self.turn_began)

    def _break_off(self, now: float) -> None:
        """A turn that is broken off has taken time, too."""
        if self.clock and self.actor is not None:
            self.left[self.actor] -= self._used(now)

    def _taken_back(self, event: happened.TakenBack) -> None:
        self._moved()
        if self.clock and not self.clock.days:
            self._break_off(event.at)
        self.position = self.record().position(event.plies)
        self._actor = self.position.actor
        del self._actors[event.plies :], self._actions[event.plies :]
        self.turn_began = event.at

    def _resigned(self, event: happened.Resigned) -> None:
        self._moved()
        for number, seat in enumerate(self.seats):
            if self.side(number) == self.side(event.seat):
                seat.lost = seat.lost or event.why
        stay = [number for number, seat in enumerate(self.seats) if not seat.lost]
        if len({self.side(number) for number in stay}) <= 1:
            self._break_off(event.at)
            self._over(Result(self.position.scores(), tuple(stay), event.why))
        else:
            self._bot_begins(event.seat, event.at)
            self.seats[event.seat].bot = event.bot

    def _bot_begins(self, seat: int, now: float) -> None:
        """The turn of a bot that takes over begins now; the turn of anybody else goes on."""
        if self.actor == seat:
            self.turn_began = now

    def _drawn(self, event: happened.Drawn) -> None:
        self._moved()
        self._break_off(event.at)
        stay = tuple(number for number, seat in enumerate(self.seats) if not seat.lost)
        self._over(Result(self.position.scores(), stay, "draw"))

    def _offered(self, event: happened.Offered) -> None:
        self.offer = OpenOffer(self.number, event.what, event.by, event.seat, event.bot)

    def _agreed(self, event: happened.Agreed) -> None:
        assert self.offer is not None
        self.offer.agreed.add(event.by)

    def _declined(self, _: happened.Declined) -> None:
        self.offer = None

    def _replaced(self, event: happened.Replaced) -> None:
        self._moved()
        self._bot_begins(event.seat, event.at)
        self.seats[event.seat].bot = event.bot

    def _said(self, event: happened.Said) -> None:
        self.said += 1
        self.chat.append((event.seat, event.text))

    def _resumed(self, event: happened.Resumed) -> None:
        self.turn_began = event.at

    def _revealed(self, event: happened.Revealed) -> None:
        self.secret = event.secret

    def _rematched(self, event: happened.Rematched) -> None:
        self.rematch = event.table
        self.offer = None

    def _closed(self, _: happened.Closed) -> None:
        self._moved()
        self.status = "closed"


_APPLY: dict[type[happened.Event], Callable[..., Happening | None]] = {
    happened.Founded: Table._founded,
    happened.Sat: Table._sat,
    happened.Left: Table._left,
    happened.Returned: Table._returned,
    happened.Renamed: Table._renamed,
    happened.Arranged: Table._arranged,
    happened.Started: Table._started,
    happened.Played: Table._played,
    happened.TakenBack: Table._taken_back,
    happened.Resigned: Table._resigned,
    happened.Drawn: Table._drawn,
    happened.Offered: Table._offered,
    happened.Agreed: Table._agreed,
    happened.Declined: Table._declined,
    happened.Replaced: Table._replaced,
    happened.Said: Table._said,
    happened.Resumed: Table._resumed,
    happened.Revealed: Table._revealed,
    happened.Rematched: Table._rematched,
    happened.Closed: Table._closed,
}


def _replay(position: Position, texts: tuple[str, ...]) -> happened.Ahead:
    plies = []
    for text in texts:
        action = position.action(text)
        plies.append(Ply(position.actor, action))
        position = position.play(action)
    return happened.Ahead(tuple(plies), position, position.actor)


def _veil(position: Position, plies: tuple[Ply, ...]) -> dict[int, tuple[str, ...]]:
    """What a spectator and each seat are told of some plies."""
    told: dict[int, list[str]] = {viewer: [] for viewer in (SPECTATOR, *range(position.seats))}
    for ply in plies:
        for viewer, texts in told.items():
            seen = position.seen_by(viewer)
            texts.append(seen.move_text(position.veiled(ply.action, viewer)))
        position = position.play(ply.action)
    return {viewer: tuple(texts) for viewer, texts in told.items()}


def fold(name: str, log: Iterable[str], find: Callable[[str], Game]) -> Table:
    """A table from its stored events."""
    lines = iter(log)
    founded = happened.read_event(next(lines))
    assert isinstance(founded, happened.Founded)
    table = Table(name, founded, find)
    table.apply(founded)
    for line in lines:
        table.apply(happened.read_event(line))
    return table
