"""The worker process for bots: requests come in on stdin and replies go out on stdout, as JSON lines.

    {"id": 7, "position": "azul:2 ...", "seat": 0, "bot": "level-5", "seed": 123, "cpu": 10.0}
    {"id": 8, "position": "azul:2 ...", "seat": 0, "hint": "1s", "seed": 124, "cpu": 10.0}
    {"cancel": 7}

The second one requests a hint, with the limit of the search. There are two replies to a request: first
`{"id": 7, "searching": true}` as soon as everything is compiled, then one of

    {"id": 7, "move": "..."}    and "fallback": true if the CPU time ran out: then it is a greedy move
    {"id": 8, "hint": {...}}    see `hints.py`
    {"id": 7, "cancelled": true}
    {"id": 7, "refused": "..."} a retry would be refused too
    {"id": 7, "error": "..."}   an error in the bot

The position is what a seat sees; a worker never gets more. When stdin is closed, the process exits, even in the middle
of a search.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from types import FrameType
from typing import IO, Any

from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.bots import bot, load_bot
from tilery.engine.family import family_of, method_of
from tilery.engine.limits import Limit
from tilery.engine.report import method_for
from tilery.engine.search import think
from tilery.games import game
from tilery.server.bots.hints import MAX_VARIATIONS, hint_of

NICENESS = 5  # the server itself has priority
MAX_MEMORY = 4 << 30  # bytes of address space; a search needs an eighth of that, its compilation a quarter
_MAX_CACHED_BOTS = 500  # a name contains the limit, so there may be many
_MAX_ERROR_CHARACTERS = 500
_RETRY_INTERVAL = 0.01  # seconds of CPU time after which a search that goes on is interrupted again
_FRAGILE = ("numba", "llvmlite")  # they free memory twice when they are interrupted

Reply = dict[str, Any]


class _Interrupted(BaseException):
    """Raised inside a search. Not an `Exception`, so that no handler in the search catches it."""


class _Cancelled(_Interrupted):
    """The request was cancelled."""


class _TooLong(_Interrupted):
    """The CPU time of this request is used up."""


@dataclass(frozen=True)
class Request:
    """A request for a move or a hint."""

    id: int
    position: str
    seat: int
    seed: int
    cpu: float  # seconds
    bot: str = ""
    hint: str = ""  # the limit of the search; then `bot` is empty


class Worker:
    """Searches in the main thread, where signals are handled, and reads requests in another one."""

    def __init__(self, send: Callable[[Reply], None]) -> None:
        self._send = send
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._searching: int | None = None  # the id of the request; `_Interrupted` is raised only while it is set
        self._cancelled: int | None = None
        for number in (signal.SIGUSR1, signal.SIGPROF):
            signal.signal(number, self._interrupt)

    def read_requests(self, lines: IO[bytes]) -> None:
        """Read requests until the input ends, then exit the process."""
        code = 0
        try:
            for line in lines:
                message = json.loads(line)
                if "cancel" in message:
                    self._cancelled = message["cancel"]
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
                else:
                    self._requests.put(Request(**message))
        except (OSError, ValueError, TypeError) as error:
            print(f"invalid request: {error}", file=sys.stderr, flush=True)
            code = 1
        os._exit(code)

    def work(self) -> None:
        """Reply to one request after another."""
        while True:
            request = self._requests.get()
            try:
                reply = self._reply_to(request)
            except Refused as refused:
                reply = {"refused": str(refused)[:_MAX_ERROR_CHARACTERS]}
            except Exception as error:  # the server decides what to do about it
                reply = {"error": f"{type(error).__name__}: {error}"[:_MAX_ERROR_CHARACTERS]}
            self._send({"id": request.id, **reply})

    def _reply_to(self, request: Request) -> Reply:
        seen = game(request.position.partition(":")[0]).read_seen(request.position, request.seat)
        search = self._prepare_hint(request, seen) if request.hint else self._prepare_bot(request, seen)
        self._send({"id": request.id, "searching": True})
        try:
            return self._run_interruptibly(request, search)
        except _Interrupted as interrupted:
            self._searching = None
            if isinstance(interrupted, _Cancelled):
                return {"cancelled": True}
        if request.hint:
            raise Refused(f"the engine took more than {request.cpu:g} seconds of CPU time")
        stream = Stream("table", request.seed, "hurried")
        return {"move": seen.move_text(bot("greedy").choose(seen, stream)), "fallback": True}

    def _prepare_bot(self, request: Request, seen: Seen) -> Callable[[], Reply]:
        """Compile what the bot needs; returns the function that lets it choose a move."""
        load_bot(seen.game, request.bot, seen.rules)
        family_of(seen.game, "greedy")
        if bot.cache_info().currsize > _MAX_CACHED_BOTS:
            bot.cache_clear()
        stream = Stream("table", request.seed)
        return lambda: {"move": seen.move_text(bot(request.bot).choose(seen, stream))}

    def _prepare_hint(self, request: Request, seen: Seen) -> Callable[[], Reply]:
        """Compile what the engine needs; returns the function that searches."""
        limit = Limit.read(request.hint)
        method = method_for(seen, limit, None)
        method_of(seen.game, method)
        stream = Stream("hint", request.seed)

        def search() -> Reply:
            info = think(seen, limit, stream=stream, method=method, variations=MAX_VARIATIONS)
            return {"hint": hint_of(seen, info, method)}

        return search

    def _run_interruptibly(self, request: Request, search: Callable[[], Reply]) -> Reply:
        """Search; raises `_Interrupted` when it is cancelled or its CPU time is used up."""
        try:
            self._searching = request.id
            if self._cancelled == request.id:  # before the search began
                raise _Cancelled
            signal.setitimer(signal.ITIMER_PROF, request.cpu, _RETRY_INTERVAL)
            return search()
        finally:
            self._searching = None
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: interrupt the search, if there is one.

        The timer fires again while the search goes on: the search may not have been interruptible at that moment, or
        the exception was lost (as in a `__del__`).
        """
        if self._searching is None:
            return
        is_cancelled = self._searching == self._cancelled
        if is_cancelled:
            signal.setitimer(signal.ITIMER_PROF, _RETRY_INTERVAL, _RETRY_INTERVAL)
        if (is_cancelled or number == signal.SIGPROF) and not _is_fragile(frame):
            raise _Cancelled if is_cancelled else _TooLong


def _is_fragile(frame: FrameType | None) -> bool:
    """Whether a frame is inside code that must not be interrupted."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _FRAGILE:
            return True
        frame = frame.f_back
    return False


def _reserve_stdout() -> IO[bytes]:
    """Keep stdout for replies, and return it as a file; anything else that is printed goes to stderr."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return out


def _limit_resources() -> None:
    os.nice(NICENESS)
    with contextlib.suppress(OSError, ValueError):  # not every system supports this limit
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(
            resource.RLIMIT_AS, (MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard), hard)
        )


def main() -> None:
    """Run the worker on stdin and stdout."""
    out = _reserve_stdout()
    _limit_resources()

    def send(reply: Reply) -> None:
        try:
            out.write(json.dumps(reply).encode() + b"\n")  # short enough for one write
        except OSError:
            os._exit(1)  # the server has closed the pipe

    worker = Worker(send)
    threading.Thread(target=worker.read_requests, args=(sys.stdin.buffer,), daemon=True).start()
    worker.work()


if __name__ == "__main__":
    main()
