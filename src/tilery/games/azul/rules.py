"""The variants of Azul: number of seats, side of the wall, special discs, start and limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from struct import unpack

from tilery.core.fields import span_of
from tilery.core.sentences import LIBRARY, wrong_option
from tilery.core.text import Reader

from .kernel.layout import NOBODY, ROW

WALLS = ("coloured", "grey")
SPECIALS = ("none", "round", "game")
MAX_ROUNDS = 1_000_000


SENTENCES = LIBRARY.extended(  # for refusals of variants
    {
        "limit-range": "a limit of 1 to {most} rounds was expected, not {number}",
    },
    {},
    {
        "option": {"wall": "the wall", "specials": "the option of special discs"},
        "what": {"round-limit": "the limit of rounds", "stall-limit": "the stall limit"},
    },
)


@dataclass(frozen=True)
class Rules:
    """AZ-1, AZ-4, AZ-5, AZ-34, AZ-35, MC-2: the options that the players agree on before the game."""

    seats: int = 2
    wall: str = "coloured"
    specials: str = "none"  # special discs: none, drawn every round, or once per game
    start: int | None = 0  # the seat that starts round 1, None when it is drawn
    round_limit: int | None = None
    stall_limit: int | None = None

    def __post_init__(self) -> None:
        for number in (self.seats, self.start or 0, self.round_limit or 1, self.stall_limit or 1):
            if type(number) is not int:
                raise SENTENCES.refused("whole-number", value=repr(number)[:40])
        if self.seats not in (2, 3, 4):
            raise SENTENCES.refused("seats-number", "AZ-1", numbers="2 3 4", value=repr(self.seats))
        if self.wall not in WALLS:
            raise wrong_option(SENTENCES, "wall", WALLS, self.wall, "AZ-5")
        if self.specials not in SPECIALS:
            raise wrong_option(SENTENCES, "specials", SPECIALS, self.specials, "MC-2")
        if self.start is not None and not 0 <= self.start < self.seats:
            raise SENTENCES.refused("start-range", "AZ-4", last=self.seats - 1, index=self.start)
        for limit, rule in ((self.round_limit, "AZ-34"), (self.stall_limit, "AZ-35")):
            if limit is not None and not 1 <= limit <= MAX_ROUNDS:
                raise SENTENCES.refused("limit-range", rule, most=MAX_ROUNDS, number=limit)

    @property
    def factories(self) -> int:
        """AZ-1: how many discs lie in the circle."""
        return 2 * self.seats + 1

    @property
    def sides(self) -> int:
        """There are no teams."""
        return self.seats

    @property
    def text(self) -> str:
        """Such as `2`, `3,grey` or `4,grey,specials=game,start=drawn,rounds=20,stall=10`."""
        words = [str(self.seats)]
        if self.wall == "grey":
            words.append("grey")
        if self.specials != "none":
            words.append("specials" if self.specials == "round" else "specials=game")
        if self.start != 0:
            words.append("start=drawn" if self.start is None else f"start={self.start + 1}")
        if self.round_limit:
            words.append(f"rounds={self.round_limit}")
        if self.stall_limit:
            words.append(f"stall={self.stall_limit}")
        return ",".join(words)

    @property
    def options(self) -> tuple[int, ...]:
        """The numbers that the kernel's `setup` expects (`layout.OPTIONS`)."""
        start = NOBODY if self.start is None else self.start
        return (
            self.seats,
            WALLS.index(self.wall),
            SPECIALS.index(self.specials),
            start,
            self.round_limit or 0,
            self.stall_limit or 0,
        )


def read_rules(reader: Reader) -> Rules:
    """Read what `Rules.text` writes."""
    seats = reader.number("seats", 2, 4)
    wall, specials = "coloured", "none"
    start: int | None = 0
    rounds: int | None = None
    stall: int | None = None
    words = ["grey", "specials=game", "specials", "start=", "rounds=", "stall="]
    while reader.skip_if(","):
        if not words:
            reader.expected("end-of-variant")
        word = reader.one_of(words, "option")
        # The order is fixed, so that equal variants have equal texts.
        words = words[words.index(word) + 1 :]
        if word == "grey":
            wall = "grey"
        elif word.startswith("specials"):
            specials = "round" if word == "specials" else "game"
            words = [other for other in words if not other.startswith("specials")]
        elif word == "start=":
            start = None if reader.skip_if("drawn") else reader.number("starting-seat", 2, seats) - 1
        elif word == "rounds=":
            rounds = reader.number("round-limit", 1, MAX_ROUNDS)
        else:
            stall = reader.number("stall-limit", 1, MAX_ROUNDS)
    return Rules(seats, wall, specials, start, rounds, stall)


_ORDER = ("grey", "specials", "start", "rounds", "stall")


def normalise_variant(text: str) -> str:
    """Options as a person types them (any order and case, defaults allowed) in the notation of `Rules.text`."""
    words = [word.strip().lower() for word in text.split(",")]
    words = [word for word in words if word not in ("", "coloured", "start=1", "specials=none")]
    words = [{"specials=round": "specials", "gray": "grey"}.get(word, word) for word in words]
    known = [word for word in words if word.partition("=")[0] in _ORDER]
    unknown = [word for word in words if word not in known]
    return ",".join([*sorted(known, key=lambda word: _ORDER.index(word.partition("=")[0])), *unknown])


def with_table_limits(rules: Rules) -> Rules:
    """AZ-35: at tables and in matches, a stalled game ends after 10 rounds unless another limit was agreed on."""
    return rules if rules.stall_limit else replace(rules, stall_limit=10)


# For menus: the options of a variant (without the number of seats), and a description.
VARIANTS = (
    ("", "coloured wall"),
    ("grey", "grey wall: you choose the column"),
    ("specials", "special factories, drawn every round"),
    ("grey,specials", "grey wall and special factories"),
    ("specials=game", "special factories, drawn once per game"),
    ("grey,specials=game", "grey wall and special factories, drawn once per game"),
)


_SPANS = span_of(ROW, "round_limit", "stall_limit"), span_of(ROW, "seats", "start")


@lru_cache(maxsize=1024)
def _rules(limits: bytes, options: bytes) -> Rules:
    round_limit, stall_limit = unpack("=2i", limits)
    seats, grey, specials, start = unpack("=4b", options)
    return Rules(
        seats,
        WALLS[grey],
        SPECIALS[specials],
        None if start == NOBODY else start,
        round_limit or None,
        stall_limit or None,
    )


def rules_of(row: bytes) -> Rules:
    """The variant that a row is played with (one shared object per variant)."""
    return _rules(row[_SPANS[0]], row[_SPANS[1]])
