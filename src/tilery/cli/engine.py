"""`tilery engine`: the engine as a process for other programs (docs/protocol.md)."""

from __future__ import annotations

import sys

from tilery.core.refusals import Refused
from tilery.engine.limits import Limit
from tilery.engine.process import serve


def serve_engine(limit: str, *, workers: int, wait: bool) -> None:
    """Answer requests from standard input on standard output until the input ends."""
    default_limit = Limit.read(limit)
    if sys.stdin is None or sys.stdout is None:
        raise Refused("the engine needs standard input and standard output")
    if sys.stdin.isatty():
        print("Type one JSON object per line (see docs/protocol.md). Ctrl-D ends.", file=sys.stderr)
    output = sys.stdout

    def write(text: str) -> None:
        output.write(text)
        output.flush()

    # Unbuffered, because a buffer that a thread is reading from cannot be closed at exit.
    source = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    if not serve(source.read, write, limit=default_limit, workers=workers, wait=wait):
        raise BrokenPipeError
