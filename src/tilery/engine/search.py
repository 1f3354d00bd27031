"""Thinking about a position: a search is stepped until its limit, with reports on the way; it can be cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock, Thread

from tilery.core.position import Seen, actor_name
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.evaluator import Evaluator
from tilery.engine.family import Question, Search, family_of, method_of
from tilery.engine.info import Info
from tilery.engine.limits import Limit

FIRST_STEP = 64  # nodes
SHORT, LONG = 0.0005, 0.002  # seconds that a step should take: often enough to cancel, seldom enough to be cheap


class _Clock:
    """What has been used so far, by all threads together."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.began = time.perf_counter()
        self.cpu = 0.0
        self.granted = 0
        self.closed = False  # the first worker has stopped, so the others do
        self.lock = Lock()

    def used(self, cpu: float) -> None:
        with self.lock:
            self.cpu += cpu

    def grant(self, wanted: int, pace: float) -> int:
        """How many nodes of those wanted may still be searched; `pace` is the seconds one takes, 0 if unknown."""
        limit = self.limit
        with self.lock:
            left = float(wanted)
            if limit.nodes is not None:
                left = min(left, limit.nodes - self.granted)
            for most, spent in ((limit.cpu, self.cpu), (limit.time, time.perf_counter() - self.began)):
                if most is not None:
                    rest = most - spent
                    left = min(left, 0 if rest <= 0 else max(1.0, rest / pace) if pace else wanted)
            granted = max(0, int(left))
            self.granted += granted
            return granted

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began


class _Reporter:
    """Tells about a running search now and then."""

    def __init__(self, tell: Callable[[], None] | None, every: float) -> None:
        self.tell, self.every = tell, every
        self.last = time.perf_counter()

    def pause(self) -> None:
        """The search has paused: is it time for a report?"""
        if self.tell is not None and time.perf_counter() - self.last >= self.every:
            self.tell()
            self.last = time.perf_counter()


def _work(search: Search, worker: int, clock: _Clock, stop: Event, reporter: _Reporter | None, spent: float) -> None:
    """Step until there is no more to find or to spend; `spent` is the CPU time that setting up has taken."""
    wanted, pace = FIRST_STEP, 0.0
    clock.used(spent)
    while not (stop.is_set() or clock.closed or search.done):
        count = clock.grant(wanted, pace)
        if count == 0:
            return
        began, began_cpu = time.perf_counter(), time.thread_time()
        search.step(worker, count)
        seconds = time.perf_counter() - began
        clock.used(time.thread_time() - began_cpu)
        pace = max(seconds / count, 1e-9)
        if seconds < SHORT and count == wanted:
            wanted *= 2
        elif seconds > LONG:
            wanted = max(1, wanted // 2)
        if reporter:
            reporter.pause()


def _info(search: Search, seen: Seen, lines: int, clock: _Clock) -> Info:
    found = tuple(search.lines(lines))
    return Info(
        engine=search.engine,
        seat=seen.seat,
        lines=found,
        depth=search.depth,
        nodes=search.nodes,
        horizon=search.horizon,
        solved=found[0].solved,
        share_solved=search.share_solved,
        seconds=clock.seconds,
        cpu=clock.cpu,
    )


def think(
    seen: Seen,
    limit: Limit,
    *,
    stream: Stream,
    method: str | None = None,
    threads: int = 1,
    lines: int = 1,
    evaluator: Evaluator | None = None,
    report: Callable[[Info], None] | None = None,
    every: float = 0.5,
    stop: Event | None = None,
) -> Info:
    """Search a position within a limit.

    `method` names the search (the strongest one unless told), `lines` says how many moves need a value of their own,
    `report` is told now and then what has been found so far, `stop` cancels. With one thread, a limit of nodes or depth
    and the same stream, the answer is always the same.
    """
    if seen.actor != seen.seat:
        raise Refused(f"{actor_name(seen.seat)} has nothing to decide here: {actor_name(seen.actor)} acts")
    if threads < 1 or lines < 1:
        raise Refused(f"at least one {'thread' if threads < 1 else 'line'} was expected")
    begin = method_of(seen.game, method or family_of(seen.game).strongest(seen.rules, limit))
    clock = _Clock(limit)
    began_cpu = time.thread_time()
    search = begin(Question(seen, stream, threads, lines, limit.depth, evaluator, limit))
    search.step(0, 1)  # whatever the limit, there is an answer
    clock.granted = 1
    spent = time.thread_time() - began_cpu
    stop = stop or Event()
    tell = (lambda: report(_info(search, seen, lines, clock))) if report else None
    others = [Thread(target=_work, args=(search, worker, clock, stop, None, 0.0)) for worker in range(1, threads)]
    for thread in others:
        thread.start()
    try:
        _work(search, 0, clock, stop, _Reporter(tell, every), spent)
    finally:
        clock.closed = True
        for thread in others:
            thread.join()
    return _info(search, seen, lines, clock)
