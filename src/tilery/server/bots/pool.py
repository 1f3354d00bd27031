"""Bots think in processes of their own: a pool of workers that may crash, hang or be cancelled, and a fair queue."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from tilery.core.position import Seen, actor_name
from tilery.core.refusals import NotYourTurn, Refused
from tilery.core.streams import fresh_seed

from .child import Broken, Child, Log
from .hints import LIMIT, is_hint
from .names import check_table_bot

TRIES = 3
PATIENCE = 60.0  # seconds on the wall for a thought
FIRST_PATIENCE = 600.0  # ... and for starting a worker and compiling what it needs, once on each machine
CPU = 10.0  # seconds for a move; then it is a greedy one
MOST_WAITING = 1000

COMMAND = (sys.executable, "-m", "tilery.server.bots.worker")


class BotFailed(Exception):
    """No worker could answer; the text says why. What to do then is the caller's decision."""


class BotsBusy(Exception):
    """So many questions are waiting that this one is not taken: ask again later."""


class Cancelled(Exception):
    """The question was cancelled by `BotPool.cancel` or `BotPool.close`."""


@dataclass(eq=False)
class _Question:
    """One move that is wanted, or a hint."""

    key: str
    seen: Seen
    bot: str  # "": a hint is wanted
    found: asyncio.Future[Any]
    child: Child | None = None  # who is being asked

    @property
    def what(self) -> str:
        """What is wrong when there is no answer."""
        return f"the bot {self.bot} made no move" if self.bot else "there was no hint"

    @property
    def is_settled(self) -> bool:
        return self.found.done()


class BotPool:
    """At most so many workers, each started when it is needed.

    Counters: `asked` questions are `answered`, `failed`, `cancelled`, `waiting` or `running`. Beside that,
    `turned_away` counts questions that were not taken, `replaced` workers that were of no use any more, and `hurried`
    greedy moves made because the CPU time had run out.
    """

    def __init__(
        self,
        workers: int,
        *,
        command: Sequence[str] | None = None,
        patience: float = PATIENCE,
        first_patience: float = FIRST_PATIENCE,
        cpu: float = CPU,
        most_waiting: int = MOST_WAITING,
        log: Log | None = None,
    ) -> None:
        if workers < 1:
            raise Refused(f"at least one worker was expected, not {workers}")
        self.workers = workers
        self.command = tuple(command or COMMAND)
        self.patience, self.first_patience, self.cpu = patience, first_patience, cpu
        self.most_waiting = most_waiting
        self.asked = self.answered = self.failed = self.cancelled = 0
        self.turned_away = self.replaced = self.hurried = 0
        self._log = log or logging.getLogger(__name__).info
        self._is_open = False
        self._waiting: deque[_Question] = deque()
        self._running: dict[str, _Question] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._children: set[Child] = set()
        self._idle: list[Child] = []

    async def open(self) -> None:
        """Begin to take questions; workers are started by the first ones."""
        self._is_open = True

    async def close(self) -> None:
        """Cancel whatever is left, and end all workers."""
        self._is_open = False
        for question in (*self._waiting, *self._running.values()):
            self._cancel(question, "the bots are going home")
        self._waiting.clear()
        for question in self._running.values():
            if question.child:
                question.child.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self._end(child) for child in tuple(self._children)))

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def waiting(self) -> int:
        """How many questions nobody is thinking about yet."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many questions a worker has been given."""
        return sum(not question.is_settled for question in self._running.values())

    @property
    def thinking(self) -> int:
        """How many of those have come so far that everything is compiled."""
        return sum(question.child is not None and question.child.is_thinking for question in self._running.values())

    @property
    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [child.pid for child in self._children]

    async def move(self, seen: Seen, bot_name: str, key: str) -> str:
        """The move that a bot makes; `key` names the table, of which only one question is thought about at a time.

        Raises `Cancelled`, `BotFailed` or `BotsBusy`; a name or a position that is wrong is `Refused`. When the task
        that awaits this is cancelled, so is the question.
        """
        self._check(seen)
        name = check_table_bot(seen.game, seen.rules, bot_name)
        move: str = await self._found(seen, name, key)
        return move

    async def hint(self, seen: Seen, key: str) -> dict[str, Any]:
        """What the engine finds within a second, as `hints.py` writes it. Moves of bots go first: people wait for them.

        Raises as `move` does.
        """
        self._check(seen)
        hint: dict[str, Any] = await self._found(seen, "", key)
        return hint

    def _check(self, seen: Seen) -> None:
        if not self._is_open:
            raise BotFailed("the pool of bots is not open")
        _check(seen)

    async def _found(self, seen: Seen, bot_name: str, key: str) -> Any:
        question = _Question(key, seen, bot_name, asyncio.get_running_loop().create_future())
        self._waiting.append(question)
        self._dispatch()
        if len(self._waiting) > self.most_waiting:
            self._waiting.remove(question)
            self.turned_away += 1
            raise BotsBusy(f"{self.most_waiting} moves of bots are waiting already: ask again later")
        self.asked += 1
        try:
            return await question.found
        except asyncio.CancelledError:
            self.cancelled += question.found.cancelled()  # it may have been answered at the same time
            self._stop(question)
            raise

    def cancel(self, key: str) -> int:
        """Cancel what is waiting or being thought about under this key; tells how many questions that were."""
        running = self._running.get(key)
        mine = [question for question in self._waiting if question.key == key]
        mine += [running] if running and not running.is_settled else []
        for question in mine:
            self._cancel(question, "the question was cancelled")
        return len(mine)

    def _cancel(self, question: _Question, why: str) -> None:
        if not question.is_settled:
            self.cancelled += 1
            self._fail(question, Cancelled(why))
        self._stop(question)

    def _stop(self, question: _Question) -> None:
        """Let nobody think about it any more."""
        if question in self._waiting:
            self._waiting.remove(question)
        if question.child:
            question.child.cancel()

    def _dispatch(self) -> None:
        """Begin with as many questions as there are workers for: in order, but moves first, and one for each key."""
        while len(self._running) < self.workers:
            possible = [one for one in self._waiting if one.key not in self._running]
            question = next((one for one in possible if one.bot), possible[0] if possible else None)
            if question is None:
                return
            self._waiting.remove(question)
            self._running[question.key] = question
            task = asyncio.create_task(self._serve(question))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, question: _Question) -> None:
        try:
            await self._answer(question)
        except Exception as error:  # a fault of ours must not leave anybody waiting
            if not question.is_settled:
                self.failed += 1
                self._fail(question, BotFailed(f"a fault of the server: {type(error).__name__}: {error}"))
        finally:
            question.found.cancel()  # where this task itself was cancelled; else it is settled
            del self._running[question.key]
            self._dispatch()

    async def _answer(self, question: _Question) -> None:
        problem = ""
        for _ in range(TRIES):
            if question.is_settled:
                return
            try:
                answer = await self._try(question)
            except Broken as broken:
                problem = str(broken)
                continue
            if question.is_settled:
                return
            if "refused" not in answer:
                self.answered += 1
                self._note_hurry(question, answer)
                question.found.set_result(answer["move" if question.bot else "hint"])
                return
            problem = answer["refused"]
            break
        if not question.is_settled:
            self.failed += 1
            self._fail(question, BotFailed(f"{question.what}: {problem}"))

    async def _try(self, question: _Question) -> dict[str, Any]:
        """Ask one worker; if it proves to be of no use, it is ended."""
        child = await self._free_child()
        try:
            if question.is_settled:
                self._idle.append(child)
                return {}
            question.child = child
            answer = await child.ask(self._request(question), self.patience, self.first_patience)
            _check_answer(question, answer)
        except BaseException as error:  # whatever it is, this worker is not asked again
            child.kill()
            code = await self._end(child)
            if self._is_open:
                self.replaced += 1
                self._log(f"worker {child.pid} was ended: {error} ({code})")
            raise
        finally:
            question.child = None
        self._idle.append(child)
        return answer

    async def _free_child(self) -> Child:
        while self._idle:
            child = self._idle.pop()
            if child.is_alive:
                return child
            self.replaced += 1
            self._log(f"worker {child.pid} has ended by itself ({await self._end(child)})")
        child = await Child.start(self.command, self._log)
        self._children.add(child)
        return child

    async def _end(self, child: Child) -> str:
        code = await child.end()
        self._children.discard(child)
        if child in self._idle:
            self._idle.remove(child)
        return code

    def _request(self, question: _Question) -> dict[str, Any]:
        """All that a worker ever learns."""
        seen = question.seen
        wanted = {"bot": question.bot} if question.bot else {"hint": LIMIT}
        return {"position": seen.text, "seat": seen.seat, **wanted, "seed": fresh_seed(), "cpu": self.cpu}

    def _note_hurry(self, question: _Question, answer: dict[str, Any]) -> None:
        if answer.get("hurried"):
            self.hurried += 1
            self._log(f"{question.bot} used up {self.cpu:g} seconds of CPU time, and made a greedy move")

    def _fail(self, question: _Question, error: Exception) -> None:
        question.found.set_exception(error)
        question.found.exception()  # whoever asked may be gone


def _check(seen: Seen) -> None:
    """Only what a seat sees may leave for a worker, and only where that seat has to decide."""
    if not isinstance(seen, Seen):
        raise TypeError(f"a bot gets what a seat sees, not a {type(seen).__name__}")
    if seen.game.secret and seen.game.viewer_of(seen.row) != seen.seat:
        raise Refused(f"this is more than {actor_name(seen.seat)} sees")
    if seen.actor != seen.seat:
        raise NotYourTurn(f"{actor_name(seen.seat)} has nothing to decide here: {actor_name(seen.actor)} acts")


def _check_answer(question: _Question, answer: dict[str, Any]) -> None:
    """An answer is a legal move (or a hint), a refusal, or says that it was cancelled as it should be; all else is a
    fault."""
    if question.is_settled or isinstance(answer.get("refused"), str):
        return  # nobody wants to know, or somebody will
    move = answer.get("move")
    if question.bot and isinstance(move, str):
        if not _is_legal(question.seen, move):
            raise Broken(f"it answered with {move[:60]!a}, which is not legal")
    elif question.bot or not is_hint(question.seen, answer.get("hint")):
        raise Broken(f"it answered with {str(answer.get('error') or answer)[:200]!a}")


def _is_legal(seen: Seen, move: str) -> bool:
    # `Seen.refusal` would be wrong here: it wants to hear which card came with a swap, and nobody knows that yet.
    try:
        return seen.action(move) in seen.actions()
    except Refused:
        return False
