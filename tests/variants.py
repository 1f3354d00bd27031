"""Every variant that the contract and the referee are tried on."""

from __future__ import annotations

from itertools import product

from tilery.games.azul import Rules

# All combinations of seats, wall and special discs, with the other options going round.
_STARTS = (0, None, 1)
_ROUNDS = (None, None, 6)
_STALLS = (10, 4, 7, 2)

EVERY = [
    Rules(
        seats,
        wall,
        specials,
        _STARTS[k % len(_STARTS)],
        _ROUNDS[k // 3 % len(_ROUNDS)],
        _STALLS[k % len(_STALLS)],
    )
    for k, (seats, wall, specials) in enumerate(product((2, 3, 4), ("coloured", "grey"), ("none", "round", "game")))
]
