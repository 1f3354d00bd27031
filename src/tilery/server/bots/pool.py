"""A pool of worker processes that compute bots' moves and hints, with a queue of requests. Workers may crash or hang;
requests may be cancelled."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from tilery.core.position import Seen, actor_name
from tilery.core.refusals import NotYourTurn, Refused
from tilery.core.streams import fresh_seed

from .allowed import check_table_bot
from .hints import LIMIT, is_hint
from .worker_process import Log, WorkerFailed, WorkerProcess

MAX_ATTEMPTS = 3
TIMEOUT = 60.0  # seconds of wall time for a search
STARTUP_TIMEOUT = 600.0  # seconds to start a worker and to compile what it needs, once on each machine
CPU_LIMIT = 10.0  # seconds of CPU time for a move; then a greedy move is played
MAX_WAITING = 1000

COMMAND = (sys.executable, "-m", "tilery.server.bots.worker")


class BotFailed(Exception):
    """No worker returned a valid result; the text says why."""


class BotsBusy(Exception):
    """The queue is full: the request was rejected and may be made again later."""


class Cancelled(Exception):
    """The request was cancelled by `BotPool.cancel` or `BotPool.close`."""


@dataclass(eq=False)
class _Request:
    """A request for a move or a hint."""

    key: str
    seen: Seen
    bot: str  # "" for a hint
    result: asyncio.Future[Any]
    worker: WorkerProcess | None = None  # the worker that is searching

    @property
    def failure(self) -> str:
        """The beginning of the error message if there is no result."""
        return f"the bot {self.bot} made no move" if self.bot else "there was no hint"

    @property
    def is_settled(self) -> bool:
        return self.result.done()


class BotPool:
    """At most `workers` processes, each started when it is needed.

    Counters: of the `requested` moves and hints, each is `completed`, `failed`, `cancelled`, `waiting` or `running`.
    `rejected` counts requests that found the queue full, `replaced` workers that failed, and `greedy_fallbacks` greedy
    moves played because the CPU time had run out.
    """

    def __init__(
        self,
        workers: int,
        *,
        command: Sequence[str] | None = None,
        timeout: float = TIMEOUT,
        startup_timeout: float = STARTUP_TIMEOUT,
        cpu_limit: float = CPU_LIMIT,
        max_waiting: int = MAX_WAITING,
        log: Log | None = None,
    ) -> None:
        if workers < 1:
            raise Refused(f"workers must be at least 1, not {workers}")
        self.workers = workers
        self.command = tuple(command or COMMAND)
        self.timeout, self.startup_timeout, self.cpu_limit = timeout, startup_timeout, cpu_limit
        self.max_waiting = max_waiting
        self.requested = self.completed = self.failed = self.cancelled = 0
        self.rejected = self.replaced = self.greedy_fallbacks = 0
        self._log = log or logging.getLogger(__name__).info
        self._is_open = False
        self._waiting: deque[_Request] = deque()
        self._running: dict[str, _Request] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._processes: set[WorkerProcess] = set()
        self._idle: list[WorkerProcess] = []

    async def open(self) -> None:
        """Start accepting requests; each worker is started when it is needed."""
        self._is_open = True

    async def close(self) -> None:
        """Cancel all requests, and end all workers."""
        self._is_open = False
        for request in (*self._waiting, *self._running.values()):
            self._cancel(request, "the pool of bots was closed")
        self._waiting.clear()
        for request in self._running.values():
            if request.worker:
                request.worker.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self._end(worker) for worker in tuple(self._processes)))

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def waiting(self) -> int:
        """The number of requests that no worker has yet."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """The number of requests that a worker has."""
        return sum(not request.is_settled for request in self._running.values())

    @property
    def searching(self) -> int:
        """The number of workers that have finished compiling and are searching."""
        return sum(request.worker is not None and request.worker.is_searching for request in self._running.values())

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.pid for worker in self._processes]

    async def move(self, seen: Seen, bot_name: str, key: str) -> str:
        """The move of a bot. `key` names the table; only one request of each key runs at a time.

        Raises `Cancelled`, `BotFailed` or `BotsBusy`; an invalid name or position is `Refused`. If the task that awaits
        this is cancelled, so is the request.
        """
        self._check(seen)
        name = check_table_bot(seen.game, seen.rules, bot_name)
        move: str = await self._request(seen, name, key)
        return move

    async def hint(self, seen: Seen, key: str) -> dict[str, Any]:
        """The engine's analysis after a second, as `hints.hint_of` returns it. Bots' moves have priority.

        Raises the same exceptions as `move`.
        """
        self._check(seen)
        hint: dict[str, Any] = await self._request(seen, "", key)
        return hint

    def _check(self, seen: Seen) -> None:
        if not self._is_open:
            raise BotFailed("the pool of bots is not open")
        _check_seen(seen)

    async def _request(self, seen: Seen, bot_name: str, key: str) -> Any:
        request = _Request(key, seen, bot_name, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        self._dispatch()
        if len(self._waiting) > self.max_waiting:
            self._waiting.remove(request)
            self.rejected += 1
            raise BotsBusy(f"{self.max_waiting} requests to bots are already waiting: try again later")
        self.requested += 1
        try:
            return await request.result
        except asyncio.CancelledError:
            self.cancelled += request.result.cancelled()  # it may have been completed at the same time
            self._stop(request)
            raise

    def cancel(self, key: str) -> int:
        """Cancel the waiting and running requests of a key; returns their number."""
        running = self._running.get(key)
        matching = [request for request in self._waiting if request.key == key]
        matching += [running] if running and not running.is_settled else []
        for request in matching:
            self._cancel(request, "the request was cancelled")
        return len(matching)

    def _cancel(self, request: _Request, why: str) -> None:
        if not request.is_settled:
            self.cancelled += 1
            self._fail(request, Cancelled(why))
        self._stop(request)

    def _stop(self, request: _Request) -> None:
        """Remove a request from the queue, or stop the search of its worker."""
        if request in self._waiting:
            self._waiting.remove(request)
        if request.worker:
            request.worker.cancel()

    def _dispatch(self) -> None:
        """Start as many requests as there are workers: in order, but moves before hints, and one for each key."""
        while len(self._running) < self.workers:
            possible = [one for one in self._waiting if one.key not in self._running]
            request = next((one for one in possible if one.bot), possible[0] if possible else None)
            if request is None:
                return
            self._waiting.remove(request)
            self._running[request.key] = request
            task = asyncio.create_task(self._serve(request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, request: _Request) -> None:
        try:
            await self._complete(request)
        except Exception as error:  # an internal error must not leave anybody waiting
            if not request.is_settled:
                self.failed += 1
                self._fail(request, BotFailed(f"internal error: {type(error).__name__}: {error}"))
        finally:
            request.result.cancel()  # has an effect only if this task was cancelled: otherwise the result is set
            del self._running[request.key]
            self._dispatch()

    async def _complete(self, request: _Request) -> None:
        problem = ""
        for _ in range(MAX_ATTEMPTS):
            if request.is_settled:
                return
            try:
                reply = await self._try(request)
            except WorkerFailed as failed:
                problem = str(failed)
                continue
            if request.is_settled:
                return
            if "refused" not in reply:
                self.completed += 1
                self._note_fallback(request, reply)
                request.result.set_result(reply["move" if request.bot else "hint"])
                return
            problem = reply["refused"]
            break
        if not request.is_settled:
            self.failed += 1
            self._fail(request, BotFailed(f"{request.failure}: {problem}"))

    async def _try(self, request: _Request) -> dict[str, Any]:
        """Have one worker search; a worker that fails is killed."""
        worker = await self._idle_worker()
        try:
            if request.is_settled:
                self._idle.append(worker)
                return {}
            request.worker = worker
            reply = await worker.request(self._message(request), self.timeout, self.startup_timeout)
            _check_reply(request, reply)
        except BaseException as error:  # whatever it is, this worker is not used again
            worker.kill()
            exit_code = await self._end(worker)
            if self._is_open:
                self.replaced += 1
                self._log(f"worker {worker.pid} failed: {error} ({exit_code})")
            raise
        finally:
            request.worker = None
        self._idle.append(worker)
        return reply

    async def _idle_worker(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self.replaced += 1
            self._log(f"worker {worker.pid} ended unexpectedly ({await self._end(worker)})")
        worker = await WorkerProcess.start(self.command, self._log)
        self._processes.add(worker)
        return worker

    async def _end(self, worker: WorkerProcess) -> str:
        exit_code = await worker.end()
        self._processes.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        return exit_code

    def _message(self, request: _Request) -> dict[str, Any]:
        """The message to a worker: all that it learns about the game."""
        seen = request.seen
        wanted = {"bot": request.bot} if request.bot else {"hint": LIMIT}
        return {"position": seen.text, "seat": seen.seat, **wanted, "seed": fresh_seed(), "cpu": self.cpu_limit}

    def _note_fallback(self, request: _Request, reply: dict[str, Any]) -> None:
        if reply.get("fallback"):
            self.greedy_fallbacks += 1
            self._log(f"{request.bot} used up {self.cpu_limit:g} seconds of CPU time and made a greedy move")

    def _fail(self, request: _Request, error: Exception) -> None:
        request.result.set_exception(error)
        request.result.exception()  # so that asyncio does not warn if nobody awaits it


def _check_seen(seen: Seen) -> None:
    """Refuse a position unless it is what the seat to move sees: workers get nothing else."""
    if not isinstance(seen, Seen):
        raise TypeError(f"expected Seen, not {type(seen).__name__}")
    if seen.game.hidden_information and seen.game.viewer_of(seen.row) != seen.seat:
        raise Refused(f"this position shows more than {actor_name(seen.seat)} may see")
    if seen.actor != seen.seat:
        raise NotYourTurn(f"{actor_name(seen.seat)} is not to move: it is the turn of {actor_name(seen.actor)}")


def _check_reply(request: _Request, reply: dict[str, Any]) -> None:
    """Raise `WorkerFailed` unless a reply is a legal move, a hint, a refusal, or the request was cancelled."""
    if request.is_settled or isinstance(reply.get("refused"), str):
        return
    move = reply.get("move")
    if request.bot and isinstance(move, str):
        if not _is_legal(request.seen, move):
            raise WorkerFailed(f"it returned {move[:60]!a}, which is not legal")
    elif request.bot or not is_hint(request.seen, reply.get("hint")):
        raise WorkerFailed(f"it returned {str(reply.get('error') or reply)[:200]!a}")


def _is_legal(seen: Seen, move: str) -> bool:
    # Not `Seen.refusal`: it expects the card that came with a swap, which nobody knows yet.
    try:
        return seen.action(move) in seen.actions()
    except Refused:
        return False
