"""`think`: run a search in steps until its limit, with reports on the way; it can be cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock, Thread

from tilery.core.position import Seen, actor_name
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.evaluator import Evaluator
from tilery.engine.family import Search, SearchRequest, family_of, method_of
from tilery.engine.info import Info
from tilery.engine.limits import Limit

FIRST_STEP = 64  # nodes
SHORT, LONG = 0.0005, 0.002  # seconds that a step should take: short enough to cancel quickly, long enough to be cheap


class _Budget:
    """The limit of a search, and the resources that all of its threads have used so far."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.began = time.perf_counter()
        self.cpu = 0.0
        self.granted = 0
        self.closed = False  # the first worker has stopped, so the others must
        self.lock = Lock()

    def add_cpu(self, cpu: float) -> None:
        with self.lock:
            self.cpu += cpu

    def grant(self, wanted: int, pace: float) -> int:
        """How many of the wanted nodes may still be searched; `pace` is the seconds per node, 0 if unknown."""
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
    """Reports on a running search at intervals."""

    def __init__(self, report: Callable[[], None] | None, every: float) -> None:
        self.report, self.every = report, every
        self.last = time.perf_counter()

    def report_if_due(self) -> None:
        """Report if it is time to; called between two steps."""
        if self.report is not None and time.perf_counter() - self.last >= self.every:
            self.report()
            self.last = time.perf_counter()


def _work(search: Search, worker: int, budget: _Budget, stop: Event, reporter: _Reporter | None, spent: float) -> None:
    """Step until the search is done or its limit is reached; `spent` is the CPU time of the set-up."""
    wanted, pace = FIRST_STEP, 0.0
    budget.add_cpu(spent)
    while not (stop.is_set() or budget.closed or search.done):
        count = budget.grant(wanted, pace)
        if count == 0:
            return
        began, began_cpu = time.perf_counter(), time.thread_time()
        search.step(worker, count)
        seconds = time.perf_counter() - began
        budget.add_cpu(time.thread_time() - began_cpu)
        pace = max(seconds / count, 1e-9)
        if seconds < SHORT and count == wanted:
            wanted *= 2
        elif seconds > LONG:
            wanted = max(1, wanted // 2)
        if reporter:
            reporter.report_if_due()


def _info(search: Search, seen: Seen, variations: int, budget: _Budget) -> Info:
    best = tuple(search.variations(variations))
    return Info(
        engine=search.engine,
        seat=seen.seat,
        variations=best,
        depth=search.depth,
        nodes=search.nodes,
        horizon=search.horizon,
        solved=best[0].solved,
        share_solved=search.share_solved,
        seconds=budget.seconds,
        cpu=budget.cpu,
    )


def think(
    seen: Seen,
    limit: Limit,
    *,
    stream: Stream,
    method: str | None = None,
    threads: int = 1,
    variations: int = 1,
    evaluator: Evaluator | None = None,
    report: Callable[[Info], None] | None = None,
    every: float = 0.5,
    stop: Event | None = None,
) -> Info:
    """Search a position within a limit.

    `method` names the search (by default the strongest one), `variations` is the number of moves that need an exact
    value, `report` receives an `Info` every `every` seconds during the search, `stop` cancels it. With one thread, a
    limit of nodes or depth, and the same stream, the result is always the same.
    """
    if seen.actor != seen.seat:
        raise Refused(f"{actor_name(seen.seat)} has nothing to decide here: {actor_name(seen.actor)} acts")
    if threads < 1 or variations < 1:
        raise Refused(f"at least one {'thread' if threads < 1 else 'variation'} was expected")
    begin = method_of(seen.game, method or family_of(seen.game).strongest(seen.rules, limit))
    budget = _Budget(limit)
    began_cpu = time.thread_time()
    search = begin(SearchRequest(seen, stream, threads, variations, limit.depth, evaluator, limit))
    search.step(0, 1)  # so that there is a result, whatever the limit
    budget.granted = 1
    spent = time.thread_time() - began_cpu
    stop = stop or Event()
    report_now = (lambda: report(_info(search, seen, variations, budget))) if report else None
    others = [Thread(target=_work, args=(search, worker, budget, stop, None, 0.0)) for worker in range(1, threads)]
    for thread in others:
        thread.start()
    try:
        _work(search, 0, budget, stop, _Reporter(report_now, every), spent)
    finally:
        budget.closed = True
        for thread in others:
            thread.join()
    return _info(search, seen, variations, budget)
