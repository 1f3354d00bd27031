"""The result of a search as a typed value: the same for the engine process and for `tilery analyse --json`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from tilery.core.position import Seen
from tilery.engine.answers import Analysis, MoveInfo, RootInfo
from tilery.engine.family import family_of
from tilery.engine.info import Info, Variation
from tilery.engine.limits import Limit


def method_for(seen: Seen, limit: Limit, method: str | None) -> str:
    """The search to use: the given one, or the strongest for this variant and limit."""
    return method or family_of(seen.game).strongest(seen.rules, limit)


def _rounded(number: float, digits: int) -> float:
    return round(float(number), digits) + 0.0  # no -0.0


def _probabilities(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(_rounded(value, 4) for value in values)


def _points(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(_rounded(value, 2) for value in values)


def _move_info(variation: Variation, order: int, seat: int) -> MoveInfo:
    return MoveInfo(
        move=variation.move,
        order=order,
        win=_rounded(variation.wins[seat], 4),
        margin=_rounded(variation.margins[seat], 2),
        visits=int(variation.nodes),
        solved=bool(variation.solved),
        pv=variation.moves,
    )


def _root_info(seen: Seen, info: Info, method: str) -> RootInfo:
    best = info.variations[0]
    return RootInfo(
        win=_rounded(info.win, 4),
        margin=_rounded(info.margin, 2),
        wins=_probabilities(best.wins[: seen.seats]),
        margins=_points(best.margins[: seen.seats]),
        depth=int(info.depth),
        nodes=int(info.nodes),
        solved=bool(info.solved),
        share_solved=_rounded(info.share_solved, 4),
        horizon=info.horizon,
        seconds=_rounded(info.seconds, 3),
        cpu=_rounded(info.cpu, 3),
        engine=info.engine,
        method=method,
    )


def analysis(
    seen: Seen,
    info: Info,
    method: str,
    *,
    id: str | UnsetType = UNSET,
    turn: int = 0,
    during: bool = False,
    cancelled: bool = False,
) -> Analysis:
    """The result of a search. Probabilities have four digits and points two, to be the same on all machines."""
    return Analysis(
        id,
        turn,
        during,
        seen.text,
        seen.seat,
        _root_info(seen, info, method),
        tuple(_move_info(variation, order, info.seat) for order, variation in enumerate(info.variations)),
        cancelled or UNSET,
    )
