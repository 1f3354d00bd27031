"""`make bench`: how fast, beside the physical limit and beside what was promised.

Absolute figures depend on the machine and on what else it does; every promise is a ratio measured in one run, or a
generous bound. Pairs that are compared take turns, and the middle of several rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tilery import CHANCE, OVER, Game, Ply, Record, Stream, game
from tilery.engine.limits import Limit
from tilery.engine.search import think

HERE = Path(__file__).resolve().parent
HOT = 256  # games that stay in the fastest cache, as the one game of limit.c does


@dataclass
class Figure:
    """One line of the result."""

    what: str
    value: float
    unit: str
    wanted: str = ""
    kept: bool | None = None


def at_least(what: str, value: float, unit: str, bound: float) -> Figure:
    return Figure(what, value, unit, f"at least {bound:g}", value >= bound)


def below(what: str, value: float, unit: str, bound: float) -> Figure:
    return Figure(what, value, unit, f"under {bound:g}", value < bound)


class Player:
    """Random games of one variant in the kernel."""

    def __init__(self, played: Game, variant: str, count: int = HOT) -> None:
        self.kernel = played.kernel
        rules = played.variant(variant)
        self.fresh = self.kernel.new_rows(count)
        for i in range(count):
            self.kernel.setup(self.fresh, i, np.array(rules.options, dtype=np.int64))
        self.rows = self.fresh.copy()
        self.rng = Stream("bench", variant).generators(count)

    def play(self, first: int = 0, last: int | None = None, out: Any = None) -> int:
        """Play the games from the start; returns the moves. Threads need lists of their own."""
        last = len(self.rows) if last is None else last
        self.rows[first:last] = self.fresh[first:last]
        out = self.kernel.new_list() if out is None else out
        return self.kernel.playout(self.rows, first, last, self.rng, 1_000_000, out)

    def moves_a_second(self, batches: int = 60) -> float:
        began = time.process_time()
        moves = sum(self.play() for _ in range(batches))
        return moves / (time.process_time() - began)


def compiled_limit(folder: Path, name: str = "limit") -> Path | None:
    """A program in C, compiled as well as this machine can, None without a compiler."""
    compiler = next((c for c in ("gcc", "cc", "clang") if shutil.which(c)), None)
    if compiler is None:
        return None
    program = folder / name
    command = [compiler, "-std=c11", "-O3", "-march=native", str(HERE / f"{name}.c"), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def limit_moves_a_second(program: Path, seed: int, *words: str) -> float:
    out = subprocess.run([str(program), "20000", str(seed), *words], check=True, capture_output=True, text=True).stdout
    found = json.loads(out)
    return float(found["moves"] / found["seconds"])


def in_turns(rounds: int, *measures: Callable[[int], float]) -> list[list[float]]:
    """Measure several things in turns, so that a busy moment of the machine hits all of them."""
    found: list[list[float]] = [[] for _ in measures]
    for number in range(rounds):
        for which, measure in enumerate(measures):
            found[which].append(measure(number))
    return found


def middle_ratio(over: Sequence[float], under: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def kernel_figures(azul: Game) -> list[Figure]:
    players = [Player(azul, variant) for variant in ("2", "2,grey,stall=10", "2,specials", "2,grey,specials,stall=10")]
    measures: list[Callable[[int], float]] = [lambda _, p=player: p.moves_a_second() for player in players]  # type: ignore[misc]
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_limit(Path(folder))
        if program is not None:
            measures.append(lambda seed: limit_moves_a_second(program, seed))
        for measure in measures:
            measure(0)
        found = in_turns(15, *measures)
    base, grey, special, both = (found[k] for k in range(4))
    figures.append(Figure("random moves, coloured wall, one core", statistics.median(base) / 1e6, "million/s"))
    if program is None:
        figures.append(Figure("against limit.c: no C compiler here", float("nan"), ""))
    else:
        figures.append(Figure("random moves of limit.c", statistics.median(found[4]) / 1e6, "million/s"))
        figures.append(at_least("kernel / limit.c", middle_ratio(base, found[4]), "", 0.6))
    figures.append(at_least("grey wall / base game", middle_ratio(grey, base), "", 0.4))
    figures.append(at_least("special factories / base game", middle_ratio(special, base), "", 0.4))
    figures.append(at_least("both / base game", middle_ratio(both, base), "", 0.4))
    return figures


def calling(function: Any) -> Any:
    """Compiled code that calls a compiled function of (rows, i, out) for all rows, so many times."""
    import numba

    def calls(rows: Any, out: Any, times: int) -> None:
        for _ in range(times):
            for i in range(len(rows)):
                function(rows, i, out)

    return numba.njit(nogil=True)(calls)


def repeated(function: Any, times: int = 200) -> Callable[[Any, Any], float]:
    """A compiled function of (rows, i, out), called from compiled code many times: microseconds of one call."""
    run = calling(function)

    def measure(rows: Any, out: Any) -> float:
        run(rows, out, 1)
        best = float("inf")
        for _ in range(9):
            began = time.process_time()
            run(rows, out, times)
            best = min(best, (time.process_time() - began) / (times * len(rows)))
        return best * 1e6

    return measure


def middle_positions(played: Game, count: int, cards: int) -> Any:
    """Rows of random games in which so many cards lie and a seat has to place one."""
    stream = Stream("bench", "middle")
    rows: list[Any] = []
    while len(rows) < count:
        position = played.new().settle(stream)
        while position.view["phase"] != "place" or len(position.view["table"]) < cards:
            position = position.play(stream.choice(position.actions())).settle(stream)
        rows.append(np.frombuffer(position.row, dtype=np.uint8))
    return np.array(rows)


def schokoly_figures() -> list[Figure]:
    """Random games beside the limit, and single deeds inside compiled code."""
    schokoly = game("schokoly")
    player = Player(schokoly, "2", 8)  # that stay in a fast cache, as the one game of the limit does
    kernel = schokoly.kernel
    points = np.zeros(4, dtype=np.int64)
    lists = kernel.new_list()
    score_all = calling(kernel.scores)
    score_all(player.rows, points, 1)

    def moves_a_second(scored: bool) -> float:
        began, moves = time.process_time(), 0
        for _ in range(250):
            moves += player.play(out=lists)
            if scored:
                score_all(player.rows, points, 1)
        return moves / (time.process_time() - began)

    figures = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_limit(Path(folder), "limit_schokoly")
        measures: list[Callable[[int], float]] = [lambda _: moves_a_second(False), lambda _: moves_a_second(True)]
        if program is not None:
            measures.append(lambda seed: limit_moves_a_second(program, seed + 1, "unscored"))
            measures.append(lambda seed: limit_moves_a_second(program, seed + 1))
        for measure in measures:
            measure(0)
        found = in_turns(15, *measures)
    figures.append(Figure("Schokoly, random moves, one core", statistics.median(found[0]) / 1e6, "million/s"))
    if program is not None:
        figures.append(Figure("random moves of limit_schokoly.c", statistics.median(found[2]) / 1e6, "million/s"))
        figures.append(at_least("kernel / limit_schokoly.c", middle_ratio(found[0], found[2]), "", 0.5))
        figures.append(Figure("the same with the final score of every game", middle_ratio(found[1], found[3]), ""))
    rows = middle_positions(schokoly, 32, 18)
    lengths = [kernel.legal(rows, i, lists) for i in range(len(rows))]
    what = f"list of {statistics.mean(lengths):.0f} placements, in the kernel"
    figures.append(below(what, repeated(kernel.legal)(rows, lists), "us", 50))
    figures.append(below("scores of a middle position, in the kernel", repeated(kernel.scores)(rows, points), "us", 3))
    row = rows[:1]
    figures.append(Figure(f"copy of a row of {kernel.width:,} bytes", microseconds(row.copy), "us"))
    return figures


def search_figures(azul: Game) -> list[Figure]:
    """Nodes of alpha-beta and simulations of the tree, on one core, from the first moves of some rounds."""
    found: dict[str, list[float]] = {"pvs": [], "uct": [], "plain-uct": []}
    for number in range(7):
        seen = azul.new().settle(Stream("bench", "search", number)).seen_by(0)
        for method, speeds in found.items():
            info = think(seen, Limit(cpu=0.3), stream=Stream("bench"), method=method)
            speeds.append(info.nodes / info.cpu)
    speed = {method: statistics.median(speeds) / 1e6 for method, speeds in found.items()}
    return [
        at_least("alpha-beta for two players, one core", speed["pvs"], "million nodes/s", 1.5),
        Figure("UCT cut off at the end of the round", speed["uct"], "million simulations/s"),
        Figure("UCT with random games to the end", speed["plain-uct"], "million simulations/s"),
    ]


def thread_figures(azul: Game) -> list[Figure]:
    """A batch of 4,096 games, on one thread and on two."""
    player = Player(azul, "2", 4096)

    pool = ThreadPoolExecutor(2)

    def batch(threads: int) -> float:
        bounds = np.linspace(0, 4096, threads + 1).astype(int).tolist()
        began = time.perf_counter()
        list(pool.map(player.play, bounds[:-1], bounds[1:]))
        return time.perf_counter() - began

    def timed(threads: int) -> float:
        return min(batch(threads) for _ in range(5))

    timed(2)
    one, two = in_turns(15, lambda _: timed(1), lambda _: timed(2))
    # The quickest of each: wall time on a shared machine only ever gets longer when a neighbour wants the second core.
    figure = at_least("4,096 games, two threads / one", min(one) / min(two), "", 1.7)
    if (os.cpu_count() or 1) < 2:
        figure.kept = None
    return [figure]


def microseconds(deed: Callable[[], object], times: int = 2000) -> float:
    deed()
    best = float("inf")
    for _ in range(7):
        began = time.perf_counter()
        for _ in range(times):
            deed()
        best = min(best, (time.perf_counter() - began) / times)
    return best * 1e6


def interface_figures(azul: Game) -> list[Figure]:
    stream = Stream("bench", "record")
    position = start = azul.new()
    plies: list[Ply] = []
    middle = position
    while position.actor != OVER:
        action = position.draw(stream) if position.actor == CHANCE else stream.choice(position.actions())
        plies.append(Ply(position.actor, action))
        position = position.play(action)
        if len(plies) > 40 and position.actor >= 0 and len(position.moves()) >= 25:
            middle = position
    record = Record(start, tuple(plies[:70]))
    move = middle.moves()[len(middle.moves()) // 2]
    return [
        below("Position.play with its check", microseconds(lambda: middle.play(move)), "us", 10),
        below(f"Position.moves() of {len(middle.moves())} moves", microseconds(middle.moves), "us", 15),
        below("replay of a record of 70 plies", microseconds(record.position, 200) / 1000, "ms", 2),
    ]


def seconds_of(*words: str, stdin: str = "", **environment: str) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "tilery", *words],
        input=stdin,
        text=True,
        check=True,
        capture_output=True,
        env={**os.environ, **environment},
    )
    return time.perf_counter() - began


def command_figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        data = {"TILERY_DATA": folder}
        help_time = min(seconds_of("--help") for _ in range(5))
        seconds_of("play", stdin="quit\n", **data)
        ready = min(seconds_of("play", stdin="quit\n", **data) for _ in range(3))
        cold = seconds_of("play", stdin="moves\n1\nquit\n", TILERY_CACHE=folder, **data)
    return [
        below("tilery --help", help_time, "s", 0.3),
        below("tilery play, to the first board and out again", ready, "s", 3),
        below("the same with nothing compiled yet, and one answer of greedy", cold, "s", 60),
    ]


def figures_of(name: str) -> list[Figure]:
    """The figures of one game, in this process."""
    if name == "schokoly":
        return schokoly_figures()
    azul = game("azul")
    return [*kernel_figures(azul), *search_figures(azul), *thread_figures(azul), *interface_figures(azul)]


def figures_apart(name: str) -> list[Figure]:
    """The same in a process of its own: after Azul's figures, Schokoly's kernel was slower than it is alone."""
    words = [sys.executable, "-m", "bench", "--json", "--game", name]
    ran = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False, cwd=HERE.parent)
    return [Figure(**figure) for figure in json.loads(ran.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed, as ratios measured in one run.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--game", choices=("azul", "schokoly"), help="only the figures of this one")
    wanted = parser.parse_args()
    if wanted.game:
        figures = figures_of(wanted.game)
    else:
        figures = [*figures_apart("azul"), *figures_apart("schokoly"), *command_figures()]
    if wanted.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
    else:
        table = Table(title="Speed of this machine, in one run")
        for heading in ("what", "measured", "promised", "kept"):
            table.add_column(heading, justify="right" if heading == "measured" else "left")
        for figure in figures:
            kept = "" if figure.kept is None else "yes" if figure.kept else "NO"
            table.add_row(figure.what, f"{figure.value:.2f} {figure.unit}", figure.wanted, kept)
        Console().print(table)
    sys.exit(any(figure.kept is False for figure in figures))


if __name__ == "__main__":
    main()
