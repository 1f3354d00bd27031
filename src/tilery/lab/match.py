"""Paired games: the same deals with the seats exchanged, so that both bots get the same luck.

A pairing is two bots. With two sides (two seats, or the teams of four in Schokoly) they play each deal twice, with the
sides exchanged. With more sides the first bot plays alone against copies of the second, once in every seat. All of
these games together are one *pair*, whatever their number.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tilery.core.game import Game, Rules
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position
from tilery.core.record import Ply, Record
from tilery.core.streams import Stream
from tilery.engine.bots import Bot

MAX_PLIES = 5_000  # a longer game is cut off, and all seats share the win
_MAX_REMARK_CHARACTERS = 300

FindBot = Callable[[str], Bot]


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """The bot in each seat, for each game of a pair: 0 is the first bot of the pairing, 1 the second."""
    if rules.sides == 2:
        return [tuple((seat + shift) % 2 for seat in range(rules.seats)) for shift in range(2)]
    return [tuple(int(seat != alone) for seat in range(rules.seats)) for alone in range(rules.seats)]


@dataclass(frozen=True)
class GameResult:
    """The result of one game; every tuple has a value for each seat."""

    seats: tuple[int, ...]  # the bot in each seat: 0 is the first of the pairing, 1 the second
    shares: tuple[float, ...]  # shares of the win
    points: tuple[int, ...]
    moves: tuple[int, ...]
    cpu: tuple[float, ...]  # CPU seconds of all moves
    slowest: tuple[float, ...]  # CPU seconds of the slowest move
    lost_by: int | None = None  # the seat that forfeited by an error or an illegal move
    remark: str = ""  # what went wrong

    def share(self, who: int) -> float:
        """The share of the win that a bot (0 or 1) got, over all its seats."""
        return sum(share for seat, share in zip(self.seats, self.shares, strict=True) if seat == who)


def game_result_from(values: dict[str, Any]) -> GameResult:
    """The result of a game from its JSON values."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return GameResult(**fields)


@dataclass(frozen=True)
class Pair:
    """The games of one pair; `number` counts the pairs of a pairing from 0."""

    pairing: int
    number: int
    games: tuple[GameResult, ...]

    @property
    def share(self) -> float:
        """The first bot's share of the wins, from 0 to 1 (rounded, so that equal shares compare equal)."""
        return round(sum(game.share(0) for game in self.games) / len(self.games), 9)

    def as_dict(self) -> dict[str, Any]:
        """The pair as values for JSON."""
        return {"pairing": self.pairing, "pair": self.number, "games": [asdict(game) for game in self.games]}


class _Forfeit(Exception):
    """A bot failed or played an illegal move."""


class _RunningGame:
    """A game that is being played; `number` counts the games of its pair from 0."""

    def __init__(self, game: Game, rules: Rules, bots: Sequence[Bot], stream: Stream, number: int) -> None:
        self.position: Position = game.new(rules)
        self.bots, self.stream, self.number = bots, stream, number
        self.plies: list[Ply] = []
        self.deals = 0
        seats = rules.seats
        self.moves, self.cpu, self.slowest = [0] * seats, [0.0] * seats, [0.0] * seats

    def play(self) -> str:
        """Play to the end; return the reason for a forfeit, "" if there was none."""
        try:
            while self.position.actor != OVER and len(self.plies) < MAX_PLIES:
                seat = self.position.actor
                action = self._deal() if seat == CHANCE else self._choose(seat)
                self.position = self.position.play(action)
                self.plies.append(Ply(seat, action))
        except _Forfeit as forfeit:
            return str(forfeit)
        return ""

    def _deal(self) -> int:
        # The stream depends only on the number of the deal: as long as the games of a pair take the same course, they
        # get the same deals.
        action = self.position.draw(self.stream.child(self.deals))
        self.deals += 1
        return action

    def _choose(self, seat: int) -> int:
        stream = self.stream.child(self.number, seat, len(self.plies))
        began = time.process_time()
        try:
            action = self.bots[seat].choose(self.position.seen_by(seat), stream)
            refusal = self.position.refusal(action)
        except (Exception, SystemExit) as error:
            raise _Forfeit(_one_line(f"{type(error).__name__}: {error}")) from None
        finally:
            seconds = time.process_time() - began
            self.moves[seat] += 1
            self.cpu[seat] += seconds
            self.slowest[seat] = max(self.slowest[seat], seconds)
        if refusal:
            raise _Forfeit(_one_line(f"not legal: {refusal}"))
        return self.position.action(action)  # also accepts a NumPy integer and a move in notation

    def shares(self, lost_by: int | None) -> tuple[float, ...]:
        """Each seat's share of the win. After a forfeit the other sides share it; if nobody won, all seats do."""
        rules = self.position.rules
        outcome = self.position.outcome
        if lost_by is not None:
            winners = [seat for seat in range(rules.seats) if seat % rules.sides != lost_by % rules.sides]
        elif outcome is None or outcome.truncated:
            winners = list(range(rules.seats))
        else:
            winners = list(outcome.winners)
        return tuple(float(seat in winners) / len(winners) for seat in range(rules.seats))


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:_MAX_REMARK_CHARACTERS]


def play_pair(
    game: Game, rules: Rules, names: tuple[str, str], find: FindBot, *, seed: str, pairing: int, number: int
) -> tuple[Pair, list[Record]]:
    """Play all games of a pair; return their results and their records."""
    bots = (find(names[0]), find(names[1]))
    stream = Stream("arena", seed, number)
    games, records = [], []
    for game_number, seating in enumerate(seatings(rules)):
        running = _RunningGame(game, rules, [bots[who] for who in seating], stream, game_number)
        remark = running.play()
        lost_by = running.position.actor if remark else None
        tags = {"Event": "arena", "Seed": seed, "Pair": str(number + 1), "Turn": str(game_number + 1)}
        if lost_by is not None:
            tags["Forfeit"] = f"seat {lost_by + 1}: {remark}"
        players = tuple(names[who] for who in seating)
        records.append(Record(game.new(rules), tuple(running.plies), players, tags))
        games.append(
            GameResult(
                seating,
                running.shares(lost_by),
                running.position.scores(),
                tuple(running.moves),
                tuple(round(seconds, 6) for seconds in running.cpu),
                tuple(round(seconds, 6) for seconds in running.slowest),
                lost_by,
                remark,
            )
        )
    return Pair(pairing, number, tuple(games)), records


def close_bots(names: Sequence[str], find: FindBot) -> None:
    """Close the bots that have something to close, such as a process."""
    for name in names:
        close = find(name).close
        if close is not None:
            close()
