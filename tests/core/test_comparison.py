"""The changes between two rows are those that numpy finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilery.core.game import as_rows
from tilery.core.kernel.comparison import list_changes, numbers_of, places_of
from tilery.core.kernel.journal import empty_journal, notes_of
from tilery.games.azul.kernel.layout import ROW

SIGNED = np.dtype([("a", "i1"), ("b", "i8", (2,)), ("c", "i4", (2, 3)), ("d", "i2", (3,))], align=True)


@pytest.mark.parametrize("layout", [ROW, SIGNED], ids=["azul", "signed"])
@pytest.mark.parametrize("seed", range(5))
def test_every_change_is_found_with_its_new_value(layout: np.dtype[Any], seed: int) -> None:
    random = np.random.default_rng(seed)
    before = random.integers(0, 256, layout.itemsize, dtype=np.uint8)
    after = np.where(random.random(layout.itemsize) < 0.1, random.integers(0, 256, layout.itemsize), before)
    after = after.astype(np.uint8)
    names = (layout.names or ())[seed % 2 :]
    old, new = (np.frombuffer(row.tobytes(), dtype=layout)[0] for row in (before, after))
    expected = [
        (name, index, int(now))
        for name in names
        for index, (was, now) in enumerate(zip(old[name].ravel(), new[name].ravel(), strict=True))
        if was != now
    ]
    journal = empty_journal()
    list_changes(as_rows(before.tobytes(), after.tobytes()), places_of(layout, names), journal)
    numbers = numbers_of(layout, names)
    assert [(*numbers[which], value) for which, value, *_ in notes_of(journal)] == expected
    assert expected


def test_equal_rows_have_no_changes() -> None:
    row = bytes(ROW.itemsize)
    journal = empty_journal()
    list_changes(as_rows(row, row), places_of(ROW, ROW.names or ()), journal)
    assert notes_of(journal) == []
