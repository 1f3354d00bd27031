"""The command line: `tilery --help`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; refusals and interruptions end it with one clear line."""
    from tilery.cli.app import app
    from tilery.core.refusals import Refused

    try:
        app()
    except Refused as error:
        print(f"tilery: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\ntilery: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # Whoever was reading has gone; Python would complain again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        print(f"tilery: {error.strerror or error}: {error.filename or ''}".rstrip(": "), file=sys.stderr)
        sys.exit(1)
