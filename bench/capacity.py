"""A capacity model: what some number of people playing at once need, and what becomes the bottleneck.

    python -m bench.capacity              # prints the tables of docs/scaling.md
    python -m bench.capacity --write      # and writes them into it

The model is plain arithmetic on two kinds of numbers: measured ones (docs/capacity.json, from
`python -m bench.capacity_measure`) and assumptions about people and machines, which are the defaults of `Assumptions`.
`bench.cluster` simulates the same servers event by event, to check what is predicted here.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from bench.load import TICK
from tilery.server.store.write_requests import GATHER_SECONDS

DOCS = Path(__file__).resolve().parent.parent / "docs"
MEASURED, PAGE = DOCS / "capacity.json", DOCS / "scaling.md"
PEOPLE = (10_000, 100_000, 1_000_000)
POINTS = 160  # of each process on the ring of `hash ... consistent` (nginx), which decides how evenly tables are spread
MAX_PROCESSES = 5_000


@dataclass(frozen=True)
class Assumptions:
    """What is not measured. Each is an option of the command."""

    minutes_per_game: float = 18.0  # two-player Azul between people, 15 to 20 minutes
    against_bots: float = 0.3  # the share of people who play alone against a bot
    bot: str = "level-14"  # that they play
    spectators_per_table: float = 0.1  # with a connection each
    heartbeat_seconds: float = 25.0  # `heartbeat_interval`
    peak_over_mean: float = 3.0  # people at the busiest hour, compared with the mean of a day
    core_speed: float = 1.0  # of a core, compared with that of the measured machine
    core_use: float = 0.5  # of the core of the busiest process, so that bursts and the tables of a dead process fit
    elsewhere: float = 0.0  # the share of players whose connection is at another process than their table
    commit_ms: float = 1.0  # until the disk of the database (and a replica, if it waits for one) has confirmed
    gather_ms: float = 1000 * GATHER_SECONDS  # that a transaction waits for more moves, at most
    notify_all: bool = True  # every process hears of every change, as it is built now
    databases: int = 1  # separate PostgreSQL servers, each with its own tables and processes (not built)
    connection_memory_kb: float = 30.0  # of the system and the proxy for a connection, apart from the server's own
    database_cores: int = 32  # of one PostgreSQL server
    database_mb_per_second: float = 300.0  # of WAL that its disk and its replicas take
    patience_ms: float = 250.0  # p99 of a move that nobody notices


@dataclass(frozen=True)
class Needs:
    """What is needed for some number of people. All numbers are sums over everything, unless a name says otherwise."""

    people: int
    tables: float
    moves_per_second: float
    sockets: float
    processes: int  # each needs one core, of which it uses `core_use` at most
    core_of_busiest: float
    hearing: float  # the part of it for hearing of what the others write
    memory_gb: float
    megabits_out: float
    commits_per_second: float
    fsyncs_per_move: float
    rows_per_second: float
    wal_mb_per_second: float
    database_cores: float  # of each database
    gigabytes_per_day: float
    bot_cores: float
    p99_ms: float
    bottleneck: str


def imbalance(processes: int, points: int = POINTS) -> float:
    """The load of the busiest process over the mean, with tables spread by a consistent hash: shares of the ring vary
    by one over the root of the points, and the largest of n normal numbers is about sqrt(2 ln n) deviations up."""
    return 1 + math.sqrt(2 * math.log(processes) / points) if processes > 1 else 1.0


def queue_p99(service: float, load: float) -> float:
    """The 99th percentile of waiting and service in a queue with one server and a constant service time (M/D/1)."""
    if load >= 1:
        return math.inf
    return service * (1 + max(0.0, math.log(100 * load)) / (2 * (1 - load))) if load > 0 else service


def queue_mean(service: float, load: float) -> float:
    """The mean of waiting and service in such a queue."""
    return service * (1 + load / (2 * (1 - load))) if load < 1 else math.inf


@dataclass(frozen=True)
class Commits:
    """How the transactions of some processes share one database."""

    p99_ms: float  # what a move waits until it is written
    per_second: float


def commits(
    processes: int, moves_per_second: float, commit: float, per_move: float, statement: float, one_at_a_time: bool
) -> Commits:
    """Each process writes everything that is waiting in one transaction, and the next one when that is done: some time
    for its rows (`statement`, and `per_move`), then the flush (`commit`). If transactions wait to gather moves, that is
    a part of `statement`, as if what arrives meanwhile waited for the next one: an upper bound.

    A transaction with a notification holds a lock of the whole database while it is flushed (NOTIFY promises an order),
    so those of all processes go one at a time; others share a flush. With little load a move waits for a few commits;
    with much, for everybody's turn twice: for what its process has just begun, and for its own.
    """
    each = moves_per_second / processes
    mean = cycle = commit + statement + per_move
    for _ in range(500):  # a fixed point: longer cycles make larger groups, of which there are fewer
        rows = statement + per_move * max(1.0, each * cycle)
        if one_at_a_time:  # at worst every other process is ahead
            load = processes * commit / cycle
            mean = rows + min(processes * commit, queue_mean(commit, load))
            slow = rows + min(processes * commit, queue_p99(commit, load))
        elif processes > 1:  # the rest of a flush that is under way, and the next one
            mean, slow = rows + 1.5 * commit, rows + 2 * commit
        else:
            mean = slow = rows + commit
        idle = math.exp(-each * mean) / each  # until the next move, if none came while the last ones were written
        cycle += 0.1 * (min(mean + idle, 60.0) - cycle)
    # A process is writing for this part of the time, and what arrives then waits for the rest of that first.
    writing = min(1.0, each * mean)
    return Commits(1000 * (slow + mean * max(0.0, 1 - 0.01 / writing)), processes / cycle)


@dataclass(frozen=True)
class Load:
    """What arrives at one database and its processes, per second."""

    moves: float
    games: float
    pings: float

    def cpu(self, figures: dict[str, Any], elsewhere: float) -> float:
        """Seconds of CPU time for everything but transactions."""
        move = figures["cpu_per_move_us"] + elsewhere * figures["cpu_per_forwarded_move_us"]
        work = self.moves * move + self.games * figures["cpu_per_game_us"] + self.pings * figures["cpu_per_ping_us"]
        return float(work) / 1e6


@dataclass(frozen=True)
class Fleet:
    """The processes at one database."""

    count: int
    mean: float  # use of a core
    use: float  # of the core of the busiest one
    hearing: float  # the part of it for hearing of what the others write
    commits: Commits


def fleet(count: int, load: Load, figures: dict[str, Any], given: Assumptions) -> Fleet:
    """This many processes, and how busy they are."""
    notifies = given.notify_all and count > 1
    # Messages between processes are transactions over a second connection of each, one there and one back.
    lanes = 1 + (notifies and given.elsewhere > 0)
    written = commits(
        count * lanes,
        load.moves * (1 + 2 * given.elsewhere),
        given.commit_ms / 1000,
        figures["database_cpu_per_move_us"] / 1e6 / given.core_speed,
        figures["database_cpu_per_transaction_us"] / 1e6 / given.core_speed + given.gather_ms / 1000,
        notifies,
    )
    per_second = written.per_second / (1 + 2 * given.elsewhere)  # of those that write moves
    work = load.cpu(figures, given.elsewhere) + per_second * figures["cpu_per_transaction_us"] / 1e6
    use = (work / count * imbalance(count) + figures["idle_cores"]) / given.core_speed
    mean, hearing = (work / count + figures["idle_cores"]) / given.core_speed, 0.0
    if notifies:
        heard = per_second * figures["cpu_per_notification_us"] + load.moves * figures["cpu_per_heard_move_us"]
        hearing = heard * (count - 1) / count / 1e6 / given.core_speed
    return Fleet(count, mean + hearing, use + hearing, hearing, written)


def smallest_fleet(load: Load, figures: dict[str, Any], given: Assumptions) -> Fleet:
    """The fewest processes whose busiest one stays below `core_use`; a great many if no number suffices."""
    count = max(1, math.ceil(load.cpu(figures, given.elsewhere) / given.core_speed / given.core_use))
    while (found := fleet(count, load, figures, given)).use > given.core_use and count < MAX_PROCESSES:
        count += max(1, count // 50)
    return found


def passes(given: Assumptions) -> int:
    """Transactions that the slowest hundredth of the moves waits for: one, or two more for messages to and fro."""
    return 3 if given.elsewhere > 0.01 else 1


def needs(people: int, figures: dict[str, Any], given: Assumptions = Assumptions()) -> Needs:
    """What this many people playing at once need."""
    tables = people * ((1 - given.against_bots) / 2 + given.against_bots)
    games = tables / (60 * given.minutes_per_game)
    moves = games * figures["moves_per_game"]
    sockets = people + tables * given.spectators_per_table
    part = given.databases
    load = Load(moves / part, games / part, sockets / given.heartbeat_seconds / part)
    found = smallest_fleet(load, figures, given)
    cpu = figures["cpu_per_move_us"] / 1e6 / given.core_speed
    memory = found.count * part * figures["memory_base_mb"] / 1024
    memory += tables * figures["memory_per_table_kb"] / 1e6
    memory += (sockets - people) * figures["memory_per_socket_kb"] / 1e6 + sockets * given.connection_memory_kb / 1e6
    bots = people * given.against_bots / (60 * given.minutes_per_game) * figures["bot_cpu_per_game_s"][given.bot]
    database = load.moves * figures["database_cpu_per_move_us"]
    database += found.commits.per_second * figures["database_cpu_per_transaction_us"]
    database = (database / 1e6 + found.count * figures["database_idle_cores"]) / given.core_speed
    result = Needs(
        people=people,
        tables=tables,
        moves_per_second=moves,
        sockets=sockets,
        processes=found.count * part,
        core_of_busiest=found.use,
        hearing=found.hearing / found.use,
        memory_gb=memory,
        megabits_out=8 * moves * figures["bytes_out_per_move"] / 1e6,
        commits_per_second=found.commits.per_second * part,
        fsyncs_per_move=min(1.0, found.commits.per_second / load.moves),
        rows_per_second=moves * (figures["rows_inserted_per_move"] + figures["rows_updated_per_move"]),
        wal_mb_per_second=moves * figures["wal_bytes_per_move"] / 1e6,
        database_cores=database,
        gigabytes_per_day=86_400 * moves / given.peak_over_mean * figures["stored_bytes_per_move"] / 1e9,
        bot_cores=bots / given.core_speed,
        p99_ms=1000 * queue_p99(cpu, found.use) + found.commits.p99_ms * passes(given),
        bottleneck="",
    )
    return replace(result, bottleneck=bottleneck(result, found, given))


def bottleneck(needed: Needs, found: Fleet, given: Assumptions) -> str:
    """What is nearest to its limit, of what more processes do not help; and how near."""
    of_limit = {
        "the event loop of the one process": found.use if found.count == 1 else 0.0,
        "hearing of every change": found.hearing / given.core_use,
        "waiting for commits": found.commits.p99_ms * passes(given) / given.patience_ms,
        "CPU of PostgreSQL": needed.database_cores / given.database_cores,
        "WAL of PostgreSQL": needed.wal_mb_per_second / given.databases / given.database_mb_per_second,
    }
    name = max(of_limit, key=lambda each: of_limit[each])
    return f"{name} ({of_limit[name]:.0%})"


# The page


def shown(value: float) -> str:
    """A number as people read it, with two digits."""
    if value >= 10:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{float(f'{value:.2g}'):g}"


ROWS = {
    "tables": lambda found: shown(found.tables),
    "moves/s": lambda found: shown(found.moves_per_second),
    "open connections": lambda found: shown(found.sockets),
    "connections of each process": lambda found: shown(found.sockets / found.processes),
    "server processes, one core each": lambda found: f"{found.processes:,}",
    "core of the busiest process": lambda found: f"{found.core_of_busiest:.0%}",
    "of that, hearing of other processes' tables": lambda found: f"{found.hearing:.0%}",
    "memory of server and connections (GB)": lambda found: shown(found.memory_gb),
    "sent to clients (Mbit/s)": lambda found: shown(found.megabits_out),
    "transactions/s": lambda found: shown(found.commits_per_second),
    "fsyncs per move": lambda found: shown(found.fsyncs_per_move),
    "database rows written/s": lambda found: shown(found.rows_per_second),
    "WAL (MB/s)": lambda found: shown(found.wal_mb_per_second),
    "cores of each PostgreSQL": lambda found: shown(found.database_cores),
    "storage (GB/day)": lambda found: shown(found.gigabytes_per_day),
    "cores for bots": lambda found: shown(found.bot_cores),
    "p99 of a move in the server (ms)": lambda found: shown(found.p99_ms),
    "nearest to its limit": lambda found: found.bottleneck,
}


def needs_table(figures: dict[str, Any], columns: list[tuple[str, int, Assumptions]]) -> str:
    """A Markdown table with a column for each head, number of people, and assumptions."""
    found = [needs(people, figures, given) for _, people, given in columns]
    lines = [["people playing at once", *(head for head, _, _ in columns)], ["---"] * (len(columns) + 1)]
    lines += [[name, *map(cell, found)] for name, cell in ROWS.items()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def measured_table(figures: dict[str, Any]) -> str:
    """The measured figures as a Markdown table."""
    lines = ["| measured | |\n| --- | --- |\n"]
    for name, value in figures.items():
        if name != "checks":
            values = value if isinstance(value, dict) else {"": value}
            text = ", ".join(f"{key}: {plain(each)}".removeprefix(": ") for key, each in values.items())
            lines.append(f"| `{name}` | {text} |\n")
    return "".join(lines)


def plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}".removesuffix(".0")


def assumptions_table(given: Assumptions) -> str:
    """The assumptions, with what the comments in the source say about them."""
    source = Path(__file__).read_text(encoding="utf-8")
    lines = ["| assumption | value | |\n| --- | --- | --- |\n"]
    for one in fields(given):
        comment = re.search(rf"^    {one.name}: .*?(?:  # (.*))?$", source, re.MULTILINE)
        value = getattr(given, one.name)
        lines.append(f"| `{one.name}` | {str(value).lower()} | {(comment and comment[1]) or ''} |\n")
    return "".join(lines)


def checks_table(figures: dict[str, Any]) -> str:
    """Runs of real servers that the model does not know: predicted, and measured."""
    lines = ["| processes | moves/s | CPU of the server per move (µs) | fsyncs/s |\n| --- | --- | --- | --- |\n"]
    for check in figures["checks"]:
        cpu, syncs = check_predicted(check, figures)
        lines.append(
            f"| {check['processes']} | {check['moves_per_second']:,.0f} | {cpu:,.0f} / {check['cpu_per_move_us']:,.0f} "
            f"| {syncs:,.0f} / {check['fsyncs_per_second']:,.0f} |\n"
        )
    return "".join(lines)


def check_predicted(check: dict[str, Any], figures: dict[str, Any]) -> tuple[float, float]:
    """CPU time of all processes for a move in microseconds, given the transactions that there were; and the fsyncs per
    second, with the disk of that machine."""
    count, moves, syncs = int(check["processes"]), float(check["moves_per_second"]), float(check["fsyncs_per_second"])
    rates = figures["commits_per_second"]
    commit = 1000 / rates["8 connections" if count > 1 else "1 connection"]
    found = fleet(count, Load(moves, 0.0, 0.0), figures, Assumptions(commit_ms=commit))
    more = (syncs - found.commits.per_second) / moves  # transactions per move than predicted
    each = figures["cpu_per_transaction_us"] + (count - 1) * figures["cpu_per_notification_us"]
    cpu = 1e6 * found.mean * count / moves + more * each
    # Moves that are sent at once are written at once. A heartbeat is a transaction, too.
    return cpu, min(found.commits.per_second, count / TICK) + count


def tables(figures: dict[str, Any], given: Assumptions) -> dict[str, str]:
    """The tables of docs/scaling.md by the name in the comment before each."""
    direct = replace(given, notify_all=False)
    built = [(f"{people:,}", people, given) for people in PEOPLE]
    million = PEOPLE[-1]
    other = [
        ("a million, as built", million, given),
        ("half of the players elsewhere", million, replace(given, elsewhere=0.5)),
        ("only who listens is told", million, direct),
        ("the same, not gathered", million, replace(direct, gather_ms=0.0)),
        ("the same, gathered, 4 databases", million, replace(direct, databases=4)),
    ]
    return {
        "measured": measured_table(figures),
        "assumptions": assumptions_table(given),
        "needs": needs_table(figures, built),
        "remedies": needs_table(figures, other),
        "checks": checks_table(figures),
    }


BLOCK = re.compile(r"(?<=^<!-- capacity: )(\w+)( -->\n\n)(?:\|.*\n)*", re.MULTILINE)


def written(page: str, texts: dict[str, str]) -> str:
    """A page with its tables replaced."""
    return BLOCK.sub(lambda found: f"{found[1]}{found[2]}{texts[found[1]]}", page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/scaling.md")
    for one in fields(Assumptions):
        kind = (lambda text: text == "true") if isinstance(one.default, bool) else type(one.default)
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=kind, default=one.default)
    options = vars(parser.parse_args())
    write = options.pop("write")
    from bench.cluster import simulated_table

    texts = tables(json.loads(MEASURED.read_text(encoding="utf-8")), Assumptions(**options))
    texts["simulated"] = simulated_table()
    if write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), texts), encoding="utf-8")
    print("\n".join(texts.values()), end="")


if __name__ == "__main__":
    main()
