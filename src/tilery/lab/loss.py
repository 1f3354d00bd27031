"""How much a bot gives away: its moves, out of recorded games, judged by a search that thinks longer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilery.core.position import Seen
from tilery.core.record import Record
from tilery.core.record_text import split_records
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.info import Info
from tilery.games import read_record

Judge = Callable[[Seen, Stream], Info]  # has to give every legal move a value of its own

MOVES_A_GAME = 4  # from one game not too many: neighbouring moves are much alike


@dataclass(frozen=True)
class Loss:
    """The mean loss of a move, with one standard error: odds to win (a share) and points of the margin."""

    moves: int
    win: float
    win_error: float
    points: float
    points_error: float
    judge: str  # the search that judged


def loss_of(seen: Seen, action: int, info: Info) -> tuple[float, float] | None:
    """What a move has cost beside the best one, by the odds to win and by the margin.

    None where it has no value of its own: searches list moves that come to the same (from equal factories) once.
    """
    line = next((line for line in info.lines if line.action == action), None)
    if line is None:
        return None
    best = info.lines[0]
    return best.wins[seen.seat] - line.wins[seen.seat], best.margins[seen.seat] - line.margins[seen.seat]


def _mean(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, math.inf
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def decisions(record: Record, name: str) -> list[int]:
    """The plies at which a bot had a choice."""
    own = [seat for seat, player in enumerate(record.players) if player == name]
    positions = record.positions()
    return [
        at
        for at, (ply, position) in enumerate(zip(record.plies, positions, strict=False))
        if ply.actor in own and len(position.actions()) > 1
    ]


def sampled(texts: Sequence[str], name: str, most: int, stream: Stream) -> Iterator[tuple[Seen, int]]:
    """Some of a bot's decisions, a few from each of many games, and what it chose."""
    order = [text for text in texts if _plays(text, name)]
    while order and most:
        text = order.pop(stream.below(len(order)))
        record = read_record(text)
        choices = decisions(record, name)
        for _ in range(min(MOVES_A_GAME, most, len(choices))):
            at = choices.pop(stream.below(len(choices)))
            most -= 1
            yield record.position(at).seen_by(record.plies[at].actor), record.plies[at].action


def _plays(text: str, name: str) -> bool:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return any(f'[Seat{seat} "{quoted}"]' in text for seat in range(1, 5))


def records_of(text: str) -> list[str]:
    """The records of a file, each as a text."""
    return [part for _, part in split_records(text)] if text.strip() else []


def mean_loss(texts: Sequence[str], name: str, judge: Judge, *, most: int, seed: str) -> Loss:
    """The mean loss of a bot over so many of its moves."""
    wins, margins, engine = [], [], ""
    stream = Stream("loss", seed, name)
    for number, (seen, action) in enumerate(sampled(texts, name, most, stream.child("sample"))):
        info = judge(seen, stream.child("judge", number))
        engine = info.engine
        lost = loss_of(seen, action, info)
        if lost is not None:
            wins.append(lost[0])
            margins.append(lost[1])
    if not wins:
        raise Refused(f"there is no move of {name[:40]} to judge: let it play first")
    return Loss(len(wins), *_mean(wins), *_mean(margins), engine)
