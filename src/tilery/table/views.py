"""What each person may see of a table. Every `ClientMessage` about a game is made here.

During a game, positions are shown as `Seen`, and events without the hashes of tokens and without what chance or other
players did in secret. After the game everything is visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tilery.core.kernel.actors import SPECTATOR
from tilery.core.position import Position, Seen
from tilery.core.record import Record, SeenRecord
from tilery.table import events
from tilery.table.refusals import TableRefused
from tilery.table.rendering import breakdown_of, error_of, result_of, write
from tilery.table.state import AppliedEvent, Table

VERSION = 2  # of the wire protocol
_PRIVATE_FIELDS = ("by", "id", "key", "keys", "host", "played_plies")  # of events; never sent


class ClientMessage:
    """A text that may be sent to the person it was made for."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def client_message(message: dict[str, Any]) -> ClientMessage:
    """A message without anything about a game."""
    return ClientMessage(write(message))


def refusal_message(refused: TableRefused, command: str | None) -> dict[str, Any]:
    """The reply to a command that was refused."""
    return {"type": "reply", "id": command, "ok": False, "error": error_of(refused)}


def perspective_of(table: Table, who: str) -> int:
    """The seat whose knowledge a person is shown: the seat to move if it is theirs, otherwise their first seat."""
    seats = table.seats_of(who)
    if not seats:
        return SPECTATOR
    return table.actor if table.actor in seats else seats[0]


def visible_position(table: Table, viewer: int) -> Position | Seen:
    """The position as a viewer may see it."""
    open_to_all = table.status == "over" or not table.game.hidden_information
    return table.position if open_to_all else table.position.seen_by(viewer)


class VisibleGame:
    """The game so far for one person: a snapshot of the table, so that a thread can compute the record."""

    __slots__ = ("_viewer", "_whole", "is_over")

    def __init__(self, table: Table, who: str) -> None:
        self.is_over = table.status == "over"
        self._whole = table.record()
        self._viewer = perspective_of(table, who)

    def record(self) -> Record | SeenRecord:
        """The record as this person may see it."""
        return self._whole if self.is_over else self._whole.seen_by(self._viewer)


def visible_record(table: Table, who: str) -> Record | SeenRecord:
    """The record of the game so far as a person may see it."""
    return VisibleGame(table, who).record()


def practice_turn(table: Table, who: str) -> Seen:
    """Like `own_turn`, but refused if other people play: a hint would be unfair to them."""
    if table.seats_of(who) and table.status == "playing":
        people = [seat.who for seat in table.seats if seat.kind != "bot"]
        if people != [who]:
            raise TableRefused("not-allowed", "hints are only for practice games: all other seats must be bots")
    return own_turn(table, who)


def own_turn(table: Table, who: str) -> Seen:
    """The position as the person to move sees it; refused if it is not their turn."""
    if not table.seats_of(who):
        raise TableRefused("not-seated", "you need a seat at this table")
    if table.status != "playing":
        raise TableRefused("not-now", "there is no game in progress at this table")
    actor = table.actor
    assert actor is not None
    if table.seats[actor].who != who:
        raise TableRefused("not-your-turn", f"it is {table.seats[actor].name}'s turn")
    return table.position.seen_by(actor)


def lobby_card(table: Table) -> str:
    """What the lobby shows of a table, as JSON."""
    return write(
        {
            "table": table.name,
            "game": table.game.name,
            "variant": table.variant,
            "seats": [{"kind": seat.kind, "name": seat.name} for seat in table.seats],
            "clock": table.clock.write() if table.clock else None,
            "created": table.created_at,
        }
    )


class TableViews:
    """Views of a table at one moment, for any number of people. Whatever is the same for all is rendered once."""

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.now = now
        self._shared_json = ""
        self._positions: dict[int, str] = {}
        self._moves: dict[int, str] = {}
        self._event_json: dict[tuple[int, bool], str] = {}

    def _shared(self) -> str:
        """The part of the state that is the same for everybody, as JSON without the closing brace."""
        if not self._shared_json:
            self._shared_json = self._write_shared()
        return self._shared_json

    def _write_shared(self) -> str:
        table = self.table
        clock = write(self._clock()) if table.clock else "null"
        offer = write(self._offer()) if table.offer else "null"
        actor = "null" if table.actor is None else table.actor
        text = (
            f'{self._header()},"status":"{table.status}","seq":{table.number},"step":{table.step},'
            f'"plies":{table.plies},"actor":{actor},"clock":{clock},"offer":{offer}'
        )
        return f"{text},{write(self._final_values())[1:-1]}" if table.status == "over" else text

    def _header(self) -> str:
        """The part of the state that moves do not change, as JSON without the closing brace; cached in the table."""
        table = self.table
        if not table.header_json:
            values: dict[str, Any] = {
                "table": table.name,
                "game": table.game.name,
                "variant": table.variant,
                "commitment": table.commitment,
                "public": table.public,
                "chat": table.has_chat,
                "seats": [
                    {"kind": seat.kind, "name": seat.name, "bot": seat.bot, "gone": seat.gone, "lost": seat.lost}
                    for seat in table.seats
                ],
            }
            if table.before:
                values["before"] = table.before
            table.header_json = write(values)[:-1]
        return table.header_json

    def _final_values(self) -> dict[str, Any]:
        """The additional fields of the state when the game is over."""
        table, result = self.table, self.table.result
        assert result is not None
        values: dict[str, Any] = {
            "result": result_of(result),
            "breakdown": breakdown_of(table.position),
            "entropy": ",".join(table.entropy),
            "secret": table.secret,
        }
        if table.rematch:
            values["rematch"] = table.rematch
        return values

    def _clock(self) -> dict[str, Any] | None:
        table = self.table
        if table.clock is None:
            return None
        left = list(table.time_left)
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
        if not table.game.hidden_information:
            viewer = SPECTATOR  # everybody sees the same
        if viewer not in self._positions:
            self._positions[viewer] = visible_position(table, viewer).json()
        return self._positions[viewer]

    def _moves_of(self, seat: int) -> str:
        if seat not in self._moves:
            position = self.table.position
            moves = (position.seen_by(seat) if self.table.game.hidden_information else position).moves()
            self._moves[seat] = events.write_moves([move.text for move in moves])
        return self._moves[seat]

    def state(self, who: str) -> str:
        """The state of the table for one person, as JSON."""
        table = self.table
        seats = table.seats_of(who)
        viewer = perspective_of(table, who)
        host = "true" if who and who == table.host else "false"
        shown_viewer = "null" if viewer == SPECTATOR else viewer
        text = (
            f'{self._shared()},"you":{seats},"host":{host},"viewer":{shown_viewer},"position":{self._position(viewer)}'
        )
        actor = table.actor
        if actor is not None and actor in seats and table.seats[actor].who == who:
            return f'{text},"moves":{self._moves_of(actor)}}}'
        return f"{text}}}"

    def update(self, applied: Sequence[AppliedEvent], who: str, *, chat: bool) -> ClientMessage:
        """The message about new events, with the state after them."""
        viewer = perspective_of(self.table, who) if self.table.game.hidden_information else SPECTATOR
        if (viewer, chat) not in self._event_json:
            self._event_json[viewer, chat] = self._events(applied, viewer, chat)
        return ClientMessage(f'{{"type":"update","events":{self._event_json[viewer, chat]},"state":{self.state(who)}}}')

    def welcome(self, who: str, *, after: int | None, chat: bool, heartbeat: float) -> ClientMessage:
        """The first message of a connection: the events after `after`, or the whole history if they are too old."""
        table = self.table
        first = table.recent[0].number if table.recent else 1
        fresh = after is None or not first - 1 <= after <= table.number
        values: dict[str, Any] = {"type": "welcome", "version": VERSION, "heartbeat": heartbeat, "fresh": fresh}
        if fresh:
            record = visible_record(table, who) if table.status != "open" else None
            values["history"] = history_of(record) if record else []
            values["chat_history"] = [{"seat": seat, "text": text} for seat, text in table.chat] if chat else []
            missed = []
        else:
            assert after is not None
            missed = [each for each in table.recent if each.number > after]
        missed_events = self._events(missed, perspective_of(table, who), chat)
        return ClientMessage(f'{write(values)[:-1]},"events":{missed_events},"state":{self.state(who)}}}')

    def _events(self, applied: Iterable[AppliedEvent], viewer: int, chat: bool) -> str:
        texts = [
            visible_event(self.table, each, viewer)
            for each in applied
            if chat or not isinstance(each.event, events.Said)
        ]
        return f"[{','.join(texts)}]"


def visible_event(table: Table, applied_event: AppliedEvent, viewer: int) -> str:
    """An event as a viewer may see it, as JSON."""
    event = applied_event.event
    who = f',"who":{table.seats_of(event.by)}' if event.by else ""
    veiled = applied_event.veiled[viewer] if applied_event.veiled and table.status != "over" else None
    if isinstance(event, events.Played):  # the fast path: most events are moves
        move, *deals = veiled or (event.move, *event.deals)
        head = f'{{"seq":{applied_event.number},"type":"{event.type}","at":{event.at},"seat":{event.seat}'
        return f'{head},"move":"{move}","deals":{events.write_moves(deals)}{who}}}'
    values = {name: value for name, value in events.event_values(event).items() if name not in _PRIVATE_FIELDS}
    if veiled is not None:
        values["deals"] = veiled
    return f'{{"seq":{applied_event.number},{write(values)[1:-1]}{who}}}'


def history_of(record: Record | SeenRecord) -> list[tuple[int, str]]:
    """All plies: the actor (-1 is chance) and the move."""
    history = []
    for ply, position in zip(record.plies, record.positions(), strict=False):
        history.append((ply.actor, position.move_text(ply.action)))
    return history
