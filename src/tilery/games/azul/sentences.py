"""The English sentences for refusals of positions; `refusals.py` adds those for moves."""

from __future__ import annotations

from functools import cache

from tilery.core.refusals import Sentences, from_one

from .edition import Edition
from .rules import SENTENCES as VARIANTS

_POSITIONS = {
    "tile-order": "tiles are written in the order {letters}",
    "line-colours": "a line holds one colour",
    "line-length": "line {line} holds at most {most} tiles, found {number}",
    "floor-length": "a floor line has {most} spaces, found {number} tiles",
    "saucer-places": "a saucer that has left the circle lies at exactly one board, and only then",
}

_IMPOSSIBLE = {  # positions that cannot occur in a game
    "tile-count": "there are {number} {colour} tiles in all, not 20",
    "marker-not-held": "seat {seat} has a marker on its board that it does not hold",
    "marker-not-on-floor": "seat {seat} holds the marker, but it is not on its floor line",
    "marker-not-in-centre": "the marker must lie in the centre while a round is set up",
    "disc-twice": "a special disc lies in the circle twice",
    "special-discs": "{number} special discs lie in the circle, not {right}",
    "no-room-for-discs": "there is no room for the special discs that are still to be laid clockwise",
    "saucer-twice": "the saucer lies at two boards",
    "saucer-away": "the saucer must be back in the circle between rounds",
    "wrong-cell": "seat {seat}: {letter} does not belong in column {column} of wall row {line}",
    "row-twice": "seat {seat}: wall row {line} shows {letter} twice",
    "column-twice": "seat {seat}: wall column {column} shows {letter} twice",
    "row-complete": "seat {seat}: a complete row has ended the game",
    "line-shown": "seat {seat}: line {line} holds a colour that its wall row shows",
    "after-round-limit": "the game was cut off after round {rounds}",
    "after-stall-limit": "the game ended after {rounds} rounds without a tile on a wall",
    "nothing-offered": "in the offer at least one tile must be left to take",
    "tiles-left": "tiling only begins when no tile is left to take",
    "start-drawn": "the starting seat is only drawn before round 1, and only if no seat is given",
    "no-special-discs": "there are no special discs to lay",
    "discs-laid": "the special discs were laid in round 1",
    "boards-not-tiled": "floor lines must be empty and no line full while a round is set up",
    "nothing-to-deal": "no tile is left to deal",
    "centre-not-empty": "the centre must be empty while a round is set up",
    "discs-not-in-order": "discs must be filled in order with 4 tiles each, and one must still be empty",
    "no-extra": "only the extra disc gets one more tile",
    "discs-not-empty": "the discs must be empty before they are filled",
    "no-cell-chosen": "only on the grey wall does a seat choose a cell",
    "no-full-line": "seat {seat} has no full line to tile",
    "no-two-cells": "this seat does not have two cells to choose from",
    "tiles-first": "seat {seat} must have tiled before seat {choosing}",
    "end-not-tiled": "floor lines must be empty and no line full after the last tiling",
    "other-ending": "the game was ended by {ending}, not by {claimed}",
}


def _what(edition: Edition) -> dict[str, str]:
    """Parts of a position."""
    letters = f"letters of {edition.letters}"
    return {
        "round": "the round",
        "marker": "C or the marker's seat",
        "stalled": "rounds without a tile on a wall",
        "tiles": "a count of tiles",
        "next-count": "'/' between the five counts of " + "/".join(edition.names.values()),
        "centre": f"the tiles of the centre: {letters}, or - for none",
        "disc": f"the tiles of a disc: {letters}, or - for none",
        "next-disc": "'/' and disc {place} of {factories}",
        "board": "a blank and the board of seat {seat}",
        "score": "a score",
        "lines": "'|' and five lines",
        "line": f"the tiles of line {{line}}: {letters}, or - for none",
        "next-line": "'/' and line {line}",
        "wall": "'|' and five wall rows",
        "next-wall-row": "'/' and wall row {line}",
        "cell": f"a cell of the wall: one of {edition.letters} or '.'",
        "floor": "'|' and the floor line",
        "floor-tiles": f"the floor line: {letters}, m for the marker, or - for none",
        "saucer": "what lies on the saucer",
    }


@cache
def texts_of(edition: Edition) -> Sentences:
    """The sentences in the letters and names of an edition."""
    return VARIANTS.extended(
        {**_POSITIONS, **{code: f"this position cannot occur: {text}" for code, text in _IMPOSSIBLE.items()}},
        {
            **dict.fromkeys(("line", "column", "place", "choosing"), from_one),
            "colour": lambda letter: edition.names[str(letter)],
        },
        {"what": _what(edition)},
    )
