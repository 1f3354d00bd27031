"""What must never happen, whatever goes wrong: checked at every commit, every message and every answer, and once more
at the end. The first thing that is wrong ends the run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.server.simulation.line import Copy, Line
from tilery.games import game
from tilery.server.keeper import Answer
from tilery.server.store.interface import Batch, Founding
from tilery.table import events as happened
from tilery.table.commands import AnyCommand, Play
from tilery.table.events import Event, read_event
from tilery.table.state import WHO, Table
from tilery.table.telling import Told, tell_event

if TYPE_CHECKING:
    from tests.server.simulation.client import Client
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

Standing = tuple[Any, ...]


class Truth:
    """A table as the disk has it, folded commit by commit."""

    def __init__(self, name: str, secret: bytes, first: Event) -> None:
        assert isinstance(first, happened.Founded)
        self.table = Table(name, first, game)
        self.secret = secret.hex()
        self.events: list[Event] = []
        self.told: list[dict[str, Any]] = []  # each event as spectators know it
        self.standings: list[Standing] = []
        self.lease = 0  # of the last batch
        self.numbers: dict[tuple[str, str], int] = {}  # the first event of each command
        self.add(first)

    def add(self, event: Event) -> None:
        happening = self.table.apply(event)
        self.events.append(event)
        self.standings.append(standing_of(self.table))
        self.told.append({} if self.table.game.secret else json.loads(tell_event(self.table, happening, 0)))
        if event.id:
            self.numbers.setdefault((event.by, event.id), self.table.number)


def standing_of(table: Table) -> Standing:
    offer = table.offer.number if table.offer else None
    return table.step, table.plies, table.status, table.actor, offer, table.rematch or None


class Watch:
    """Keeps its own books of everything."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.broken = ""
        self.truths: dict[str, Truth] = {}
        self.commands: dict[tuple[str, str], AnyCommand] = {}
        self.copies: list[Copy] = []
        self._doubt_until = 0.0

    def blame(self, words: str) -> None:
        if not self.broken:
            self.broken = f"seed {self.world.seed}, second {self.world.loop.time():.3f}: {words}"
            self.world.note(f"BROKEN: {words}")
            self.world.loop.stop()

    def hold(self, fine: bool, words: str, *args: object) -> None:
        if not fine:
            self.blame(words.format(*args))

    def doubt(self, seconds: float) -> None:
        """A batch that is written late leaves its own writer behind, until the store says that this may be so."""
        self._doubt_until = max(self._doubt_until, self.world.loop.time() + seconds)

    # Commits

    def written(self, writer: str, what: Batch | Founding) -> None:
        if isinstance(what, Founding):
            event = read_event(what.events[0])
            self.truths[what.table] = Truth(what.table, what.secret, event)
        else:
            self._written(writer, what)

    def _written(self, writer: str, what: Batch) -> None:
        if problem := self.world.disk.is_fenced(writer, what) or self.world.disk.is_behind(what):
            self.blame(f"a batch was written that should have been refused: {problem}")
            return
        truth = self.truths[what.table]
        events = [read_event(text) for text in what.events]
        known = {(event.by, event.id) for event in events if event.id} & truth.numbers.keys()
        self.hold(not known, "carried out a second time: {}", known)
        made = [event.table for event in events if isinstance(event, happened.Rematched)]
        founded = [founding.table for founding in what.founded]
        self.hold(made == founded, "a rematch at {}, but founded with it was {}", made, founded)
        if what.lease != truth.lease and truth.table.status == "playing" and truth.table.clock:
            self.hold(
                isinstance(events[0], happened.Resumed), "a new owner began with {}, and time was lost", events[0]
            )
        truth.lease = what.lease
        for event in events:
            self._allow(truth.table, event)
            try:
                truth.add(event)
            except Exception as error:
                self.blame(f"the log cannot be folded: {event} gives {error!r}")
                return

    def _allow(self, table: Table, event: Event) -> None:
        """Whether this may happen now."""
        playing = table.status == "playing"
        if isinstance(event, happened.Played):
            self.hold(playing and table.actor == event.seat, "{} was out of turn", event)
            self.hold(self._step_of(event) == table.step, "{} was meant for another step than {}", event, table.step)
        elif isinstance(event, happened.Resigned):
            self.hold(playing and not table.seats[event.seat].lost, "{} after the seat had lost", event)
            late = table.deadline is not None and event.at >= table.deadline
            self.hold(late or event.why != "time", "{}, but the deadline is {}", event, table.deadline)
        elif isinstance(event, happened.Started):
            self.hold(table.status == "open", "{} in a game that had begun", event)
        elif isinstance(event, (happened.Revealed, happened.Rematched)):
            done = table.secret if isinstance(event, happened.Revealed) else table.rematch
            self.hold(table.status == "over" and not done, "{} at the wrong time", event)

    def _step_of(self, event: Event) -> int:
        if event.id.startswith("bot-"):
            return int(event.id.removeprefix("bot-"))
        command = self.commands.get((event.by, event.id))
        return command.step if isinstance(command, Play) else -1

    # Messages

    def told(self, line: Line, message: Told) -> dict[str, Any]:
        """Whatever somebody is told is on the disk by now, follows what was told before, and betrays nothing."""
        words: dict[str, Any] = json.loads(message.text)
        state = words["state"]
        truth, seq = self.truths[state["table"]], state["seq"]
        self.world.note("{} is told {} {} {}", line, words["type"], [each["seq"] for each in words["events"]], seq)
        if seq > truth.table.number:
            self.blame(f"{line} was told event {seq}, but only {truth.table.number} are stored")
            return words
        told = state["step"], state["plies"], state["status"], state["actor"]
        offer = state["offer"] and state["offer"]["offer"]
        self.hold(
            (*told, offer, state.get("rematch")) == truth.standings[seq - 1],
            "{} was told {} at event {}, but it is {}",
            line,
            told,
            seq,
            truth.standings[seq - 1],
        )
        self._in_order(line, words, seq)
        self._as_stored(line, words, truth)
        if state["status"] != "over":
            self.hold(truth.secret not in message.text, "{} was told the secret", line)
        for client in self.world.clients:
            self.hold(client.who not in message.text, "{} was told the key of {}", line, client.name)
        if line.client.plays:
            self.hold(bool(state["you"]), "{} is taken for a spectator", line)
        line.seq = seq
        return words

    def _in_order(self, line: Line, words: dict[str, Any], seq: int) -> None:
        numbers = [each["seq"] for each in words["events"]]
        if words["type"] == "update":
            self.hold(line.seq > 0, "{} got news before its welcome", line)
            self.hold(numbers == list(range(line.seq + 1, seq + 1)), "{} knew {}, was told {}", line, line.seq, numbers)
        elif words["fresh"]:
            self.hold(not numbers, "{} got a fresh view with events {}", line, numbers)
        else:
            self.hold(line.seq == 0, "{} was welcomed twice", line)
            first = (line.after or 0) + 1
            self.hold(
                numbers == list(range(first, seq + 1)), "{} came after {}, was told {}", line, line.after, numbers
            )

    def _as_stored(self, line: Line, words: dict[str, Any], truth: Truth) -> None:
        for each in words["events"]:
            stored = truth.told[each["seq"] - 1]
            if stored:
                told = {name: value for name, value in each.items() if name != "who"}
                wanted = {name: list(value) if isinstance(value, tuple) else value for name, value in stored.items()}
                wanted.pop("who", None)
                self.hold(told == wanted, "{} was told {}, but stored is {}", line, told, wanted)

    # Answers

    def sent(self, client: Client, command: AnyCommand, line: Line | None) -> Copy:
        copy = Copy(len(self.copies), client, client.table, client.key, command, line)
        self.copies.append(copy)
        self.commands[client.who, command.id] = command
        return copy

    def asked(self, copy: Copy, process: Process) -> None:
        truth = self.truths[copy.table]
        copy.was_known = (copy.key[:WHO], copy.command.id) in truth.numbers
        copy.step_then = truth.table.step
        copy.came_in = True
        self.world.note("{} is asked {}: {}", process.name, copy, copy.command)

    def answered(self, copy: Copy, answer: Answer) -> None:
        """An accepted command is on the disk, at the number it was given; one that is there is never refused."""
        truth = self.truths[copy.table]
        stored = truth.numbers.get((copy.key[:WHO], copy.command.id))
        if answer.refused:
            copy.outcome = "refused"
            self.hold(not copy.was_known, "{} was refused ({}), but it is event {}", copy, answer.refused.code, stored)
            certain = self.world.loop.time() > self._doubt_until
            if certain and isinstance(copy.command, Play) and answer.refused.code == "stale":
                steps = {copy.step_then, truth.table.step, copy.command.step}
                self.hold(len(steps) > 1, "{} was refused as stale, but the step is {}", copy, steps)
        else:
            copy.outcome = "accepted"
            self.hold(answer.number == stored, "{} was answered with {}, stored as {}", copy, answer.number, stored)

    def not_taken_on(self, copy: Copy) -> None:
        """Overloaded: nothing was done, unless by another copy of the same command."""
        copy.outcome = "overloaded"
        stored = self.truths[copy.table].numbers.get((copy.key[:WHO], copy.command.id))
        twins = [other for other in self.copies if other.command is copy.command and other.came_in]
        self.hold(stored is None or len(twins) > 1, "{} was not taken on, but it is event {}", copy, stored)
