"""Paired games: the same deals with the seats changed, so that luck falls on both sides alike.

A pairing is two bots. At a table of two sides (two seats, or the teams of four in Schokoly) they meet twice on the same
deals, each on either side. Among more seats the first bot sits alone among copies of the second, once in every seat.
All of these games together are one *pair*, whatever their number.
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

LONGEST = 5_000  # plies; a game that goes on is cut off, and everybody gets the same
_LONGEST_REMARK = 300

Find = Callable[[str], Bot]


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """Who sits where in each game of a pair: 0 is the first bot of the pairing, 1 the second."""
    if rules.sides == 2:
        return [tuple((seat + turn) % 2 for seat in range(rules.seats)) for turn in range(2)]
    return [tuple(int(seat != alone) for seat in range(rules.seats)) for alone in range(rules.seats)]


@dataclass(frozen=True)
class Played:
    """One game in numbers, seat by seat."""

    seats: tuple[int, ...]  # who sat there: 0 the first bot of the pairing, 1 the second
    shares: tuple[float, ...]  # of the win
    points: tuple[int, ...]
    moves: tuple[int, ...]
    cpu: tuple[float, ...]  # seconds, all moves together
    slowest: tuple[float, ...]  # seconds, one move
    lost_by: int | None = None  # the seat that lost by an error or an illegal move
    remark: str = ""

    def share(self, who: int) -> float:
        """What a bot has won with all its seats."""
        return sum(share for seat, share in zip(self.seats, self.shares, strict=True) if seat == who)


def played_from(listing: dict[str, Any]) -> Played:
    """A game out of what JSON has made of it."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in listing.items()
    }
    return Played(**values)


@dataclass(frozen=True)
class Pair:
    """The games of one pair; `number` counts the pairs of a pairing from 0."""

    pairing: int
    number: int
    games: tuple[Played, ...]

    @property
    def share(self) -> float:
        """The first bot's share of the pair's wins, from 0 to 1 (rounded, so that equal ones are equal)."""
        return round(sum(game.share(0) for game in self.games) / len(self.games), 9)

    def listing(self) -> dict[str, Any]:
        """In plain values, as JSON takes them."""
        return {"pairing": self.pairing, "pair": self.number, "games": [asdict(game) for game in self.games]}


class _Forfeit(Exception):
    """A bot has failed."""


class _Table:
    """A game on its way."""

    def __init__(self, game: Game, rules: Rules, bots: Sequence[Bot], stream: Stream, turn: int) -> None:
        self.position: Position = game.new(rules)
        self.bots, self.stream, self.turn = bots, stream, turn
        self.plies: list[Ply] = []
        self.deals = 0
        seats = rules.seats
        self.moves, self.cpu, self.slowest = [0] * seats, [0.0] * seats, [0.0] * seats

    def play(self) -> str:
        """To the end, or to the remark about what went wrong."""
        try:
            while self.position.actor != OVER and len(self.plies) < LONGEST:
                seat = self.position.actor
                action = self._deal() if seat == CHANCE else self._choose(seat)
                self.position = self.position.play(action)
                self.plies.append(Ply(seat, action))
        except _Forfeit as failed:
            return str(failed)
        return ""

    def _deal(self) -> int:
        # Named by its number alone, so that all games of the pair are dealt the same as long as they go alike.
        action = self.position.draw(self.stream.child(self.deals))
        self.deals += 1
        return action

    def _choose(self, seat: int) -> int:
        stream = self.stream.child(self.turn, seat, len(self.plies))
        began = time.process_time()
        try:
            action = self.bots[seat].choose(self.position.seen_by(seat), stream)
            refused = self.position.refusal(action)
        except (Exception, SystemExit) as error:
            raise _Forfeit(_one_line(f"{type(error).__name__}: {error}")) from None
        finally:
            seconds = time.process_time() - began
            self.moves[seat] += 1
            self.cpu[seat] += seconds
            self.slowest[seat] = max(self.slowest[seat], seconds)
        if refused:
            raise _Forfeit(_one_line(f"not legal: {refused}"))
        return self.position.action(action)  # a number of numpy's, or a move in notation, will do

    def shares(self, lost_by: int | None) -> tuple[float, ...]:
        """Who gets how much of the win: the others all of it where somebody failed, all alike where nobody has won."""
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
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:_LONGEST_REMARK]


def play_pair(
    game: Game, rules: Rules, names: tuple[str, str], find: Find, *, seed: str, pairing: int, number: int
) -> tuple[Pair, list[Record]]:
    """All games of a pair, in numbers and as records."""
    bots = (find(names[0]), find(names[1]))
    stream = Stream("arena", seed, number)
    games, records = [], []
    for turn, seating in enumerate(seatings(rules)):
        table = _Table(game, rules, [bots[who] for who in seating], stream, turn)
        remark = table.play()
        lost_by = table.position.actor if remark else None
        tags = {"Event": "arena", "Seed": seed, "Pair": str(number + 1), "Turn": str(turn + 1)}
        if lost_by is not None:
            tags["Forfeit"] = f"seat {lost_by + 1}: {remark}"
        players = tuple(names[who] for who in seating)
        records.append(Record(game.new(rules), tuple(table.plies), players, tags))
        games.append(
            Played(
                seating,
                table.shares(lost_by),
                table.position.scores(),
                tuple(table.moves),
                tuple(round(seconds, 6) for seconds in table.cpu),
                tuple(round(seconds, 6) for seconds in table.slowest),
                lost_by,
                remark,
            )
        )
    return Pair(pairing, number, tuple(games)), records


def close_bots(names: Sequence[str], find: Find) -> None:
    """Tell the bots that hold on to something, such as a process, that it is over."""
    for name in names:
        close = find(name).close
        if close is not None:
            close()
