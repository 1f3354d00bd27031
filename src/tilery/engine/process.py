"""The engine process: it reads requests line by line, searches by priority, and answers as soon as it has a result.

The reading thread never searches, so a `terminate` is handled during a search and stops it between two short steps.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from threading import Condition, Event, Lock, Thread

from msgspec import UNSET

from tilery import __version__
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.answers import (
    Analysis,
    Answer,
    BotInfo,
    Bots,
    Failure,
    Played,
    Terminated,
    Version,
    Warned,
    answer_line,
)
from tilery.engine.bots import BOTS, bot
from tilery.engine.info import Info
from tilery.engine.json_fields import InvalidRequest
from tilery.engine.limits import Limit
from tilery.engine.protocol import (
    MAX_LINE_BYTES,
    MAX_TURNS,
    PROTOCOL,
    Analyse,
    EngineQuery,
    Play,
    Request,
    Terminate,
    Think,
    read_request,
)
from tilery.engine.report import analysis, method_for
from tilery.engine.search import think
from tilery.games import GAMES


@dataclass(eq=False)
class _Task:
    """One position to search."""

    request: Think
    turn: int
    seen: Seen
    stop: Event = field(default_factory=Event)


_Entry = tuple[int, int, _Task]  # in the queue: by descending priority, then in the order of arrival


class EngineProcess:
    """Requests come in through `handle`, answers go out through `write`; `close` ends it."""

    def __init__(self, write: Callable[[str], None], *, limit: Limit, workers: int = 1) -> None:
        self.limit = limit
        self.broken = False  # the answers are no longer read
        self._write = write
        self._writing = Lock()
        self._order = count()
        self._changed = Condition()  # guards all attributes below
        self._waiting: list[_Entry] = []
        self._running: set[_Task] = set()
        self._closed = False
        self._workers = workers

    def start(self) -> None:
        """Start the workers."""
        for number in range(self._workers):
            Thread(target=self._work, name=f"analysis {number + 1}", daemon=True).start()

    def handle(self, line: bytes) -> None:
        """Answer a line or put it in the queue; never raises."""
        if not line.strip():
            return
        try:
            request = read_request(line, self.limit)
        except InvalidRequest as invalid:
            self._send(Failure(invalid.id, invalid.problem, invalid.field))
            return
        except Exception as error:  # a bug must not end the process
            self._send(Failure(None, _internal_error(error), None))
            return
        for name in request.unknown:
            self._send(Warned(request.id, f"there is no field {name[:40]!a} here", name))
        self._dispatch(request)

    def _dispatch(self, request: Request) -> None:
        match request:
            case EngineQuery():
                self._send(_engine_facts(request))
            case Terminate():
                self.cancel(request)
            case Think():
                self._enqueue(request)

    def _enqueue(self, request: Think) -> None:
        with self._changed:
            full = len(self._waiting) + len(request.turns) > MAX_TURNS
            if not full:
                for turn, seen in request.turns:
                    heapq.heappush(self._waiting, (-request.priority, next(self._order), _Task(request, turn, seen)))
                self._changed.notify_all()
        if full:
            problem = f"more than {MAX_TURNS:,} turns are waiting: try again later"
            self._send(Failure(request.id, problem, "id"))

    def cancel(self, request: Terminate | None = None) -> None:
        """Stop the queries that the request names, or all if it names none; each is still answered."""
        ids = request.ids and frozenset(request.ids) if request else None
        with self._changed:
            matching: list[_Entry] = []
            others: list[_Entry] = []
            for entry in self._waiting:
                (matching if ids is None or entry[2].request.id in ids else others).append(entry)
            self._waiting = others
            heapq.heapify(self._waiting)
            stopped = [task for task in self._running if ids is None or task.request.id in ids]
        if request:
            named = UNSET if request.ids is None else request.ids
            self._send(Terminated(request.id, request.action, named, len(matching) + len(stopped)))
        for task in stopped:
            task.stop.set()
        for _, _, task in sorted(matching):
            self._send(_cancelled_answer(task))

    def close(self, *, wait: bool = True) -> None:
        """Accept no more requests; with `wait=False`, cancel those that are not answered yet."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if not wait:
            self.cancel()

    def join(self) -> None:
        """Wait until all requests are answered and the workers have ended (after `close`)."""
        with self._changed:
            while self._workers:
                self._changed.wait()

    def _next(self) -> _Task | None:
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            task = heapq.heappop(self._waiting)[2]
            self._running.add(task)
            return task

    def _work(self) -> None:
        while (task := self._next()) is not None:
            try:
                self._send(self._analyse(task) if isinstance(task.request, Analyse) else self._play(task))
            except Refused as refused:
                at = "position" if task.request.method is None else "method"
                self._send(Failure(task.request.id, str(refused), at))
            except Exception as error:  # a bug must not end the process
                self._send(Failure(task.request.id, _internal_error(error), None))
            finally:
                with self._changed:
                    self._running.discard(task)
        with self._changed:
            self._workers -= 1
            self._changed.notify_all()

    def _analyse(self, task: _Task) -> Answer:
        request, seen = task.request, task.seen
        assert isinstance(request, Analyse)
        method = method_for(seen, request.limit, request.method)

        def send_partial(info: Info) -> None:
            self._send(analysis(seen, info, method, id=request.id, turn=task.turn, during=True))

        info = think(
            seen,
            request.limit,
            stream=Stream("engine", request.seed),
            method=method,
            threads=request.threads,
            variations=request.variations,
            report=send_partial if request.every else None,
            every=request.every or 0.0,
            stop=task.stop,
        )
        return analysis(seen, info, method, id=request.id, turn=task.turn, cancelled=task.stop.is_set())

    def _play(self, task: _Task) -> Answer:
        request, seen = task.request, task.seen
        assert isinstance(request, Play)
        stream = Stream("engine", request.seed)
        actions = seen.actions()
        if request.bot is not None:
            action = bot(request.bot).choose(seen, stream)
        elif len(actions) == 1:
            action = actions[0]
        else:
            action = think(
                seen, request.limit, stream=stream, method=request.method, threads=request.threads, stop=task.stop
            ).action
        return Played(request.id, seen.move_text(action), task.stop.is_set() or UNSET)

    def _send(self, answer: Answer) -> None:
        """Write one whole line. If the answers are no longer read, end everything."""
        text = answer_line(answer)
        with self._writing:
            if self.broken:
                return
            try:
                self._write(text)
                return
            except (OSError, ValueError):  # ValueError: the file is closed
                self.broken = True
        self.close(wait=False)


def _cancelled_answer(task: _Task) -> Answer:
    """The answer to a task that was cancelled before its search began."""
    request, seen = task.request, task.seen
    if isinstance(request, Play):
        return Played(request.id, None, cancelled=True)
    return Analysis(request.id, task.turn, False, seen.text, seen.seat, None, (), cancelled=True)


def _engine_facts(query: EngineQuery) -> Answer:
    if query.action == "query_bots":
        return Bots(query.id, query.action, tuple(BotInfo(each.name, each.about) for each in BOTS.values()))
    return Version(query.id, query.action, "tilery", __version__, PROTOCOL, tuple(GAMES))


def _internal_error(error: Exception) -> str:
    text = " ".join(str(error).split())[:200]
    return f"internal error: {type(error).__name__}{': ' if text else ''}{text}; please report it"


def lines_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines of the input as they arrive; a line that is too long is cut off just beyond `MAX_LINE_BYTES`."""
    pending = bytearray()
    while data := read(1 << 16):
        *whole, rest = data.split(b"\n")
        for part in whole:
            yield bytes(pending + part)
            pending.clear()
        pending += rest
        del pending[MAX_LINE_BYTES + 1 :]
    if pending:
        yield bytes(pending)


def serve(
    read: Callable[[int], bytes],
    write: Callable[[str], None],
    *,
    limit: Limit,
    workers: int = 1,
    wait: bool = True,
) -> bool:
    """Answer requests until the input ends; returns False if the answers were no longer read.

    `read` returns some bytes, none at the end of the input. It is called in a daemon thread.
    """
    process = EngineProcess(write, limit=limit, workers=workers)

    def listen() -> None:
        try:
            for line in lines_of(read):
                process.handle(line)
        except (OSError, ValueError):
            pass  # the client has gone
        process.close(wait=wait)

    process.start()
    Thread(target=listen, name="reader", daemon=True).start()
    try:
        process.join()
    except KeyboardInterrupt:
        process.close(wait=False)
        process.join()
        raise
    return not process.broken
