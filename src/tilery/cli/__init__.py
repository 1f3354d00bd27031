"""The command line: `tilery --help`."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn


def main() -> None:
    """Run the command line. A refusal or an interruption ends it with one line on stderr, never with a traceback."""
    from tilery.cli.app import UsageError, app, usage_problem
    from tilery.core.refusals import Refused

    _replace_unencodable_characters()
    try:
        code = app(standalone_mode=False) or 0
        if sys.stdout:
            sys.stdout.flush()  # here, where a closed pipe is still handled
    except UsageError as error:
        _stop(usage_problem(error))
    except Refused as error:
        _stop(str(error))
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The reader has closed the pipe; Python would complain again when it closes stdout.
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


def _replace_unencodable_characters() -> None:
    """On a terminal or a pipe that is not UTF-8, print question marks instead of failing."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
