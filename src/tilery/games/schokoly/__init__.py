"""Schokoly: cards of chocolate on an unbounded plane, with hidden hands."""

from __future__ import annotations

from .game import SCHOKOLY, SchokolyGame
from .rules import Rules

__all__ = ["SCHOKOLY", "Rules", "SchokolyGame"]
