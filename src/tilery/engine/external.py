"""External bots: any executable that answers the action `play` (docs/protocol.md) can take a seat."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shlex
import shutil
import subprocess
import time
from collections import deque
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Lock, Thread
from typing import IO, Any, NoReturn

from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.limits import Limit

PREFIX = "cmd:"
MAX_MOVES = 400  # the most legal moves that a request lists; with the list a program needs no rules
ANSWER_TIMEOUT = 10.0  # wall-clock seconds that a program may take beyond its limit
FIRST_ANSWER_TIMEOUT = 180.0  # for the first answer: the program may have to compile something
EXIT_TIMEOUT = 2.0  # seconds that a program gets to exit by itself before it is killed
_MAX_LINE_BYTES = 1 << 20
_STDERR_LINES = 5  # the last lines of stderr that are quoted when a program exits


@dataclass
class _Child:
    """A running program, its output, and the id of the process that started it."""

    popen: subprocess.Popen[bytes]
    owner: int
    asked: int = 0  # the number of requests sent
    answers: Queue[bytes | None] = field(default_factory=lambda: Queue(1000))
    stderr_tail: deque[str] = field(default_factory=lambda: deque(maxlen=_STDERR_LINES))
    readers: list[Thread] = field(default_factory=list)

    def start_readers(self) -> None:
        """Read stdout and stderr in threads."""
        assert self.popen.stdout
        assert self.popen.stderr
        for target, stream in ((self._read_stdout, self.popen.stdout), (self._read_stderr, self.popen.stderr)):
            reader = Thread(target=target, args=(stream,), daemon=True)
            reader.start()
            self.readers.append(reader)

    def _read_stdout(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(_MAX_LINE_BYTES):
                self.answers.put(line)
        self.answers.put(None)

    def _read_stderr(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(_MAX_LINE_BYTES):
                self.stderr_tail.append(ascii(line.decode(errors="replace").strip()[:200])[1:-1])

    def end(self) -> None:
        """Close the program's input and wait; kill it if it does not exit in time."""
        with contextlib.suppress(OSError):
            assert self.popen.stdin
            self.popen.stdin.close()
        try:
            self.popen.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        for reader in self.readers:
            reader.join(EXIT_TIMEOUT)
        for stream in (self.popen.stdout, self.popen.stderr):
            if stream and not any(reader.is_alive() for reader in self.readers):
                stream.close()


class Program:
    """An external bot. The command is started for the first move, and again if it has exited."""

    def __init__(self, command: str, limit: Limit) -> None:
        self.command = command
        self.limit = limit
        self._child: _Child | None = None
        self._lock = Lock()
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise Refused(f"{command[:60]!a} is not a command: {error}") from None
        if not self._arguments:
            raise Refused(f"expected a command after {PREFIX}, such as {PREFIX}python3 my_bot.py")
        if shutil.which(self._arguments[0]) is None:
            raise Refused(f"there is no program {self._arguments[0][:60]!a} to start: name an executable file")

    def choose(self, seen: Seen, stream: Stream) -> int:
        """Ask the program for a move; raises `Refused` if it does not answer with a legal one."""
        seed = stream.bits(48)
        actions = seen.actions()
        if len(actions) == 1:
            return actions[0]
        with self._lock:
            move = self._ask(seen, len(actions), seed)
        try:
            action = seen.action(move)
        except Refused as refusal:
            raise Refused(f"{self._name} answered with a move that is not legal: {refusal}") from None
        if action not in actions:
            raise Refused(f"{self._name} answered with a move that is not legal: {seen.refusal(action)}")
        return action

    def close(self) -> None:
        """End the program; the next move starts it again."""
        with self._lock:
            self._end()

    @property
    def _name(self) -> str:
        return f"{PREFIX}{self.command[:60]}"

    def _running(self) -> _Child:
        child = self._child
        if child is not None and child.owner != os.getpid():
            child = self._child = None  # inherited by a fork: the parent still uses it
        if child is not None and child.popen.poll() is not None:
            self._end()
            child = None
        if child is None:
            pipe = subprocess.PIPE
            try:
                popen = subprocess.Popen(
                    self._arguments,
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    start_new_session=True,  # so that Ctrl-C does not reach the program
                )
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                raise Refused(f"{self._name} cannot be started: {reason}") from None
            child = self._child = _Child(popen, os.getpid())
            child.start_readers()
            atexit.register(self.close)
        return child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None and child.owner == os.getpid():
            atexit.unregister(self.close)
            child.end()

    def _request(self, seen: Seen, count: int, seed: int, id: str) -> bytes:
        limit = self.limit
        request: dict[str, Any] = {
            "id": id,
            "action": "play",
            "position": seen.text,
            "seat": seen.seat,
            "seed": seed,
        }
        names = {"maxTime": limit.time, "maxCpu": limit.cpu, "maxNodes": limit.nodes, "maxDepth": limit.depth}
        request |= {name: value for name, value in names.items() if value is not None}
        if count <= MAX_MOVES:
            request["moves"] = [move.text for move in seen.moves()]
        return json.dumps(request).encode() + b"\n"

    def _ask(self, seen: Seen, count: int, seed: int) -> str:
        child = self._running()
        timeout = ANSWER_TIMEOUT if child.asked else FIRST_ANSWER_TIMEOUT
        child.asked += 1
        id = str(child.asked)
        try:
            assert child.popen.stdin
            child.popen.stdin.write(self._request(seen, count, seed, id))
            child.popen.stdin.flush()
        except OSError:
            self._fail_exited(child)
        seconds = timeout + max(self.limit.time or 0.0, 2 * (self.limit.cpu or 0.0))
        until = time.monotonic() + seconds
        while True:
            try:
                line = child.answers.get(timeout=max(0.0, until - time.monotonic()))
            except Empty:
                child.popen.kill()
                self._end()
                raise Refused(f"{self._name} did not answer within {seconds:g} seconds and was killed") from None
            if line is None:
                self._fail_exited(child)
            move = self._move(line, id)
            if move is not None:
                return move

    def _move(self, line: bytes, id: str) -> str | None:
        """The move that a line answers with; None if the line is about something else."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Refused(f"{self._name} answered with {ascii(line[:60])[1:]}, not with a JSON object on one line")
        if answer.get("id") not in (id, None):
            return None  # a late answer to an earlier request
        if "error" in answer:
            raise Refused(f"{self._name} answered with an error: {str(answer['error'])[:200]!a}")
        if "move" not in answer and "warning" in answer:
            return None
        move = answer.get("move")
        if not isinstance(move, str) or answer.get("id") is None:
            raise Refused(f'{self._name} answered with {ascii(line[:60])[1:]}: expected {{"id": "{id}", "move": ...}}')
        return move

    def _fail_exited(self, child: _Child) -> NoReturn:
        self._end()
        code = child.popen.returncode
        tail = " | ".join(child.stderr_tail)
        raise Refused(f"{self._name} exited with code {code}{f'; stderr: {tail}' if tail else ''}")


def read_command(name: str, default: Limit) -> Program:
    """The bot of `cmd:COMMAND` or `cmd:COMMAND@LIMIT`; `default` is the limit if the name has none."""
    command = name.removeprefix(PREFIX).strip()
    before, at, after = command.rpartition("@")
    if at:
        with contextlib.suppress(Refused):  # an @ may be part of the command
            default = Limit.read(after)
            command = before.strip()
    return Program(command, default)
