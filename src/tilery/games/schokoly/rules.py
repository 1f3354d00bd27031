"""The variants of Schokoly: number of seats, set of cards, swapping."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tilery.core.fields import field_reader
from tilery.core.refusals import Refused
from tilery.core.text import Reader

from .kernel.cards import CARDS, COPIES
from .kernel.layout import OPTIONS, ROW, TOKENS

SETS = tuple(COPIES)


@dataclass(frozen=True)
class Rules:
    """SC-2, SC-3, SC-10, SC-50: the options that the players agree on before the game."""

    seats: int = 2
    set: str = "classic"
    swap: bool = False  # swapping chocolate, with three players

    def __post_init__(self) -> None:
        if type(self.seats) is not int or self.seats not in (2, 3, 4):
            raise Refused(f"2, 3 or 4 seats were expected, not {self.seats!r} (SC-10)")
        if self.set not in SETS:
            raise Refused(f"the set of cards is classic or large, not {self.set!r} (SC-2, SC-3)")
        if type(self.swap) is not bool:
            raise Refused(f"swapping is True or False, not {self.swap!r} (SC-50)")
        if self.swap and self.seats != 3:
            raise Refused(f"chocolate is swapped among 3 players only, not {self.seats} (SC-50)")

    @property
    def copies(self) -> int:
        """The number of copies of each card."""
        return COPIES[self.set]

    @property
    def cards(self) -> int:
        """The number of cards."""
        return CARDS * self.copies

    @property
    def tokens(self) -> int:
        """SC-4: the number of tokens each seat begins with."""
        return TOKENS // self.seats

    @property
    def sides(self) -> int:
        """SC-10: the number of sides."""
        return 3 if self.seats == 3 else 2

    @property
    def text(self) -> str:
        """Such as `2`, `4,large` or `3,swap`."""
        words = [str(self.seats)]
        if self.set == "large":
            words.append("large")
        if self.swap:
            words.append("swap")
        return ",".join(words)

    @property
    def options(self) -> tuple[int, ...]:
        """The numbers that the kernel's `setup` expects (`layout.OPTIONS`)."""
        return self.seats, self.copies, int(self.swap)


def read_rules(reader: Reader) -> Rules:
    """Read what `Rules.text` writes."""
    seats = reader.number("the number of seats", 2, 4)
    words = ["large", "swap"] if seats == 3 else ["large"]
    chosen = []
    while reader.skip_if(","):
        if not words:
            reader.expected("the end of the variant")
        if seats != 3 and reader.text.startswith("swap", reader.at):
            reader.fail("chocolate is swapped among 3 players only (SC-50)")
        word = reader.one_of(words, "an option, in this order")
        words = words[words.index(word) + 1 :]  # the order is fixed, so that equal variants have equal texts
        chosen.append(word)
    return Rules(seats, "large" if "large" in chosen else "classic", "swap" in chosen)


_ORDER = ("large", "swap")


def normalise_variant(text: str) -> str:
    """Options as a person types them (any order and case, defaults allowed) in the notation of `Rules.text`."""
    words = [word.strip().lower() for word in text.split(",")]
    words = [word for word in words if word not in ("", "classic")]
    return ",".join(sorted(words, key=lambda word: _ORDER.index(word) if word in _ORDER else len(_ORDER)))


def with_table_limits(rules: Rules) -> Rules:
    """Every game of Schokoly ends, so no limits are needed."""
    return rules


# For menus: the options of a variant (without the number of seats), and a description.
VARIANTS = (
    ("", "classic set of 36 cards"),
    ("large", "large set of 48 cards"),
    ("swap", "classic set, with swapping (3 players)"),
    ("large,swap", "large set, with swapping (3 players)"),
)


_read = field_reader(ROW, OPTIONS)


@cache
def _rules(seats: int, copies: int, swap: int) -> Rules:
    return Rules(seats, next(name for name in SETS if COPIES[name] == copies), bool(swap))


def rules_of(row: bytes) -> Rules:
    """The variant that a row is played with (one shared object per variant)."""
    return _rules(**_read(row))
