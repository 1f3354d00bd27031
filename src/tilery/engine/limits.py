"""When a search stops: `Limit`, and its notation such as `10ms` or `500n`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields

from tilery.engine.refusals import SENTENCES

# The units of the notation: the field, and the factor to its unit.
_UNITS = {
    "ms": ("cpu", 0.001),
    "s": ("cpu", 1.0),
    "wms": ("time", 0.001),
    "ws": ("time", 1.0),
    "n": ("nodes", 1.0),
    "d": ("depth", 1.0),
}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)([a-z]+)")


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Limit:
    """When a search stops: at whichever limit comes first. Without any limit, it runs until it is cancelled or done."""

    time: float | None = None  # wall-clock seconds
    cpu: float | None = None  # CPU seconds, summed over the threads of the search
    nodes: int | None = None  # positions of alpha-beta, simulations of a tree search
    depth: int | None = None  # plies ahead

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            whole = field.name in ("nodes", "depth")
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
                code = "limit-whole" if whole else "limit-seconds"
                raise SENTENCES.refused(code, limit=field.name, value=repr(value)[:40])
            if not (math.isfinite(value) and 0 < value <= 1e12):
                raise SENTENCES.refused("limit-positive", limit=field.name, value=repr(value)[:40])

    @staticmethod
    def read(text: str) -> Limit:
        """`10ms`, `1.5s` (CPU time), `500wms`, `2ws` (wall-clock time), `500n` (nodes), `4d` (plies), joined by `+`."""
        values: dict[str, float] = {}
        for part in text.split("+"):
            match = _PART.fullmatch(part)
            if not match or match[2] not in _UNITS:
                raise SENTENCES.refused("limit-form", text=text[:40])
            name, unit = _UNITS[match[2]]
            if name in values:
                raise SENTENCES.refused("limit-twice", text=text[:40], limit=name)
            values[name] = float(match[1]) * unit
        for name in ("nodes", "depth"):
            if name in values:
                if values[name] != int(values[name]):
                    raise SENTENCES.refused("limit-whole", limit=name, value=text[:40])
                values[name] = int(values[name])
        return Limit(**values)  # type: ignore[arg-type]

    @property
    def text(self) -> str:
        """The notation of the limit, which `Limit.read` reads; "" without any limit."""
        parts = []
        for value, short, long in ((self.cpu, "ms", "s"), (self.time, "wms", "ws")):
            if value is not None:
                parts.append(_number(value * 1000) + short if value < 1 else _number(value) + long)
        if self.nodes is not None:
            parts.append(f"{self.nodes}n")
        if self.depth is not None:
            parts.append(f"{self.depth}d")
        return "+".join(parts)
