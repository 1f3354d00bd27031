"""Hints: their limits, their JSON, and the check of what a worker returns."""

from __future__ import annotations

from typing import Any

from tilery.core.position import Seen
from tilery.engine.info import Info
from tilery.engine.report import analysis

MAX_VARIATIONS = 5
LIMIT = "1s"  # of CPU time
MAX_VARIATION_MOVES = 12

_FIELDS = {"engine": str, "horizon": str, "solved": bool, "depth": int, "nodes": int}
_VARIATION_FIELDS = {"win": float, "margin": float, "nodes": int, "solved": bool}


def hint_of(seen: Seen, info: Info, method: str) -> dict[str, Any]:
    """The result of a search as plain values."""
    result = analysis(seen, info, method)
    variations = [
        {
            "win": move.win,
            "margin": move.margin,
            "moves": [one.text for one in move.pv[:MAX_VARIATION_MOVES]],
            "nodes": move.visits,
            "solved": move.solved,
        }
        for move in result.move_infos
    ]
    return {name: getattr(result.root_info, name) for name in _FIELDS} | {"variations": variations}


def is_hint(seen: Seen, hint: Any) -> bool:
    """Whether the result of a worker is a hint with legal moves, and nothing else."""
    if not _has_fields(hint, {**_FIELDS, "variations": list}) or not 1 <= len(hint["variations"]) <= MAX_VARIATIONS:
        return False
    legal = seen.moves()
    return all(_is_variation(one) and one["moves"][0] in legal for one in hint["variations"])


def _is_variation(variation: Any) -> bool:
    return (
        _has_fields(variation, {**_VARIATION_FIELDS, "moves": list})
        and 1 <= len(variation["moves"]) <= MAX_VARIATION_MOVES
        and all(isinstance(move, str) for move in variation["moves"])
    )


def _has_fields(value: Any, fields: dict[str, type]) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(type(value[name]) is kind for name, kind in fields.items())
    )
