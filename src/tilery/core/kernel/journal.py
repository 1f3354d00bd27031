"""The journal: what happens while a kernel plays an action, written down as numbers by the code that makes it happen.

A journal is an int64 array of lines; line 0 contains only the number of lines that follow. Kernels pass `None` where
nobody reads it: numba then removes all of this at compile time.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tilery.core.jit import inlined

MAX_NOTES = 127
NUMBERS = 8  # of a line: what happened, and up to seven numbers about it


class _Journals(threading.local):
    """A journal for each thread."""

    def __init__(self) -> None:
        self.journal = np.zeros((MAX_NOTES + 1, NUMBERS), dtype=np.int64)


_JOURNALS = _Journals()


def empty_journal() -> Any:
    """This thread's journal, emptied: the notes in it are lost."""
    journal = _JOURNALS.journal
    journal[0, 0] = 0
    return journal


def notes_of(journal: Any) -> list[list[int]]:
    """The lines of a journal."""
    lines: list[list[int]] = journal[1 : journal[0, 0] + 1].tolist()
    return lines


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
