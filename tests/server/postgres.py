"""A real PostgreSQL for tests, started in a temporary folder, once for each xdist worker.

Tests use the fixture `database`: the address of a database without a store in it. A conftest imports both
fixtures from here.
"""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

PASSWORD = "Gänse & 50 % @home"  # characters that must be escaped in a URL
IN_URL = "G%C3%A4nse%20%26%2050%20%25%20%40home"


def binaries() -> Path | None:
    """The folder of `initdb`; the newest version if there are several."""
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda folder: float(folder.split("/")[4]))
    return Path(folders[-1]) if folders else None


class Server:
    """A database server that listens on a socket in its folder."""

    def __init__(self, bin_folder: Path) -> None:
        self._bin = bin_folder
        self._folder = Path(tempfile.mkdtemp(prefix="tilery-pg-"))
        self._as: list[str] = []
        password = self._folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            self._become("postgres", "nobody")
        self._run(
            "initdb", "--no-sync", "--auth=scram-sha-256", "--username=tilery", f"--pwfile={password}", "-E", "UTF8"
        )
        self.start()

    def _become(self, *names: str) -> None:
        users = {user.pw_name: user for user in pwd.getpwall()}
        user = next(users[name] for name in names if name in users)
        self._as = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        for path in (self._folder, self._folder / "password"):
            os.chown(path, user.pw_uid, user.pw_gid)

    def _run(self, program: str, *arguments: str, data: str = "data") -> None:
        command = [*self._as, str(self._bin / program), "-D", str(self._folder / data), *arguments]
        # Not a pipe: the server would keep it open.
        with (self._folder / "output").open("w+") as output:
            done = subprocess.run(command, stdout=output, stderr=output, cwd=self._folder, check=False)
            output.seek(0)
            assert done.returncode == 0, output.read()

    def start(self, data: str = "data", sockets: str = "") -> None:
        """Start the server, and wait until it accepts connections."""
        folder = self._folder / sockets
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=on -c shared_buffers=64MB"
        self._run("pg_ctl", "start", "-w", "-l", str(self._folder / f"{data}.log"), "-o", options, data=data)

    def stop(self, mode: str = "fast") -> None:
        """`immediate` is like a power failure for the server."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    @property
    def url(self) -> str:
        """The address, with the password."""
        return f"postgresql://tilery:{IN_URL}@/postgres?host={self._folder}"

    @contextmanager
    def replica(self) -> Iterator[str]:
        """A streaming replica; yields its address."""
        self._run("pg_basebackup", "-d", self.url, "-R", "-c", "fast", "--no-sync", data="replica")
        self.start("replica", "replica")
        try:
            yield self.url.replace(f"host={self._folder}", f"host={self._folder / 'replica'}")
        finally:
            self._run("pg_ctl", "stop", "-w", "-m", "immediate", data="replica")
            shutil.rmtree(self._folder / "replica")

    def empty(self) -> None:
        """Remove the store."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SET client_min_messages = error")
            connection.execute("DROP SCHEMA IF EXISTS tilery CASCADE")

    def remove(self) -> None:
        """Stop the server, and delete its folder."""
        self.stop("immediate")
        shutil.rmtree(self._folder)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Skips the test if PostgreSQL is not installed, and fails in CI."""
    folder = binaries()
    if folder is None:
        text = "PostgreSQL is not installed (initdb is neither on the PATH nor in /usr/lib/postgresql)"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)
    server = Server(folder)
    yield server
    server.remove()


@pytest.fixture
def database(postgres_server: Server) -> str:
    """The address of an empty database."""
    postgres_server.empty()
    return postgres_server.url
