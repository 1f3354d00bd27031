"""A summary of the rules for the terminal. The exact rules are in docs/rules/azul.md."""

from __future__ import annotations

from .edition import Edition

_RULES = """\
THE AIM  Fill your 5x5 wall and score the most points. The game ends after the round in which somebody
completes a horizontal row of five (AZ-30).

TAKING   On your turn take all tiles of one colour from one factory; its other tiles go to the centre
(AZ-12). Or take all tiles of one colour from the centre; whoever does so first in a round also takes the
marker 1 to the floor line and starts the next round (AZ-13).

PLACING  Put all taken tiles on one pattern line, or on the floor line (AZ-14). A line holds one colour
(AZ-15), and not one that its wall row already shows (AZ-16). What does not fit falls to the floor (AZ-17).

TILING   When nothing is left to take, every full line moves one tile to its wall row (AZ-20) and scores
the run of tiles it joins, across and down; alone it scores 1 (AZ-21). Then the floor line costs
-1 -1 -2 -2 -2 -3 -3, but a score never falls below 0 (AZ-22).

BONUSES  At the end: 2 for each row, 7 for each column, 10 for each colour with all five tiles (AZ-40).
Ties go to more complete rows (AZ-41).

GREY     On the grey wall you choose the column, so that no colour is in it twice (AZ-50). If no
column is possible, the whole line falls to the floor (AZ-51).

SPECIAL  extra: one more tile. magnet: pulls a tile of its colour from both neighbours. keeper: the rest
stays on it. spreader: you lay the rest on its neighbours, < left or > right. saucer: lies at your board
for the round and catches the next tile that would fall (MC-3 to MC-9).

"""


def help_of(edition: Edition) -> str:
    """The rules, and the notation in the letters of an edition."""
    blue, yellow, red, black, _ = tuple(edition.letters)
    first, second, third, fourth, _ = edition.names.values()
    letters = ", ".join(f"{letter} {name}" for letter, name in edition.names.items())
    factory = edition.words["factory"]
    return f"""{_RULES}\
NOTATION 3{red}2: from {factory} 3, {third}, to line 2.  C{black}F: from the centre, {fourth}, to the floor.
         4{red}2<{blue}{black}>{yellow}: from the spreader, {first} and {fourth} go left, {second} right.
         4:2: line 4 to column 2.
         Colours: {letters}. Lower case works too, and 0 is the centre.
"""
