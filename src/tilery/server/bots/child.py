"""One worker process, as the server sees it: it is asked one question at a time (see `worker.py`), and distrusted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

Log = Callable[[str], None]

LONGEST_LINE = 1 << 14  # bytes of an answer
MOST_UNREAD = 16  # answers that nobody has asked for
LONGEST_WORDS = 300  # characters of a line on stderr that are logged
OBEYING = 5.0  # seconds that a worker may take to stop thinking
FAREWELL = 2.0  # seconds that a worker gets to end by itself

# What a worker gets of the server's environment: enough to start and to find the cache of compiled code, no secrets.
_KEPT = ("PATH", "HOME", "LANG", "TZ", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
_KEPT_KINDS = ("LC_", "PYTHON", "NUMBA_", "XDG_CACHE_HOME", "TILERY_CACHE", "TILERY_JIT")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Broken(Exception):
    """A worker that is of no use any more; the text says why."""


def environment() -> dict[str, str]:
    """The environment of workers."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_KINDS)}
    return kept | _ONE_THREAD


class _Ears(asyncio.SubprocessProtocol):
    """Cuts what a worker writes into lines; a line without an end, or too many of them, are a fault."""

    def __init__(self, log: Log) -> None:
        self.answers: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: there will be no more
        self.fault = ""
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()
        self._log = log
        self._heard = self._overheard = b""
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)  # uvloop's is none by its class

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._hear(data)
        else:
            self._overhear(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        if fd == 1:
            self.answers.put_nowait(None)
        elif fd == 2 and self._overheard:
            self._overhear(b"\n")

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.closed.set()

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            if self._transport is not None:
                self._transport.kill()

    def _hear(self, data: bytes) -> None:
        if self.fault:
            return
        *lines, self._heard = (self._heard + data).split(b"\n")
        if max(map(len, (*lines, self._heard))) > LONGEST_LINE:
            self.fault = f"it wrote a line of more than {LONGEST_LINE:,} bytes"
        elif self.answers.qsize() + len(lines) > MOST_UNREAD:
            self.fault = "it wrote more than it was asked for"
        for line in [None] if self.fault else lines:
            self.answers.put_nowait(line)
        if self.fault:
            self.kill()

    def _overhear(self, data: bytes) -> None:
        *lines, rest = (self._overheard + data).split(b"\n")
        self._overheard = rest[: 4 * LONGEST_WORDS]
        for line in lines:
            self._log(ascii(line[: 4 * LONGEST_WORDS].decode(errors="replace").strip()[:LONGEST_WORDS])[1:-1])


class Child:
    """A running worker."""

    def __init__(self, transport: asyncio.SubprocessTransport, ears: _Ears) -> None:
        self.pid = transport.get_pid()
        self._transport, self._ears = transport, ears
        self._asked = 0
        self._timer: asyncio.Timeout | None = None
        self.is_thinking = self._stopping = False

    @staticmethod
    async def start(command: Sequence[str], log: Log) -> Child:
        """Start a process; Ctrl-C is not for it."""
        loop = asyncio.get_running_loop()
        try:
            transport, ears = await loop.subprocess_exec(
                lambda: _Ears(log), *command, env=environment(), start_new_session=True
            )
        except OSError as error:
            raise Broken(f"it cannot be started: {error.strerror or error}") from None
        return Child(transport, ears)

    @property
    def is_alive(self) -> bool:
        return not (self._ears.exited.is_set() or self._ears.fault)

    async def ask(self, question: Mapping[str, Any], patience: float, first_patience: float) -> dict[str, Any]:
        """The answer to a question. `patience` is for the thought, `first_patience` for what is compiled before it."""
        self._asked += 1
        self.is_thinking = self._stopping = False
        seconds = first_patience
        try:
            async with asyncio.timeout(seconds) as self._timer:
                self._say({"id": self._asked, **question})
                answer = await self._answer()
                if "thinking" not in answer:
                    return answer
                self.is_thinking = True
                seconds = OBEYING if self._stopping else patience
                self._wait(seconds)
                return await self._answer()
        except TimeoutError:
            asked = "stop" if self._stopping and self.is_thinking else f"answer within {seconds:g} seconds"
            raise Broken(f"it did not {asked}") from None
        finally:
            self._timer = None
            self.is_thinking = False

    def cancel(self) -> None:
        """Let it stop thinking; it still answers, and soon. What is being compiled is finished first."""
        if self._timer is not None and not self._stopping:
            self._stopping = True
            self._say({"cancel": self._asked})
            if self.is_thinking:
                self._wait(OBEYING)

    def kill(self) -> None:
        """End it at once."""
        self._ears.kill()

    async def end(self) -> str:
        """Let it end by itself, then make it; nothing of it is left afterwards. Tells how it ended."""
        if stdin := self._transport.get_pipe_transport(0):
            stdin.close()
        if not await _within(FAREWELL, self._ears.exited):
            self.kill()
            await _within(FAREWELL, self._ears.exited)
        code = self._transport.get_returncode()
        self._transport.close()
        await _within(FAREWELL, self._ears.closed)
        return f"exit code {code}"

    def _wait(self, seconds: float) -> None:
        """Be patient for so long from now on."""
        if self._timer is not None and not self._timer.expired():
            self._timer.reschedule(asyncio.get_running_loop().time() + seconds)

    def _say(self, message: Mapping[str, Any]) -> None:
        # A dead process is noticed by the end of its output, not by this.
        stdin = cast(asyncio.WriteTransport | None, self._transport.get_pipe_transport(0))
        if stdin is not None and not stdin.is_closing():
            with contextlib.suppress(OSError, RuntimeError):
                stdin.write(json.dumps(message).encode() + b"\n")

    async def _answer(self) -> dict[str, Any]:
        line = await self._ears.answers.get()
        if line is None:
            raise Broken(self._ears.fault or "it ended")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != self._asked:
            raise Broken(f"it wrote {ascii(line[:60])[1:]}, which is no answer")
        return answer


async def _within(seconds: float, event: asyncio.Event) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
