"""`make bench`: speed, compared with hand-tuned C programs and with the targets.

Absolute figures depend on the machine and its load; every target is a ratio measured in one run, or a generous bound.
Measurements that are compared alternate, and the median of several rounds counts.
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
CACHED = 256  # games that stay in the fastest cache, like the single game of limit.c


@dataclass
class Figure:
    """One row of the result."""

    what: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None  # None without a target


def at_least(what: str, value: float, unit: str, bound: float) -> Figure:
    return Figure(what, value, unit, f"at least {bound:g}", value >= bound)


def below(what: str, value: float, unit: str, bound: float) -> Figure:
    return Figure(what, value, unit, f"under {bound:g}", value < bound)


class RandomGames:
    """Random games of one variant in the kernel."""

    def __init__(self, game: Game, variant: str, count: int = CACHED) -> None:
        self.kernel = game.kernel
        rules = game.variant(variant)
        self.fresh = self.kernel.new_rows(count)
        for i in range(count):
            self.kernel.setup(self.fresh, i, np.array(rules.options, dtype=np.int64))
        self.rows = self.fresh.copy()
        self.rng = Stream("bench", variant).generators(count)

    def play(self, first: int = 0, last: int | None = None, out: Any = None) -> int:
        """Play games from the start; return the number of moves. Every thread needs its own list `out`."""
        last = len(self.rows) if last is None else last
        self.rows[first:last] = self.fresh[first:last]
        out = self.kernel.new_list() if out is None else out
        return self.kernel.playout(self.rows, first, last, self.rng, 1_000_000, out)

    def moves_per_second(self, batches: int = 60) -> float:
        began = time.process_time()
        moves = sum(self.play() for _ in range(batches))
        return moves / (time.process_time() - began)


def compiled_limit(folder: Path, name: str = "limit") -> Path | None:
    """A C program compiled for this machine; None without a compiler."""
    compiler = next((c for c in ("gcc", "cc", "clang") if shutil.which(c)), None)
    if compiler is None:
        return None
    program = folder / name
    command = [compiler, "-std=c11", "-O3", "-march=native", str(HERE / f"{name}.c"), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def limit_result(program: Path, seed: int, *words: str) -> dict[str, Any]:
    """What a C program prints about 20,000 random games."""
    out = subprocess.run([str(program), "20000", str(seed), *words], check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(out)
    return result


def limit_moves_per_second(program: Path, seed: int, *words: str) -> float:
    result = limit_result(program, seed, *words)
    return float(result["moves"] / result["seconds"])


def interleaved(rounds: int, *measures: Callable[[int], float]) -> list[list[float]]:
    """Alternate between several measurements, so that a busy moment of the machine affects all of them."""
    values: list[list[float]] = [[] for _ in measures]
    for number in range(rounds):
        for which, measure in enumerate(measures):
            values[which].append(measure(number))
    return values


def median_ratio(over: Sequence[float], under: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def kernel_figures(azul: Game) -> list[Figure]:
    players = [
        RandomGames(azul, variant) for variant in ("2", "2,grey,stall=10", "2,specials", "2,grey,specials,stall=10")
    ]
    measures: list[Callable[[int], float]] = [lambda _, p=player: p.moves_per_second() for player in players]  # type: ignore[misc]
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_limit(Path(folder))
        if program is not None:
            measures.append(lambda seed: limit_moves_per_second(program, seed))
        for measure in measures:
            measure(0)
        speeds = interleaved(15, *measures)
    base, grey, special, both = (speeds[k] for k in range(4))
    figures.append(Figure("random moves, coloured wall, one core", statistics.median(base) / 1e6, "million/s"))
    if program is None:
        figures.append(Figure("kernel / limit.c: no C compiler", float("nan"), ""))
    else:
        figures.append(Figure("random moves of limit.c", statistics.median(speeds[4]) / 1e6, "million/s"))
        figures.append(at_least("kernel / limit.c", median_ratio(base, speeds[4]), "", 0.6))
    figures.append(at_least("grey wall / base game", median_ratio(grey, base), "", 0.4))
    figures.append(at_least("special factories / base game", median_ratio(special, base), "", 0.4))
    figures.append(at_least("both / base game", median_ratio(both, base), "", 0.4))
    return figures


def compiled_loop(function: Any) -> Any:
    """A compiled function that calls the compiled `function(rows, i, out)` for all rows, `times` times."""
    import numba

    def calls(rows: Any, out: Any, times: int) -> None:
        for _ in range(times):
            for i in range(len(rows)):
                function(rows, i, out)

    return numba.njit(nogil=True)(calls)


def call_time(function: Any, times: int = 200) -> Callable[[Any, Any], float]:
    """Return a function that measures the microseconds per call of the compiled `function(rows, i, out)`."""
    run = compiled_loop(function)

    def measure(rows: Any, out: Any) -> float:
        run(rows, out, 1)
        best = float("inf")
        for _ in range(9):
            began = time.process_time()
            run(rows, out, times)
            best = min(best, (time.process_time() - began) / (times * len(rows)))
        return best * 1e6

    return measure


def middle_positions(game: Game, count: int, cards: int) -> Any:
    """Rows of random games with at least `cards` cards on the table, in which a seat has to place one."""
    stream = Stream("bench", "middle")
    rows: list[Any] = []
    while len(rows) < count:
        position = game.new().settle(stream)
        while position.view["phase"] != "place" or len(position.view["table"]) < cards:
            position = position.play(stream.choice(position.actions())).settle(stream)
        rows.append(np.frombuffer(position.row, dtype=np.uint8))
    return np.array(rows)


def schokoly_figures() -> list[Figure]:
    """Random games compared with the C program, and single operations of the kernel."""
    schokoly = game("schokoly")
    player = RandomGames(schokoly, "2", 8)  # 8 games stay in a fast cache, like the single game of the C program
    kernel = schokoly.kernel
    points = np.zeros(4, dtype=np.int64)
    lists = kernel.new_list()
    score_all = compiled_loop(kernel.scores)
    score_all(player.rows, points, 1)

    def moves_per_second(scored: bool) -> float:
        began, moves = time.process_time(), 0
        for _ in range(250):
            moves += player.play(out=lists)
            if scored:
                score_all(player.rows, points, 1)
        return moves / (time.process_time() - began)

    figures = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_limit(Path(folder), "limit_schokoly")
        measures: list[Callable[[int], float]] = [lambda _: moves_per_second(False), lambda _: moves_per_second(True)]
        if program is not None:
            measures.append(lambda seed: limit_moves_per_second(program, seed + 1, "unscored"))
            measures.append(lambda seed: limit_moves_per_second(program, seed + 1))
        for measure in measures:
            measure(0)
        speeds = interleaved(15, *measures)
        games = limit_result(program, 1) if program is not None else {}
    figures.append(Figure("Schokoly: random moves, one core", statistics.median(speeds[0]) / 1e6, "million/s"))
    if program is not None:
        placements = games["first_level_a_list"] + games["second_level_a_list"]
        figures.append(Figure("ways to place a card in random games, on average", placements, ""))
        figures.append(Figure("random moves of limit_schokoly.c", statistics.median(speeds[2]) / 1e6, "million/s"))
        figures.append(at_least("kernel / limit_schokoly.c", median_ratio(speeds[0], speeds[2]), "", 0.5))
        figures.append(
            Figure(
                "kernel / limit_schokoly.c, with the final score of every game", median_ratio(speeds[1], speeds[3]), ""
            )
        )
    rows = middle_positions(schokoly, 32, 18)
    lengths = [kernel.legal(rows, i, lists) for i in range(len(rows))]
    what = f"listing {statistics.mean(lengths):.0f} placements, in the kernel"
    figures.append(below(what, call_time(kernel.legal)(rows, lists), "us", 50))
    figures.append(below("scoring a middle position, in the kernel", call_time(kernel.scores)(rows, points), "us", 3))
    row = rows[:1]
    figures.append(Figure(f"copying a row of {kernel.width:,} bytes", microseconds(row.copy), "us"))
    return figures


def search_figures(azul: Game) -> list[Figure]:
    """Nodes of alpha-beta and simulations of tree searches per second on one core, at the start of a game."""
    speeds_by_method: dict[str, list[float]] = {"pvs": [], "uct": [], "plain-uct": []}
    for number in range(7):
        seen = azul.new().settle(Stream("bench", "search", number)).seen_by(0)
        for method, speeds in speeds_by_method.items():
            info = think(seen, Limit(cpu=0.3), stream=Stream("bench"), method=method)
            speeds.append(info.nodes / info.cpu)
    speed = {method: statistics.median(speeds) / 1e6 for method, speeds in speeds_by_method.items()}
    return [
        at_least("principal-variation search for two players, one core", speed["pvs"], "million nodes/s", 1.5),
        Figure("UCT cut off at the end of the round", speed["uct"], "million simulations/s"),
        Figure("UCT with random games to the end", speed["plain-uct"], "million simulations/s"),
    ]


def thread_figures(azul: Game) -> list[Figure]:
    """A batch of 4,096 games, on one thread and on two."""
    player = RandomGames(azul, "2", 4096)

    pool = ThreadPoolExecutor(2)

    def batch(threads: int) -> float:
        bounds = np.linspace(0, 4096, threads + 1).astype(int).tolist()
        began = time.perf_counter()
        list(pool.map(player.play, bounds[:-1], bounds[1:]))
        return time.perf_counter() - began

    def timed(threads: int) -> float:
        return min(batch(threads) for _ in range(5))

    timed(2)
    one, two = interleaved(15, lambda _: timed(1), lambda _: timed(2))
    # The minimum of each: on a shared machine other processes can only make the wall-clock time longer.
    figure = at_least("4,096 games, two threads / one", min(one) / min(two), "", 1.7)
    if (os.cpu_count() or 1) < 2:
        figure.met = None
    return [figure]


def microseconds(operation: Callable[[], object], times: int = 2000) -> float:
    operation()
    best = float("inf")
    for _ in range(7):
        began = time.perf_counter()
        for _ in range(times):
            operation()
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
        below("Position.play with its legality check", microseconds(lambda: middle.play(move)), "us", 10),
        below(f"Position.moves() of {len(middle.moves())} moves", microseconds(middle.moves), "us", 15),
        below("replaying a record of 70 plies", microseconds(record.position, 200) / 1000, "ms", 2),
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
        warm = min(seconds_of("play", stdin="quit\n", **data) for _ in range(3))
        cold = seconds_of("play", stdin="moves\n1\nquit\n", TILERY_CACHE=folder, **data)
    return [
        below("tilery --help", help_time, "s", 0.3),
        below("tilery play until the first board, then quit", warm, "s", 3),
        below("the same with an empty compile cache, and one move of each player", cold, "s", 60),
    ]


def figures_of(name: str) -> list[Figure]:
    """The figures of one game, in this process."""
    if name == "schokoly":
        return schokoly_figures()
    azul = game("azul")
    return [*kernel_figures(azul), *search_figures(azul), *thread_figures(azul), *interface_figures(azul)]


def figures_in_process(name: str) -> list[Figure]:
    """The figures of one game in a new process: after Azul, the kernel of Schokoly would run slower."""
    command = [sys.executable, "-m", "bench", "--json", "--game", name]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, cwd=HERE.parent)
    return [Figure(**figure) for figure in json.loads(ran.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed, as ratios measured in one run.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--game", choices=("azul", "schokoly"), help="only the figures of this game")
    options = parser.parse_args()
    if options.game:
        figures = figures_of(options.game)
    else:
        figures = [*figures_in_process("azul"), *figures_in_process("schokoly"), *command_figures()]
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
    else:
        table = Table(title="Speed of this machine, in one run")
        for heading in ("what", "measured", "target", "met"):
            table.add_column(heading, justify="right" if heading == "measured" else "left")
        for figure in figures:
            met = "" if figure.met is None else "yes" if figure.met else "NO"
            table.add_row(figure.what, f"{figure.value:.2f} {figure.unit}", figure.target, met)
        Console().print(table)
    sys.exit(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    main()
