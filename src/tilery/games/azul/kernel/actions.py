"""Decoding actions that take tiles: tables indexed by an action below SPREAD."""

from __future__ import annotations

import numpy as np

from .layout import SOURCES, SPREAD

COLOUR_OF = np.array([action // 60 for action in range(SPREAD)], dtype=np.uint8)
SOURCE_OF = np.array([action // 6 % SOURCES for action in range(SPREAD)], dtype=np.uint8)
LINE_OF = np.array([action % 6 for action in range(SPREAD)], dtype=np.uint8)
