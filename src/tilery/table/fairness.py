"""Deals that nobody can foresee or choose, and that everybody can verify afterwards.

A table has a secret of 32 bytes. Before anything is dealt, it publishes the secret's SHA-256 (the commitment). Then the
devices of the players add entropy of their own. Deal number n of the game follows from all three, and from nothing
else. After the game the secret is shown. docs/fairness.md says it in a few lines that need none of this.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

import numpy as np

from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.core.refusals import Refused

SECRET_BYTES = 32
COMMITMENT, SECRET, ENTROPY = "Commitment", "Secret", "Entropy"  # tags of a record
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


def commitment_of(secret: bytes) -> str:
    """What is published before the first deal."""
    return hashlib.sha256(secret).hexdigest()


def joined(entropy: Sequence[str]) -> str:
    """What all devices have added, in the order in which it came."""
    return ",".join(entropy)


def share_of(secret: bytes, entropy: str, number: int) -> float:
    """A number from 0 to below 1 for deal `number` of a game (from 0)."""
    digest = hmac.digest(secret, f"{entropy}/{number}".encode(), "sha256")
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def outcome_at(position: Position, share: float) -> int:
    """The outcomes of a step of chance stand in a row, each as wide as its odds; this is the one at a place."""
    kernel = position.game.kernel
    rows = np.frombuffer(bytearray(position.row), dtype=np.uint8).reshape(1, -1)
    out, odds = kernel.new_list(), np.empty(kernel.most_legal, dtype=np.float64)
    count = kernel.odds(rows, 0, out, odds)
    laid = np.add.accumulate(odds[:count])  # one after the other, from the left
    return int(out[min(int(laid.searchsorted(share, "right")), count - 1)])  # they sum to a hair below 1


class Dealer:
    """Who holds the secret. Nothing is dealt ahead: a deal is worked out when its turn has come."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def __repr__(self) -> str:
        return "Dealer(...)"

    def deal(self, position: Position, entropy: str, number: int) -> int:
        """The outcome of the step of chance that has come."""
        return outcome_at(position, share_of(self._secret, entropy, number))

    def reveal(self) -> str:
        """After the game: the secret."""
        return self._secret.hex()


def check_fairness(record: Record) -> int:
    """Verify every deal of a finished game by its tags; returns how many there were."""
    for name in (COMMITMENT, SECRET, ENTROPY):
        if name not in record.tags:
            raise Refused(f"the record has no tag {name}: only a game that a server has dealt and finished has one")
    commitment, secret, entropy = (record.tags[name] for name in (COMMITMENT, SECRET, ENTROPY))
    if not _HEX.fullmatch(secret):
        raise Refused("the tag Secret is not 64 digits 0 to 9 and a to f")
    if commitment_of(bytes.fromhex(secret)) != commitment:
        raise Refused("the secret is not the one that was promised: its SHA-256 is not the commitment")
    dealer = Dealer(bytes.fromhex(secret))
    number = 0
    for at, (ply, position) in enumerate(zip(record.plies, record.positions(), strict=False)):
        if ply.actor != CHANCE:
            continue
        due = dealer.deal(position, entropy, number)
        if due != ply.action:
            dealt, wanted = position.move_text(ply.action), position.move_text(due)
            raise Refused(f"ply {at + 1}, deal {number + 1}: {dealt} was dealt, but the secret gives {wanted}")
        number += 1
    return number
