"""What a journal of Azul says: the first number of a line, and in comments the numbers that follow it."""

from __future__ import annotations

TAKEN = 1  # seat, source, colour, number
REST_MOVED = 2  # source, source that it goes to, pile
SAUCER_TAKEN = 3  # seat
MARKER_TAKEN = 4  # seat, spaces on the saucer, spaces on the floor line (MC-9: both may be 0), cost
PLACED = 5  # seat, line, colour, number, whether the line is full
FELL = 6  # seat, colour, line (FLOOR if just taken); how many to the saucer, to the floor line, to the lid; cost
TILED = 7  # seat, line, column, colour; points across, down, in all
FLOOR_SCORED = 8  # seat, floor line, what lay on the saucer, points
SAUCER_RETURNED = 9  # seat
BONUS = 10  # seat; complete rows, columns, colours
ROUND_BEGUN = 11  # round, starting seat, whether the special discs are removed
GAME_ENDED = 12  # the rule by which it ended
REFILLED = 13  # pile
DEALT = 14  # disc, pile
ATTRACTED = 15  # disc that loses a tile, disc that gets it, colour
DISC_LAID = 16  # disc, kind
OFFER_ENDED = 17  # the round
