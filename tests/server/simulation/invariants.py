"""The invariants, checked at every commit, every message and every reply, and at the end. The first broken one ends the
run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.server.simulation.network import Connection, Copy
from tests.wire_client import LostPlace, next_state
from tilery.core.kernel.actors import SPECTATOR
from tilery.games import game
from tilery.server.hosting.host import CommandResult
from tilery.server.store.interface import Batch, NewTableRow
from tilery.table import events as happened
from tilery.table import wire
from tilery.table.commands import AnyCommand, Play
from tilery.table.events import Event, read_event
from tilery.table.state import WHO, Table
from tilery.table.views import ClientMessage, TableViews, visible_event

if TYPE_CHECKING:
    from tests.server.simulation.client import Client
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

State = tuple[Any, ...]


class StoredTable:
    """A table as it is stored, updated at every commit."""

    def __init__(self, name: str, secret: bytes, first: Event) -> None:
        assert isinstance(first, happened.Created)
        self.table = Table(name, first, game)
        self.secret = secret.hex()
        self.events: list[Event] = []
        self.visible_events: list[dict[str, Any]] = []  # each event as spectators see it
        self.states: list[State] = []
        self.lease = 0  # of the last batch
        self.numbers: dict[tuple[str, str], int] = {}  # the first event of each command
        self.add(first)

    def add(self, event: Event) -> None:
        applied_event = self.table.apply(event)
        self.events.append(event)
        self.states.append(state_of(self.table))
        self.visible_events.append(
            {}
            if self.table.game.hidden_information
            else json.loads(wire.encode(visible_event(self.table, applied_event, SPECTATOR)))
        )
        if event.id:
            self.numbers.setdefault((event.by, event.id), self.table.number)


def state_of(table: Table) -> State:
    offer = table.offer.number if table.offer else None
    return table.step, table.plies, table.status, table.actor, offer, table.rematch or None


class Invariants:
    """Records everything, and checks it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.broken = ""
        self.tables: dict[str, StoredTable] = {}
        self.commands: dict[tuple[str, str], AnyCommand] = {}
        self.copies: list[Copy] = []
        self._doubt_until = 0.0

    def fail(self, words: str) -> None:
        if not self.broken:
            self.broken = f"seed {self.world.seed}, second {self.world.loop.time():.3f}: {words}"
            self.world.note(f"BROKEN: {words}")
            self.world.loop.stop()

    def check(self, fine: bool, words: str, *args: object) -> None:
        if not fine:
            self.fail(words.format(*args))

    def doubt(self, seconds: float) -> None:
        """A late batch leaves its own writer behind until the store sends news."""
        self._doubt_until = max(self._doubt_until, self.world.loop.time() + seconds)

    # Commits

    def written(self, writer: str, what: Batch | NewTableRow) -> None:
        if isinstance(what, NewTableRow):
            event = read_event(what.events[0])
            self.tables[what.table] = StoredTable(what.table, what.secret, event)
        else:
            self._written(writer, what)

    def _written(self, writer: str, what: Batch) -> None:
        if problem := self.world.disk.is_fenced(writer, what) or self.world.disk.is_behind(what):
            self.fail(f"a batch was written that should have been refused: {problem}")
            return
        actual = self.tables[what.table]
        events = [read_event(text) for text in what.events]
        known = {(event.by, event.id) for event in events if event.id} & actual.numbers.keys()
        self.check(not known, "executed twice: {}", known)
        made = [event.table for event in events if isinstance(event, happened.Rematched)]
        new_tables = [new_table.table for new_table in what.new_tables]
        self.check(made == new_tables, "a rematch at {}, but new_tables with it was {}", made, new_tables)
        if what.lease != actual.lease and actual.table.status == "playing" and actual.table.clock:
            self.check(
                isinstance(events[0], happened.Resumed), "a new owner began with {}, and time was lost", events[0]
            )
        actual.lease = what.lease
        for event in events:
            self._allow(actual.table, event)
            self.world.charged_time.written(actual.table, what, event)
            try:
                actual.add(event)
            except Exception as error:
                self.fail(f"the log cannot be folded: {event} gives {error!r}")
                return

    def _allow(self, table: Table, event: Event) -> None:
        """Check that an event is allowed now."""
        playing = table.status == "playing"
        if isinstance(event, happened.Played):
            self.check(playing and table.actor == event.seat, "{} was out of turn", event)
            self.check(self._step_of(event) == table.step, "{} was meant for another step than {}", event, table.step)
        elif isinstance(event, happened.Resigned):
            self.check(playing and not table.seats[event.seat].lost, "{} after the seat had lost", event)
            late = table.deadline is not None and event.at >= table.deadline
            self.check(late or event.why != "time", "{}, but the deadline is {}", event, table.deadline)
        elif isinstance(event, happened.Started):
            self.check(table.status == "open", "{} in a game that had begun", event)
        elif isinstance(event, (happened.Revealed, happened.Rematched)):
            done = table.secret if isinstance(event, happened.Revealed) else table.rematch
            self.check(table.status == "over" and not done, "{} at the wrong time", event)
        if isinstance(event, happened.Revealed):
            kept = event.secret == self.tables[table.name].secret
            self.check(kept, "{} reveals another secret than the one that was committed to", event)

    def _step_of(self, event: Event) -> int:
        if event.id.startswith("bot-"):
            return int(event.id.removeprefix("bot-"))
        command = self.commands.get((event.by, event.id))
        return command.step if isinstance(command, Play) else -1

    def called_damaged(self, table: str) -> None:
        self.check(self.world.damage.excuses(table), "{} is called damaged, but it is not", table)

    # Messages

    def check_message(self, connection: Connection, message: ClientMessage) -> dict[str, Any]:
        """Every message has only stored events, continues the previous one, leads to the state of the table, which is
        returned, and reveals no secret."""
        text = message.data.decode()
        words: dict[str, Any] = json.loads(text)
        try:
            state = connection.state = next_state(connection.state, words)
        except LostPlace as lost:
            self.fail(f"{connection} cannot apply changes to event {lost}: it knows {connection.seq}")
        assert state is not None
        actual, seq = self.tables[state["table"]], state["seq"]
        self.world.note(
            "{} is sent {} {} {}", connection, words["type"], [each["seq"] for each in words["events"]], seq
        )
        if seq > actual.table.number:
            self.fail(f"{connection} was sent event {seq}, but only {actual.table.number} are stored")
            return state
        sent = state["step"], state["plies"], state["status"], state["actor"]
        offer = state["offer"] and state["offer"]["offer"]
        self.check(
            (*sent, offer, state.get("rematch")) == actual.states[seq - 1],
            "{} was sent {} at event {}, but it is {}",
            connection,
            sent,
            seq,
            actual.states[seq - 1],
        )
        self._in_order(connection, words, seq)
        self._as_stored(connection, words, actual)
        if state["status"] != "over":
            self.check(actual.secret not in text, "{} was sent the secret", connection)
        for client in self.world.clients:
            self.check(client.who not in text, "{} was sent the key of {}", connection, client.name)
        if connection.client.plays:
            self.check(bool(state["you"]), "{} is taken for a spectator", connection)
        if seq == actual.table.number:
            views = TableViews(actual.table, 0.0)
            whole: dict[str, Any] = json.loads(wire.encode(views.state(connection.who)))
            for part in ("position", "moves", "viewer", "seats"):
                known, wanted = state.get(part), whole.get(part)
                self.check(known == wanted, "{} knows the {} {}, but it is {}", connection, part, known, wanted)
        connection.seq = seq
        return state

    def _in_order(self, connection: Connection, words: dict[str, Any], seq: int) -> None:
        numbers = [each["seq"] for each in words["events"]]
        if words["type"] == "update":
            self.check(connection.seq > 0, "{} got news before its welcome", connection)
            self.check(
                numbers == list(range(connection.seq + 1, seq + 1)),
                "{} knew {}, was sent {}",
                connection,
                connection.seq,
                numbers,
            )
        elif words["fresh"]:
            self.check(not numbers, "{} got a fresh view with events {}", connection, numbers)
        else:
            self.check(connection.seq == 0, "{} was welcomed twice", connection)
            first = (connection.after or 0) + 1
            self.check(
                numbers == list(range(first, seq + 1)),
                "{} came after {}, was sent {}",
                connection,
                connection.after,
                numbers,
            )

    def _as_stored(self, connection: Connection, words: dict[str, Any], actual: StoredTable) -> None:
        for each in words["events"]:
            stored = actual.visible_events[each["seq"] - 1]
            if stored:
                sent = {name: value for name, value in each.items() if name != "who"}
                wanted = {name: list(value) if isinstance(value, tuple) else value for name, value in stored.items()}
                wanted.pop("who", None)
                self.check(sent == wanted, "{} was sent {}, but stored is {}", connection, sent, wanted)

    # Replies

    def sent(self, client: Client, command: AnyCommand, connection: Connection | None) -> Copy:
        copy = Copy(len(self.copies), client, client.table, client.key, command, connection)
        self.copies.append(copy)
        self.commands[client.who, command.id] = command
        return copy

    def asked(self, copy: Copy, process: Process) -> None:
        actual = self.tables[copy.table]
        copy.was_known = (copy.key[:WHO], copy.command.id) in actual.numbers
        copy.step_then, copy.number_then = actual.table.step, actual.table.number
        copy.has_arrived = True
        self.world.note("{} is asked {}: {}", process.name, copy, copy.command)

    def answered(self, copy: Copy, answer: CommandResult) -> None:
        """An accepted command is stored under its number; a stored one is never refused. The update was sent before the
        reply."""
        actual = self.tables[copy.table]
        stored = actual.numbers.get((copy.key[:WHO], copy.command.id))
        if answer.refused:
            copy.outcome = "refused"
            self.check(not copy.was_known, "{} was refused ({}), but it is event {}", copy, answer.refused.kind, stored)
            certain = self.world.loop.time() > self._doubt_until
            if certain and isinstance(copy.command, Play) and answer.refused.kind == "stale":
                steps = {copy.step_then, actual.table.step, copy.command.step}
                self.check(len(steps) > 1, "{} was refused as stale, but the step is {}", copy, steps)
        else:
            copy.outcome = "accepted"
            self.check(answer.number == stored, "{} was answered with {}, stored as {}", copy, answer.number, stored)
        self._update_was_sent_first(copy, copy.number_then if answer.refused else answer.number)

    def _update_was_sent_first(self, copy: Copy, number: int) -> None:
        """Before a reply, its receiver was sent the update; before a refusal, all that was stored when it asked."""
        connection = copy.connection
        if connection is None or not (connection.is_open and connection.seq):
            return
        if copy.outcome == "accepted" or self.world.loop.time() > self._doubt_until:
            self.check(connection.seq >= number, "{} was answered before {} was sent {}", copy, connection, number)

    def rejected_as_busy(self, copy: Copy) -> None:
        """Busy: not executed, unless by another copy of the same command."""
        copy.outcome = "busy"
        stored = self.tables[copy.table].numbers.get((copy.key[:WHO], copy.command.id))
        twins = [other for other in self.copies if other.command is copy.command and other.has_arrived]
        self.check(stored is None or len(twins) > 1, "{} was not taken on, but it is event {}", copy, stored)
