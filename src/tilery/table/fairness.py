"""Deals that nobody can predict or choose, and that everybody can verify afterwards.

A table has a secret of 32 bytes. Before anything is dealt, the secret's SHA-256 is published (the commitment). Then the
players' devices add their own entropy. Deal n of the game is a function of the secret, the entropy and n alone. After
the game the secret is published. docs/fairness.md has a verifier that does not use this package.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

import numpy as np

from tilery.core.game import as_rows
from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.table.refusals import SENTENCES

SECRET_BYTES = 32
COMMITMENT, SECRET, ENTROPY = "Commitment", "Secret", "Entropy"  # tags of a record
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


def commitment_of(secret: bytes) -> str:
    """The hash that is published before the first deal."""
    return hashlib.sha256(secret).hexdigest()


def join_entropy(entropy: Sequence[str]) -> str:
    """The entropy of all devices, in the order of arrival."""
    return ",".join(entropy)


def share_of(secret: bytes, entropy: str, number: int) -> float:
    """The random number of a deal, at least 0 and less than 1; deals are numbered from 0."""
    digest = hmac.digest(secret, f"{entropy}/{number}".encode(), "sha256")
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def outcome_at(position: Position, share: float) -> int:
    """The action of a chance step at a share of the cumulative probabilities (inverse transform sampling)."""
    kernel = position.game.kernel
    rows = as_rows(position.row)
    out, probabilities = kernel.new_list(), np.empty(kernel.max_legal, dtype=np.float64)
    count = kernel.probabilities(rows, 0, out, probabilities)
    cumulative = np.add.accumulate(probabilities[:count])
    return int(out[min(int(cumulative.searchsorted(share, "right")), count - 1)])  # rounding may leave the sum below 1


class Dealer:
    """Holds the secret. A deal is computed when it is due, never before."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def __repr__(self) -> str:
        return "Dealer(...)"

    def deal(self, position: Position, entropy: str, number: int) -> int:
        """The action of the chance step that is due; deals are numbered from 0."""
        return outcome_at(position, share_of(self._secret, entropy, number))

    def keeps(self, commitment: str) -> bool:
        """Whether this is the secret that was committed to."""
        return commitment_of(self._secret) == commitment

    def reveal(self) -> str:
        """The secret, to be published after the game."""
        return self._secret.hex()


def check_fairness(record: Record) -> int:
    """Verify every deal of a finished game against the record's tags; returns the number of deals."""
    for name in (COMMITMENT, SECRET, ENTROPY):
        if name not in record.tags:
            raise SENTENCES.refused("fairness-tag", tag=name)
    commitment, secret, entropy = (record.tags[name] for name in (COMMITMENT, SECRET, ENTROPY))
    if not _HEX.fullmatch(secret):
        raise SENTENCES.refused("secret-form", digits=2 * SECRET_BYTES)
    if commitment_of(bytes.fromhex(secret)) != commitment:
        raise SENTENCES.refused("secret-differs")
    dealer = Dealer(bytes.fromhex(secret))
    number = 0
    for at, (ply, position) in enumerate(zip(record.plies, record.positions(), strict=False)):
        if ply.actor != CHANCE:
            continue
        expected = dealer.deal(position, entropy, number)
        if expected != ply.action:
            dealt, due = position.move_text(ply.action), position.move_text(expected)
            raise SENTENCES.refused("deal-differs", at=at, deal=number, dealt=dealt, right=due)
        number += 1
    return number
