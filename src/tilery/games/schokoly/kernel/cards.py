"""The cards, as one table, and what follows from it. A reconstruction (SC-2): correct it here and nowhere else."""

from __future__ import annotations

import numpy as np

KINDS = "DMW"  # dark, milk, white

# SC-2: the pieces of each card, read clockwise from the top left.
PATTERNS = (
    "DDDM",
    "DDDW",
    "MMMD",
    "MMMW",
    "WWWD",
    "WWWM",
    "DDMM",
    "DDWW",
    "MMWW",
    "DDMW",
    "MMWD",
    "WWDM",
)
COPIES = {"classic": 3, "large": 4}  # SC-2, SC-3

CARDS = len(PATTERNS)
UNKNOWN = CARDS  # a card that somebody cannot see
MAX_CARDS = CARDS * max(COPIES.values())

# A card and how it lies are one number, 4 * card + turns (SC-1: quarters of a turn, clockwise).
LAID = 4 * CARDS

# The kind of each of the four pieces of a laid card, clockwise from the top left.
PIECE = np.array(
    [[KINDS.index(PATTERNS[laid // 4][(piece - laid % 4) % 4]) for piece in range(4)] for laid in range(LAID)],
    dtype=np.int8,
)

# The same as a mask: bit 3 * piece + kind. What lies beside a place is encoded in the same way, so fitting is one `&`.
SHOWS = np.array([sum(1 << (3 * piece + int(PIECE[laid, piece])) for piece in range(4)) for laid in range(LAID)])

# Which laid cards fit, as a mask, where these kinds lie beside the first two pieces (six bits), and beside the others.
FITS = np.array(
    [
        [sum(1 << laid for laid in range(LAID) if int(SHOWS[laid]) >> half & beside) for beside in range(64)]
        for half in (0, 6)
    ]
)

# The indices of the set bits of a mask of eight bits (the turns of two cards); the rest of the eight is arbitrary.
TURNS = np.array(
    [[turns for turns in range(8) if mask >> turns & 1] + [0] * (8 - mask.bit_count()) for mask in range(256)],
    dtype=np.int32,
)

# How many pieces of a kind are on a card.
PIECES = np.array([[pattern.count(kind) for kind in KINDS] for pattern in PATTERNS], dtype=np.int8)

# An announcement about a card (SC-50): a number of pieces of a kind, encoded as 4 * kind + number.
ANNOUNCEMENTS = 4 * len(KINDS)

# The cards that an announcement fits, as a mask.
CARDS_FITTING = np.array(
    [sum(1 << c for c in range(CARDS) if PIECES[c, said // 4] == said % 4) for said in range(ANNOUNCEMENTS)]
)

# The announcements that are true of a card, as a mask.
TRUE_ANNOUNCEMENTS = np.array([sum(1 << (4 * kind + int(PIECES[c, kind])) for kind in range(3)) for c in range(CARDS)])

# The announcements that some card fits together with a given one, as a mask.
COMPATIBLE_ANNOUNCEMENTS = np.array(
    [
        sum(1 << other for other in range(ANNOUNCEMENTS) if int(CARDS_FITTING[said]) & int(CARDS_FITTING[other]))
        for said in range(ANNOUNCEMENTS)
    ]
)
