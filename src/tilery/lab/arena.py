"""The arena: pairings of bots, played in processes, kept pair by pair, and gone on with after any interruption.

The result depends on the settings alone (and on the bots): not on the number of workers, not on interruptions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tilery.core.refusals import Refused
from tilery.engine.bots import bot
from tilery.lab.folder import Folder
from tilery.lab.match import Find, Pair, seatings
from tilery.lab.settings import Settings, begin_run
from tilery.lab.sprt import Sprt
from tilery.lab.workers import Workers, cores, ready


class Standings:
    """How far a run has come. A sequential test looks at pairs by their numbers, not as they happened to finish."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.found: dict[tuple[int, int], Pair] = {}
        self.sides = settings.rules.sides
        self.games_a_pair = len(seatings(settings.rules))
        self.llr = 0.0
        self.verdict = ""
        self._outcomes: dict[float, float] = {}
        self._looked_at = 0  # pairs that the test has counted

    def add(self, pair: Pair) -> None:
        """Count a finished pair."""
        self.found[pair.pairing, pair.number] = pair
        if self.settings.sprt is None:
            return
        test = Sprt(*self.settings.sprt)
        while not self.verdict and (0, self._looked_at) in self.found:
            share = self.found[0, self._looked_at].share
            self._outcomes[share] = self._outcomes.get(share, 0.0) + 1
            self._looked_at += 1
            self.llr = test.llr(self._outcomes, self.sides)
            self.verdict = test.verdict(self.llr)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs that count, by their numbers: with a sequential test none behind the one that decided it."""
        keys = sorted(self.found)
        return [self.found[key] for key in keys if not self.verdict or key[1] < self._looked_at]

    @property
    def games(self) -> int:
        """How many games are finished."""
        return len(self.found) * self.games_a_pair

    @property
    def done(self) -> bool:
        """Whether nothing more is to be played."""
        return bool(self.verdict) or len(self.found) == self.settings.pairs * len(self.settings.pairings)


def run_arena(
    settings: Settings,
    path: Path,
    *,
    workers: int | None = None,
    find: Find = bot,
    tell: Callable[[Standings], None] = lambda _: None,
) -> Standings:
    """Play what is missing in a folder; `tell` hears after every pair how things stand.

    `find` gives a bot by its name; it goes to other processes by its own name, so it has to be a function of a module.
    One worker plays in this process.
    """
    count = cores() if workers is None else workers
    if count < 1:
        raise Refused(f"at least one worker was expected, not {count}")
    ready(settings.game, settings.variant, settings.bots, find)
    begin_run(path, settings)
    now = Standings(settings)
    with Folder(path) as folder:
        for pair in folder.pairs.values():
            now.add(pair)
        tell(now)
        missing = [
            (settings, find, pairing, number)
            for number in range(settings.pairs)
            for pairing in range(len(settings.pairings))
            if (pairing, number) not in now.found
        ]
        if now.done:
            return now
        count = min(count, len(missing))
        with Workers(count, settings.game, settings.variant, settings.bots, find) as processes:
            for pair, records in processes.play(iter(missing)):
                folder.add(pair, records)
                now.add(pair)
                tell(now)
                if now.done:
                    break
    return now
