"""The row of Schokoly: the bytes of one position, every field named once.

The plane is unbounded, a row is not. Each card widens the table by at most two cells, width and height together
(SC-20: at least two shared edges), so no two pieces of 48 cards are further apart than 96 steps. `grid` is the plane
rolled up so that only cells at least 101 steps apart share a place: cell (x, y) lies at x + 101 * y, counted
round 5101 places. Nothing is ever re-centred, and a chain of cards may extend in any direction.

`grid`, `spots` and `tops` follow from `cards` and are kept up to date move by move.
"""

from __future__ import annotations

import numpy as np

from .cards import MAX_CARDS

SEATS = 4  # at most
HAND = 4  # SC-11
TOKENS = 12  # SC-4, shared out equally
NEUTRAL_LEAST = 6  # SC-44
NOBODY = -1
NONE = -1

# Phases: chance acts in the first three.
START, DEAL, DRAW, KIND, PLACE, SECURE, ANSWER, ACCEPT, ENDED = range(9)

# By which rule a game ended: SC-40, SC-41.
BY_CARDS, BY_PASSES = 1, 2

# The options, in the order in which `setup` takes them; each is a field of a row.
OPTIONS = ("seats", "copies", "swap", "start")

# The plane, rolled up: 50 is half of the longest distance, rounded up with room for the cells beside.
_HALF = 50
DOWN = 2 * _HALF + 1  # one step down; a step to the right is 1
CELLS = 2 * _HALF * _HALF + DOWN
BEFORE, AFTER = 112, 332  # copies of the cells at the other end, so that reading needs no wrap-around

# A cell of the grid: the kind of the piece on top as one of three bits (0: empty), and
ON_TOP = 7
SECOND = 8  # the piece belongs to a second-level card
SECURED = 16  # the first-level card here carries a token
CORNER = 5  # from this bit on: which piece of the first-level card lies here, clockwise from the top left
BELOW = SECURED | 3 << CORNER  # what a second-level card leaves as it was

# Where a card lies: its top left cell, (y + 128) << 8 | x + 128. The first card lies at the origin.
MIDDLE = 128
ORIGIN = MIDDLE << 8 | MIDDLE

# A lying card: place << 8 | second level << 7 | token << 6 | laid.
IS_SECOND, HAS_TOKEN, LAID_BITS = 1 << 7, 1 << 6, (1 << 6) - 1

# A place where a card may lie, if it fits: place << 12 | what lies beside it (bit 3 * piece + kind).
BESIDE = (1 << 12) - 1
# SC-20: an open first-level place uses two outer edges; a card has at most 8, and each serves two places.
MAX_SPOTS = 8 * (MAX_CARDS - 1)
MAX_TOPS = 4 * MAX_CARDS  # a second-level place begins on a first-level piece; read in blocks of eight

ROW = np.dtype(
    [
        ("stack", "i8"),  # counts of the twelve cards, four bits each
        ("hands", "i8", (SEATS,)),
        ("known", "i8", (3, 3)),  # [viewer, holder]: cards that a swap taught the viewer (SC-60)
        ("cards", "i4", (MAX_CARDS,)),  # on the table, sorted
        ("spots", "i4", (MAX_SPOTS,)),  # derived: open places on the first level, sorted
        ("tops", "i4", (MAX_TOPS,)),  # derived: open places on the second level, sorted
        ("said", "i2", (3, 3)),  # [viewer, holder]: announcements that some card of the hand still fits (SC-60)
        ("barred", "i2", (SEATS,)),  # cards that a hand cannot hold, because its holder passed (SC-60)
        ("laid", "i2"),  # how many cards, spots and tops there are
        ("open_spots", "i2"),
        ("open_tops", "i2"),
        ("stacked", "i2"),  # derived: how many cards lie on the second level
        ("seats", "i1"),
        ("copies", "i1"),
        ("swap", "i1"),
        ("start", "i1"),  # the seat that starts, NOBODY when it is drawn
        ("starter", "i1"),  # who starts; 0 until it is drawn
        ("phase", "i1"),
        ("seat", "i1"),  # whose turn it is, also while it is asked for something else
        ("kinds", "i1", (SEATS,)),  # NONE while not chosen
        ("tokens", "i1", (SEATS,)),
        ("held", "i1", (SEATS,)),  # how many cards a hand holds
        ("unseen", "i1", (SEATS,)),  # how many of them the viewer cannot see; 0 in a whole position
        ("left", "i1"),  # how many cards the stack holds
        ("unseen_left", "i1"),  # how many of them the viewer cannot see: all or none
        ("passes", "i1"),  # in a row
        ("asked", "i1"),  # mask of the opponents asked in this turn (SC-53)
        ("swapped", "i1"),  # whether a swap was completed in this turn
        ("partner", "i1"),  # the seat that the pending offer is for, or NOBODY
        ("offered", "i1"),  # the card offered: NONE, a card, or UNKNOWN to the viewer; it is still in its hand
        ("offered_number", "i1"),  # what was said of it
        ("answered", "i1"),  # the same for the answer
        ("answered_number", "i1"),
        ("viewer", "i1"),  # the seat whose view this is, SPECTATOR, or NOBODY for a whole position
        ("ended", "i1"),
        ("grid", "u1", (BEFORE + CELLS + AFTER,)),  # derived
    ],
    align=True,
)
WIDTH = ROW.itemsize
WORDS = WIDTH // 8

# Actions. Of a seat ...
# 0 + kind: choose it
PASS, NO_TOKEN, DECLINE, AGREE = 3, 4, 5, 6
LEARN = 16  # + card: the swap is agreed on, and the viewer sees the card it gets
# ... of chance ...
START_AT = 8  # + seat: it starts
TAKE = 32  # + card (or UNKNOWN): a card from the stack for the seat
# ... and of a seat again.
ANSWER_WITH = 48  # + card, or + 12 + number where the card is hidden
OFFER = 64  # + 16 * seat + card, or + 12 + number where the card is hidden
LAY = 1 << 23  # + UP for the second level, + place << 6 + laid
UP = 1 << 22
TOKEN = 1 << 24  # + place of the card that gets it

# How far the last card can lie from the first one, in cells.
MAX_REACH = 2 * (MAX_CARDS - 1)

# Every open place with every card in every turn, for a viewer who can exclude none of the twelve; the offers; and
# room for the block of eight in which places are written.
MAX_LEGAL = (MAX_SPOTS + MAX_TOPS) * 48 + 72
