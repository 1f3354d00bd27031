"""The fields of a row as plain numbers, all read in one go: asking numpy field by field takes ten times as long."""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B"}  # of numpy, and of struct


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
