"""What the knowledge of Schokoly weighs, by name: one table, which tuning reads and writes.

The weights of features were fitted to the final margins of simulated games, for each number of seats (`early` counts as
much as cards are left); the others were tried out in matches.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilery.core.game import Floats, Rules
from tilery.engine.schokoly.kernel.model import FEATURES, KNOWLEDGE, MODEL

_NAMES = (
    *FEATURES,
    *(f"early {name}" for name in FEATURES),
    "scale",
    "scale growth",
    "token price",
    "least cut",
    "late cut",
    "contact",
    "growth",
)
# fmt: off
_TABLE = {
    2: (
        0.857, 0.113, -0.009, -0.104, 0.424, 0.063, 0.04, 2.819, -0.358, 2.662, 1.963,
        -0.853, -1.247, -2.013, -0.71, -0.849, -0.061, 0.012, -2.545, -0.231, -3.332, -2.693,
        0.3, 2.6, 12.0, 100.0, 3.0, 0.7, 0.0,
    ),
    3: (
        0.885, 0.011, -0.015, 0.013, 0.0, 0.0, 0.0, 0.558, -0.216, 0.64, 0.056,
        -0.864, -0.128, -0.139, 0.007, 0.0, 0.0, 0.0, 0.145, -0.185, -0.477, 0.025,
        0.6, 0.4, 3.0, 5.0, 1.0, 0.0, 0.3,
    ),
    4: (
        0.822, 0.316, 0.18, 0.027, 0.414, 0.071, 0.057, 3.089, -0.285, 2.994, 0.886,
        -0.497, -1.217, -1.489, -0.877, -0.813, -0.075, -0.062, -4.228, -0.343, -3.458, -1.315,
        0.6, 2.0, 3.0, 20.0, 3.0, 1.5, 0.0,
    ),
}
# fmt: on

WEIGHTS: dict[str, float] = {
    f"{seats} {name}": weight for seats, table in _TABLE.items() for name, weight in zip(_NAMES, table, strict=True)
}


def model_of(_: Rules, weights: Mapping[str, float]) -> Floats:
    """The array that `evaluate` and the searches take, the same for every variant."""
    return model_with(weights)


def model_with(weights: Mapping[str, float]) -> Floats:
    """The same, where no variant is at hand."""
    model = np.array([float(KNOWLEDGE), *(weights[name] for name in WEIGHTS)])
    assert len(model) == MODEL
    return model
