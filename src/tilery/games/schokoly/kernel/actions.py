"""Decoding actions that lay a card."""

from __future__ import annotations

from tilery.core.jit import inlined

from .layout import LAY, UP


@inlined
def laid_of(action: int) -> int:
    """The card and how it lies, 4 * card + turns."""
    return (action - LAY) & 63


@inlined
def place_of(action: int) -> int:
    """The place at which the card is laid."""
    return (action - LAY) >> 6 & 0xFFFF


@inlined
def is_second_level(action: int) -> bool:
    """Whether the card is laid on the second level."""
    return (action - LAY) & UP != 0
