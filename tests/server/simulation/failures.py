"""The failures of a run, drawn from its seed. Each run has only some kinds of failures, because a mixture of all would
hide bugs that only many failures of one kind show."""

from __future__ import annotations

from random import Random

KINDS = ("crash", "pause", "outage", "cut", "cut", "stop")


class Failures:
    """The probabilities of failures, until `has_ended`."""

    def __init__(self, random: Random, processes: int) -> None:
        self._random = random
        self._alone = processes == 1
        self.has_ended = False
        self.down = random.choice((0.0, 0.0, 0.02, 0.08))
        self.full = random.choice((0.0, 0.0, 0.03))
        self.slow = random.choice((0.0, 0.05, 0.2))
        self.mail_lost = random.choice((0.0, 0.05, 0.3))
        self.give_up = random.choice((0.0, 0.3))
        self.twice = random.choice((0.0, 0.3))
        self.invalid_commands = random.choice((0.0, 0.3))
        self.bot_fails = random.choice((0.0, 0.1))
        self.every = random.choice((0.5, 1.0, 2.5))  # seconds between failures
        self.silence = random.choice(
            (0.5, 1.5, 3.0)
        )  # seconds without a heartbeat after which a process counts as dead
        self.until = random.uniform(4.0, 14.0)
        self.kinds = [kind for kind in KINDS if random.random() < 0.5]

    def happens(self, chance: float) -> bool:
        return not self.has_ended and self._random.random() < chance

    def outcome_of(self, is_disconnected: bool) -> str:
        """The outcome of a request to the store. Only a lost connection delivers something late; then the store sends
        news that anything may have happened."""
        if is_disconnected or self.happens(self.down):
            return self._random.choice(("lost", "done") if self._alone else ("lost", "done", "late"))
        return "full" if self.happens(self.full) else "well"

    def delay(self) -> float:
        """The delay of a message."""
        if self.happens(self.slow):
            return self._random.uniform(0.05, 1.5)
        return self._random.uniform(0.001, 0.02)

    def next_kind(self) -> str:
        """The kind of the next failure; "" for none."""
        return self._random.choice(self.kinds) if self.kinds else ""
