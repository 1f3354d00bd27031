"""The folder of a run: its settings, its games, and a line for every finished pair.

A pair's records are written first and its line in `results.jsonl` last, each on the disk before the next; the line says
how far `games.tilery` reaches. Whatever moment a crash picks, the finished lines are true, and what lies behind
them is half a pair that is played again.
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
from tilery.lab.match import Pair, played_from

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has none; two runs in one folder are not noticed there
    fcntl = None

SETTINGS, GAMES, RESULTS = "arena.json", "games.tilery", "results.jsonl"


@contextmanager
def refusals(path: Path, deed: str = "keep a run in", kind: str = "folder") -> Iterator[None]:
    """What the system says about files, as a refusal."""
    try:
        yield
    except Refused:
        raise
    except OSError as error:
        raise Refused(f"cannot {deed} {str(path)[:200]}: {error.strerror}; name another {kind}") from None
    except ValueError as error:  # of a name that no file can have
        raise Refused(f"cannot {deed} {str(path)[:200]!a}: {error}; name another {kind}") from None


def read_settings(path: Path, name: str = SETTINGS) -> dict[str, Any] | None:
    """The settings that a run was begun with; None where there is no run."""
    file = path / name
    with refusals(path):
        if not file.is_file():
            return None
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            raise Refused(f"{str(file)[:200]} cannot be read: it is not what an arena writes") from None
    if not isinstance(found, dict):
        raise Refused(f"{str(file)[:200]} cannot be read: it is not what an arena writes")
    return found


def whole_lines(data: bytes, where: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every finished line of JSON with the place where it ends; a torn last line is left out."""
    at = 0
    for number, line in enumerate(data.splitlines(keepends=True), start=1):
        try:
            if not line.endswith(b"\n"):
                return
            found = json.loads(line)
            if not isinstance(found, dict):
                raise ValueError
        except ValueError:
            if at + len(line) == len(data):
                return
            raise Refused(
                f"{str(where)[:200]}, line {number}, cannot be read: it is not what an arena writes"
            ) from None
        at += len(line)
        yield at, found


class Folder:
    """A run on the disk, held by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pairs: dict[tuple[int, int], Pair] = {}
        with refusals(path):
            path.mkdir(parents=True, exist_ok=True)
            with ExitStack() as opened:
                self._results: BinaryIO = opened.enter_context((path / RESULTS).open("a+b"))
                self._games: BinaryIO = opened.enter_context((path / GAMES).open("a+b"))
                self._hold()
                self._read()
                self._opened = opened.pop_all()

    def _hold(self) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._results, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused(f"another run is at work in {str(self.path)[:200]}: wait for it") from None

    def _read(self) -> None:
        """What is finished; half a pair behind it is cut off."""
        size = self._games.seek(0, os.SEEK_END)
        self._results.seek(0)
        kept = reach = 0
        for end, line in whole_lines(self._results.read(), self.path / RESULTS):
            try:
                pair = Pair(line["pairing"], line["pair"], tuple(map(played_from, line["games"])))
                if line["end"] > size:
                    break  # its records did not reach the disk
                kept, reach = end, line["end"]
            except (KeyError, TypeError):
                raise Refused(f"{str(self.path / RESULTS)[:200]} is not what this arena writes") from None
            self.pairs[pair.pairing, pair.number] = pair
        self._results.truncate(kept)
        self._games.truncate(reach)

    def add(self, pair: Pair, records: Sequence[Record]) -> None:
        """Keep a finished pair; it is on the disk when this returns."""
        with refusals(self.path):
            text = "".join(f"{record.text}\n" for record in records)
            self._games.write(text.encode())
            _settle(self._games)
            line = {**pair.listing(), "end": self._games.tell()}
            self._results.write(json.dumps(line).encode() + b"\n")
            _settle(self._results)
        self.pairs[pair.pairing, pair.number] = pair

    def close(self) -> None:
        """Let another process have it."""
        self._opened.close()

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _settle(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
