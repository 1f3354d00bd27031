"""Fields read all at once have the values that numpy reads one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilery.core.fields import field_reader, span_of
from tilery.games.azul.kernel import layout as azul
from tilery.games.schokoly.kernel import layout as schokoly

ALIGNED = np.dtype([("a", "i1"), ("b", "i8", (2,)), ("c", "u1"), ("d", "i2", (2, 3)), ("e", "i4")], align=True)


@pytest.mark.parametrize("layout", [azul.ROW, schokoly.ROW, ALIGNED], ids=["azul", "schokoly", "aligned"])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_every_field_is_read_as_numpy_reads_it(layout: np.dtype[Any], step: int) -> None:
    row = np.random.default_rng(7).integers(0, 256, layout.itemsize, dtype=np.uint8).tobytes()
    fields = np.frombuffer(row, dtype=layout)[0]
    names = (layout.names or ())[::step]
    values = field_reader(layout, names)(row)
    assert list(values) == list(names)
    for name, value in values.items():
        assert value == (tuple(fields[name].ravel().tolist()) if fields[name].shape else int(fields[name])), name
    if step == 1:
        assert field_reader(layout)(row) == values


def test_a_span_is_where_a_field_lies() -> None:
    layout = np.dtype([("a", "i2"), ("b", "i4", (3, 2)), ("c", "i1"), ("d", "i1")], align=True)
    rows = np.zeros(1, dtype=layout)
    rows["b"][0, 1] = (7, 8)
    rows["c"], rows["d"] = 5, 6
    row = rows.tobytes()
    assert row[span_of(layout, "b", line=1)] == np.array([7, 8], dtype="i4").tobytes()
    assert row[span_of(layout, "b")] == rows["b"].tobytes()
    assert row[span_of(layout, "c", "d")] == bytes((5, 6))
