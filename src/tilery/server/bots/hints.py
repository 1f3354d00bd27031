"""Hints: how long they are thought about, how a worker writes them, and what the server takes for one."""

from __future__ import annotations

from typing import Any

from tilery.core.position import Seen
from tilery.engine.info import Info
from tilery.engine.report import report

LINES = 5  # moves that are told
LIMIT = "1s"  # of CPU time
LONGEST_LINE = 12  # moves that are expected after one

_KINDS = {"engine": str, "horizon": str, "solved": bool, "depth": int, "nodes": int}
_LINE_KINDS = {"move": str, "win": float, "margin": float, "nodes": int, "solved": bool}


def hint_of(seen: Seen, info: Info, method: str) -> dict[str, Any]:
    """What a search has found, in plain values."""
    words = report(seen, info, method)
    lines = [
        {
            "move": line["move"],
            "win": line["win"],
            "margin": line["margin"],
            "moves": line["pv"][:LONGEST_LINE],
            "nodes": line["visits"],
            "solved": line["solved"],
        }
        for line in words["moveInfos"]
    ]
    return {name: words["rootInfo"][name] for name in _KINDS} | {"lines": lines}


def is_hint(seen: Seen, words: Any) -> bool:
    """Whether a worker's answer can be passed on: it is what it should be, and nothing else."""
    if not _has(words, {**_KINDS, "lines": list}) or not 1 <= len(words["lines"]) <= LINES:
        return False
    legal = seen.moves()
    return all(_is_line(line) and line["move"] in legal for line in words["lines"])


def _is_line(line: Any) -> bool:
    return (
        _has(line, {**_LINE_KINDS, "moves": list})
        and 1 <= len(line["moves"]) <= LONGEST_LINE
        and all(isinstance(move, str) for move in line["moves"])
    )


def _has(words: Any, kinds: dict[str, type]) -> bool:
    return (
        isinstance(words, dict)
        and words.keys() == kinds.keys()
        and all(type(words[name]) is kind for name, kind in kinds.items())
    )
