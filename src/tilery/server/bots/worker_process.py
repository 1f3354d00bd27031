"""The server's side of a worker process (see `worker.py`), which gets one request at a time. Nothing that a worker
writes is trusted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

Log = Callable[[str], None]

MAX_REPLY_BYTES = 1 << 14
MAX_UNREAD_REPLIES = 16
MAX_STDERR_CHARACTERS = 300  # of a line that are logged
CANCEL_TIMEOUT = 5.0  # seconds for a worker to stop searching
EXIT_TIMEOUT = 2.0  # seconds for a worker to exit by itself

# The environment variables of the server that a worker gets: enough to start and to find the cache, no secrets.
_VARIABLES = ("PATH", "HOME", "LANG", "TZ", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
_PREFIXES = ("LC_", "PYTHON", "NUMBA_", "XDG_CACHE_HOME", "TILERY_CACHE", "TILERY_JIT")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class WorkerFailed(Exception):
    """A worker cannot be used any more; the text says why."""


def environment() -> dict[str, str]:
    """The environment of workers."""
    passed = {name: value for name, value in os.environ.items() if name in _VARIABLES or name.startswith(_PREFIXES)}
    return passed | _ONE_THREAD


class _Output(asyncio.SubprocessProtocol):
    """Splits the output of a worker into lines. A worker that writes too long a line, or too many lines, is killed."""

    def __init__(self, log: Log) -> None:
        self.replies: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: there will be no more
        self.error = ""
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()
        self._log = log
        self._stdout = self._stderr = b""
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)  # the class of uvloop is not a subclass

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._read_stdout(data)
        else:
            self._read_stderr(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        if fd == 1:
            self.replies.put_nowait(None)
        elif fd == 2 and self._stderr:
            self._read_stderr(b"\n")

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.closed.set()

    def kill(self) -> None:
        """Kill the process."""
        with contextlib.suppress(ProcessLookupError):
            if self._transport is not None:
                self._transport.kill()

    def _read_stdout(self, data: bytes) -> None:
        if self.error:
            return
        *lines, self._stdout = (self._stdout + data).split(b"\n")
        if max(map(len, (*lines, self._stdout))) > MAX_REPLY_BYTES:
            self.error = f"it wrote a line of more than {MAX_REPLY_BYTES:,} bytes"
        elif self.replies.qsize() + len(lines) > MAX_UNREAD_REPLIES:
            self.error = "it wrote replies that were not requested"
        for line in [None] if self.error else lines:
            self.replies.put_nowait(line)
        if self.error:
            self.kill()

    def _read_stderr(self, data: bytes) -> None:
        *lines, rest = (self._stderr + data).split(b"\n")
        self._stderr = rest[: 4 * MAX_STDERR_CHARACTERS]
        for line in lines:
            self._log(
                ascii(line[: 4 * MAX_STDERR_CHARACTERS].decode(errors="replace").strip()[:MAX_STDERR_CHARACTERS])[1:-1]
            )


class WorkerProcess:
    """A running worker."""

    def __init__(self, transport: asyncio.SubprocessTransport, output: _Output) -> None:
        self.pid = transport.get_pid()
        self._transport, self._output = transport, output
        self._request_id = 0
        self._timer: asyncio.Timeout | None = None
        self.is_searching = self._is_cancelled = False

    @staticmethod
    async def start(command: Sequence[str], log: Log) -> WorkerProcess:
        """Start a process in its own session, so that Ctrl-C does not reach it."""
        loop = asyncio.get_running_loop()
        try:
            transport, output = await loop.subprocess_exec(
                lambda: _Output(log), *command, env=environment(), start_new_session=True
            )
        except OSError as error:
            raise WorkerFailed(f"it cannot be started: {error.strerror or error}") from None
        return WorkerProcess(transport, output)

    @property
    def is_alive(self) -> bool:
        return not (self._output.exited.is_set() or self._output.error)

    async def request(self, fields: Mapping[str, Any], timeout: float, startup_timeout: float) -> dict[str, Any]:
        """The reply to a request. `timeout` is for the search, `startup_timeout` for compiling before it."""
        self._request_id += 1
        self.is_searching = self._is_cancelled = False
        seconds = startup_timeout
        try:
            async with asyncio.timeout(seconds) as self._timer:
                self._write({"id": self._request_id, **fields})
                reply = await self._read_reply()
                if "searching" not in reply:
                    return reply
                self.is_searching = True
                seconds = CANCEL_TIMEOUT if self._is_cancelled else timeout
                self._restart_timer(seconds)
                return await self._read_reply()
        except TimeoutError:
            expected = "stop" if self._is_cancelled and self.is_searching else f"reply within {seconds:g} seconds"
            raise WorkerFailed(f"it did not {expected}") from None
        finally:
            self._timer = None
            self.is_searching = False

    def cancel(self) -> None:
        """Stop the search; the worker still replies. If it is compiling, it finishes that first."""
        if self._timer is not None and not self._is_cancelled:
            self._is_cancelled = True
            self._write({"cancel": self._request_id})
            if self.is_searching:
                self._restart_timer(CANCEL_TIMEOUT)

    def kill(self) -> None:
        """Kill the process."""
        self._output.kill()

    async def end(self) -> str:
        """Let the process exit, or kill it after a timeout; returns its exit code as text."""
        if stdin := self._transport.get_pipe_transport(0):
            stdin.close()
        if not await _within(EXIT_TIMEOUT, self._output.exited):
            self.kill()
            await _within(EXIT_TIMEOUT, self._output.exited)
        code = self._transport.get_returncode()
        self._transport.close()
        await _within(EXIT_TIMEOUT, self._output.closed)
        return f"exit code {code}"

    def _restart_timer(self, seconds: float) -> None:
        """Time out this many seconds from now."""
        if self._timer is not None and not self._timer.expired():
            self._timer.reschedule(asyncio.get_running_loop().time() + seconds)

    def _write(self, message: Mapping[str, Any]) -> None:
        # A dead process is noticed at the end of its output, not here.
        stdin = cast(asyncio.WriteTransport | None, self._transport.get_pipe_transport(0))
        if stdin is not None and not stdin.is_closing():
            with contextlib.suppress(OSError, RuntimeError):
                stdin.write(json.dumps(message).encode() + b"\n")

    async def _read_reply(self) -> dict[str, Any]:
        line = await self._output.replies.get()
        if line is None:
            raise WorkerFailed(self._output.error or "it ended")
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict) or reply.get("id") != self._request_id:
            raise WorkerFailed(f"it wrote {ascii(line[:60])[1:]}, which is not a reply")
        return reply


async def _within(seconds: float, event: asyncio.Event) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
