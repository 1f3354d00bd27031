"""Which numbers of a row differ from those of another."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from tilery.core.jit import inlined

from .journal import note


def numbers_of(layout: np.dtype[Any], names: Collection[str]) -> list[tuple[str, int]]:
    """All numbers in the named fields of a row, in their order: the field and the index in it."""
    assert layout.fields
    return [(name, index) for name in names for index in range(int(np.prod(layout.fields[name][0].shape)))]


def places_of(layout: np.dtype[Any], names: Collection[str]) -> Any:
    """For each of these numbers, the first and the last of its bytes in a row."""
    assert layout.fields
    places = []
    for name, index in numbers_of(layout, names):
        kind, offset = layout.fields[name][:2]
        size = kind.base.itemsize
        places.append((offset + size * index, offset + size * (index + 1) - 1))
    return np.array(places, dtype=np.int64)


@inlined
def list_changes(rows: Any, places: Any, journal: Any) -> None:
    """Write down each number (with a sign) that is not the same in rows 0 and 1: its index in `places`, and its value
    in row 1."""
    for k in range(len(places)):
        first, last = int(places[k, 0]), int(places[k, 1])
        for at in range(first, last + 1):
            if rows[0, at] != rows[1, at]:
                value = int(rows[1, last]) - (256 if rows[1, last] > 127 else 0)
                for lower in range(last - 1, first - 1, -1):
                    value = value << 8 | int(rows[1, lower])
                note(journal, k, value)
                break
