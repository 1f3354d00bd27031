"""Searching at a terminal: Ctrl-C stops the search, not the program; the result is shown as a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from threading import Event, Thread, Timer

from rich.table import Table
from rich.text import Text

from tilery.cli.output import console
from tilery.core.english import counted
from tilery.core.move import Move
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.search import think

SPINNER_DELAY = 0.3  # seconds before a spinner appears
_REFRESH = 0.1  # seconds between two updates
_MAX_VARIATION_MOVES = 6  # moves of a variation that are shown


@contextlib.contextmanager
def spinner(text: str) -> Iterator[None]:
    """Show a spinner on a terminal while the block runs, if it runs longer than `SPINNER_DELAY`."""
    if not console.is_terminal:
        yield
        return
    status = console.status(Text(text))
    timer = Timer(SPINNER_DELAY, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


class _BackgroundSearch:
    """One call of `think` in a separate thread."""

    def __init__(self) -> None:
        self.is_started = False
        self.stop = Event()
        self.done = Event()  # instead of `is_alive`, which an interrupted `join` may get wrong (Python 3.11)
        self.info: Info | None = None  # the latest report, finally the result
        self.failure: BaseException | None = None

    def run(self, search: Callable[[], Info]) -> None:
        try:
            self.info = search()
        except BaseException as failure:  # raised again by `think_interruptibly`
            self.failure = failure
        finally:
            self.done.set()


def _follow(search: _BackgroundSearch, thread: Thread, show: Callable[[Info], None] | None) -> None:
    """Start the thread unless it is running, and wait until the search is done; show its reports meanwhile."""
    if not search.is_started:
        search.is_started = True
        thread.start()
    shown: Info | None = None
    while not search.done.wait(_REFRESH):
        if show and search.info not in (None, shown):
            shown = search.info
            assert shown
            show(shown)


def think_interruptibly(
    seen: Seen,
    limit: Limit,
    *,
    stream: Stream,
    method: str | None = None,
    threads: int = 1,
    variations: int = 1,
    show: Callable[[Info], None] | None = None,
) -> tuple[Info, bool]:
    """Search until the limit or Ctrl-C; return the result and whether Ctrl-C stopped it. `show` gets the reports."""
    search = _BackgroundSearch()

    def remember(info: Info) -> None:
        search.info = info

    def run() -> Info:
        report = remember if show else None
        return think(
            seen,
            limit,
            stream=stream,
            method=method,
            threads=threads,
            variations=variations,
            report=report,
            every=_REFRESH,
            stop=search.stop,
        )

    thread = Thread(target=search.run, args=(run,), name="search", daemon=True)
    while not search.done.is_set():
        try:
            _follow(search, thread, show)
        except KeyboardInterrupt:
            if search.stop.is_set():
                raise  # a second Ctrl-C: the search does not stop
            search.stop.set()
    if search.failure:
        raise search.failure
    assert search.info
    return search.info, search.stop.is_set()


def percent(share: float) -> str:
    """`61.3 %`."""
    return f"{100 * share:.1f} %"


def points(margin: float) -> str:
    """`+4.2`: points ahead of the best opponent."""
    return f"{margin + 0.0:+.1f}"


def continuation(moves: tuple[Move, ...]) -> str:
    """The moves of a variation after its first one, shortened."""
    shown = " ".join(move.text for move in moves[1 : _MAX_VARIATION_MOVES + 1])
    return shown + (" ..." if len(moves) > _MAX_VARIATION_MOVES + 1 else "")


def search_summary(info: Info) -> str:
    """How far the search looked, and what it solved."""
    proof = f", solved to the end of the {info.horizon}" if info.solved else ""
    share = f", {100 * info.share_solved:.0f} % of the moves solved" if 0 < info.share_solved < 1 else ""
    return f"{info.engine}: depth {info.depth}, {counted(info.nodes, 'node')}, {info.seconds:.1f} s{proof}{share}"


def variations_table(seen: Seen, info: Info, *, words: bool = True) -> Table:
    """The best moves, each with its win probability and margin for the seat to move."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    table.add_column("move", style="bold", no_wrap=True)
    for heading in ("win", "margin"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("✓", no_wrap=True)
    # Some searches count the nodes of all moves together.
    has_nodes = words and len(info.variations) > 1 and info.variations[1].nodes > 0
    if has_nodes:
        table.add_column("nodes", justify="right", no_wrap=True)
    if words:
        table.add_column("in words", ratio=1)
    # Searches of sampled worlds have no single continuation.
    has_continuation = any(len(variation.moves) > 1 for variation in info.variations)
    if has_continuation:
        table.add_column("then", ratio=1)
    for rank, variation in enumerate(info.variations, start=1):
        cells = [percent(variation.wins[info.seat]), points(variation.margins[info.seat])]
        cells.append("✓" if variation.solved else "")
        if has_nodes:
            cells.append(f"{variation.nodes:,}")
        if words:
            cells.append(seen.describe(variation.action))
        if has_continuation:
            cells.append(continuation(variation.moves))
        table.add_row(str(rank), variation.move.text, *cells)
    return table
