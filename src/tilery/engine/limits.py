"""When a search stops: `Limit`, and its notation such as `10ms` or `500n`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields

from tilery.core.refusals import Refused

# The units of the notation: the field, and the factor to its unit.
_UNITS = {
    "ms": ("cpu", 0.001),
    "s": ("cpu", 1.0),
    "wms": ("time", 0.001),
    "ws": ("time", 1.0),
    "n": ("nodes", 1.0),
    "d": ("depth", 1.0),
}
_NAMES = {"cpu": "CPU time", "time": "wall-clock time", "nodes": "nodes", "depth": "depth"}
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
                expected = "a whole number" if whole else "a number of seconds"
                raise Refused(f"expected {expected} as the limit of {_NAMES[field.name]}, not {value!r}")
            if not (math.isfinite(value) and 0 < value <= 1e12):
                raise Refused(f"expected a limit of {_NAMES[field.name]} above 0 and at most 1e12, not {value!r}")

    @staticmethod
    def read(text: str) -> Limit:
        """`10ms`, `1.5s` (CPU time), `500wms`, `2ws` (wall-clock time), `500n` (nodes), `4d` (plies), joined by `+`."""
        values: dict[str, float] = {}
        for part in text.split("+"):
            match = _PART.fullmatch(part)
            if not match or match[2] not in _UNITS:
                raise Refused(f"{text[:40]!a} is not a limit: expected one like 10ms, 1.5s, 500wms, 500n or 4d")
            name, unit = _UNITS[match[2]]
            if name in values:
                raise Refused(f"{text[:40]!a} limits {_NAMES[name]} twice")
            values[name] = float(match[1]) * unit
        for name in ("nodes", "depth"):
            if name in values:
                if values[name] != int(values[name]):
                    raise Refused(f"{text[:40]!a}: the limit of {_NAMES[name]} must be a whole number")
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
