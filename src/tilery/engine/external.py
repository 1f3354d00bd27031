"""Bots that are programs of their own: any executable that answers `play` (docs/protocol.md) takes a seat."""

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
MOST_MOVES = 400  # so many legal moves are told, so that a program needs no rules
PATIENCE = 10.0  # seconds on the wall that a program may take beyond its limit
FIRST_PATIENCE = 180.0  # the first time, when it may have to compile something
FAREWELL = 2.0  # seconds that a program gets to end by itself
_LONGEST_LINE = 1 << 20
_LAST_WORDS = 5  # lines of its stderr that are told when it dies


@dataclass
class _Child:
    """A running program, what it has written, and in which process of ours it was started."""

    popen: subprocess.Popen[bytes]
    owner: int
    asked: int = 0
    answers: Queue[bytes | None] = field(default_factory=lambda: Queue(1000))
    words: deque[str] = field(default_factory=lambda: deque(maxlen=_LAST_WORDS))
    readers: list[Thread] = field(default_factory=list)

    def listen(self) -> None:
        """Read both of its outputs as they come."""
        assert self.popen.stdout
        assert self.popen.stderr
        for target, stream in ((self._hear, self.popen.stdout), (self._overhear, self.popen.stderr)):
            reader = Thread(target=target, args=(stream,), daemon=True)
            reader.start()
            self.readers.append(reader)

    def _hear(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(_LONGEST_LINE):
                self.answers.put(line)
        self.answers.put(None)

    def _overhear(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(_LONGEST_LINE):
                self.words.append(ascii(line.decode(errors="replace").strip()[:200])[1:-1])

    def end(self) -> None:
        """Let it end: it is told by the end of its input, then made to."""
        with contextlib.suppress(OSError):
            assert self.popen.stdin
            self.popen.stdin.close()
        try:
            self.popen.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        for reader in self.readers:
            reader.join(FAREWELL)
        for stream in (self.popen.stdout, self.popen.stderr):
            if stream and not any(reader.is_alive() for reader in self.readers):
                stream.close()


class Program:
    """A bot behind a command. It is started when it is first asked, and again if it has died."""

    def __init__(self, command: str, limit: Limit) -> None:
        self.command = command
        self.limit = limit
        self._child: _Child | None = None
        self._lock = Lock()
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise Refused(f"{command[:60]!a} is no command: {error}") from None
        if not self._words:
            raise Refused(f"after {PREFIX} a command was expected, such as {PREFIX}python3 my_bot.py")
        if shutil.which(self._words[0]) is None:
            raise Refused(f"there is no program {self._words[0][:60]!a} to start: name an executable file")

    def choose(self, seen: Seen, stream: Stream) -> int:
        """Ask the program for a move; refused with the reason where it does not answer with a legal one."""
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
        """End the program; it is started again when it is asked again."""
        with self._lock:
            self._end()

    @property
    def _name(self) -> str:
        return f"{PREFIX}{self.command[:60]}"

    def _running(self) -> _Child:
        child = self._child
        if child is not None and child.owner != os.getpid():
            child = self._child = None  # a copy of our parent's, who goes on talking to it
        if child is not None and child.popen.poll() is not None:
            self._end()
            child = None
        if child is None:
            pipe = subprocess.PIPE
            try:
                popen = subprocess.Popen(
                    self._words,
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    start_new_session=True,  # Ctrl-C is for us
                )
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                raise Refused(f"{self._name} cannot be started: {reason}") from None
            child = self._child = _Child(popen, os.getpid())
            child.listen()
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
            "seat": seen.seat + 1,
            "seed": seed,
        }
        names = {"maxTime": limit.time, "maxCpu": limit.cpu, "maxNodes": limit.nodes, "maxDepth": limit.depth}
        request |= {name: value for name, value in names.items() if value is not None}
        if count <= MOST_MOVES:
            request["moves"] = seen.moves()
        return json.dumps(request).encode() + b"\n"

    def _ask(self, seen: Seen, count: int, seed: int) -> str:
        child = self._running()
        patience = PATIENCE if child.asked else FIRST_PATIENCE
        child.asked += 1
        id = str(child.asked)
        try:
            assert child.popen.stdin
            child.popen.stdin.write(self._request(seen, count, seed, id))
            child.popen.stdin.flush()
        except OSError:
            self._fail_dead(child)
        seconds = patience + max(self.limit.time or 0.0, 2 * (self.limit.cpu or 0.0))
        until = time.monotonic() + seconds
        while True:
            try:
                line = child.answers.get(timeout=max(0.0, until - time.monotonic()))
            except Empty:
                child.popen.kill()
                self._end()
                raise Refused(f"{self._name} did not answer within {seconds:g} seconds, and was ended") from None
            if line is None:
                self._fail_dead(child)
            move = self._move(line, id)
            if move is not None:
                return move

    def _move(self, line: bytes, id: str) -> str | None:
        """The move in a line; None where it is about something else."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Refused(f"{self._name} answered with {ascii(line[:60])[1:]}, not with a JSON object on a line")
        if answer.get("id") not in (id, None):
            return None  # late, to an earlier question
        if "error" in answer:
            raise Refused(f"{self._name} answered with an error: {str(answer['error'])[:200]!a}")
        if "move" not in answer and "warning" in answer:
            return None
        move = answer.get("move")
        if not isinstance(move, str) or answer.get("id") is None:
            raise Refused(f'{self._name} answered with {ascii(line[:60])[1:]}: expected {{"id": "{id}", "move": ...}}')
        return move

    def _fail_dead(self, child: _Child) -> NoReturn:
        self._end()
        code = child.popen.returncode
        words = " | ".join(child.words)
        raise Refused(f"{self._name} ended (exit code {code}){f'; its last words: {words}' if words else ''}")


def read_command(name: str, usual: Limit) -> Program:
    """`cmd:COMMAND` or `cmd:COMMAND@LIMIT`, with the usual limit where none is named."""
    command = name.removeprefix(PREFIX).strip()
    before, at, after = command.rpartition("@")
    if at:
        with contextlib.suppress(Refused):  # an @ may be part of the command
            usual = Limit.read(after)
            command = before.strip()
    return Program(command, usual)
