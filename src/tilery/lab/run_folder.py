"""The folder of a run: its settings, its games, and a line of JSON for every finished pair.

The records of a pair are written and synced first, then its line in `results.jsonl`, which includes the size of
`games.tilery` at that moment. After a crash, every complete line is valid, and anything after the last one belongs to
an unfinished pair, which is cut off and played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, BinaryIO

from tilery.core.record import Record
from tilery.core.refusals import Refused
from tilery.lab.match import Pair, game_result_from

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # on Windows, where two runs in one folder are not detected
    fcntl = None

SETTINGS_FILE, GAMES_FILE, RESULTS_FILE = "arena.json", "games.tilery", "results.jsonl"


@contextmanager
def refuse_os_errors(path: Path, action: str = "store a run in", kind: str = "folder") -> Iterator[None]:
    """Turn file errors of the operating system into refusals."""
    try:
        yield
    except Refused:
        raise
    except OSError as error:
        raise Refused(f"cannot {action} {str(path)[:200]}: {error.strerror}; name another {kind}") from None
    except ValueError as error:  # for a name that no file can have
        raise Refused(f"cannot {action} {str(path)[:200]!a}: {error}; name another {kind}") from None


def read_settings(path: Path, name: str = SETTINGS_FILE) -> dict[str, Any] | None:
    """The settings of the run in a folder; None if there is no run."""
    file = path / name
    with refuse_os_errors(path):
        if not file.is_file():
            return None
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            raise Refused(f"{str(file)[:200]} cannot be read: it is not a file of the arena") from None
    if not isinstance(values, dict):
        raise Refused(f"{str(file)[:200]} cannot be read: it is not a file of the arena")
    return values


def complete_lines(data: bytes, where: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every complete line of JSON with the offset of its end; an incomplete last line is left out."""
    at = 0
    for number, line in enumerate(data.splitlines(keepends=True), start=1):
        try:
            if not line.endswith(b"\n"):
                return
            values = json.loads(line)
            if not isinstance(values, dict):
                raise ValueError
        except ValueError:
            if at + len(line) == len(data):
                return
            raise Refused(f"{str(where)[:200]}, line {number}, cannot be read: it is not a file of the arena") from None
        at += len(line)
        yield at, values


class RunFolder:
    """A run on disk, locked by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pairs: dict[tuple[int, int], Pair] = {}
        with refuse_os_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            with ExitStack() as opened:
                self._results: BinaryIO = opened.enter_context((path / RESULTS_FILE).open("a+b"))
                self._games: BinaryIO = opened.enter_context((path / GAMES_FILE).open("a+b"))
                self._lock()
                self._read()
                self._opened = opened.pop_all()

    def _lock(self) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._results, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused(f"another process is using the run in {str(self.path)[:200]}: wait for it") from None

    def _read(self) -> None:
        """Read the finished pairs; cut off whatever follows them."""
        size = self._games.seek(0, os.SEEK_END)
        self._results.seek(0)
        results_end = games_end = 0
        for end, line in complete_lines(self._results.read(), self.path / RESULTS_FILE):
            try:
                pair = Pair(line["pairing"], line["pair"], tuple(map(game_result_from, line["games"])))
                if line["end"] > size:
                    break  # its records did not reach the disk
                results_end, games_end = end, line["end"]
            except (KeyError, TypeError):
                raise Refused(f"{str(self.path / RESULTS_FILE)[:200]} is not a file of the arena") from None
            self.pairs[pair.pairing, pair.number] = pair
        self._results.truncate(results_end)
        self._games.truncate(games_end)

    def add(self, pair: Pair, records: Sequence[Record]) -> None:
        """Store a finished pair; it is on disk when this returns."""
        with refuse_os_errors(self.path):
            text = "".join(f"{record.text}\n" for record in records)
            self._games.write(text.encode())
            _sync(self._games)
            line = {**pair.as_dict(), "end": self._games.tell()}
            self._results.write(json.dumps(line).encode() + b"\n")
            _sync(self._results)
        self.pairs[pair.pairing, pair.number] = pair

    def close(self) -> None:
        """Close the files and release the lock."""
        self._opened.close()

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
