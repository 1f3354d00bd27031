"""Read all fields of a row at once, as plain numbers: ten times as fast as reading each field with numpy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import compress
from operator import itemgetter, ne
from struct import Struct
from typing import Any, TypeVar

import numpy as np

Label = TypeVar("Label")

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


def _numbers_of(layout: np.dtype[Any], names: Collection[str]) -> tuple[Struct, list[tuple[str, int]]]:
    """The format of all numbers in the named fields of a row; for each number its field and its index there."""
    assert layout.names
    assert layout.fields
    form, at = "=", 0
    numbers: list[tuple[str, int]] = []
    for name in [name for name in layout.names if name in names]:
        kind, offset = layout.fields[name][:2]
        count = int(np.prod(kind.shape))
        form += f"{offset - at}x{count}{_LETTERS[kind.base.str[1:]]}"
        numbers += [(name, index) for index in range(count)]
        at = offset + kind.itemsize
    return Struct(form), numbers


def field_reader(layout: np.dtype[Any], names: Collection[str] = ()) -> Callable[[bytes], dict[str, Any]]:
    """A function that reads the named fields of a row (by default all) into a dictionary.

    A field with a shape is returned as one flat tuple.
    """
    assert layout.names
    assert layout.fields
    wanted = [name for name in layout.names if not names or name in names]
    form, numbers = _numbers_of(layout, wanted)
    places: list[int | slice] = []
    for name in wanted:
        first = numbers.index((name, 0))
        shape = layout.fields[name][0].shape
        places.append(slice(first, first + int(np.prod(shape))) if shape else first)
    assert len(places) > 1  # with a single place `itemgetter` returns the bare number
    unpack, pick = form.unpack_from, itemgetter(*places)

    def read(row: bytes) -> dict[str, Any]:
        return dict(zip(wanted, pick(unpack(row)), strict=True))

    return read


def number_comparer(
    layout: np.dtype[Any], label_of: Callable[[str, int], Label | None]
) -> Callable[[bytes, bytes], Iterator[tuple[Label, int]]]:
    """A function that compares two rows, and returns what differs: the label of a number, and its new value. Numbers
    are labelled by their field and their index in it; a field without labels is not compared."""
    assert layout.names
    compared = [name for name in layout.names if label_of(name, 0) is not None]
    form, numbers = _numbers_of(layout, compared)
    unpack = form.unpack_from
    labels = [label_of(name, index) for name, index in numbers]

    def compare(before: bytes, after: bytes) -> Iterator[tuple[Any, int]]:
        new = unpack(after)
        return compress(zip(labels, new, strict=True), map(ne, unpack(before), new))

    return compare
