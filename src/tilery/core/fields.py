"""The fields of a row as plain numbers, all read in one go: asking numpy field by field takes ten times as long."""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B"}  # of numpy, and of struct


def span_of(layout: np.dtype[Any], first: str, last: str = "", line: int | None = None) -> slice:
    """Where a field lies in a row: from the first byte of `first` to the last one of `last`, or one line of it."""
    assert layout.fields
    kind, begin = layout.fields[first][:2]
    if line is not None:
        size = kind.itemsize // kind.shape[0]
        return slice(begin + line * size, begin + (line + 1) * size)
    end_kind, end = layout.fields[last or first][:2]
    return slice(begin, end + end_kind.itemsize)


def field_reader(layout: np.dtype[Any], names: Collection[str] = ()) -> Callable[[bytes], dict[str, Any]]:
    """A function that reads these fields of a row (by default all), by their names.

    A field of several numbers is a tuple of them, one of several lines is all its lines in one tuple.
    """
    assert layout.names
    assert layout.fields
    form, at, count = "=", 0, 0
    places: list[int | slice] = []
    wanted = [name for name in layout.names if not names or name in names]
    for name in wanted:
        kind, offset = layout.fields[name][:2]
        numbers = int(np.prod(kind.shape))
        form += f"{offset - at}x{numbers}{_LETTERS[kind.base.str[1:]]}"
        places.append(slice(count, count + numbers) if kind.shape else count)
        at, count = offset + kind.itemsize, count + numbers
    assert len(places) > 1  # of a single place `itemgetter` gives the bare number
    unpack, pick = Struct(form).unpack_from, itemgetter(*places)

    def read(row: bytes) -> dict[str, Any]:
        return dict(zip(wanted, pick(unpack(row)), strict=True))

    return read
