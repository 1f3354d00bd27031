"""Who acts: a seat (an int from 0), CHANCE or OVER. Who looks on: a seat or SPECTATOR."""

from __future__ import annotations

CHANCE = -1
OVER = -2
SPECTATOR = -3  # somebody without a seat; not the number of anybody who acts, nor the -1 of an empty field
