"""The engine process: requests are read line by line, thought about by priority, answered as they are found.

The reader never thinks, so a `terminate` is heard during a search and stops it between two of its short steps.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from threading import Condition, Event, Lock, Thread
from typing import Any

from tilery import __version__
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.bots import BOTS, bot
from tilery.engine.fields import Wrong
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.protocol import (
    LONGEST_LINE,
    MOST_TURNS,
    PROTOCOL,
    Analyse,
    Play,
    Request,
    Tell,
    Terminate,
    Think,
    read_request,
)
from tilery.engine.report import method_for, report
from tilery.engine.search import think
from tilery.games import GAMES

Answer = dict[str, Any]


@dataclass(eq=False)
class _Task:
    """One turn to think about."""

    request: Think
    turn: int
    seen: Seen
    stop: Event = field(default_factory=Event)


_Entry = tuple[int, int, _Task]  # in the queue: the higher its priority, the smaller; then in the order of coming


class Process:
    """Requests in by `take`, answers out by `write`; `close` lets it come to its end."""

    def __init__(self, write: Callable[[str], None], *, limit: Limit, workers: int = 1) -> None:
        self.limit = limit
        self.broken = False  # nobody reads the answers any more
        self._write = write
        self._writing = Lock()
        self._order = count()
        self._changed = Condition()  # guards all below
        self._waiting: list[_Entry] = []
        self._running: set[_Task] = set()
        self._closed = False
        self._workers = workers

    def start(self) -> None:
        """Let the workers begin."""
        for number in range(self._workers):
            Thread(target=self._work, name=f"analysis {number + 1}", daemon=True).start()

    def take(self, line: bytes) -> None:
        """Answer a line, or put it in the queue; whatever the line, this goes on."""
        if not line.strip():
            return
        try:
            request = read_request(line, self.limit)
        except Wrong as wrong:
            self._say({"id": wrong.id, "error": wrong.problem, "field": wrong.field})
            return
        except Exception as error:  # a fault of ours must not end the process
            self._say({"id": None, "error": _fault(error), "field": None})
            return
        for name in request.unknown:
            self._say({"id": request.id, "warning": f"there is no field {name[:40]!a} here", "field": name})
        self._begin(request)

    def _begin(self, request: Request) -> None:
        match request:
            case Tell():
                self._say({"id": request.id, "action": request.action, **_told(request.action)})
            case Terminate():
                self.cancel(request)
            case Think():
                self._enqueue(request)

    def _enqueue(self, request: Think) -> None:
        with self._changed:
            full = len(self._waiting) + len(request.turns) > MOST_TURNS
            if not full:
                for turn, seen in request.turns:
                    heapq.heappush(self._waiting, (-request.priority, next(self._order), _Task(request, turn, seen)))
                self._changed.notify_all()
        if full:
            problem = f"more than {MOST_TURNS:,} turns are waiting: ask again later"
            self._say({"id": request.id, "error": problem, "field": "id"})

    def cancel(self, request: Terminate | None = None) -> None:
        """Stop the queries with the request's ids, all of them if it names none; each still answers."""
        ids = request.ids and frozenset(request.ids) if request else None
        with self._changed:
            mine: list[_Entry] = []
            others: list[_Entry] = []
            for entry in self._waiting:
                (mine if ids is None or entry[2].request.id in ids else others).append(entry)
            self._waiting = others
            heapq.heapify(self._waiting)
            stopped = [task for task in self._running if ids is None or task.request.id in ids]
        if request:
            named = {"terminateIds": list(request.ids)} if request.ids is not None else {}
            self._say({"id": request.id, "action": request.action, **named, "terminated": len(mine) + len(stopped)})
        for task in stopped:
            task.stop.set()
        for _, _, task in sorted(mine):
            self._say(_unthought(task))

    def close(self, *, wait: bool = True) -> None:
        """No more requests will come; without waiting, those that are left are cancelled."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if not wait:
            self.cancel()

    def join(self) -> None:
        """Wait until all is answered and the workers have ended (after `close`)."""
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
                answer = self._analyse(task) if isinstance(task.request, Analyse) else self._play(task)
                cancelled = {"cancelled": True} if task.stop.is_set() else {}
                self._say({**answer, **cancelled})
            except Refused as refused:
                at = "position" if task.request.method is None else "method"
                self._say({"id": task.request.id, "error": str(refused), "field": at})
            except Exception as error:  # a fault of ours must not end the process
                self._say({"id": task.request.id, "error": _fault(error), "field": None})
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

        def answer(info: Info, *, during: bool) -> Answer:
            head = {"id": request.id, "turnNumber": task.turn, "isDuringSearch": during}
            return {**head, **report(seen, info, method)}

        info = think(
            seen,
            request.limit,
            stream=Stream("engine", request.seed),
            method=method,
            threads=request.threads,
            lines=request.lines,
            report=(lambda info: self._say(answer(info, during=True))) if request.every else None,
            every=request.every or 0.0,
            stop=task.stop,
        )
        return answer(info, during=False)

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
        return {"id": request.id, "move": seen.move_text(action)}

    def _say(self, answer: Answer) -> None:
        """Write one line, whole. Where nobody reads any more, everything comes to its end."""
        text = json.dumps(answer, allow_nan=False) + "\n"
        with self._writing:
            if self.broken:
                return
            try:
                self._write(text)
                return
            except (OSError, ValueError):  # ValueError: of a closed file
                self.broken = True
        self.close(wait=False)


def _unthought(task: _Task) -> Answer:
    """The answer to a turn that was cancelled before anybody thought about it."""
    if isinstance(task.request, Play):
        return {"id": task.request.id, "move": None, "cancelled": True}
    head = {"id": task.request.id, "turnNumber": task.turn, "isDuringSearch": False}
    where = {"position": task.seen.text, "seat": task.seen.seat + 1}
    return {**head, **where, "rootInfo": None, "moveInfos": [], "cancelled": True}


def _told(action: str) -> Answer:
    if action == "query_bots":
        return {"bots": [{"name": each.name, "about": each.about} for each in BOTS.values()]}
    return {"name": "tilery", "version": __version__, "protocol": PROTOCOL, "games": list(GAMES)}


def _fault(error: Exception) -> str:
    text = " ".join(str(error).split())[:200]
    return f"a fault in the engine: {type(error).__name__}{': ' if text else ''}{text}; please report it"


def lines_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Lines, as they come; of one that is too long only so much that it can be seen to be."""
    held = bytearray()
    while data := read(1 << 16):
        *whole, rest = data.split(b"\n")
        for part in whole:
            yield bytes(held + part)
            held.clear()
        held += rest
        del held[LONGEST_LINE + 1 :]
    if held:
        yield bytes(held)


def serve(
    read: Callable[[int], bytes],
    write: Callable[[str], None],
    *,
    limit: Limit,
    workers: int = 1,
    wait: bool = True,
) -> bool:
    """Answer requests until there are no more; False where nobody was left to read the answers.

    `read` gives some bytes (none at the end). It is called in a thread of its own, which nobody waits for.
    """
    process = Process(write, limit=limit, workers=workers)

    def listen() -> None:
        try:
            for line in lines_of(read):
                process.take(line)
        except (OSError, ValueError):
            pass  # whoever asked has gone
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
