"""The arena: plays pairings of bots in worker processes, stores every finished pair, and can be resumed.

The result depends only on the settings and the bots, not on the number of workers or on interruptions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tilery.core.refusals import Refused
from tilery.engine.bots import bot
from tilery.lab.match import FindBot, Pair, seatings
from tilery.lab.run_folder import RunFolder
from tilery.lab.settings import Settings, start_run
from tilery.lab.sprt import Sprt
from tilery.lab.workers import Workers, compile_bots, cores


class Standings:
    """The results of a run so far. A sequential test counts pairs in the order of their numbers, not as they finish."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.results: dict[tuple[int, int], Pair] = {}
        self.sides = settings.rules.sides
        self.games_per_pair = len(seatings(settings.rules))
        self.llr = 0.0
        self.verdict = ""
        self._outcomes: dict[float, float] = {}
        self._tested = 0  # pairs that the test has counted

    def add(self, pair: Pair) -> None:
        """Add a finished pair."""
        self.results[pair.pairing, pair.number] = pair
        if self.settings.sprt is None:
            return
        test = Sprt(*self.settings.sprt)
        while not self.verdict and (0, self._tested) in self.results:
            share = self.results[0, self._tested].share
            self._outcomes[share] = self._outcomes.get(share, 0.0) + 1
            self._tested += 1
            self.llr = test.llr(self._outcomes, self.sides)
            self.verdict = test.verdict(self.llr)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs that count, in order; after a verdict of the sequential test, none beyond the deciding pair."""
        keys = sorted(self.results)
        return [self.results[key] for key in keys if not self.verdict or key[1] < self._tested]

    @property
    def games(self) -> int:
        """The number of finished games."""
        return len(self.results) * self.games_per_pair

    @property
    def done(self) -> bool:
        """Whether nothing is left to play."""
        return bool(self.verdict) or len(self.results) == self.settings.pairs * len(self.settings.pairings)


def run_arena(
    settings: Settings,
    path: Path,
    *,
    workers: int | None = None,
    find: FindBot = bot,
    progress: Callable[[Standings], None] = lambda _: None,
) -> Standings:
    """Play the missing pairs of a run in the folder `path`; `progress` is called after every pair.

    `find` returns the bot of a name. It is sent to worker processes, so it must be picklable, such as a module-level
    function. A single worker plays in this process.
    """
    count = cores() if workers is None else workers
    if count < 1:
        raise Refused(f"at least one worker was expected, not {count}")
    compile_bots(settings.game, settings.variant, settings.bots, find)
    start_run(path, settings)
    standings = Standings(settings)
    with RunFolder(path) as folder:
        for pair in folder.pairs.values():
            standings.add(pair)
        progress(standings)
        missing = [
            (settings, find, pairing, number)
            for number in range(settings.pairs)
            for pairing in range(len(settings.pairings))
            if (pairing, number) not in standings.results
        ]
        if standings.done:
            return standings
        count = min(count, len(missing))
        with Workers(count, settings.game, settings.variant, settings.bots, find) as processes:
            for pair, records in processes.play_pairs(iter(missing)):
                folder.add(pair, records)
                standings.add(pair)
                progress(standings)
                if standings.done:
                    break
    return standings
