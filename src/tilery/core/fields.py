"""Read all fields of a row at once, as plain numbers: ten times as fast as reading each field with numpy."""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B"}  # numpy type: struct format


def span_of(layout: np.dtype[Any], first: str, last: str = "", line: int | None = None) -> slice:
    """The bytes of a row from field `first` to field `last` (by default `first` alone), or those of `first[line]`."""
    assert layout.fields
    kind, begin = layout.fields[first][:2]
    if line is not None:
        size = kind.itemsize // kind.shape[0]
        return slice(begin + line * size, begin + (line + 1) * size)
    end_kind, end = layout.fields[last or first][:2]
    return slice(begin, end + end_kind.itemsize)


def field_reader(layout: np.dtype[Any], names: Collection[str] = ()) -> Callable[[bytes], dict[str, Any]]:
    """A function that reads the named fields of a row (by default all) into a dictionary.

    A field with a shape is returned as one flat tuple.
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
    assert len(places) > 1  # with a single place `itemgetter` returns the bare number
    unpack, pick = Struct(form).unpack_from, itemgetter(*places)

    def read(row: bytes) -> dict[str, Any]:
        return dict(zip(wanted, pick(unpack(row)), strict=True))

    return read
