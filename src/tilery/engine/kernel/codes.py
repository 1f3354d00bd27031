"""What compiled games among bots call the bots. Every room here offers NAME, SIGNATURES, greedy and play_games."""

from __future__ import annotations

RANDOM, GREEDY = range(2)
