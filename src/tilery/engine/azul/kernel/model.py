"""The layout of a model of Azul: one array, so that searches can pass it on.

It has a block for each stage of a game: the number of rounds played, and whether some row lacks just one tile. A block
consists of tables of points: for each row, column and colour by a mask of five cells, and for begun pattern lines.
"""

from __future__ import annotations

KIND = 0  # which evaluation this is
WEIGHTED, POINTS = 0.0, 1.0
POINTS_SPREAD = 1  # of the evaluation by points alone
FIRST_BLOCK = 8

ROWS = 0  # [line, mask of columns]
COLUMNS = ROWS + 5 * 32  # [mask of lines]
COLOURS = COLUMNS + 32  # [mask of lines]
BEGUN = COLOURS + 32  # [line, tiles on it]
WORTH = BEGUN + 25  # [line, tiles on it]: for each point that its cell would score now
SHARE = WORTH + 25  # [missing tiles, 0 to 4]: for the share of the colour in the bag above a fifth, in fifths
MARKER = SHARE + 5
SPREAD = MARKER + 1  # the margin at which a win is e times as likely as a loss
BLOCK = SPREAD + 1

STAGES = 5  # rounds played: 1 to 4, 5 and more
BLOCKS = 2 * STAGES
SIZE = FIRST_BLOCK + BLOCKS * BLOCK
