"""Actors: a seat (an int from 0), CHANCE or OVER. Viewers: a seat or SPECTATOR."""

from __future__ import annotations

CHANCE = -1
OVER = -2
SPECTATOR = -3  # a viewer without a seat; differs from all actors, and from the -1 of an empty field
