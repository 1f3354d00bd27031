"""The interface of evaluations: rows in, the win probability and the expected margin of every seat out, in batches.

An evaluation is a compiled function of its family (`evaluate(rows, i, model, out)`) and a model, an array of numbers
that says which evaluation it is and contains its weights. Searches call the function from compiled code and only pass
the model on, so a new model, handcrafted or learned, needs no change in a search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tilery.core.game import Floats, Rows

# What `evaluate` writes for a row: the win probabilities of four seats, then their margins.
WINS, MARGINS, VALUES = 0, 4, 8


@dataclass(frozen=True, eq=False)
class Evaluator:
    """One evaluation: a name with its version, the compiled function and its model."""

    name: str
    evaluate: Callable[[Rows, int, Floats, Floats], None] = field(repr=False)  # of a whole position, not of a view
    model: Floats = field(repr=False)

    def values(self, rows: Rows, seats: int) -> tuple[Floats, Floats]:
        """Win probabilities and margins of `rows: uint8[n, width]`, each float64[n, seats]."""
        wins, margins = np.empty((len(rows), seats)), np.empty((len(rows), seats))
        out = np.empty(VALUES)
        for i in range(len(rows)):
            self.evaluate(rows, i, self.model, out)
            wins[i], margins[i] = out[WINS : WINS + seats], out[MARGINS : MARGINS + seats]
        return wins, margins
