"""The loss per move of a bot: moves from its recorded games, judged by a longer search."""

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

Judge = Callable[[Seen, Stream], Info]  # must return a variation for every legal move

MOVES_PER_GAME = 4  # only a few: decisions of the same game are similar


@dataclass(frozen=True)
class Loss:
    """The mean loss per move in win probability and in points of the margin, each with its standard error."""

    moves: int
    win: float
    win_error: float
    points: float
    points_error: float
    judge: str  # the search that judged


def loss_of(seen: Seen, action: int, info: Info) -> tuple[float, float] | None:
    """The loss of a move compared with the best one, in win probability and in margin.

    None if the search has no variation for it: of equivalent moves (from equal factories) only one is searched.
    """
    chosen = next((variation for variation in info.variations if variation.action == action), None)
    if chosen is None:
        return None
    best = info.variations[0]
    return best.wins[seen.seat] - chosen.wins[seen.seat], best.margins[seen.seat] - chosen.margins[seen.seat]


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, math.inf
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def decisions(record: Record, name: str) -> list[int]:
    """The indices of the plies at which a bot had more than one legal move."""
    own = [seat for seat, player in enumerate(record.players) if player == name]
    positions = record.positions()
    return [
        at
        for at, (ply, position) in enumerate(zip(record.plies, positions, strict=False))
        if ply.actor in own and len(position.actions()) > 1
    ]


def sample_decisions(texts: Sequence[str], name: str, sample: int, stream: Stream) -> Iterator[tuple[Seen, int]]:
    """Yield up to `sample` decisions of a bot with the action it chose, a few from each of many games."""
    order = [text for text in texts if _plays(text, name)]
    while order and sample:
        text = order.pop(stream.below(len(order)))
        record = read_record(text)
        choices = decisions(record, name)
        for _ in range(min(MOVES_PER_GAME, sample, len(choices))):
            at = choices.pop(stream.below(len(choices)))
            sample -= 1
            yield record.position(at).seen_by(record.plies[at].actor), record.plies[at].action


def _plays(text: str, name: str) -> bool:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return any(f'[Seat{seat} "{quoted}"]' in text for seat in range(1, 5))


def record_texts(text: str) -> list[str]:
    """The text of each record of a file."""
    return [part for _, part in split_records(text)] if text.strip() else []


def mean_loss(texts: Sequence[str], name: str, judge: Judge, *, sample: int, seed: str) -> Loss:
    """The mean loss of a bot over a sample of at most `sample` of its moves."""
    wins, margins, engine = [], [], ""
    stream = Stream("loss", seed, name)
    for number, (seen, action) in enumerate(sample_decisions(texts, name, sample, stream.child("sample"))):
        info = judge(seen, stream.child("judge", number))
        engine = info.engine
        lost = loss_of(seen, action, info)
        if lost is not None:
            wins.append(lost[0])
            margins.append(lost[1])
    if not wins:
        raise Refused(f"there is no move of {name[:40]} to judge: it must play first")
    return Loss(len(wins), *_mean_and_error(wins), *_mean_and_error(margins), engine)
