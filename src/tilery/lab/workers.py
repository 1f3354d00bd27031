"""Worker processes that play pairs. A single worker plays in this process."""

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
from tilery.engine.bots import bot, load_bot
from tilery.games import game as game_named
from tilery.lab.match import FindBot, Pair, close_bots, play_pair
from tilery.lab.settings import Settings

A = TypeVar("A")
B = TypeVar("B")
PairTask = tuple[Settings, FindBot, int, int]  # the numbers are those of the pairing and of the pair
PlayedPair = tuple[Pair, list[Record]]


def cores() -> int:
    """The number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compile_bots(game: str, variant: str, names: Sequence[str], find: FindBot) -> None:
    """Compile or load the code that the bots need, so that this does not count towards the time of a move."""
    chosen = game_named(game)
    chosen.kernel  # noqa: B018
    if find is bot:
        for name in names:
            load_bot(chosen, name, chosen.variant(variant))


def _start(parent: connection.Connection, game: str, variant: str, names: Sequence[str], find: FindBot) -> None:
    """Initialise a worker. It ignores Ctrl-C, and exits when its parent closes the other end of the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    Finalize(None, close_bots, args=(names, find), exitpriority=1)
    compile_bots(game, variant, names, find)


def _exit_with_parent(parent: connection.Connection) -> None:
    parent.poll(None)
    os._exit(1)


def _play(task: PairTask) -> PlayedPair:
    settings, find, pairing, number = task
    names = settings.pairings[pairing]
    return play_pair(
        settings.loaded_game, settings.rules, names, find, seed=settings.seed, pairing=pairing, number=number
    )


class Workers:
    """A pool of `count` worker processes, used as a context manager."""

    def __init__(self, count: int, game: str, variant: str, names: Sequence[str], find: FindBot) -> None:
        if count < 1:
            raise Refused(f"at least one worker was expected, not {count}")
        compile_bots(game, variant, names, find)
        self.count, self.names, self.find = count, names, find
        self._pool: ProcessPoolExecutor | None = None
        self._running: set[Future[Any]] = set()
        if count > 1:
            worker_end, self._parent_end = get_context("spawn").Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                count,
                mp_context=get_context("spawn"),
                initializer=_start,
                initargs=(worker_end, game, variant, names, find),
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
            self._parent_end.close()  # do not wait for games that are still being played
        self._pool.shutdown(cancel_futures=True)
        self._parent_end.close()

    def play_pairs(self, tasks: Iterator[PairTask]) -> Generator[PlayedPair]:
        """Play pairs; yield them as they finish."""
        return self.map_unordered(_play, tasks)

    def map_unordered(self, work: Callable[[A], B], tasks: Iterator[A]) -> Generator[B]:
        """Yield the result of each task as it finishes. Few tasks are submitted ahead, so that a run can stop early."""
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
            raise Refused(
                "a worker process died; every finished pair is saved: run the command again to continue"
            ) from None
