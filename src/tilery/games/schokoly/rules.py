"""The variants of Schokoly: number of seats, set of cards, swapping, start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tilery.core.fields import field_reader
from tilery.core.sentences import LIBRARY, wrong_option
from tilery.core.text import Reader

from .kernel.cards import CARDS, COPIES
from .kernel.layout import NOBODY, OPTIONS, ROW, TOKENS

SETS = tuple(COPIES)

SENTENCES = LIBRARY.extended(  # for refusals of variants
    {"swap-seats": "chocolate is swapped among 3 players only"},
    {},
    {"option": {"set": "the set of cards", "swap": "swapping"}},
)


@dataclass(frozen=True)
class Rules:
    """SC-2, SC-3, SC-10, SC-12, SC-50: the options that the players agree on before the game."""

    seats: int = 2
    set: str = "classic"
    swap: bool = False  # swapping chocolate, with three players
    start: int | None = 0  # the seat that starts, None when it is drawn

    def __post_init__(self) -> None:
        if type(self.seats) is not int or self.seats not in (2, 3, 4):
            raise SENTENCES.refused("seats-number", "SC-10", numbers="2 3 4", value=repr(self.seats)[:40])
        if self.set not in SETS:
            raise wrong_option(SENTENCES, "set", SETS, self.set, "SC-2, SC-3")
        if type(self.swap) is not bool:
            raise wrong_option(SENTENCES, "swap", ("True", "False"), self.swap, "SC-50")
        if self.swap and self.seats != 3:
            raise SENTENCES.refused("swap-seats", "SC-50")
        if type(self.start or 0) is not int:
            raise SENTENCES.refused("whole-number", "SC-12", value=repr(self.start)[:40])
        if self.start is not None and not 0 <= self.start < self.seats:
            raise SENTENCES.refused("start-range", "SC-12", last=self.seats - 1, index=self.start)

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
        """Such as `2`, `4,large,start=3` or `3,swap,start=drawn`."""
        words = [str(self.seats)]
        if self.set == "large":
            words.append("large")
        if self.swap:
            words.append("swap")
        if self.start != 0:
            words.append("start=drawn" if self.start is None else f"start={self.start + 1}")
        return ",".join(words)

    @property
    def options(self) -> tuple[int, ...]:
        """The numbers that the kernel's `setup` expects (`layout.OPTIONS`)."""
        return self.seats, self.copies, int(self.swap), NOBODY if self.start is None else self.start


def read_rules(reader: Reader) -> Rules:
    """Read what `Rules.text` writes."""
    seats = reader.number("seats", 2, 4)
    words = ["large", "swap", "start="] if seats == 3 else ["large", "start="]
    chosen = []
    start: int | None = 0
    while reader.skip_if(","):
        if not words:
            reader.expected("end-of-variant")
        if seats != 3 and reader.text.startswith("swap", reader.at):
            reader.refuse("swap-seats", None, "SC-50")
        word = reader.one_of(words, "option")
        words = words[words.index(word) + 1 :]  # the order is fixed, so that equal variants have equal texts
        chosen.append(word)
        if word == "start=":
            start = None if reader.skip_if("drawn") else reader.number("starting-seat", 2, seats) - 1
    return Rules(seats, "large" if "large" in chosen else "classic", "swap" in chosen, start)


_ORDER = ("large", "swap", "start")


def normalise_variant(text: str) -> str:
    """Options as a person types them (any order and case, defaults allowed) in the notation of `Rules.text`."""
    words = [word.strip().lower() for word in text.split(",")]
    words = [word for word in words if word not in ("", "classic", "start=1")]
    known = [word for word in words if word.partition("=")[0] in _ORDER]
    unknown = [word for word in words if word not in known]
    return ",".join([*sorted(known, key=lambda word: _ORDER.index(word.partition("=")[0])), *unknown])


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
def rules_with(seats: int, copies: int, swap: int, start: int) -> Rules:
    """The variant with these fields of a row (one shared object per variant)."""
    name = next(name for name in SETS if COPIES[name] == copies)
    return Rules(seats, name, bool(swap), None if start == NOBODY else start)


def rules_of(row: bytes) -> Rules:
    """The variant that a row is played with."""
    return rules_with(**_read(row))
