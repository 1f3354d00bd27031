"""What may leave the server: `Told`, made here and nowhere else. Whoever looks is told what this person may know.

Positions are told as wiped views (`Seen`) while a game goes on; events without tokens' hashes, and without what chance
or others did in secret. After the end everything may be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tilery.core.kernel.actors import SPECTATOR
from tilery.core.position import Position, Seen
from tilery.core.record import Record, SeenRecord
from tilery.table import events as happened
from tilery.table.refusing import TableRefused
from tilery.table.showing import breakdown_of, error_of, result_of, write
from tilery.table.state import Happening, Table

VERSION = 1  # of the wire
_SECRETS = ("by", "id", "key", "keys", "host", "ahead")  # fields of events that nobody is told


class Told:
    """A text that may be sent to the person it was made for."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def told(message: dict[str, Any]) -> Told:
    """A message that says nothing about a game."""
    return Told(write(message))


def told_refusal(refused: TableRefused, command: str | None) -> dict[str, Any]:
    """Why a command was not carried out."""
    return {"type": "answer", "id": command, "ok": False, "error": error_of(refused)}


def eyes(table: Table, who: str) -> int:
    """With whose eyes a person looks: those of the seat to move if it is one of theirs, else of their first one."""
    seats = table.seats_of(who)
    if not seats:
        return SPECTATOR
    return table.actor if table.actor in seats else seats[0]


def standing(table: Table, viewer: int) -> Position | Seen:
    """The position as a viewer may see it."""
    open_to_all = table.status == "over" or not table.game.secret
    return table.position if open_to_all else table.position.seen_by(viewer)


class Sight:
    """The game so far for one person, taken while the table stands still, to be looked at where there is time."""

    __slots__ = ("_viewer", "_whole", "is_over")

    def __init__(self, table: Table, who: str) -> None:
        self.is_over = table.status == "over"
        self._whole = table.record()
        self._viewer = eyes(table, who)

    def record(self) -> Record | SeenRecord:
        """What this person may know of it."""
        return self._whole if self.is_over else self._whole.seen_by(self._viewer)


def seen_record(table: Table, who: str) -> Record | SeenRecord:
    """The game so far as a person may know it."""
    return Sight(table, who).record()


def practice_turn(table: Table, who: str) -> Seen:
    """What a person sees who is to move, where all others are bots: help would be unfair to people."""
    if table.seats_of(who) and table.status == "playing":
        people = [seat.who for seat in table.seats if seat.kind != "bot"]
        if people != [who]:
            raise TableRefused("not-allowed", "hints are for practice: all other seats must be bots")
    return own_turn(table, who)


def own_turn(table: Table, who: str) -> Seen:
    """What a person sees who is to move; refused where that is somebody else."""
    if not table.seats_of(who):
        raise TableRefused("not-seated", "this needs a seat at the table")
    if table.status != "playing":
        raise TableRefused("not-now", "this is for a game that goes on")
    actor = table.actor
    assert actor is not None
    if table.seats[actor].who != who:
        raise TableRefused("not-your-turn", f"it is the turn of {table.seats[actor].name}")
    return table.position.seen_by(actor)


def card_of(table: Table) -> str:
    """What the lobby shows."""
    return write(
        {
            "table": table.name,
            "game": table.game.name,
            "variant": table.variant,
            "seats": [{"kind": seat.kind, "name": seat.name} for seat in table.seats],
            "clock": table.clock.write() if table.clock else None,
            "founded": table.founded_at,
        }
    )


class Telling:
    """A table at one moment, and what has just happened there, told to as many people as want to know. What is the
    same for all is written once."""

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.now = now
        self._common = ""
        self._positions: dict[int, str] = {}
        self._moves: dict[int, str] = {}
        self._updates: dict[tuple[int, bool], str] = {}

    def _shared(self) -> str:
        """All of the state but what depends on who looks, without the closing brace."""
        if not self._common:
            self._common = self._write_shared()
        return self._common

    def _write_shared(self) -> str:
        table = self.table
        clock = write(self._clock()) if table.clock else "null"
        offer = write(self._offer()) if table.offer else "null"
        actor = "null" if table.actor is None else table.actor
        text = (
            f'{self._plate()},"status":"{table.status}","seq":{table.number},"step":{table.step},'
            f'"plies":{table.plies},"actor":{actor},"clock":{clock},"offer":{offer}'
        )
        return f"{text},{write(self._ending())[1:-1]}" if table.status == "over" else text

    def _plate(self) -> str:
        """What moves do not change: who plays what. It is written again when somebody has come, gone or changed."""
        table = self.table
        if not table.plate:
            words: dict[str, Any] = {
                "table": table.name,
                "game": table.game.name,
                "variant": table.variant,
                "commitment": table.commitment,
                "public": table.public,
                "chat": table.chats,
                "seats": [
                    {"kind": seat.kind, "name": seat.name, "bot": seat.bot, "gone": seat.gone, "lost": seat.lost}
                    for seat in table.seats
                ],
            }
            if table.before:
                words["before"] = table.before
            table.plate = write(words)[:-1]
        return table.plate

    def _ending(self) -> dict[str, Any]:
        """What is added when the game is over."""
        table, result = self.table, self.table.result
        assert result is not None
        words: dict[str, Any] = {
            "result": result_of(result),
            "breakdown": breakdown_of(table.position),
            "entropy": ",".join(table.entropy),
            "secret": table.secret,
        }
        if table.rematch:
            words["rematch"] = table.rematch
        return words

    def _clock(self) -> dict[str, Any] | None:
        table = self.table
        if table.clock is None:
            return None
        left = list(table.left)
        if table.actor is not None:
            left[table.actor] -= max(0.0, self.now - table.turn_began)
        return {**table.clock.write(), "left": [round(max(0.0, seconds), 3) for seconds in left]}

    def _offer(self) -> dict[str, Any] | None:
        table, offer = self.table, self.table.offer
        if offer is None:
            return None
        agreed = sorted(seat for who in offer.agreed for seat in table.seats_of(who))
        return {
            "offer": offer.number,
            "what": offer.what,
            "by": table.seats_of(offer.by),
            "seat": offer.seat,
            "bot": offer.bot,
            "agreed": agreed,
        }

    def _position(self, viewer: int) -> str:
        table = self.table
        if table.status == "open":
            return "null"
        if not table.game.secret:
            viewer = SPECTATOR  # everybody sees the same
        if viewer not in self._positions:
            self._positions[viewer] = standing(table, viewer).json()
        return self._positions[viewer]

    def _moves_of(self, seat: int) -> str:
        if seat not in self._moves:
            position = self.table.position
            moves = (position.seen_by(seat) if self.table.game.secret else position).moves()
            self._moves[seat] = happened.write_moves(moves)
        return self._moves[seat]

    def state(self, who: str) -> str:
        """The table for one person, as JSON."""
        table = self.table
        seats = table.seats_of(who)
        viewer = eyes(table, who)
        host = "true" if who and who == table.host else "false"
        eye = "null" if viewer == SPECTATOR else viewer
        text = f'{self._shared()},"you":{seats},"host":{host},"viewer":{eye},"position":{self._position(viewer)}'
        actor = table.actor
        if actor is not None and actor in seats and table.seats[actor].who == who:
            return f'{text},"moves":{self._moves_of(actor)}}}'
        return f"{text}}}"

    def update(self, happenings: Sequence[Happening], who: str, *, chat: bool) -> Told:
        """What has just happened, and how the table stands now."""
        viewer = eyes(self.table, who) if self.table.game.secret else SPECTATOR
        if (viewer, chat) not in self._updates:
            self._updates[viewer, chat] = self._events(happenings, viewer, chat)
        return Told(f'{{"type":"update","events":{self._updates[viewer, chat]},"state":{self.state(who)}}}')

    def welcome(self, who: str, *, after: int | None, chat: bool, heartbeat: float) -> Told:
        """What somebody is told who has just come: exactly what was missed, where that is known, or a fresh view."""
        table = self.table
        first = table.recent[0].number if table.recent else 1
        fresh = after is None or not first - 1 <= after <= table.number
        words: dict[str, Any] = {"type": "welcome", "version": VERSION, "heartbeat": heartbeat, "fresh": fresh}
        if fresh:
            record = seen_record(table, who) if table.status != "open" else None
            words["history"] = history_of(record) if record else []
            words["chatter"] = [{"seat": seat, "text": text} for seat, text in table.chat] if chat else []
            missed = []
        else:
            assert after is not None
            missed = [each for each in table.recent if each.number > after]
        events = self._events(missed, eyes(table, who), chat)
        return Told(f'{write(words)[:-1]},"events":{events},"state":{self.state(who)}}}')

    def _events(self, happenings: Iterable[Happening], viewer: int, chat: bool) -> str:
        texts = [
            tell_event(self.table, each, viewer)
            for each in happenings
            if chat or not isinstance(each.event, happened.Said)
        ]
        return f"[{','.join(texts)}]"


def tell_event(table: Table, happening: Happening, viewer: int) -> str:
    """An event as somebody may know it, as JSON."""
    event = happening.event
    who = f',"who":{table.seats_of(event.by)}' if event.by else ""
    veiled = happening.veiled[viewer] if happening.veiled and table.status != "over" else None
    if isinstance(event, happened.Played):  # by far the most of them
        move, *deals = veiled or (event.move, *event.deals)
        head = f'{{"seq":{happening.number},"type":"{event.type}","at":{event.at},"seat":{event.seat}'
        return f'{head},"move":"{move}","deals":{happened.write_moves(deals)}{who}}}'
    words = {name: value for name, value in happened.plain(event).items() if name not in _SECRETS}
    if veiled is not None:
        words["deals"] = veiled
    return f'{{"seq":{happening.number},{write(words)[1:-1]}{who}}}'


def history_of(record: Record | SeenRecord) -> list[tuple[int, str]]:
    """All plies: who acted (-1 is chance), and the move."""
    history = []
    for ply, position in zip(record.plies, record.positions(), strict=False):
        history.append((ply.actor, position.move_text(ply.action)))
    return history
