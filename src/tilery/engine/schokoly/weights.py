"""The weights of Schokoly's evaluation by name: one table, which `tilery lab tune` reads and writes.

The weights of features were fitted to the final margins of simulated games, for each number of seats (an `early` weight
counts in proportion to the cards left); the others were chosen by matches. So were the tokens for 2 and 4 seats: in
simulated games both sides save theirs, so a fit cannot see what a token is worth early, and a search that believes the
fit wastes them. Some weights for 2 seats were then tuned by play; the record is in `docs/tuning/`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilery.core.game import Floats, Rules
from tilery.engine.schokoly.kernel.model import BLOCK, FEATURES, SIZE, WEIGHTED, block_of

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
        0.9398, 0.113, -0.009, -0.104, 0.2983, 0.0797, 0.0415, 5.4028, -0.3742, 2.2954, 1.7885,
        -0.853, -1.247, -2.013, -0.71, -0.849, -0.061, 0.012, 0.0, -0.231, -3.332, -2.693,
        0.3492, 2.617, 13.0813, 100.0, 3.376, 0.6145, 0.0,
    ),
    3: (
        0.885, 0.011, -0.015, 0.013, 0.0, 0.0, 0.0, 0.558, -0.216, 0.64, 0.056,
        -0.864, -0.128, -0.139, 0.007, 0.0, 0.0, 0.0, 0.145, -0.185, -0.477, 0.025,
        0.6, 0.4, 3.0, 5.0, 1.0, 0.0, 0.3,
    ),
    4: (
        0.822, 0.316, 0.18, 0.027, 0.414, 0.071, 0.057, 8.0, -0.285, 2.994, 0.886,
        -0.497, -1.217, -1.489, -0.877, -0.813, -0.075, -0.062, 0.0, -0.343, -3.458, -1.315,
        0.6, 2.0, 3.0, 20.0, 3.0, 1.5, 0.0,
    ),
}
# fmt: on

MODEL = np.array([float(WEIGHTED), *(weight for seats in sorted(_TABLE) for weight in _TABLE[seats])])
assert len(MODEL) == SIZE


def weights_of(rules: Rules) -> dict[str, float]:
    """The weights by name, for the number of seats of a variant."""
    return dict(zip(_NAMES, _TABLE[rules.seats], strict=True))


def model_of(rules: Rules, weights: Mapping[str, float]) -> Floats:
    """The model for `evaluate` and the searches, with these weights for the number of seats of a variant."""
    model = MODEL.copy()
    at = int(block_of(rules.seats))
    model[at : at + BLOCK] = [weights[name] for name in _NAMES]
    return model
