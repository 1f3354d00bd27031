"""Structured logs: one JSON object a line on standard error. Never a token, a hash of one, a name or a line of chat."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any, TextIO

LEVELS = ("debug", "info", "warning", "error")


class Log:
    """Writes what is at least as important as its level."""

    def __init__(self, level: str = "info", out: TextIO | None = None) -> None:
        self._least = LEVELS.index(level)
        self._out = out

    def write(self, level: str, what: str, **words: Any) -> None:
        if LEVELS.index(level) < self._least:
            return
        line = {"at": round(time.time(), 3), "level": level, "what": what, **words}
        print(json.dumps(line, ensure_ascii=True, default=repr), file=self._out or sys.stderr, flush=True)

    def debug(self, what: str, **words: Any) -> None:
        self.write("debug", what, **words)

    def info(self, what: str, **words: Any) -> None:
        self.write("info", what, **words)

    def warning(self, what: str, **words: Any) -> None:
        self.write("warning", what, **words)

    def error(self, what: str, **words: Any) -> None:
        self.write("error", what, **words)


class _Catcher(logging.Handler):
    """What libraries log, without what it is about: only the place and the kind of an error, never its words."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("tilery"):
            self._log.write(record.levelname.lower(), "store", text=record.getMessage()[:300])
            return
        words = {"logger": record.name, "text": str(record.msg).strip()[:200]}
        if record.exc_info and record.exc_info[1]:
            words["error"] = type(record.exc_info[1]).__name__
            words["where"] = _place(record.exc_info[1])
        self._log.write("error" if record.levelno >= logging.ERROR else "debug", "library", **words)


def _place(error: BaseException) -> str:
    """Where an error was raised."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""


def catch_logs(log: Log) -> None:
    """Have everything that libraries log written as our own lines are."""
    logging.basicConfig(level=logging.WARNING, handlers=[_Catcher(log)], force=True)
