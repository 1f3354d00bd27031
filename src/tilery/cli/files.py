"""Files: where games are kept, and writing that never leaves half a file."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tilery.core.record_text import LONGEST
from tilery.core.refusals import Refused

ENDING = ".tilery"
_MOST_BYTES = 256 * LONGEST


def data_folder() -> Path:
    """The user's data folder of Tilery."""
    told = os.environ.get("TILERY_DATA")
    if told:
        return Path(told)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "tilery"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tilery"


def games_folder() -> Path:
    """Where `tilery play` keeps games."""
    return data_folder() / "games"


def new_game_file() -> Path:
    """A file name for a new game."""
    stem = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    path = games_folder() / f"{stem}{ENDING}"
    number = 2
    while path.exists():
        path = games_folder() / f"{stem}-{number}{ENDING}"
        number += 1
    return path


def saved_games() -> Iterator[Path]:
    """The kept games, the latest first."""
    if games_folder().is_dir():
        yield from sorted(games_folder().glob(f"*{ENDING}"), key=lambda p: p.stat().st_mtime_ns, reverse=True)


def write_safely(path: Path, text: str) -> None:
    """Write a file so that at any moment either the old or the new one is there, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_file(path: Path | str) -> str:
    """The text of a file, `-` for standard input; what is no text or far too long is refused."""
    if str(path) == "-":
        return sys.stdin.read(_MOST_BYTES)
    path = Path(path)
    if path.is_dir():
        raise Refused(f"{path} is a folder, not a record")
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise Refused(f"{path} is larger than {_MOST_BYTES >> 20} MiB")
        return path.read_text(encoding="utf-8").removeprefix("\ufeff")
    except FileNotFoundError:
        raise Refused(f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not a text in UTF-8 (byte {error.start})") from None
