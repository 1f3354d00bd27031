"""Named, reproducible random streams. The rules themselves contain no randomness.

The name of a stream is any sequence of words and numbers; the same name always gives the same random numbers, on
every machine. Bits come from SHA-256 over the name and a counter, so streams with different names are independent.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tilery.core.kernel.generator import STATES

T = TypeVar("T")


def fresh_seed() -> int:
    """An unpredictable seed, for games without a given one."""
    return secrets.randbits(63)


class Stream:
    """`Stream(seed, "deals", 3)`: random numbers that depend on this name alone."""

    def __init__(self, *name: int | str) -> None:
        self.name = name
        words = "\x1f".join(f"{type(word).__name__}:{word}" for word in name)
        self._root = hashlib.sha256(words.encode(errors="surrogatepass")).digest()
        self._block = 0
        self._spare = b""

    def __repr__(self) -> str:
        return f"Stream({', '.join(map(repr, self.name))})"

    def child(self, *name: int | str) -> Stream:
        """The stream whose name is this one's, extended."""
        return Stream(*self.name, *name)

    def bits(self, count: int) -> int:
        """The next `count` random bits (whole bytes are consumed)."""
        size = (count + 7) // 8
        while len(self._spare) < size:
            self._spare += hashlib.sha256(self._root + self._block.to_bytes(8, "big")).digest()
            self._block += 1
        taken, self._spare = self._spare[:size], self._spare[size:]
        return int.from_bytes(taken, "big") >> (8 * size - count)

    def below(self, bound: int) -> int:
        """An exactly uniform random number from 0 to bound - 1."""
        if bound < 1:
            raise ValueError(f"a bound of at least 1 was expected, not {bound}")
        count = (bound - 1).bit_length()
        while True:
            number = self.bits(count)
            if number < bound:
                return number

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[self.below(len(items))]

    def generators(self, count: int = 1) -> NDArray[np.int64]:
        """Initial states for `count` generators of a kernel."""
        return np.array([1 + self.below(STATES - 2) for _ in range(count)], dtype=np.int64)
