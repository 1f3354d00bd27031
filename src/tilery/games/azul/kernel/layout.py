"""The row of Azul: the bytes of one position, every field named once.

Derived fields (`sources`, `open`, `shown`, `wall_columns`) follow from the others and are kept up to date move by
move, because generating and scoring moves mostly reads them.
"""

from __future__ import annotations

import numpy as np

from tilery.core.kernel.comparison import places_of

SEATS = 4  # at most
DISCS = 9  # at most
LINES = 5
EACH_COLOUR = 20  # tiles
FLOOR = 5  # the "line" that means the floor line
FLOOR_COSTS = (1, 1, 2, 2, 2, 3, 3)  # AZ-3, left to right
FLOOR_SPACES = len(FLOOR_COSTS)
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10  # AZ-40
CENTRE = 0  # source 0; source d is the disc at place d of the circle, counted from 1
SOURCES = DISCS + 1
NOBODY = -1

# Phases.
START, DRAW_DISCS, FILL, EXTRA_TILE, OFFER, TILING, ENDED = range(7)

# What a disc is (MC-1). Magnets are MAGNET + colour.
PLAIN, EXTRA, MAGNET, KEEPER, SPREADER, SAUCER = 0, 1, 2, 7, 8, 9
KINDS = 10

# What lies on a floor space or on the saucer: nothing, a tile (colour + 1) or the marker.
MARKER = 6

# When the special discs are laid out (MC-2).
NEVER, EVERY_ROUND, ONCE = range(3)

# By which rule a game ended: AZ-30, AZ-33, AZ-35, AZ-34.
BY_ROW, BY_TILES, BY_STALL, BY_ROUNDS = range(1, 5)

# The options, in the order in which `setup` takes them; each is a field of a row.
OPTIONS = ("seats", "grey", "specials", "start", "round_limit", "stall_limit")

ROW = np.dtype(
    [
        ("bag", "i8"),  # piles: see piles.py
        ("lid", "i8"),
        ("piles", "i8", (SOURCES,)),  # the centre and the discs
        (
            "sources",
            "i8",
        ),  # derived, in the offer: for each colour (12 bits) a mask of the sources showing it
        ("open", "i8", (SEATS,)),  # derived: for each colour (8 bits) a mask of the lines that may take it
        ("shown", "i8", (SEATS,)),  # derived: for each colour (8 bits) a mask of the wall rows that show it
        ("wall", "i4", (SEATS,)),  # bit 5 * line + column
        ("wall_columns", "i4", (SEATS,)),  # derived: bit 5 * column + line
        ("wall_of", "i4", (SEATS, 5)),  # the same as `wall`, for each colour
        ("floor", "i4", (SEATS,)),  # three bits a space, left to right from bit 0; their number from bit 21
        ("round", "i4"),
        ("round_limit", "i4"),  # 0: none
        ("stall_limit", "i4"),  # 0: none
        ("stalled", "i4"),  # rounds in a row without a tile on a wall; 0 where there is no stall limit
        ("score", "i2", (SEATS,)),
        ("lines", "i1", (SEATS, LINES + 1)),  # count * 8 + colour; 0 when empty, as the floor's is always
        ("discs", "i1", (SOURCES,)),  # kind of each disc, by source
        ("seats", "i1"),
        ("grey", "i1"),
        ("specials", "i1"),
        ("start", "i1"),  # the seat that starts round 1, NOBODY when it is drawn
        ("phase", "i1"),
        ("seat", "i1"),  # whose turn it is; the starter while chance acts
        ("starter", "i1"),  # who starts this round
        ("marker", "i1"),  # who holds the marker, NOBODY while it lies in the centre
        ("saucer_seat", "i1"),  # beside whose floor line the saucer lies, NOBODY while in the circle
        ("saucer_tile", "i1"),
        ("ended", "i1"),
    ],
    align=True,
)
WIDTH = ROW.itemsize
DERIVED = ("sources", "open", "shown", "wall", "wall_columns")  # they follow from the other fields
# All other fields, and where their numbers lie in a row.
GIVEN = tuple(name for name in ROW.names or () if name not in DERIVED)
GIVEN_AT = places_of(ROW, GIVEN)
WORDS = WIDTH // 8

# Actions. A move of a seat ...
# 0 + (colour * 10 + source) * 6 + line
SPREAD = 300  # + (colour * 6 + line) * 32 + mask of the colours that go right: a take from the spreader
CHOOSE = 1260  # + line * 5 + column
# ... and a step of chance.
START_AT = 1285  # + seat
LAY = 1300  # + source * 10 + kind
ADD = 1400  # + colour: the extra tile
DEAL = 2048  # + count << 3 * colour, for each colour: the tiles of the next disc
ACTIONS = DEAL + (1 << 15)

# 270 takes and 480 takes from a spreader at most, and room for the block of eight in which takes are written.
MAX_LEGAL = 800
