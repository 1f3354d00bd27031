"""The process in which bots think: questions come in as lines of JSON, and moves go out.

    {"id": 7, "position": "azul:2 ...", "seat": 0, "bot": "level-5", "seed": 123, "cpu": 10.0}
    {"id": 8, "position": "azul:2 ...", "seat": 0, "hint": "1s", "seed": 124, "cpu": 10.0}
    {"cancel": 7}

The second one asks for a hint, with the limit of the search. A question is answered twice: with
`{"id": 7, "thinking": true}` as soon as everything is compiled, then with one of

    {"id": 7, "move": "..."}    and "hurried": true where the CPU time ran out, so that it is only a greedy move
    {"id": 8, "hint": {...}}    as in `hints.py`
    {"id": 7, "cancelled": true}
    {"id": 7, "refused": "..."} asked again, it would be refused again
    {"id": 7, "error": "..."}   a fault of the bot

The position is what a seat sees, nothing more ever gets here. When the input ends, so does the process, in the middle
of a thought too: nobody is left to hear the answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from types import FrameType
from typing import IO, Any

from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.bots import bot, check_bot
from tilery.engine.family import family_of, method_of
from tilery.engine.limits import Limit
from tilery.engine.report import method_for
from tilery.engine.search import think
from tilery.games import game
from tilery.server.bots.hints import LINES, hint_of

NICENESS = 5  # the server's own answers go first
MEMORY = 4 << 30  # bytes of addresses; a search needs an eighth of that, numba compiling it a quarter
_MOST_NAMES = 500  # of bots that are remembered: each limit is another name
_LONGEST = 500  # characters of a complaint
_AGAIN = 0.01  # seconds of CPU time after which a thought that goes on all the same is interrupted again
_FRAGILE = ("numba", "llvmlite")  # they free things twice when they are interrupted

Answer = dict[str, Any]


class _Interrupted(BaseException):
    """Raised inside a thought. No `Exception`, so that nothing on the way takes it for a fault of its own."""


class _Cancelled(_Interrupted):
    """Nobody wants the answer any more."""


class _TooLong(_Interrupted):
    """The CPU time of this move is used up."""


@dataclass(frozen=True)
class Question:
    """What is asked for: one move, or a hint."""

    id: int
    position: str
    seat: int
    seed: int
    cpu: float  # seconds
    bot: str = ""
    hint: str = ""  # the limit of a search; then no bot is named


class Worker:
    """Thinks in the main thread, where signals are handled, and listens in another one."""

    def __init__(self, say: Callable[[Answer], None]) -> None:
        self._say = say
        self._questions: SimpleQueue[Question] = SimpleQueue()
        self._thinking: int | None = None  # the id; only meanwhile is anything raised
        self._cancelled: int | None = None
        for number in (signal.SIGUSR1, signal.SIGPROF):
            signal.signal(number, self._interrupt)

    def listen(self, lines: IO[bytes]) -> None:
        """Take what comes until the input ends, and end the process then."""
        code = 0
        try:
            for line in lines:
                message = json.loads(line)
                if "cancel" in message:
                    self._cancelled = message["cancel"]
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
                else:
                    self._questions.put(Question(**message))
        except (OSError, ValueError, TypeError) as error:
            print(f"this cannot be understood: {error}", file=sys.stderr, flush=True)
            code = 1
        os._exit(code)

    def work(self) -> None:
        """Answer one question after the other."""
        while True:
            question = self._questions.get()
            try:
                answer = self._answer(question)
            except Refused as refused:
                answer = {"refused": str(refused)[:_LONGEST]}
            except Exception as error:  # the server decides what is to be done
                answer = {"error": f"{type(error).__name__}: {error}"[:_LONGEST]}
            self._say({"id": question.id, **answer})

    def _answer(self, question: Question) -> Answer:
        seen = game(question.position.partition(":")[0]).read_seen(question.position, question.seat)
        think = self._ready_hint(question, seen) if question.hint else self._ready_bot(question, seen)
        self._say({"id": question.id, "thinking": True})
        try:
            return self._interruptible(question, think)
        except _Interrupted as interrupted:
            self._thinking = None
            if isinstance(interrupted, _Cancelled):
                return {"cancelled": True}
        if question.hint:
            raise Refused(f"the engine took more than {question.cpu:g} seconds of CPU time")
        stream = Stream("table", question.seed, "hurried")
        return {"move": seen.move_text(bot("greedy").choose(seen, stream)), "hurried": True}

    def _ready_bot(self, question: Question, seen: Seen) -> Callable[[], Answer]:
        """Let a bot choose; whatever it needs is compiled first."""
        check_bot(seen.game, question.bot, seen.rules)
        family_of(seen.game, "greedy")
        if bot.cache_info().currsize > _MOST_NAMES:
            bot.cache_clear()
        stream = Stream("table", question.seed)
        return lambda: {"move": seen.move_text(bot(question.bot).choose(seen, stream))}

    def _ready_hint(self, question: Question, seen: Seen) -> Callable[[], Answer]:
        """Let the engine search; whatever it needs is compiled first."""
        limit = Limit.read(question.hint)
        method = method_for(seen, limit, None)
        method_of(seen.game, method)
        stream = Stream("hint", question.seed)

        def think_of_it() -> Answer:
            info = think(seen, limit, stream=stream, method=method, lines=LINES)
            return {"hint": hint_of(seen, info, method)}

        return think_of_it

    def _interruptible(self, question: Question, think: Callable[[], Answer]) -> Answer:
        """Think until it is interrupted."""
        try:
            self._thinking = question.id
            if self._cancelled == question.id:  # before there was anything to interrupt
                raise _Cancelled
            signal.setitimer(signal.ITIMER_PROF, question.cpu, _AGAIN)
            return think()
        finally:
            self._thinking = None
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise, if there is a thought to interrupt.

        The timer tries again as long as the thought goes on: because this was no good moment, or because what was
        raised is lost (in a `__del__` it would be).
        """
        if self._thinking is None:
            return
        is_cancelled = self._thinking == self._cancelled
        if is_cancelled:
            signal.setitimer(signal.ITIMER_PROF, _AGAIN, _AGAIN)
        if (is_cancelled or number == signal.SIGPROF) and not _is_fragile(frame):
            raise _Cancelled if is_cancelled else _TooLong


def _is_fragile(frame: FrameType | None) -> bool:
    """Whether this is inside of something that must not be left half done."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _FRAGILE:
            return True
        frame = frame.f_back
    return False


def _own_output() -> IO[bytes]:
    """The output for answers; whatever else is printed goes where errors go."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return out


def _be_modest() -> None:
    os.nice(NICENESS)
    with contextlib.suppress(OSError, ValueError):  # not every system keeps count of addresses
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))


def main() -> None:
    """Work for the process that has started this one."""
    out = _own_output()
    _be_modest()

    def say(answer: Answer) -> None:
        try:
            out.write(json.dumps(answer).encode() + b"\n")  # short enough to be written at once
        except OSError:
            os._exit(1)  # nobody hears it

    worker = Worker(say)
    threading.Thread(target=worker.listen, args=(sys.stdin.buffer,), daemon=True).start()
    worker.work()


if __name__ == "__main__":
    main()
