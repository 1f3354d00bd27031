"""The command line: `tilery --help`."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn


def main() -> None:
    """Run the command line; refusals and interruptions end it with one clear line."""
    from tilery.cli.app import WrongUse, app, wrong_use
    from tilery.core.refusals import Refused

    _replace_what_cannot_be_written()
    try:
        code = app(standalone_mode=False) or 0
        if sys.stdout:
            sys.stdout.flush()  # here, where a reader that has gone is still answered for
    except WrongUse as error:
        _stop(wrong_use(error))
    except Refused as error:
        _stop(str(error))
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # Whoever was reading has gone; Python would complain again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        _stop(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))
    if code == 130:
        _stop("interrupted", code)
    sys.exit(code)


def _stop(problem: str, code: int = 2) -> NoReturn:
    print(f"tilery: {problem}", file=sys.stderr)
    sys.exit(code)


def _replace_what_cannot_be_written() -> None:
    """A terminal or a pipe that is not in UTF-8 gets a question mark, not an end of the game."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
