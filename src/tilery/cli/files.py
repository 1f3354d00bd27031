"""Where data is stored, and reading and writing files. A write never leaves an incomplete file."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

from tilery.core.atomic_write import temporary_path, write_atomically
from tilery.core.record_text import MAX_RECORD_CHARACTERS
from tilery.core.refusals import Refused

SUFFIX = ".tilery"
_MAX_BYTES = 256 * MAX_RECORD_CHARACTERS


def data_folder() -> Path:
    """Where Tilery stores its data: $TILERY_DATA, or the system's usual folder for user data."""
    chosen = os.environ.get("TILERY_DATA")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home()) / "tilery"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilery"


def store_address(database: str | None) -> str:
    """The address of the server's database: the given one, or the file in the data folder."""
    if database:
        return database
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tilery.db")


def games_folder() -> Path:
    """Where `tilery play` saves games."""
    return data_folder() / "games"


def new_game_file() -> Path:
    """Create an empty file for a game; two games that start at the same moment get different files."""
    stem = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with _refusals(games_folder()):
        games_folder().mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = games_folder() / f"{stem}{f'-{number}' if number > 1 else ''}{SUFFIX}"
            with contextlib.suppress(FileExistsError):
                path.open("x").close()
                return path
    raise AssertionError("unreachable")


def new_run_folder(kind: str) -> Path:
    """Create an empty folder for a run of the arena or the lab."""
    home = data_folder() / kind
    stem = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with _refusals(home):
        for number in count(1):
            path = home / f"{stem}{f'-{number}' if number > 1 else ''}"
            with contextlib.suppress(FileExistsError):
                path.mkdir(parents=True)
                return path
    raise AssertionError("unreachable")


def saved_games() -> Iterator[Path]:
    """The saved games, the latest first."""
    if games_folder().is_dir():
        files = [path for path in games_folder().glob(f"*{SUFFIX}") if path.is_file()]
        yield from sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _write(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():  # such as /dev/null, which must not be replaced
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    write_atomically(_resolved(path), text)


def _resolved(path: Path) -> Path:
    """The target of a path (symbolic links are followed, not replaced); its folder is created if missing."""
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _try_to_write(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not path.exists() or path.is_file():
        part = temporary_path(_resolved(path))
        part.touch()
        part.unlink()


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Turn an error of the operating system while writing into a refusal."""
    try:
        yield
    except OSError as error:
        raise Refused(f"cannot write {str(path)[:200]}: {error.strerror}; choose another file") from None
    except ValueError as error:  # a name that no file can have
        raise Refused(f"cannot write {str(path)[:200]!a}: {error}; choose another file") from None


def write_new(path: Path, text: str) -> None:
    """Write a new file that the user named; never overwrite a file, never create a folder."""
    check_new(path)
    write_safely(path, text)


def check_new(path: Path) -> None:
    """Refuse a file that exists already or whose folder does not exist."""
    if os.path.isfile(path):  # Path.is_file fails for names that are too long
        raise Refused(f"{path} already exists: choose another file")
    if not os.path.isdir(path.parent):
        raise Refused(f"there is no folder {str(path.parent)[:200]!a}: create it or choose another file")


def write_safely(path: Path, text: str) -> None:
    """Write a file atomically: at any moment its content is either the complete old one or the complete new one."""
    with _refusals(path):
        _write(path, text)


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written; to be called before the work that produces its content."""
    with _refusals(path):
        _try_to_write(path)


def _read_bytes(path: Path | str) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read(_MAX_BYTES + 1) if sys.stdin else b""
    with Path(path).open("rb") as file:
        return file.read(_MAX_BYTES + 1)


def read_file(path: Path | str) -> str:
    """The text of a file, `-` for standard input. A file that is not text or far too long is refused."""
    name = "standard input" if str(path) == "-" else str(path)[:200]
    try:
        data = _read_bytes(path)
        if len(data) > _MAX_BYTES:
            raise Refused(f"{name} is larger than {_MAX_BYTES >> 20} MiB: split it into several files")
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise Refused(f"there is no file {name}") from None
    except IsADirectoryError:
        raise Refused(f"{name} is a folder, not a record") from None
    except UnicodeDecodeError as error:
        raise Refused(f"{name} is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise Refused(f"cannot read {name}: {error.strerror}") from None
