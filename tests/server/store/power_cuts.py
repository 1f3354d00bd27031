"""What a power cut leaves of a store's files, at any moment of a recorded run.

What was synced is there. Of what was written to a file since its last sync, a disk may have kept the beginning, cut off
anywhere (also inside a page), or any part of each write in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.server.store.recording_disk import FILES, Step

SECTOR = 512
DATABASE = "tables.db"


class Cut(NamedTuple):
    """A power cut: `step` steps are over, of the next one the first bytes. Without a seed everything that was written
    until then is there, with one only a random part of what was not synced."""

    step: int
    in_step: int = 0
    seed: int | None = None


def apply(image: bytearray, step: Step, first: int = 0, last: int | None = None) -> None:
    """Carry out a write (or the part of it between two bytes), a truncation or a deletion."""
    if step.what != "write":
        del image[step.offset :]
        image.extend(bytes(step.offset - len(image)))
        return
    data = step.data[first:last]
    start = step.offset + first
    if data:
        image.extend(bytes(max(0, start - len(image))))
        image[start : start + len(data)] = data


class Replay:
    """Goes through a recorded run, and makes the files as they are after a power cut."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._at = 0
        self._synced = {file: bytearray() for file in FILES}
        self._pending: dict[str, list[Step]] = {file: [] for file in FILES}
        self.said: list[object] = []  # before the cut

    def write_files(self, cut: Cut, folder: Path) -> None:
        """Cuts must come in order."""
        self._go_to(cut.step)
        for file, end in FILES.items():
            image = bytearray(self._synced[file])
            pending = self._pending[file]
            if cut.seed is None:
                for step in pending:
                    apply(image, step)
            else:
                self._apply_part(image, pending, Random(cut.seed))
            if cut.in_step and self._steps[cut.step].file == file:
                apply(image, self._steps[cut.step], 0, cut.in_step)
            (folder / f"{DATABASE}{end}").write_bytes(image)
        (folder / f"{DATABASE}-shm").unlink(missing_ok=True)

    def _go_to(self, step: int) -> None:
        for done in self._steps[self._at : step]:
            if done.what == "said":
                self.said.append(done.said)
            elif done.file == "folder":
                self._sync_folder()
            elif done.what == "sync":
                for each in self._pending[done.file]:
                    apply(self._synced[done.file], each)
                self._pending[done.file].clear()
            else:
                self._pending[done.file].append(done)
        self._at = step

    def _sync_folder(self) -> None:
        """Whatever was deleted is gone; what was written to a new file of that name is not synced by that."""
        for file, pending in self._pending.items():
            last = max((number for number, step in enumerate(pending) if step.what == "delete"), default=-1)
            for step in pending[: last + 1]:
                apply(self._synced[file], step)
            del pending[: last + 1]

    @staticmethod
    def _apply_part(image: bytearray, pending: Sequence[Step], random: Random) -> None:
        kept = random.choice((0.0, 0.1, 0.5, 0.9))
        for step in pending:
            if step.what == "delete" and random.random() >= kept:
                return  # the old file is still there, and the new one has no name
            if step.what != "write":
                if step.what == "delete" or random.random() < kept:
                    apply(image, step)
                continue
            for first in range(0, len(step.data), SECTOR):
                if random.random() < kept:
                    last = first + SECTOR if random.random() < 0.9 else first + random.randrange(SECTOR)
                    apply(image, step, first, last)


def cuts(steps: Sequence[Step], count: int, random: Random) -> Iterator[Cut]:
    """At least `count` cuts in order: at every boundary of writes, syncs and acknowledgements, the others inside writes
    and with unsynced writes lost; or a random selection of these, if there are more boundaries."""
    boundaries = len(steps) + 1
    if count < boundaries:
        chosen = sorted(random.sample(range(boundaries), count))
        for step in chosen:
            yield random.choice((Cut(step), _inside(steps, step, random), Cut(step, seed=random.randrange(1 << 30))))
        return
    more = -(-(count - boundaries) // boundaries)
    for step in range(boundaries):
        yield Cut(step)
        for _ in range(more):
            yield random.choice((_inside(steps, step, random), Cut(step, seed=random.randrange(1 << 30))))


def _inside(steps: Sequence[Step], step: int, random: Random) -> Cut:
    length = len(steps[step].data) if step < len(steps) else 0
    if length < 2:
        return Cut(step, seed=random.randrange(1 << 30))
    return Cut(step, random.choice((random.randrange(1, length), min(length - 1, SECTOR * random.randrange(1, 8)))))
