"""Limits and their notation."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilery import Refused
from tilery.engine.limits import Limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("10ms", Limit(cpu=0.01)),
        ("1.5s", Limit(cpu=1.5)),
        ("500wms", Limit(time=0.5)),
        ("2ws", Limit(time=2.0)),
        ("500n", Limit(nodes=500)),
        ("4d", Limit(depth=4)),
        ("100ms+5000n", Limit(cpu=0.1, nodes=5000)),
    ],
)
def test_a_limit_is_read_and_written(text: str, limit: Limit) -> None:
    assert Limit.read(text) == limit
    assert limit.text == text


@given(
    st.builds(
        Limit,
        cpu=st.none() | st.integers(1, 10**6).map(lambda ms: ms / 1000),
        time=st.none() | st.integers(1, 10**6).map(lambda ms: ms / 1000),
        nodes=st.none() | st.integers(1, 10**8),
        depth=st.none() | st.integers(1, 99),
    ).filter(lambda limit: limit != Limit())
)
def test_the_notation_reads_back(limit: Limit) -> None:
    again = Limit.read(limit.text)
    assert (again.nodes, again.depth) == (limit.nodes, limit.depth)
    for now, then in ((again.cpu, limit.cpu), (again.time, limit.time)):
        assert now == then or math.isclose(now or 0, then or 0, rel_tol=1e-5)


@pytest.mark.parametrize("text", ["", "10", "ms", "10xs", "-5ms", "1e3n", "10ms+20ms", "1.5n", "10ms 5n", "0ms", "0n"])
def test_an_invalid_limit_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        Limit.read(text)


@pytest.mark.parametrize(
    "wrong",
    [{"nodes": 0}, {"nodes": 1.5}, {"cpu": -1}, {"cpu": math.nan}, {"time": math.inf}, {"depth": True}, {"time": "1"}],
)
def test_invalid_values_are_refused_with_their_field(wrong: dict[str, object]) -> None:
    names = {"cpu": "CPU time", "time": "wall-clock time"}
    with pytest.raises(Refused, match=names.get(field := next(iter(wrong)), field)):
        Limit(**wrong)  # type: ignore[arg-type]
