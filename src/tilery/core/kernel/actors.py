"""Who acts: a seat (an int from 0), or one of these two."""

from __future__ import annotations

CHANCE = -1
OVER = -2
