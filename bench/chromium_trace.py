"""Web metrics from a Chromium trace: paint times, long tasks, layout shifts, frame rates."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

CATEGORIES = [
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-lighthouse",
    "loading",
    "toplevel",
]
LONG_TASK = 50.0  # milliseconds
FRAME = 1000 / 60  # milliseconds


@dataclass(frozen=True)
class Loading:
    """The loading of a page, in milliseconds since the start of the navigation."""

    first_paint: float  # first contentful paint
    largest_paint: float  # largest contentful paint
    quiet: float  # end of the last long task, or the first paint
    blocking: float  # total blocking time: the part of every long task beyond 50 ms
    shift: float  # cumulative layout shift, except after input


@dataclass(frozen=True)
class Frames:
    """The frames of an animation."""

    seconds: float
    drawn: int
    dropped: int
    in_time: float  # the share of frames drawn within 1/60 s of the frame before
    busiest: float  # the longest task of the main thread, in milliseconds

    @property
    def per_second(self) -> float:
        return self.drawn / self.seconds if self.seconds else 0.0


class Trace:
    """The events of a trace."""

    def __init__(self, data: bytes) -> None:
        self._events: list[dict[str, Any]] = json.loads(data)["traceEvents"]

    def _named(self, *names: str) -> list[dict[str, Any]]:
        return [event for event in self._events if event.get("name") in names]

    def _tasks(self, pid: int, tid: int) -> list[tuple[float, float]]:
        """Start (microseconds) and length (milliseconds) of every task of a thread."""
        return [
            (event["ts"], event.get("dur", 0) / 1000)
            for event in self._named("RunTask", "ThreadControllerImpl::RunTask")
            if (event["pid"], event["tid"]) == (pid, tid)
        ]

    def loading(self, marked: float) -> Loading:
        """The loading of a page that set the mark "bench-loaded" `marked` milliseconds after the navigation started.

        The start is computed from the mark: the event of the navigation is lost if the page gets a new process.
        """
        mark = next(one for one in self._named("bench-loaded") if one["cat"] == "blink.user_timing")
        begin = mark["ts"] - marked * 1000

        def after(*names: str) -> list[float]:
            times = [event["ts"] for event in self._named(*names) if event["pid"] == mark["pid"]]
            return sorted((at - begin) / 1000 for at in times if at >= begin)

        first = after("firstContentfulPaint")[0]
        largest = after("largestContentfulPaint::Candidate") or [first]
        long = [
            ((at - begin) / 1000 + length, length)
            for at, length in self._tasks(mark["pid"], mark["tid"])
            if length > LONG_TASK and (at - begin) / 1000 + length > first
        ]
        shifts = [event["args"]["data"] for event in self._named("LayoutShift") if event["ts"] >= begin]
        return Loading(
            first_paint=first,
            largest_paint=largest[-1],
            quiet=max([first, *(end for end, _ in long)]),
            blocking=sum(length - LONG_TASK for _, length in long),
            shift=sum(data.get("score", 0.0) for data in shifts if not data.get("had_recent_input")),
        )

    def frames(self) -> Frames:
        """All frames between the marks "bench-begin" and "bench-end" of the page."""
        marks = {
            event["name"]: event
            for event in self._named("bench-begin", "bench-end")
            if event["cat"] == "blink.user_timing"
        }
        begin, end = marks["bench-begin"]["ts"], marks["bench-end"]["ts"]

        def between(*names: str) -> list[float]:
            return sorted(event["ts"] for event in self._named(*names) if begin <= event["ts"] <= end)

        drawn = between("DrawFrame")
        gaps = [(later - sooner) / 1000 for sooner, later in pairwise(drawn)]
        main = marks["bench-begin"]
        tasks = [length for at, length in self._tasks(main["pid"], main["tid"]) if begin <= at <= end]
        return Frames(
            seconds=(end - begin) / 1e6,
            drawn=len(drawn),
            dropped=len(between("DroppedFrame")),
            in_time=sum(gap < FRAME * 1.25 for gap in gaps) / max(1, len(gaps)),  # frame times are not exact
            busiest=max(tasks, default=0.0),
        )
