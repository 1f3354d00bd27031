"""A checksum over many random games in every variant: `python -m tests.fingerprint` prints it.

The same kernel source must give the same number compiled, compiled with bounds checks, and as plain Python.
"""

from __future__ import annotations

import hashlib

import numpy as np

from tests.variants import EVERY
from tilery.core.streams import Stream
from tilery.games import GAMES

GAMES_EACH = 2


def fingerprint(family: str) -> str:
    """Every list of legal actions, every row, all probabilities, scores and results, hashed."""
    digest = hashlib.sha256()
    kernel = GAMES[family].kernel
    out = kernel.new_list()
    p = np.empty(kernel.max_legal, dtype=np.float64)
    numbers = np.zeros(8, dtype=np.int64)
    shares = np.zeros(8, dtype=np.float64)
    for rules in EVERY[family]:
        rows = kernel.new_rows(GAMES_EACH)
        rng = Stream("fingerprint", rules.text).generators(GAMES_EACH)
        for i in range(GAMES_EACH):
            kernel.setup(rows, i, np.array(rules.options, dtype=np.int64))
            while kernel.actor(rows, i) != -2:
                count = kernel.legal(rows, i, out)
                digest.update(out[:count].tobytes())
                if kernel.actor(rows, i) == -1:
                    kernel.probabilities(rows, i, out, p)
                    digest.update(p[:count].round(12).tobytes())
                    action = kernel.draw(rows, i, rng)
                else:
                    action = int(out[int(rng[i]) % count])
                assert kernel.refusal(rows, i, action) == 0
                kernel.apply(rows, i, action)
                digest.update(rows[i].tobytes())
            kernel.scores(rows, i, numbers)
            ended = kernel.result(rows, i, shares)
            digest.update(f"{ended} {numbers.tolist()} {shares.round(12).tolist()}".encode())
            kernel.setup(rows, i, np.array(rules.options, dtype=np.int64))
            digest.update(f"{kernel.playout(rows, i, i + 1, rng, 10_000, out)}".encode())
            digest.update(rows[i].tobytes())
            digest.update(rng.tobytes())
    return digest.hexdigest()


def fingerprints() -> str:
    """One line for each family of games."""
    return "\n".join(f"{family} {fingerprint(family)}" for family in EVERY)


if __name__ == "__main__":
    print(fingerprints())
