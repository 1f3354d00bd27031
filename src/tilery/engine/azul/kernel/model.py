"""Where a model of Azul keeps its numbers. All of it is one array, so that searches can hand it on.

A block for each stage of a game: how many rounds are played, and whether somebody's row lacks one tile only. A block is
tables of points: for the cells of each row, column and colour as a mask of five, and for a begun pattern line.
"""

from __future__ import annotations

KIND = 0  # which evaluation this is
KNOWLEDGE, POINTS = 0.0, 1.0
POINTS_SPREAD = 1  # of an evaluation by points alone
FIRST_BLOCK = 8

ROWS = 0  # [line, mask of columns]
COLUMNS = ROWS + 5 * 32  # [mask of lines]
COLOURS = COLUMNS + 32  # [mask of lines]
BEGUN = COLOURS + 32  # [line, tiles on it]
WORTH = BEGUN + 25  # [line, tiles on it]: for each point that its cell scores now
SHARE = WORTH + 25  # [tiles that lack, 0 to 4]: for each part of the colour in the bag beyond its fifth
MARKER = SHARE + 5
SPREAD = MARKER + 1  # the margin at which the odds to win are e : 1
BLOCK = SPREAD + 1

STAGES = 5  # rounds played: 1 to 4, 5 and more
BLOCKS = 2 * STAGES
SIZE = FIRST_BLOCK + BLOCKS * BLOCK
