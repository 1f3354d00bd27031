"""Files: where games are kept, and writing that never leaves half a file."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

from tilery.core.record_text import LONGEST
from tilery.core.refusals import Refused
from tilery.core.writing import part_of, write_whole

ENDING = ".tilery"
_MOST_BYTES = 256 * LONGEST


def data_folder() -> Path:
    """The user's data folder of Tilery."""
    told = os.environ.get("TILERY_DATA")
    if told:
        return Path(told)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home()) / "tilery"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilery"


def games_folder() -> Path:
    """Where `tilery play` keeps games."""
    return data_folder() / "games"


def new_game_file() -> Path:
    """A new, empty file for a game, which no other game that begins at the same moment gets."""
    stem = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with _refusals(games_folder()):
        games_folder().mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = games_folder() / f"{stem}{f'-{number}' if number > 1 else ''}{ENDING}"
            with contextlib.suppress(FileExistsError):
                path.open("x").close()
                return path
    raise AssertionError("numbers do not end")


def new_run_folder(kind: str) -> Path:
    """A new, empty folder for a run of the lab."""
    home = data_folder() / kind
    stem = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with _refusals(home):
        for number in count(1):
            path = home / f"{stem}{f'-{number}' if number > 1 else ''}"
            with contextlib.suppress(FileExistsError):
                path.mkdir(parents=True)
                return path
    raise AssertionError("numbers do not end")


def saved_games() -> Iterator[Path]:
    """The kept games, the latest first."""
    if games_folder().is_dir():
        files = [path for path in games_folder().glob(f"*{ENDING}") if path.is_file()]
        yield from sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _write(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():  # such as /dev/null, which must stay what it is
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    write_whole(_place_of(path), text)


def _place_of(path: Path) -> Path:
    """Where a file really is (a link stays a link), in a folder that is made if it is not there."""
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _try_part(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not path.exists() or path.is_file():
        part = part_of(_place_of(path))
        part.touch()
        part.unlink()


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """What the system says when a file cannot be written, as a refusal."""
    try:
        yield
    except OSError as error:
        raise Refused(f"cannot write {str(path)[:200]}: {error.strerror}; name another file") from None
    except ValueError as error:  # of a name that no file can have
        raise Refused(f"cannot write {str(path)[:200]!a}: {error}; name another file") from None


def write_new(path: Path, text: str) -> None:
    """Write a file that somebody named: never over another one, never into a folder that is not there."""
    check_new(path)
    write_safely(path, text)


def check_new(path: Path) -> None:
    """Refuse a file that is there already, or whose folder is not."""
    if os.path.isfile(path):  # the one of pathlib fails for names that are too long
        raise Refused(f"{path} exists already: name another file")
    if not os.path.isdir(path.parent):
        raise Refused(f"there is no folder {str(path.parent)[:200]!a}: make it, or name another file")


def write_safely(path: Path, text: str) -> None:
    """Write a file so that at any moment either the old or the new one is there, whole."""
    with _refusals(path):
        _write(path, text)


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done for it."""
    with _refusals(path):
        _try_part(path)


def _read_bytes(path: Path | str) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read(_MOST_BYTES + 1) if sys.stdin else b""
    with Path(path).open("rb") as file:
        return file.read(_MOST_BYTES + 1)


def read_file(path: Path | str) -> str:
    """The text of a file, `-` for standard input; what is no text or far too long is refused."""
    name = "standard input" if str(path) == "-" else str(path)[:200]
    try:
        data = _read_bytes(path)
        if len(data) > _MOST_BYTES:
            raise Refused(f"{name} is larger than {_MOST_BYTES >> 20} MiB")
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise Refused(f"there is no file {name}") from None
    except IsADirectoryError:
        raise Refused(f"{name} is a folder, not a record") from None
    except UnicodeDecodeError as error:
        raise Refused(f"{name} is not a text in UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise Refused(f"cannot read {name}: {error.strerror}") from None
