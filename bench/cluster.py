"""A simulation of many server processes and one PostgreSQL, event by event, to check the model in `bench.capacity`.

    python -m bench.cluster --processes 100 --moves 20000

Tables are spread over the processes by consistent hashing. Moves arrive at random times; each takes its process some
CPU time, waits for a transaction of its process, and is acknowledged when that is written. What a process writes, all
others hear of. Some moves arrive at the wrong process and are passed on; one process may die, and its tables move to
the others. Nothing else is taken from the model: a percentile is that of the simulated moves.
"""

from __future__ import annotations

import argparse
import heapq
import json
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, partial

import numpy as np

from bench.capacity import POINTS, Assumptions, Load, fleet, passes, queue_p99

SILENT_SECONDS = 3.0  # until the tables of a dead process may be taken over
MAX_IN_GROUP = 2_000
OPENING = 0.001  # CPU seconds to read a table that another process had


@dataclass(frozen=True)
class Cluster:
    """What is simulated. Times are in seconds."""

    processes: int = 100
    moves_per_second: float = 20_000.0
    tables: int = 200_000
    cpu_per_move: float = 200e-6
    cpu_per_notification: float = 60e-6  # to hear of a transaction of another process
    cpu_per_heard_move: float = 2e-6  # and of each move in it
    commit: float = 1e-3
    commit_per_move: float = 50e-6
    notify_all: bool = True  # and so transactions go one at a time
    elsewhere: float = 0.0  # the share of moves that arrive at another process than the table's
    dies_at: float = 0.0  # when one process dies; 0 for never
    seconds: float = 10.0
    seed: int = 1


@dataclass
class Result:
    """What was observed after the first second."""

    moves: int
    mean_use: float  # of the processes' cores
    busiest_use: float
    p50_ms: float
    p99_ms: float
    commits_per_second: float
    moved: float = 0.0  # the share of moves that met the dead process
    p99_moved_ms: float = 0.0
    use_after: float = 0.0  # mean, of the processes that are left


def points(process: int) -> list[int]:
    """The points of a process on the ring of nginx's `hash ... consistent`: chained checksums of its address."""
    address = f"10.0.{process // 256}.{process % 256}".encode() + b"\0" + b"8000"
    found, last = [], 0
    for _ in range(POINTS):
        last = zlib.crc32(address + last.to_bytes(4, "little"))
        found.append(last)
    return found


def ring(processes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The points of all processes in order, and whose they are."""
    both = sorted((point, each) for each in processes for point in points(each))
    return np.array([point for point, _ in both]), np.array([each for _, each in both])


def owners(tables: np.ndarray, processes: list[int]) -> np.ndarray:
    """The process of each table: the next point on the ring."""
    ends, whose = ring(processes)
    return whose[np.searchsorted(ends, tables) % len(ends)]


class Lane:
    """A connection to the database that has one transaction at a time, with everything that is waiting for it."""

    def __init__(self, database: Database, rows: int, committed: Callable[[int], None]) -> None:
        self._database = database
        self._rows = rows  # of each item
        self._committed = committed
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_busy = False

    def put(self, done: Callable[[], None]) -> None:
        self._waiting.append(done)
        if not self._is_busy:
            self._next()

    def _next(self) -> None:
        group = [self._waiting.popleft() for _ in range(min(MAX_IN_GROUP, len(self._waiting)))]
        self._is_busy = bool(group)
        if group:
            self._database.commit(len(group) * self._rows, lambda: self._end(group))

    def _end(self, group: list[Callable[[], None]]) -> None:
        self._committed(len(group))
        for done in group:
            done()
        self._next()


@dataclass(eq=False)
class Move:
    at: float
    table: int
    through: int = -1  # the process that it arrived at, if that is another than the table's
    moved: bool = False  # it met the dead process


class Database:
    """Commits, one at a time or in shared flushes."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.free_at = 0.0  # of the lock
        self.flushing: list[Callable[[], None]] = []
        self.next_flush: list[Callable[[], None]] = []
        self.count = 0

    def commit(self, moves: int, done: Callable[[], None]) -> None:
        """Write rows, each transaction on a core of its own, and flush them."""
        self.count += 1
        written = self.simulation.now + moves * self.simulation.given.commit_per_move
        self.simulation.at(written, lambda: self._flush(done))

    def _flush(self, done: Callable[[], None]) -> None:
        if self.simulation.given.notify_all:
            self.free_at = max(self.free_at, self.simulation.now) + self.simulation.given.commit
            self.simulation.at(self.free_at, done)
            return
        self.next_flush.append(done)
        if not self.flushing:
            self._begin()

    def _begin(self) -> None:
        self.flushing, self.next_flush = self.next_flush, []
        self.simulation.at(self.simulation.now + self.simulation.given.commit, self._end)

    def _end(self) -> None:
        finished, self.flushing = self.flushing, []
        if self.next_flush:
            self._begin()
        for done in finished:
            done()


class Simulation:
    """Events in the order of their times."""

    def __init__(self, given: Cluster) -> None:
        self.given = given
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._random = np.random.default_rng(given.seed)
        self.names = self._random.integers(0, 1 << 32, given.tables)
        self.owner = owners(self.names, list(range(given.processes)))
        self.free_at = np.zeros(given.processes)  # when the core of each process has done all of its work
        self.used = np.zeros(given.processes)
        self.dead: set[int] = set()
        self.database = Database(self)
        self.writers = [Lane(self.database, 1, partial(self._heard, each)) for each in range(given.processes)]
        self.senders = [Lane(self.database, 0, lambda _: None) for _ in range(given.processes)]
        self.latencies: list[float] = []
        self.of_moved: list[float] = []

    def at(self, time: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (time, self._count, action))

    def run(self) -> Result:
        given = self.given
        count = int(given.moves_per_second * given.seconds)
        arrivals = np.sort(self._random.random(count)) * given.seconds
        tables = self._random.integers(0, given.tables, count)
        elsewhere = self._random.random(count) < given.elsewhere
        if given.dies_at:
            self.at(given.dies_at, lambda: self.dead.add(0))
        half = given.dies_at + SILENT_SECONDS + 1.0 if given.dies_at else 1.0
        before: list[tuple[np.ndarray, int]] = []
        self.at(half, lambda: before.append((self.used.copy(), self.database.count)))
        for time, table, wrong in zip(arrivals, tables, elsewhere, strict=True):
            self._until(time)
            through = (int(self.owner[table]) + 1) % given.processes if wrong else -1
            self._arrive(Move(float(time), int(table), through))
        used, commits = self.used - before[0][0], self.database.count - before[0][1]
        self._until(given.seconds + 60.0)
        return self._result(used / (given.seconds - half), commits / (given.seconds - half))

    def _until(self, time: float) -> None:
        while self._events and self._events[0][0] <= time:
            self.now, _, action = heapq.heappop(self._events)
            action()
        self.now = max(self.now, time)

    def _work(self, process: int, seconds: float) -> float:
        """The core of a process does some work after all that it has to do before; returns when it is done."""
        self.free_at[process] = max(self.free_at[process], self.now) + seconds
        self.used[process] += seconds
        return float(self.free_at[process])

    def _arrive(self, move: Move) -> None:
        owner = int(self.owner[move.table])
        if owner in self.dead:
            move.moved = True
            self.at(max(self.now, self.given.dies_at + SILENT_SECONDS), lambda: self._take_over(move))
        elif move.through >= 0:
            self.at(self._work(move.through, self.given.cpu_per_move / 2), lambda: self._send(move, owner))
        else:
            self._execute(move, owner)

    def _send(self, move: Move, owner: int) -> None:
        """A message between processes is a notification, and so a transaction."""
        self.senders[move.through].put(lambda: self._execute(move, owner))

    def _execute(self, move: Move, owner: int) -> None:
        done = self._work(owner, self.given.cpu_per_move)
        self.at(done, lambda: self.writers[owner].put(lambda: self._written(move, owner)))

    def _written(self, move: Move, owner: int) -> None:
        if owner in self.dead:
            self._arrive(move)  # nobody was told: its client sends it again
        elif move.through >= 0:
            self.senders[owner].put(lambda: self._acknowledge(move))
        else:
            self._acknowledge(move)

    def _acknowledge(self, move: Move) -> None:
        if move.moved:
            self.of_moved.append(self.now - move.at)
        elif move.at > 1.0:
            self.latencies.append(self.now - move.at)

    def _heard(self, owner: int, moves: int) -> None:
        """All other processes hear of what one has written."""
        if not self.given.notify_all or owner in self.dead:
            return
        seconds = self.given.cpu_per_notification + moves * self.given.cpu_per_heard_move
        mine, used = self.free_at[owner], self.used[owner]
        np.maximum(self.free_at, self.now, out=self.free_at)
        self.free_at += seconds
        self.used += seconds
        self.free_at[owner], self.used[owner] = mine, used

    def _take_over(self, move: Move) -> None:
        lost = np.isin(self.owner, list(self.dead))
        if lost.any():
            left = [each for each in range(self.given.processes) if each not in self.dead]
            self.owner[lost] = owners(self.names[lost], left)
        owner = int(self.owner[move.table])
        self._work(owner, OPENING)
        self._execute(move, owner)

    def _result(self, use: np.ndarray, commits: float) -> Result:
        alive = np.array([each not in self.dead for each in range(self.given.processes)])
        p50, p99 = np.percentile(self.latencies, [50, 99]) * 1000
        result = Result(len(self.latencies), float(use[alive].mean()), float(use.max()), p50, p99, commits)
        if self.of_moved:
            result.moved = len(self.of_moved) / (len(self.of_moved) + len(self.latencies))
            result.p99_moved_ms = float(np.percentile(self.of_moved, 99)) * 1000
            result.use_after = result.mean_use
        return result


CASES = (
    Cluster(processes=1, moves_per_second=1_500.0),
    Cluster(processes=2, moves_per_second=2_000.0),
    Cluster(moves_per_second=500.0),
    Cluster(moves_per_second=950.0),
    Cluster(moves_per_second=5_000.0),
    Cluster(moves_per_second=20_000.0),
    Cluster(moves_per_second=20_000.0, cpu_per_move=2e-3),
    Cluster(moves_per_second=20_000.0, elsewhere=0.5),
    Cluster(moves_per_second=20_000.0, notify_all=False),
)


@cache
def simulated(given: Cluster) -> Result:
    """What happens; the same each time."""
    return Simulation(given).run()


@dataclass(frozen=True)
class Prediction:
    """What the model says of a cluster."""

    mean_use: float
    busiest_use: float
    p99_ms: float
    commits_per_second: float


def predicted(given: Cluster) -> Prediction:
    """The model's arithmetic, with the costs of the simulated cluster in place of the measured ones."""
    figures = {
        "cpu_per_move_us": 1e6 * given.cpu_per_move,
        "cpu_per_forwarded_move_us": 1e6 * given.cpu_per_move / 2,
        "idle_cores": 0.0,
        "database_idle_cores": 0.0,
        "cpu_per_transaction_us": 0.0,
        "database_cpu_per_transaction_us": 0.0,
        "cpu_per_game_us": 0.0,
        "cpu_per_ping_us": 0.0,
        "cpu_per_notification_us": 1e6 * given.cpu_per_notification,
        "cpu_per_heard_move_us": 1e6 * given.cpu_per_heard_move,
        "database_cpu_per_move_us": 1e6 * given.commit_per_move,
    }
    assumed = Assumptions(
        commit_ms=1000 * given.commit, gather_ms=0.0, notify_all=given.notify_all, elsewhere=given.elsewhere
    )
    found = fleet(given.processes, Load(given.moves_per_second, 0.0, 0.0), figures, assumed)
    waits = queue_p99(given.cpu_per_move, found.use)
    return Prediction(
        found.mean, found.use, 1000 * waits + found.commits.p99_ms * passes(assumed), found.commits.per_second
    )


def simulated_table() -> str:
    """The cases as a Markdown table: predicted, and simulated."""
    lines = [
        "| processes | moves/s | | use of a core | of the busiest | p99 (ms) | transactions/s |\n",
        "| --- | --- | --- | --- | --- | --- | --- |\n",
    ]
    for given in CASES:
        about = "half of the players elsewhere" if given.elsewhere else ""
        about = about or ("" if given.notify_all else "only who listens is told")
        about = about or ("" if given.cpu_per_move == Cluster.cpu_per_move else "each takes 2 ms of CPU time")
        model, result = predicted(given), simulated(given)
        cells = [
            f"{getattr(model, name) * scale:{form}} / {getattr(result, name) * scale:{form}}{unit}"
            for name, scale, form, unit in (
                ("mean_use", 100, ".1f", " %"),
                ("busiest_use", 100, ".1f", " %"),
                ("p99_ms", 1, ".1f", ""),
                ("commits_per_second", 1, ",.0f", ""),
            )
        ]
        lines.append(f"| {given.processes} | {given.moves_per_second:,.0f} | {about} | {' | '.join(cells)} |\n")
    return "".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=Cluster.processes)
    parser.add_argument("--moves", type=float, default=Cluster.moves_per_second, help="moves/s at all processes")
    parser.add_argument("--elsewhere", type=float, default=Cluster.elsewhere)
    parser.add_argument("--dies-at", type=float, default=Cluster.dies_at)
    parser.add_argument("--direct", action="store_true", help="only processes that listen are told of a change")
    options = parser.parse_args()
    given = Cluster(
        processes=options.processes,
        moves_per_second=options.moves,
        elsewhere=options.elsewhere,
        dies_at=options.dies_at,
        notify_all=not options.direct,
    )
    print(json.dumps(asdict(Simulation(given).run()), indent=2))


if __name__ == "__main__":
    main()
