"""What goes wrong in a run, drawn from its seed: each has some kinds of trouble and not others, because a little of
everything would hide what only much of one thing shows."""

from __future__ import annotations

from random import Random

STRIKES = ("crash", "pause", "outage", "cut", "cut", "stop")


class Weather:
    """How often things fail, until `is_fair`."""

    def __init__(self, random: Random, processes: int) -> None:
        self._random = random
        self._alone = processes == 1
        self.is_fair = False
        self.down = random.choice((0.0, 0.0, 0.02, 0.08))
        self.full = random.choice((0.0, 0.0, 0.03))
        self.slow = random.choice((0.0, 0.05, 0.2))
        self.mail_lost = random.choice((0.0, 0.05, 0.3))
        self.give_up = random.choice((0.0, 0.3))
        self.twice = random.choice((0.0, 0.3))
        self.mischief = random.choice((0.0, 0.3))
        self.bot_fails = random.choice((0.0, 0.1))
        self.every = random.choice((0.5, 1.0, 2.5))  # seconds between strikes
        self.silence = random.choice((0.5, 1.5, 3.0))  # seconds after which a process counts as dead
        self.until = random.uniform(4.0, 14.0)
        self.strikes = [kind for kind in STRIKES if random.random() < 0.5]

    def happens(self, chance: float) -> bool:
        return not self.is_fair and self._random.random() < chance

    def fate_of(self, is_cut_off: bool) -> str:
        """What becomes of a question to the store. Only a lost connection delivers something late, and then the store
        says afterwards that anything may have happened."""
        if is_cut_off or self.happens(self.down):
            return self._random.choice(("lost", "done") if self._alone else ("lost", "done", "late"))
        return "full" if self.happens(self.full) else "well"

    def delay(self) -> float:
        """How long a message takes."""
        if self.happens(self.slow):
            return self._random.uniform(0.05, 1.5)
        return self._random.uniform(0.001, 0.02)

    def strike(self) -> str:
        """What happens next, "" for nothing."""
        return self._random.choice(self.strikes) if self.strikes else ""
