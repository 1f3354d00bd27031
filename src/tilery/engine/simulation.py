"""Simulations: many games between compiled bots, in threads; the result does not depend on the number of threads."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilery.core.game import Game, Rules
from tilery.core.record import Ply, Record
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.bots import bot
from tilery.engine.family import family_of

CHUNK = 128
MAX_MOVES = 20_000  # of one game; longer games count as unfinished
MAX_PLIES = 3 * MAX_MOVES  # chance acts at most twice for each move
MAX_KEPT = 200_000  # records that are kept in memory


@dataclass
class Tally:
    """Statistics of many games."""

    seats: int
    games: int = 0
    moves: int = 0
    rounds: int = 0
    unfinished: int = 0
    wins: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)
    highest: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    records: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("wins", "scores", "squares", "highest"):
            setattr(self, name, [0] * self.seats)

    def add(self, other: Tally) -> None:
        """Add the statistics of other games."""
        self.games += other.games
        self.moves += other.moves
        self.rounds += other.rounds
        self.unfinished += other.unfinished
        for seat in range(self.seats):
            self.wins[seat] += other.wins[seat]
            self.scores[seat] += other.scores[seat]
            self.squares[seat] += other.squares[seat]
            self.highest[seat] = max(self.highest[seat], other.highest[seat])
        self.endings += other.endings
        self.records += other.records

    def summary(self, players: Sequence[str]) -> dict[str, Any]:
        """The statistics as plain values."""
        games = max(1, self.games)
        seats = []
        for seat, player in enumerate(players):
            mean = self.scores[seat] / games
            share = self.wins[seat] / games
            seats.append(
                {
                    "player": player,
                    "wins": share,
                    "wins_error": (share * (1 - share) / games) ** 0.5,
                    "score": mean,
                    "score_deviation": max(0.0, self.squares[seat] / games - mean * mean) ** 0.5,
                    "highest": self.highest[seat],
                }
            )
        return {
            "games": self.games,
            "moves_a_game": self.moves / games,
            "rounds_a_game": self.rounds / games,
            "endings": dict(sorted(self.endings.items())),
            "unfinished": self.unfinished,
            "seats": seats,
        }


def _code(name: str) -> int:
    code = bot(name).code
    if code is None:
        raise Refused(f"{name} is too slow for a simulation: only random and greedy can play (see tilery arena)")
    return code


def _play_chunk(game: Game, rules: Rules, players: Sequence[str], count: int, stream: Stream, keep: bool) -> Tally:
    kernel = game.kernel
    tally = Tally(rules.seats)
    rows = kernel.new_rows(count)
    options = np.array(rules.options, dtype=np.int64)
    for i in range(count):
        kernel.setup(rows, i, options)
    codes = np.array([_code(name) for name in players], dtype=np.int64)
    log = np.zeros((count, MAX_PLIES if keep else 1), dtype=np.int64)
    rng = stream.generators(count)
    tally.games = count
    tally.moves = family_of(game).play_games(
        rows, 0, count, rng, codes, MAX_MOVES, log, kernel.new_list(), kernel.new_rows(1)
    )
    scores = np.zeros(rules.seats, dtype=np.int64)
    shares = np.zeros(rules.seats, dtype=np.float64)
    for i in range(count):
        tally.rounds += game.round_of(rows[i].tobytes())
        ended = kernel.result(rows, i, shares)
        tally.endings[game.endings[ended] or "unfinished"] += 1
        tally.unfinished += not ended
        kernel.scores(rows, i, scores)
        for seat in range(rules.seats):
            tally.wins[seat] += float(shares[seat])
            tally.scores[seat] += int(scores[seat])
            tally.squares[seat] += int(scores[seat]) ** 2
            tally.highest[seat] = max(tally.highest[seat], int(scores[seat]))
        if keep:
            tally.records.append(_record(game, rules, players, log[i, 1 : int(log[i, 0]) + 1].tolist()))
    return tally


def _record(game: Game, rules: Rules, players: Sequence[str], log: list[int]) -> Record:
    """The record of a game, given the log of its actions."""
    start = game.new(rules)
    position = start
    plies = []
    for action in log:
        plies.append(Ply(position.actor, action))
        position = position.play(action)
    names = [f"{name} {seat + 1}" for seat, name in enumerate(players)]
    return Record(start, tuple(plies), tuple(names))


def simulate(
    game: Game,
    rules: Rules,
    players: Sequence[str],
    games: int,
    *,
    seed: int | str,
    threads: int | None = None,
    keep: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Tally:
    """Play `games` games; `progress` is called with the number of newly finished games, `keep` keeps the records."""
    if len(players) != rules.seats:
        raise Refused(f"{rules.seats} seats need {rules.seats} bots, not {len(players)}")
    for number, what in ((games, "game"), (1 if threads is None else threads, "thread")):
        if number < 1:
            raise Refused(f"at least one {what} was expected, not {number}")
    if keep and games > MAX_KEPT:
        raise Refused(f"at most {MAX_KEPT:,} games can be kept at once, not {games:,}: simulate them in parts")
    for name in players:
        _code(name)
    family_of(game, "batch")  # compile before the threads start
    sizes = [min(CHUNK, games - first) for first in range(0, games, CHUNK)]
    total = Tally(rules.seats)
    stream = Stream("simulate", seed)

    def chunk(number: int) -> Tally:
        return _play_chunk(game, rules, players, sizes[number], stream.child(number), keep)

    workers = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        # In batches, so that an interruption takes effect soon and millions of games need little memory.
        for first in range(0, len(sizes), 8 * workers):
            for part in pool.map(chunk, range(first, min(first + 8 * workers, len(sizes)))):
                total.add(part)
                progress(part.games)
    return total
