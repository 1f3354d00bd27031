"""The codes of the bots that can play compiled games (`play_games` in `engine/<family>/kernel/batch.py`)."""

from __future__ import annotations

RANDOM, GREEDY = range(2)
