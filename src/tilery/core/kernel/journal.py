"""The journal: what happens while a kernel plays an action, written down as numbers by the code that makes it happen.

A journal is an int64 array of lines; line 0 contains only the number of lines that follow. Kernels pass `None` where
nobody reads it: numba then removes all of this at compile time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import inlined

MAX_NOTES = 127
NUMBERS = 8  # of a line: what happened, and up to seven numbers about it


def new_journal() -> Any:
    """An empty journal."""
    journal = np.empty((MAX_NOTES + 1, NUMBERS), dtype=np.int64)
    journal[0, 0] = 0
    return journal


@inlined
def note(
    journal: Any, what: int, a: int, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0, g: int = 0
) -> None:
    """Write a line, unless the journal is None."""
    if journal is not None:
        last = int(journal[0, 0]) + 1
        journal[0, 0] = last
        line = journal[last]
        line[0], line[1], line[2], line[3] = what, a, b, c
        line[4], line[5], line[6], line[7] = d, e, f, g
