"""Thinking at a terminal: Ctrl-C stops the thought, not the program; what was found is told as a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from threading import Event, Thread, Timer

from rich.table import Table
from rich.text import Text

from tilery.cli.printing import console
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.search import think

PATIENCE = 0.3  # seconds after which a spinner appears
_FRAME = 0.1  # seconds between two looks at a search
_LONGEST_LINE = 6  # moves of an expected line that are shown


@contextlib.contextmanager
def spinner(text: str) -> Iterator[None]:
    """Something that turns while somebody thinks, on a terminal and if it takes long enough to wonder."""
    if not console.is_terminal:
        yield
        return
    status = console.status(Text(text))
    timer = Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


class _Thought:
    """One call of `think` in a thread of its own."""

    def __init__(self) -> None:
        self.begun = False
        self.stop = Event()
        self.done = Event()  # not asked of the thread: an interruption of `join` may call it dead (Python 3.11)
        self.info: Info | None = None  # the last that was reported, in the end the result
        self.failure: BaseException | None = None

    def run(self, thought: Callable[[], Info]) -> None:
        try:
            self.info = thought()
        except BaseException as failure:  # told where the result is awaited
            self.failure = failure
        finally:
            self.done.set()


def _follow(thought: _Thought, thread: Thread, show: Callable[[Info], None] | None) -> None:
    """Wait until it is done, and show what it has found so far; the thread is started where that has not happened."""
    if not thought.begun:
        thought.begun = True
        thread.start()
    shown: Info | None = None
    while not thought.done.wait(_FRAME):
        if show and thought.info not in (None, shown):
            shown = thought.info
            assert shown
            show(shown)


def think_aloud(
    seen: Seen,
    limit: Limit,
    *,
    stream: Stream,
    method: str | None = None,
    threads: int = 1,
    lines: int = 1,
    show: Callable[[Info], None] | None = None,
) -> tuple[Info, bool]:
    """What a search finds, and whether Ctrl-C cut it short; `show` is told now and then what it has found so far."""
    thought = _Thought()

    def hear(info: Info) -> None:
        thought.info = info

    def run() -> Info:
        report = hear if show else None
        return think(
            seen,
            limit,
            stream=stream,
            method=method,
            threads=threads,
            lines=lines,
            report=report,
            every=_FRAME,
            stop=thought.stop,
        )

    thread = Thread(target=thought.run, args=(run,), name="thought", daemon=True)
    while not thought.done.is_set():
        try:
            _follow(thought, thread, show)
        except KeyboardInterrupt:
            if thought.stop.is_set():
                raise  # once more: it does not want to stop
            thought.stop.set()
    if thought.failure:
        raise thought.failure
    assert thought.info
    return thought.info, thought.stop.is_set()


def percent(share: float) -> str:
    """`61.3 %`."""
    return f"{100 * share:.1f} %"


def points(margin: float) -> str:
    """`+4.2`: points more than the best other side."""
    return f"{margin + 0.0:+.1f}"


def line_text(moves: tuple[str, ...]) -> str:
    """What is expected to follow a move."""
    return " ".join(moves[1 : _LONGEST_LINE + 1]) + (" ..." if len(moves) > _LONGEST_LINE + 1 else "")


def told(info: Info) -> str:
    """What kind of answer it is: how far it looked, and whether it is proven."""
    proof = f", solved to the end of the {info.horizon}" if info.solved else ""
    share = f", {100 * info.share_solved:.0f} % of the moves solved" if 0 < info.share_solved < 1 else ""
    return f"{info.engine}: depth {info.depth}, {info.nodes:,} nodes, {info.seconds:.1f} s{proof}{share}"


def lines_table(seen: Seen, info: Info, *, words: bool = True) -> Table:
    """The best moves, each with its worth for whoever decides."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    table.add_column("move", style="bold", no_wrap=True)
    for heading in ("win", "margin"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("✓", no_wrap=True)
    counted = words and len(info.lines) > 1 and info.lines[1].nodes > 0  # not by searches that count all together
    if counted:
        table.add_column("nodes", justify="right", no_wrap=True)
    if words:
        table.add_column("in words", ratio=1)
    ahead = any(len(line.moves) > 1 for line in info.lines)  # searches of sampled worlds know no one line
    if ahead:
        table.add_column("then", ratio=1)
    for order, line in enumerate(info.lines, start=1):
        worth = (percent(line.wins[info.seat]), points(line.margins[info.seat]), "✓" if line.solved else "")
        count = (f"{line.nodes:,}",) if counted else ()
        more = (seen.tell(line.action),) if words else ()
        then = (line_text(line.moves),) if ahead else ()
        table.add_row(str(order), line.move, *worth, *count, *more, *then)
    return table
