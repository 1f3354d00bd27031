"""The two editions as data: the five kinds of tiles, with letters, names, paints and ornaments, and the vocabulary.

The kernel counts the kinds from 0 and knows nothing of this; both editions have them on the same cells of the wall
(AZ-6). Whatever is wrong about an edition is corrected here, in one place (and for the web client in
`web/src/boards/azul/edition.ts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True)
class Glaze:
    """The paints of one kind of tile in a picture; the pale ones are for empty spaces of the wall."""

    base: str
    edge: str
    ink: str
    pale: str
    pale_ink: str


@dataclass(frozen=True)
class Colour:
    """One of the five kinds of tiles."""

    letter: str
    name: str
    ornament: str  # its figure, see art.py
    glaze: Glaze
    style: str  # the rich style of a tile ...
    faint: str  # ... and of an empty space of the wall


@dataclass(frozen=True, eq=False)
class Edition:
    """What an edition calls things. Editions are compared by identity, so that they are fast keys of caches."""

    theme: str  # of the pictures, see art.py
    colours: tuple[Colour, ...]  # in the order of the kernel
    words: Mapping[str, str]

    @cached_property
    def letters(self) -> str:
        """The letters of the colours, in their order: `BYRKW` in Azul."""
        return "".join(colour.letter for colour in self.colours)

    @cached_property
    def names(self) -> dict[str, str]:
        """The name of each colour by its letter."""
        return {colour.letter: colour.name for colour in self.colours}

    @cached_property
    def discs(self) -> tuple[str, ...]:
        """The kinds of discs by their numbers in the kernel."""
        return ("plain", "extra", *(f"magnet{letter}" for letter in self.letters), "keeper", "spreader", "saucer")

    @cached_property
    def symbols(self) -> str:
        """What may lie on a floor space, by its number in the kernel: nothing, a tile or the marker."""
        return f"-{self.letters}m"

    @cached_property
    def lines(self) -> dict[int, str]:
        """The tiles of a pattern line by its number in a row."""
        return {
            number << 3 | colour: letter * number for number in range(6) for colour, letter in enumerate(self.letters)
        }

    def in_order(self, tiles: str) -> str:
        """Tiles in the order of the colours."""
        return "".join(sorted(tiles, key=self.letters.index))


_WORDS = {
    "factory": "factory",
    "centre": "centre",
    "line": "pattern line",
    "wall": "wall",
    "floor": "floor line",
    "bag": "bag",
    "lid": "lid",
    "tile": "tile",
}

CERAMIC = Edition(
    theme="ceramic",
    colours=(
        Colour(
            letter="B",
            name="blue",
            ornament="waves",
            glaze=Glaze("#2465b0", "#123f75", "#eaf5ff", "#d8e5f3", "#9dbde0"),
            style="bold white on #005fd7",
            faint="#6f9fe0",
        ),
        Colour(
            letter="Y",
            name="yellow",
            ornament="sun",
            glaze=Glaze("#f6bd3c", "#a8720c", "#6a2c00", "#fbf0d3", "#dcb876"),
            style="bold black on #ffd700",
            faint="#b59420",
        ),
        Colour(
            letter="R",
            name="red",
            ornament="diamond",
            glaze=Glaze("#c63a2e", "#7d1b14", "#ffeae0", "#f6dcd7", "#e0a39c"),
            style="bold white on #d70000",
            faint="#d4716f",
        ),
        Colour(
            letter="K",
            name="black",
            ornament="star",
            glaze=Glaze("#282b33", "#0c0d10", "#f5e6b8", "#d4d6d9", "#a4a9b0"),
            style="bold white on #585858",  # lighter than the background of a dark terminal
            faint="#8a8a8a",
        ),
        Colour(
            letter="W",
            name="white",
            ornament="rings",
            glaze=Glaze("#fffefa", "#5d7f86", "#1d8a8a", "#f8faf8", "#bddad8"),
            style="bold black on #eeeeee",
            faint="#a9bfc2",
        ),
    ),
    words=_WORDS,
)

# MC-20. No book names the fifth kind: ruby is a reconstruction.
CHOCOLATE = Edition(
    theme="chocolate",
    colours=(
        Colour(
            letter="B",
            name="blue",
            ornament="waves",
            glaze=Glaze("#5b8ed6", "#2b5190", "#f4f9ff", "#dbe6f4", "#a3bfe2"),
            style="bold black on #87afff",
            faint="#6f9fe0",
        ),
        Colour(
            letter="N",
            name="brown",
            ornament="slice",
            glaze=Glaze("#8f5a32", "#4f2b10", "#fbe3c0", "#ecd9c5", "#c7a180"),
            style="bold white on #875f37",
            faint="#a9784a",
        ),
        Colour(
            letter="W",
            name="white",
            ornament="swirl",
            glaze=Glaze("#fff8e6", "#8a6438", "#9a6a36", "#fbf5e8", "#dcc9ac"),
            style="bold black on #eeeeee",
            faint="#a9bfc2",
        ),
        Colour(
            letter="K",
            name="black",
            ornament="star",
            glaze=Glaze("#2b211d", "#0b0605", "#f6d9a2", "#d6cfcb", "#a79c96"),
            style="bold white on #585858",
            faint="#8a8a8a",
        ),
        Colour(
            letter="R",
            name="ruby",
            ornament="heart",
            glaze=Glaze("#c8385f", "#741534", "#ffe8ea", "#f5d6dc", "#dfa1af"),
            style="bold white on #af005f",
            faint="#d46f95",
        ),
    ),
    words=_WORDS | {"factory": "plate", "wall": "box", "floor": "waste line", "tile": "chocolate"},
)

# Version 1 of the notation wrote chocolates with the letters of Azul.
CHOCOLATE_1 = replace(CHOCOLATE, colours=CERAMIC.colours)
