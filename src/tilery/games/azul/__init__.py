"""Azul and Azul: Master Chocolatier: one family, one kernel, two editions."""

from __future__ import annotations

from .game import AZUL, CHOCOLATIER, AzulGame
from .rules import Rules

__all__ = ["AZUL", "CHOCOLATIER", "AzulGame", "Rules"]
