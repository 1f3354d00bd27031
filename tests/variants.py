"""Every variant that the contract and the referees are tried on, by family of games."""

from __future__ import annotations

from itertools import product

from tilery.core.game import Rules
from tilery.games import azul, schokoly

# All combinations of seats, wall and special discs, with the other options going round.
_STARTS = (0, None, 1)
_ROUNDS = (None, None, 6)
_STALLS = (10, 4, 7, 2)

AZUL = [
    azul.Rules(
        seats,
        wall,
        specials,
        _STARTS[k % len(_STARTS)],
        _ROUNDS[k // 3 % len(_ROUNDS)],
        _STALLS[k % len(_STALLS)],
    )
    for k, (seats, wall, specials) in enumerate(product((2, 3, 4), ("coloured", "grey"), ("none", "round", "game")))
]

# All of them with the default start, and some with others.
SCHOKOLY = [
    schokoly.Rules(seats, cards, swap)
    for seats, cards, swap in product((2, 3, 4), ("classic", "large"), (False, True))
    if not swap or seats == 3
]
SCHOKOLY += [
    schokoly.Rules(2, start=1),
    schokoly.Rules(3, swap=True, start=None),
    schokoly.Rules(3, "large", start=2),
    schokoly.Rules(4, start=3),
    schokoly.Rules(4, "large", start=None),
]

EVERY: dict[str, list[Rules]] = {"azul": [*AZUL], "schokoly": [*SCHOKOLY]}
