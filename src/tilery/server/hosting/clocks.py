"""Time for the tables of a process: a clock that never jumps, and the pauses during which the process did not run."""

from __future__ import annotations

import time
from collections.abc import Callable

BEAT_INTERVAL = 0.25  # seconds
MIN_PAUSE = 1.0  # seconds without a beat that count as a pause


def _elapsed() -> float:
    """Seconds by a clock that nobody can set, and that goes on while the machine is suspended, if there is one."""
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


class SteadyClock:
    """Seconds since 1970. The system's clock is read once, when the process starts: whoever sets it afterwards changes
    nobody's time."""

    def __init__(self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = _elapsed) -> None:
        self._elapsed = elapsed
        self._offset = wall() - elapsed()

    def __call__(self) -> float:
        return self._offset + self._elapsed()


class Pauses:
    """Notices when the process did not run for a while, because it was suspended or the machine was asleep.

    `beat` is to be called every `BEAT_INTERVAL`. Whoever is about to act on the time of a table asks `count_at` first:
    after a pause, expired timers may run before the next beat.
    """

    def __init__(self) -> None:
        self._count = 0
        self._last_beat: float | None = None  # None: no beat yet, so that nothing is known about pauses

    def beat(self, now: float) -> bool:
        """Note that the process runs; returns whether a pause has been noticed since the last beat."""
        before = self._count
        self.count_at(now)
        self._last_beat = now
        return self._count > before

    def count_at(self, now: float) -> int:
        """The number of pauses so far."""
        if self._last_beat is not None and now - self._last_beat > MIN_PAUSE:
            self._count += 1
            self._last_beat = now
        return self._count
