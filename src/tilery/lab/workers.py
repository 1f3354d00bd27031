"""Processes that play pairs. One worker plays in this process, more are processes of their own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context
from multiprocessing.util import Finalize
from types import TracebackType
from typing import Any, TypeVar

from tilery.core.record import Record
from tilery.core.refusals import Refused
from tilery.engine.bots import bot, check_bot
from tilery.games import game as game_named
from tilery.lab.match import Find, Pair, close_bots, play_pair
from tilery.lab.settings import Settings

A = TypeVar("A")
B = TypeVar("B")
Task = tuple[Settings, Find, int, int]  # the number of the pairing, and of the pair
Done = tuple[Pair, list[Record]]


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ready(game: str, variant: str, names: Sequence[str], find: Find) -> None:
    """Compile what the bots need (or load it), so that no move is charged for that."""
    chosen = game_named(game)
    chosen.kernel  # noqa: B018
    if find is bot:
        for name in names:
            check_bot(chosen, name, chosen.variant(variant))


def _start(leash: connection.Connection, game: str, variant: str, names: Sequence[str], find: Find) -> None:
    """Ctrl-C is answered by the first process alone. When that one lets go of the leash, or is gone, this one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()
    Finalize(None, close_bots, args=(names, find), exitpriority=1)
    ready(game, variant, names, find)


def _end_with(leash: connection.Connection) -> None:
    leash.poll(None)
    os._exit(1)


def _play(task: Task) -> Done:
    settings, find, pairing, number = task
    names = settings.pairings[pairing]
    return play_pair(settings.table, settings.rules, names, find, seed=settings.seed, pairing=pairing, number=number)


class Workers:
    """So many processes, ready to play as long as this is open."""

    def __init__(self, count: int, game: str, variant: str, names: Sequence[str], find: Find) -> None:
        if count < 1:
            raise Refused(f"at least one worker was expected, not {count}")
        ready(game, variant, names, find)
        self.count, self.names, self.find = count, names, find
        self._pool: ProcessPoolExecutor | None = None
        self._running: set[Future[Any]] = set()
        if count > 1:
            held, self._leash = get_context("spawn").Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                count, mp_context=get_context("spawn"), initializer=_start, initargs=(held, game, variant, names, find)
            )

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            close_bots(self.names, self.find)
            return
        if self._running:
            self._leash.close()  # nobody waits for what is still being played
        self._pool.shutdown(cancel_futures=True)
        self._leash.close()

    def play(self, tasks: Iterator[Task]) -> Generator[Done]:
        """Pairs as they are finished."""
        return self.spread(_play, tasks)

    def spread(self, work: Callable[[A], B], tasks: Iterator[A]) -> Generator[B]:
        """What comes of each task, as it is finished. Few are handed out ahead, so that what is decided ends soon."""
        if self._pool is None:
            yield from map(work, tasks)
            return
        self._running = set()
        more = True
        try:
            while more or self._running:
                while more and len(self._running) <= self.count:
                    task = next(tasks, None)
                    more = task is not None
                    if task is not None:
                        self._running.add(self._pool.submit(work, task))
                done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise Refused("a worker has died; everything finished is kept, so start it again to go on") from None
