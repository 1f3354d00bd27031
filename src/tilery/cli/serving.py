"""`tilery engine`: the engine as a process for other programs."""

from __future__ import annotations

import sys

from tilery.core.refusals import Refused
from tilery.engine.limits import Limit
from tilery.engine.process import serve


def serve_engine(limit: str, *, workers: int, wait: bool) -> None:
    """Answer the lines of standard input on standard output."""
    usual = Limit.read(limit)
    if sys.stdin is None or sys.stdout is None:
        raise Refused("the engine needs a standard input and a standard output")
    if sys.stdin.isatty():
        print("Type one JSON object a line (see docs/protocol.md); Ctrl-D ends.", file=sys.stderr)
    answers = sys.stdout

    def write(text: str) -> None:
        answers.write(text)
        answers.flush()

    # Without a buffer: one that a thread waits for could not be closed in the end.
    source = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    if not serve(source.read, write, limit=usual, workers=workers, wait=wait):
        raise BrokenPipeError
