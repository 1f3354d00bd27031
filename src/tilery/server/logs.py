"""Structured logs: one JSON object per line on standard error. No tokens or hashes of them, no names, no chat."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import tilery

LEVELS = ("debug", "info", "warning", "error")
_PACKAGE = Path(tilery.__file__).parent


class Log:
    """Writes entries of its level and above; never raises."""

    def __init__(self, level: str = "info", out: TextIO | None = None) -> None:
        self._least = LEVELS.index(level)
        self._out = out

    def write(self, level: str, what: str, **fields: Any) -> None:
        if LEVELS.index(level) < self._least:
            return
        entry = {"at": round(time.time(), 3), "level": level, "what": what, **fields}
        with contextlib.suppress(OSError):  # a full disk, or a closed pipe, must not stop the server
            print(json.dumps(entry, ensure_ascii=True, default=repr), file=self._out or sys.stderr, flush=True)

    def debug(self, what: str, **fields: Any) -> None:
        self.write("debug", what, **fields)

    def info(self, what: str, **fields: Any) -> None:
        self.write("info", what, **fields)

    def warning(self, what: str, **fields: Any) -> None:
        self.write("warning", what, **fields)

    def error(self, what: str, **fields: Any) -> None:
        self.write("error", what, **fields)


def error_fields(error: BaseException) -> dict[str, str]:
    """The type of an error and the place where it was raised, as fields of a log entry: `{"error": "KeyError",
    "where": "server/hosting/host.py:120"}`. Never its message, which may contain a token, a name or a hidden card.

    Paths inside the package are relative to it; other paths are cut to their last two parts.
    """
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return {"error": type(error).__name__, "where": ""}
    path = Path(trace.tb_frame.f_code.co_filename)
    inside = path.is_relative_to(_PACKAGE)
    short = path.relative_to(_PACKAGE).as_posix() if inside else "/".join(path.parts[-2:])
    return {"error": type(error).__name__, "where": f"{short}:{trace.tb_lineno}"}


class _LibraryHandler(logging.Handler):
    """Writes what libraries log, without the arguments: only the type and place of an error, never its message."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("tilery"):
            self._log.write(record.levelname.lower(), "store", text=record.getMessage()[:300])
            return
        fields = {"logger": record.name, "text": str(record.msg).strip()[:200]}
        if record.exc_info and record.exc_info[1]:
            fields |= error_fields(record.exc_info[1])
        self._log.write("error" if record.levelno >= logging.ERROR else "debug", "library", **fields)


def redirect_library_logs(log: Log) -> None:
    """Write warnings and errors of libraries to this log."""
    logging.basicConfig(level=logging.WARNING, handlers=[_LibraryHandler(log)], force=True)
