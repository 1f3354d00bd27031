"""What a search has found in plain values: the one shape for the engine process and for `tilery analyse --json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilery.core.position import Seen
from tilery.engine.family import family_of
from tilery.engine.info import Info, Line
from tilery.engine.limits import Limit


def method_for(seen: Seen, limit: Limit, method: str | None) -> str:
    """The search that is used: the one asked for, or the strongest for this variant and limit."""
    return method or family_of(seen.game).strongest(seen.rules, limit)


def _rounded(number: float, digits: int) -> float:
    return round(float(number), digits) + 0.0  # no -0.0


def _odds(values: Sequence[float]) -> list[float]:
    return [_rounded(value, 4) for value in values]


def _points(values: Sequence[float]) -> list[float]:
    return [_rounded(value, 2) for value in values]


def _move(line: Line, order: int, seat: int) -> dict[str, Any]:
    return {
        "move": line.move,
        "order": order,
        "win": _rounded(line.wins[seat], 4),
        "margin": _rounded(line.margins[seat], 2),
        "visits": int(line.nodes),
        "solved": bool(line.solved),
        "pv": list(line.moves),
    }


def report(seen: Seen, info: Info, method: str) -> dict[str, Any]:
    """A search's result. Odds have four digits and points two, so that every machine writes them alike."""
    best = info.lines[0]
    root = {
        "win": _rounded(info.win, 4),
        "margin": _rounded(info.margin, 2),
        "wins": _odds(best.wins[: seen.seats]),
        "margins": _points(best.margins[: seen.seats]),
        "depth": int(info.depth),
        "nodes": int(info.nodes),
        "solved": bool(info.solved),
        "shareSolved": _rounded(info.share_solved, 4),
        "horizon": info.horizon,
        "seconds": _rounded(info.seconds, 3),
        "cpu": _rounded(info.cpu, 3),
        "engine": info.engine,
        "method": method,
    }
    moves = [_move(line, order, info.seat) for order, line in enumerate(info.lines)]
    return {"position": seen.text, "seat": seen.seat + 1, "rootInfo": root, "moveInfos": moves}
