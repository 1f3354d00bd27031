"""The random number generator inside kernels: multiply-with-carry, one integer of state per row.

The state never exceeds 63 bits, so compiled code and plain Python compute the same numbers. It is meant for
simulation; states come from a named stream (`tilery.core.streams`).
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined

MULTIPLIER = 2131995753  # MULTIPLIER * 2**32 - 1 and MULTIPLIER * 2**31 - 1 are prime
STATES = MULTIPLIER * 2**32 - 1
_LOW = 0xFFFFFFFF


@inlined
def next_bits(rng: Any, i: int) -> int:
    """The next 32 random bits of generator i."""
    state = int(rng[i])
    low = state & _LOW
    carry = state >> 32
    rng[i] = MULTIPLIER * low + carry
    return low ^ carry


@inlined
def below(rng: Any, i: int, bound: int) -> int:
    """A random number from 0 to bound - 1 (uniform up to bound / 2**32)."""
    return (next_bits(rng, i) * bound) >> 32
