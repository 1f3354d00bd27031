"""What each person may see of a table. Every message about a game is made here, from the types of `wire`.

During a game, positions are shown as `Seen`, and plies as their viewer sees them; no type of the wire has the hash of a
token. After the game everything is visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from tilery.core.kernel.actors import SPECTATOR
from tilery.core.position import BasePosition, Position, Seen
from tilery.core.record import Record, SeenRecord
from tilery.core.view import View
from tilery.table import events, responses, wire
from tilery.table.plies import PlayedPly, replay_texts, texts_of
from tilery.table.refusals import TableRefused, error_of
from tilery.table.rendering import breakdown_of, ply_of, result_of
from tilery.table.state import AppliedEvent, OpenOffer, Table

# Events after which an update tells what has changed; after all others it tells the whole state.
_SMALL_EVENTS = frozenset({events.Played, events.Said, events.Offered, events.Agreed, events.Declined})
_TYPES: dict[str, type[wire.TableEvent]] = {
    str(kind.__struct_config__.tag): kind for kind in wire.TableEvent.__subclasses__()
}
_COMPUTED = ("seq", "who", "plies")  # fields of the wire's events that stored events do not have, or not like this


class ClientMessage:
    """JSON that may be sent to the person it was made for."""

    __slots__ = ("data",)

    def __init__(self, message: wire.AnyMessage) -> None:
        self.data = wire.encode(message)


def refusal_message(refused: TableRefused, command: str | None) -> wire.Reply:
    """The reply to a command that was refused."""
    return wire.Reply(id=command, ok=False, error=error_of(refused))


def perspective_of(table: Table, who: str) -> int:
    """The seat whose knowledge a person is shown: the seat to move if it is theirs, otherwise their first seat. Seats
    that a bot has taken over do not count, because it gets cards that are none of their former player's business."""
    return _perspective(table.seats_played_by(who), table.actor)


def _perspective(seats: Sequence[int], actor: int | None) -> int:
    if not seats:
        return SPECTATOR
    return actor if actor is not None and actor in seats else seats[0]


def listener_of(table: Table, who: str) -> int:
    """The seat with whose knowledge a person is told what happened. People who share a screen share its log, which must
    not reveal the cards of one to the other: they are told what a spectator learns."""
    return _listener(table.seats_played_by(who))


def _listener(seats: Sequence[int]) -> int:
    return seats[0] if len(seats) == 1 else SPECTATOR


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
    if table.seats_played_by(who) and table.status == "playing":
        people = [seat.who for seat in table.seats if seat.kind != "bot"]
        if people != [who]:
            raise TableRefused("not-allowed", "hints-in-practice")
    return own_turn(table, who)


def own_turn(table: Table, who: str) -> Seen:
    """The position as the person to move sees it; refused if it is not their turn."""
    if not table.seats_played_by(who):
        raise TableRefused("not-seated", "seat-needed")
    if table.status != "playing":
        raise TableRefused("not-now", "no-game-now")
    actor = table.actor
    assert actor is not None
    if table.seats[actor].who != who:
        raise TableRefused("not-your-turn", "turn-of-other", name=table.seats[actor].name)
    return table.position.seen_by(actor)


def lobby_card(table: Table) -> str:
    """What the lobby shows of a table, as JSON."""
    card = responses.LobbyTable(
        table=table.name,
        game=table.game.name,
        variant=table.variant,
        seats=tuple(responses.LobbySeat(seat.kind, seat.name) for seat in table.seats),
        clock=wire.ClockSetting(**table.clock.write()) if table.clock else None,
        created=table.created_at,
    )
    return wire.encode(card).decode()


class Shown(NamedTuple):
    """What the listeners of a table know: the table after one of its events."""

    seq: int
    step: int
    status: str
    actor: int | None
    offer: wire.OpenOffer | None
    position: Position


class TableViews:
    """Views of a table at one moment, for any number of people. Whatever is the same for several is made once.

    `shown` is what they know already, `applied` the events since then.
    """

    def __init__(
        self, table: Table, now: float, shown: Shown | None = None, applied: Sequence[AppliedEvent] = ()
    ) -> None:
        self.table = table
        self.now = now
        self._shown = shown
        self._applied = applied
        self._views: dict[int, View] = {}
        self._events: dict[tuple[int, bool], msgspec.Raw] = {}
        self._view_changes: dict[int, msgspec.Raw] = {}
        self._legal: msgspec.Raw | None = None
        self._updates: dict[tuple[object, ...], ClientMessage] = {}
        self._is_small = (
            shown is not None
            and shown.status == table.status
            and all(type(each.event) in _SMALL_EVENTS for each in applied)
        )
        self._mover = self._person_at(table.actor)
        self._moved = self._person_at(shown.actor) if shown else ""

    def shown(self) -> Shown:
        """What everybody knows who has got these views."""
        table = self.table
        return Shown(table.number, table.step, table.status, table.actor, self._offer(), table.position)

    @cached_property
    def _breakdown(self) -> tuple[wire.ScoreItem, ...]:
        return breakdown_of(self.table.position)

    @cached_property
    def _seats(self) -> tuple[wire.Seat, ...]:
        return tuple(wire.Seat(seat.kind, seat.name, seat.bot, seat.gone, seat.lost) for seat in self.table.seats)

    def _clock(self) -> wire.Clock | None:
        table = self.table
        if table.clock is None:
            return None
        left = list(table.time_left)
        if table.actor is not None:
            left[table.actor] -= max(0.0, self.now - table.turn_began)
        return wire.Clock(**table.clock.write(), left=tuple([round(max(0.0, seconds), 3) for seconds in left]))

    def _offer(self) -> wire.OpenOffer | None:
        table, offer = self.table, self.table.offer
        return _wire_offer(table, offer) if offer else None

    def _view(self, viewer: int) -> View:
        """The position as a viewer sees it. In a game without hidden information everybody sees the same."""
        viewer = viewer if self.table.game.hidden_information else SPECTATOR
        if viewer not in self._views:
            position = visible_position(self.table, viewer)
            self._views[viewer] = position.game.view(position.row)
        return self._views[viewer]

    def _person_at(self, actor: int | None) -> str:
        """The person whose turn it is, "" for none."""
        return "" if actor is None else self.table.seats[actor].who

    def _moves(self) -> Any:
        """The legal moves of the seat to move, as it sees them, in JSON."""
        if self._legal is None:
            table = self.table
            position = table.position
            seen = position.seen_by(table.actor or 0) if table.game.hidden_information else position
            self._legal = msgspec.Raw(wire.encode(seen.moves()))
        return self._legal

    def state(self, who: str) -> wire.State:
        """The state of the table for one person."""
        table, result = self.table, self.table.result
        viewer = perspective_of(table, who)
        is_over = table.status == "over"
        return wire.State(
            table=table.name,
            game=table.game.name,
            variant=table.variant,
            commitment=table.commitment,
            public=table.public,
            chat=table.has_chat,
            seats=self._seats,
            before=table.before,
            status=table.status,
            seq=table.number,
            step=table.step,
            plies=table.plies,
            actor=table.actor,
            clock=self._clock(),
            offer=self._offer(),
            result=result_of(result) if is_over and result else UNSET,
            breakdown=self._breakdown if is_over else UNSET,
            entropy=",".join(table.entropy) if is_over else UNSET,
            secret=table.secret if is_over else UNSET,
            rematch=table.rematch,
            you=tuple(table.seats_of(who)),
            host=bool(who) and who == table.host,
            viewer=None if viewer == SPECTATOR else viewer,
            position=None if table.status == "open" else self._view(viewer),
            moves=self._moves() if who and who == self._mover else (),
        )

    def update(self, who: str, *, chat: bool) -> ClientMessage:
        """The message about the new events: what has changed, or the whole state after them."""
        shown, table = self._shown, self.table
        if not self._is_small or shown is None:
            after = self._applied[0].number - 1
            told = self._told(self._applied, listener_of(table, who), chat)
            return ClientMessage(wire.Update(after=after, events=told, state=self.state(who)))
        seats = table.seats_played_by(who)
        listener = _listener(seats)
        viewer, viewer_before = _perspective(seats, table.actor), _perspective(seats, shown.actor)
        moves, moved = bool(who) and who == self._mover, bool(who) and who == self._moved
        key = (listener, viewer, viewer_before, moves, moved, chat)
        update = self._updates.get(key)
        if update is None:
            told = self._told(self._applied, listener, chat)
            changes = self._changes(shown, viewer, viewer_before, moves=moves, moved=moved)
            update = ClientMessage(wire.Update(after=shown.seq, events=told, changes=changes))
            self._updates[key] = update
        return update

    def _changes(self, shown: Shown, viewer: int, viewer_before: int, *, moves: bool, moved: bool) -> wire.StateChanges:
        table = self.table
        offer = self._offer()
        if table.step == shown.step:
            unchanged = UNSET if offer == shown.offer else offer
            return wire.StateChanges(seq=table.number, clock=self._clock() or UNSET, offer=unchanged)
        same_view = viewer == viewer_before or not table.game.hidden_information
        return wire.StateChanges(
            seq=table.number,
            step=table.step,
            plies=table.plies,
            actor=table.actor,
            clock=self._clock() or UNSET,
            offer=UNSET if offer == shown.offer else offer,
            viewer=UNSET if viewer == viewer_before else viewer,
            position=UNSET if same_view else self._view(viewer),
            position_changes=self._changes_of_view(shown, viewer) if same_view else UNSET,
            moves=self._moves() if moves else () if moved else UNSET,
        )

    def _changes_of_view(self, shown: Shown, viewer: int) -> Any:
        """What has changed in the position as a viewer sees it, in JSON."""
        game, position = self.table.game, self.table.position
        viewer = viewer if game.hidden_information else SPECTATOR
        if viewer not in self._view_changes:
            if not game.hidden_information or self.table.status == "over":
                changes = game.view_changes(shown.position.row, position.row)
            else:
                changes = game.view_changes(shown.position.seen_by(viewer).row, position.seen_by(viewer).row)
            self._view_changes[viewer] = msgspec.Raw(wire.encode(changes))
        return self._view_changes[viewer]

    def welcome(self, who: str, *, after: int | None, chat: bool, heartbeat: float) -> ClientMessage:
        """The first message of a connection: the events after `after`, or the whole history if they are too old."""
        table = self.table
        missed = self._missed(after)
        fresh = missed is None
        history: Any = UNSET
        chat_history: Any = UNSET
        if fresh:
            history = history_of(_record_for(table, listener_of(table, who))) if table.status != "open" else ()
            chat_history = tuple(wire.ChatMessage(seat, text) for seat, text in table.chat) if chat else ()
        return ClientMessage(
            wire.Welcome(
                version=wire.VERSION,
                heartbeat=heartbeat,
                fresh=fresh,
                history=history,
                chat_history=chat_history,
                events=self._told(missed or (), listener_of(table, who), chat),
                state=self.state(who),
            )
        )

    def _missed(self, after: int | None) -> list[AppliedEvent] | None:
        """The events after number `after` with their plies; None if they are too old, or plies were taken back."""
        table = self.table
        first = table.recent[0][0] if table.recent else 1
        if after is None or not first - 1 <= after <= table.number:
            return None
        missed = [(number, event) for number, event in table.recent if number > after]
        if any(isinstance(event, events.TakenBack) for _, event in missed):
            return None
        texts = [texts_of(event) if isinstance(event, (events.Started, events.Played)) else () for _, event in missed]
        count = sum(map(len, texts))
        position = table.history.position(table.plies - count) if count else table.position
        applied = []
        for (number, event), moves in zip(missed, texts, strict=True):
            played = replay_texts(position, moves)
            position = played.position
            applied.append(AppliedEvent(number, event, played.plies))
        return applied

    def _told(self, applied: Iterable[AppliedEvent], listener: int, chat: bool) -> Any:
        """Events as a listener may know them, in JSON: they are part of several messages."""
        if not self.table.game.hidden_information:
            listener = SPECTATOR  # everybody knows the same
        key = (listener, chat)
        if key not in self._events:
            told = [
                visible_event(self.table, each, listener)
                for each in applied
                if chat or not isinstance(each.event, events.Said)
            ]
            self._events[key] = msgspec.Raw(wire.encode(told))
        return self._events[key]


def _wire_offer(table: Table, offer: OpenOffer) -> wire.OpenOffer:
    agreed = sorted(seat for who in offer.agreed for seat in table.seats_of(who))
    return wire.OpenOffer(
        offer.number, offer.what, tuple(table.seats_of(offer.by)), offer.seat, offer.bot, tuple(agreed)
    )


def visible_event(table: Table, applied: AppliedEvent, listener: int) -> wire.TableEvent:
    """An event as a listener may know it: what the type of the wire lists, and nothing else."""
    event = applied.event
    if type(event) is events.Played:  # the fast path: most events are moves
        who = tuple(table.seats_of(event.by)) if event.by else ()
        plies = _visible_plies(table, applied.plies, listener)
        return wire.Played(seq=applied.number, at=event.at, who=who, seat=event.seat, plies=plies)
    kind = _TYPES[event.type]
    fields: dict[str, Any] = {
        name: getattr(event, name) for name in kind.__struct_fields__ if name not in _COMPUTED and hasattr(event, name)
    }
    if isinstance(event, events.TakenBack):
        fields["plies"] = event.plies
    elif isinstance(event, events.Started):
        fields["plies"] = _visible_plies(table, applied.plies, listener)
    return kind(seq=applied.number, who=tuple(table.seats_of(event.by)) if event.by else (), **fields)


def _visible_plies(table: Table, plies: Sequence[PlayedPly], listener: int) -> tuple[wire.Ply, ...]:
    is_hidden = table.game.hidden_information and table.status != "over"
    return tuple([visible_ply(ply, listener if is_hidden else None) for ply in plies])


def visible_ply(ply: PlayedPly, listener: int | None) -> wire.Ply:
    """A ply as a listener may know it; None stands for somebody who may know everything."""
    if listener is None:
        return ply_of(ply.before, ply.actor, ply.action)
    return ply_of(ply.before.seen_by(listener), ply.actor, ply.before.veiled(ply.action, listener))


def _record_for(table: Table, listener: int) -> Record | SeenRecord:
    is_hidden = table.game.hidden_information and table.status != "over"
    return table.record().seen_by(listener) if is_hidden else table.record()


def history_of(record: Record | SeenRecord) -> tuple[wire.Ply, ...]:
    """All plies with their effects."""
    positions: Iterator[BasePosition] = iter(record.positions())
    return tuple(ply_of(before, ply.actor, ply.action) for ply, before in zip(record.plies, positions, strict=False))
