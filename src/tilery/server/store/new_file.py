"""A new SQLite file that gets its name when it is complete, and leaves nothing behind if it never is.

On Linux the file has no name while it is written: if the process is killed, the system removes it. It takes twice the
room for a moment, because SQLite needs a name to open a file (for less than a millisecond), and a file that has lost
its last name never gets another: its content is copied into one that was created without any. Elsewhere, and on file
systems that cannot do this, the file has a temporary name; one that was left behind is removed by the next call.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tilery.core.refusals import Refused

if sys.platform == "win32":

    def _lock(descriptor: int, *, wait: bool) -> None:  # an open file cannot be removed there
        """Do nothing."""
else:
    import fcntl

    def _lock(descriptor: int, *, wait: bool) -> None:
        """Lock a file as long as it is open. Raises `OSError` if another process has locked it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


SUFFIX = ".tilery-part"
CHUNK_BYTES = 16 << 20
WAL_FLAGS = 18  # where the header of a database says, in two bytes, that it has a write-ahead log (2, otherwise 1)


def refuse_existing(file: Path) -> None:
    """Refuse to replace a file."""
    if os.path.lexists(file):
        raise Refused(f"{file} already exists, and is not replaced: choose another name")


@contextlib.contextmanager
def new_database(file: Path) -> Iterator[sqlite3.Connection]:
    """Connect to an empty database that only its owner can read. It is called `file` if the block ends without an
    exception; an existing file is never replaced."""
    refuse_existing(file)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_leftovers(file.parent)
    part, descriptor = _part_of(file)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, descriptor)
        stack.callback(part.unlink, missing_ok=True)
        connection = stack.enter_context(contextlib.closing(sqlite3.connect(part, isolation_level=None)))
        for setting in ("journal_mode = OFF", "synchronous = OFF", "schema_version"):  # it is synced as a whole
            connection.execute(f"PRAGMA {setting}").close()
        unnamed = _unnamed_file(file.parent)
        if unnamed is not None:
            stack.callback(os.close, unnamed)
            part.unlink()
        yield connection
        connection.close()
        with open(descriptor, "r+b", closefd=False) as written:
            written.seek(WAL_FLAGS)
            written.write(b"\1\1")
        if unnamed is not None:
            _copy(descriptor, unnamed)
        os.fsync(descriptor if unnamed is None else unnamed)
        _give_name(part if unnamed is None else Path(f"/proc/self/fd/{unnamed}"), file)


def _part_of(file: Path) -> tuple[Path, int]:
    """A locked temporary file next to a file, and its descriptor."""
    while True:
        descriptor, name = tempfile.mkstemp(SUFFIX, f".{file.name}.", file.parent)
        _lock(descriptor, wait=True)
        part = Path(name)
        with contextlib.suppress(FileNotFoundError):  # removed by another process, before it was locked
            if os.path.samestat(part.stat(), os.fstat(descriptor)):
                return part, descriptor
        os.close(descriptor)


def _remove_leftovers(folder: Path) -> None:
    """Remove temporary files whose processes have ended."""
    for path in folder.glob(f".*{SUFFIX}"):
        with contextlib.suppress(OSError), path.open("rb") as file:
            _lock(file.fileno(), wait=False)
            path.unlink()


def _unnamed_file(folder: Path) -> int | None:
    """A descriptor of a new file without a name; None where there are none."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, flag | os.O_RDWR, 0o600)
    except OSError:
        return None


def _copy(source: int, target: int) -> None:
    os.lseek(source, 0, os.SEEK_SET)
    while chunk := os.read(source, CHUNK_BYTES):
        view = memoryview(chunk)
        while view:
            view = view[os.write(target, view) :]


def _give_name(source: Path, file: Path) -> None:
    """Give a complete file its name. A hard link, unlike a rename, never replaces an existing file."""
    try:
        if source.parent == file.parent:
            os.link(source, file)
        else:  # only with the descriptor of a folder does Python follow the link in /proc
            folder = os.open(file.parent, os.O_RDONLY)
            try:
                os.link(source, file.name, dst_dir_fd=folder, follow_symlinks=True)
            finally:
                os.close(folder)
    except FileExistsError:
        refuse_existing(file)
    except OSError:
        if source.parent != file.parent:
            raise
        refuse_existing(file)  # a file system without hard links
        source.rename(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
