"""A check that `effects` and `play` refuse a move in the same way."""

from __future__ import annotations

import pytest

from tilery import NotAMove, NotLegal, Position, Seen


def check_refused_as_by_playing(at: Position | Seen, move: str | int) -> None:
    """`effects` refuses a move with the same words and the same rule as `play`."""
    with pytest.raises((NotLegal, NotAMove)) as wanted:
        at.play(move)
    with pytest.raises(type(wanted.value)) as refused:
        at.effects(move)
    assert str(refused.value) == str(wanted.value)
    assert getattr(refused.value, "rule", None) == getattr(wanted.value, "rule", None)
