"""The seam for evaluations: rows in, odds to win and expected margins of every seat out, in batches.

An evaluation is a compiled function of its family (`evaluate(rows, i, model, out)`) and a model, an array of numbers
that tells it which evaluation it is and what it weighs. Searches call the function from inside compiled code and only
hand the model on, so that another model, of knowledge or learned, changes no search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tilery.core.game import Floats, Rows

# What `evaluate` writes for a row: the odds of four seats to win, then their margins.
WINS, MARGINS, VALUES = 0, 4, 8


@dataclass(frozen=True, eq=False)
class Evaluator:
    """One evaluation: a name with its version, the compiled function and its model."""

    name: str
    evaluate: Callable[[Rows, int, Floats, Floats], None] = field(repr=False)  # of a whole position, no view
    model: Floats = field(repr=False)

    def values(self, rows: Rows, seats: int) -> tuple[Floats, Floats]:
        """`rows: uint8[n, width]`: odds to win and margins, each float64[n, seats]."""
        wins, margins = np.empty((len(rows), seats)), np.empty((len(rows), seats))
        out = np.empty(VALUES)
        for i in range(len(rows)):
            self.evaluate(rows, i, self.model, out)
            wins[i], margins[i] = out[WINS : WINS + seats], out[MARGINS : MARGINS + seats]
        return wins, margins
