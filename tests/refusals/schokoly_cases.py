"""Refusals of Schokoly: variants, positions that are badly written or cannot occur, moves."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

import tilery
from tests.refusals.cases import Case, changed, refusal_of
from tests.rules.schokoly.positions import GAME, position_text
from tests.rules.schokoly.test_refusals import (
    ACCEPT,
    ANSWER,
    DRAW,
    KIND,
    NEW,
    OVER,
    PLACE,
    PLAIN,
    REFUSED,
    SECURE,
)
from tests.rules.schokoly.test_validity import PROBLEMS
from tilery.core.refusals import Argument
from tilery.games.schokoly import validity
from tilery.games.schokoly.view import Card, view_of

BasePosition = tilery.Position | tilery.Seen

OPTIONS = [
    Case(partial(GAME.new, seats=3.0), "seats-number", {"numbers": "2 3 4", "value": "3.0"}, "SC-10"),
    Case(
        partial(GAME.new, set="huge"),
        "option-value",
        {"option": "set", "values": "classic large", "value": "'huge'"},
        "SC-2, SC-3",
    ),
    Case(partial(GAME.new, swap=1), "option-value", {"option": "swap", "values": "True False", "value": "1"}, "SC-50"),
    Case(partial(GAME.new, swap=True), "swap-seats", {}, "SC-50"),
    Case(partial(GAME.new, start="x"), "whole-number", {"value": "'x'"}, "SC-12"),
    Case(partial(GAME.new, start=2), "start-range", {"last": 1, "index": 2}, "SC-12"),
    Case(partial(GAME.variant, "4,swap"), "swap-seats", {}, "SC-50", (1, 3)),
    Case(
        partial(GAME.variant, "3,swap,large"),
        "expected-word",
        {"what": "option", "words": "start=", "found": "large"},
        "",
        (1, 8),
    ),
    Case(
        partial(GAME.variant, "3,classic"),
        "expected-word",
        {"what": "option", "words": "large swap start=", "found": "classic"},
        "",
        (1, 3),
    ),
]

# Texts that are right, to be spoiled.
TEXT = PLAIN.text
SWAP = ACCEPT.text
KNOWN = changed(SWAP, (" said=", " known=1>2:MMMD said="))
SEEN = PLAIN.seen_by(0).text
CARDS = "DDDM DDDW MMMD MMMW WWWD WWWM DDMM DDWW MMWW DDMW MMWD WWDM"


def _written(text: str, before: str, after: str, code: str, arguments: dict[str, Argument], rule: str = "") -> Case:
    return Case(lambda: GAME.read_any(changed(text, (before, after))), code, arguments, rule)


def _expected(text: str, before: str, after: str, found: str, what: str, **arguments: Argument) -> Case:
    return _written(text, before, after, "expected", {"what": what, "found": found, **arguments})


def _word(text: str, before: str, after: str, found: str, what: str, words: str) -> Case:
    return _written(text, before, after, "expected-word", {"what": what, "words": words, "found": found})


def _number(
    text: str, before: str, after: str, number: int, what: str, low: int, high: int, **arguments: Argument
) -> Case:
    told: dict[str, Argument] = {"what": what, "low": low, "high": high, "number": number, **arguments}
    return _written(text, before, after, "number-range", told)


WRITTEN = [
    _number(TEXT, "place:1", "place:3", 3, "turn", 1, 2),
    _number(TEXT, "tokens=6/6", "tokens=7/6", 7, "tokens", 0, 6),
    _number(TEXT, "stack=0/", "stack=4/", 4, "copies", 0, 3, card="DDDM"),
    _number(TEXT, "@2,0", "@95,0", 95, "coordinate", 0, 94),
    _number(TEXT + " passes=1", "passes=1", "passes=3", 3, "passes", 1, 2),
    _number(TEXT + " barred=2:MMWW", "barred=2", "barred=3", 3, "passed-seat", 1, 2),
    _number(SEEN, "seen=1", "seen=3", 3, "seeing-seat", 1, 2),
    _number(SEEN, "stack=?26", "stack=?37", 37, "stack-size", 1, 36),
    _number(SWAP, "offer=DDDM:1", "offer=DDDM:4", 4, "said", 0, 3),
    _number(SWAP, ">2 answer", ">4 answer", 4, "asked-seat", 1, 3),
    _number(KNOWN, "known=1", "known=4", 4, "knowing-seat", 1, 3),
    _number(KNOWN, "known=1>2", "known=1>4", 4, "known-seat", 1, 3),
    _word(SWAP, "said=1>2:D1", "said=1>2:x", "x", "said-numbers", "D0 D1 D2 D3 M0 M1 M2 M3 W0 W1 W2 W3"),
    _expected(KNOWN, "known=1>", "known=1;", ";", "next-known-seat"),
    _written(KNOWN, "1>2:D1,2>1:M1", "2>1:M1,1>2:D1", "pairs-in-order", {}),
    _word(TEXT, "place:1", "dawn", "dawn", "phase", "start deal draw kind place secure answer accept over"),
    _word(TEXT, "place:1", "over:x", "x", "ending", "cards passes"),
    _word(TEXT, "kinds=D", "kinds=x", "x", "kind", "D M W -"),
    _word(TEXT, "hands=DDDM", "hands=x", "x", "hand", f"{CARDS} ?"),
    _word(TEXT + " barred=2:MMWW", "2:MMWW", "2:x", "x", "cards", CARDS),
    _word(SWAP, "offer=DDDM", "offer=x", "x", "card", f"{CARDS} ?"),
    _expected(TEXT, " place", ";place", ";", "phase-after-blank"),
    _expected(TEXT, "kinds=D/", "kinds=D;", ";", "next-kinds", seat=1),
    _expected(TEXT, "tokens=6/", "tokens=6;", ";", "next-tokens", seat=1),
    _expected(TEXT, "DDMW/", "DDMW;", ";", "next-hands", seat=1),
    _expected(TEXT, "stack=0/", "stack=0;", ";", "next-copies", card="DDDW"),
    _expected(TEXT, "DDDM@0", "DDDM;0", ";", "place"),
    _expected(TEXT, "@0,0", "@0;0", ";", "next-row"),
    _expected(SWAP, "offer=DDDM:", "offer=DDDM;", ";", "next-said"),
    _expected(SWAP, ">2 answer", ";2 answer", ";", "next-asked-seat"),
    _expected(SWAP, "asked=2", "asked=", " ", "asked-seats"),
    _written(TEXT, "DDDM@0", "DDD@0", "pieces-expected", {"text": "DDD@0,0;"}),
    _written(TEXT, "DDDM@0,0", "DMDM@0,0", "no-such-card", {"pieces": "DMDM"}, "SC-2"),
    _written(TEXT, "DDDM@0,0;DDDM@2,0", "DDDM@2,0;DDDM@0,0", "cards-in-order", {}),
    _written(TEXT, "DDDM@0,0", ";".join(["DDDM@0,0"] * 36), "too-many-cards", {"most": 36}, "SC-2, SC-3"),
    _written(
        TEXT,
        "hands=",
        "hands=DDDM.",
        "too-many-words",
        {"most": 4, "what": "hand"},
    ),
    _written(TEXT, "hands=DDDM.MMMW", "hands=MMMW.DDDM", "words-in-order", {"what": "hand", "known": f"{CARDS} ?"}),
]


def _cannot_be(text: str, before: str, after: str, code: str, rule: str, **arguments: Argument) -> Case:
    return _written(text, before, after, code, arguments, rule)


def _table(table: str, code: str, rule: str, x: int, y: int) -> Case:
    """A table on which something is wrong with the card at a place."""
    text = position_text("2", "place:1", table=table)
    return Case(lambda: GAME.read_any(text), code, {"x": x, "y": y}, rule, (1, len(text) + 1))


def _unwritten(code: str, rule: str, arguments: dict[str, Argument], part: str, **changes: Any) -> Case:
    """A position that cannot even be written down: a text with it would be refused before. `part` checks it."""
    view = msgspec.structs.replace(view_of(PLAIN.row), **changes)
    return Case(lambda: next(getattr(validity, part)(view)), code, arguments, rule)


HANDS, LYING = view_of(PLAIN.row).hands, view_of(PLAIN.row).table
IMPOSSIBLE = [
    _cannot_be(TEXT, "stack=0/", "stack=1/", "copies", "SC-61", right=3, card="DDDM", number=4),
    _cannot_be(SEEN, "stack=?26", "stack=?25", "card-sum", "SC-61", right=36, number=35),
    _cannot_be(SEEN, "seen=1", "seen=-", "seen-by-spectator", "SC-60", seat=0),
    _cannot_be(SEEN, "?.?.?.?", "DDDW.?.?.?", "seen-by-seat", "SC-60", by=0, seat=1),
    _cannot_be(TEXT, "place:1", "draw:1", "hand-size", "SC-14", seat=0, right=3, number=4),
    _cannot_be(TEXT, "tokens=6/6", "tokens=6/5", "token-count", "SC-4", right=12, number=11),
    _table("DDDM@0,0 DDDM@1,0", "cell-twice", "SC-20", 1, 0),
    _table("DDDM@0,0 DDDM@2,1", "not-connected", "SC-20", 2, 1),
    _table("DDDM@0,0 DDDM@2,0 DDDW@3,0^", "no-four-pieces", "SC-31", 3, 0),
    _table("DDMD@0,0 DDDW@2,0 DMDD@0,2 WDDD@2,2 DDMM@0,1^ DDWW@2,1^ MMWW@1,1^", "third-level", "SC-34", 1, 1),
    _table("DDDM@0,0 DDDM@2,0! DDDW@4,0 DDDW@1,0^ DDMM@3,0^", "token-covered", "SC-35", 2, 0),
    _cannot_be(SWAP, "offer=DDDM:1", "offer=DDDW:0", "offer-not-held", "SC-50", seat=0, card="DDDW"),
    _cannot_be(SWAP, "offer=DDDM:1", "offer=DDDM:2", "offer-number", "SC-50", card="DDDM", right=1, kind="M", number=2),
    _cannot_be(KNOWN, "known=1>2:MMMD", "known=1>2:DDDM", "known-not-held", "SC-60", seat=1, by=0),
    _cannot_be(SWAP, "said=1>2:D1", "said=1>2:D2", "said-not-held", "SC-60", seat=1, kind="D", number=2),
    _cannot_be(TEXT + " barred=1:MMWW", "MMWW", "DDDM", "passed-with-card", "SC-60", seat=0, card="DDDM"),
    _unwritten("stack-sum", "SC-61", {"right": 25, "number": 26}, "_stock", left=25),
    _unwritten("more-than-four", "SC-14", {}, "_turn", left=0, hands=((*HANDS[0], "MMWD"), HANDS[1])),
    _unwritten("tokens-of-seat", "SC-4", {"most": 6}, "_tokens", tokens=(7, 5)),
    _unwritten(
        "token-missing", "SC-34", {"x": 1, "y": 0}, "_second_level", table=(*LYING, Card("DDDM", 1, 0, 2, False))
    ),
    _unwritten(
        "one-card-below", "SC-31", {"x": 0, "y": 0}, "_second_level", table=(*LYING, Card("DDDM", 0, 0, 2, True))
    ),
]


def _of_problem(text: str, rule: str) -> Case:
    """A case of `test_validity`, where the words are compared."""
    refused = refusal_of(partial(GAME.read_any, text))
    return Case(partial(GAME.read_any, text), refused.code, refused.arguments, rule)


PHASES: dict[str, BasePosition] = {
    "deal": NEW,
    "kind": KIND,
    "place": PLAIN,
    "swap": PLACE,
    "secure": SECURE,
    "draw": DRAW,
    "answer": ANSWER,
    "accept": ACCEPT,
}
DUE = {phase: at for phase, at in PHASES.items() if phase != "swap"}


def _move(at: BasePosition, move: str, code: str, rule: str = "", **arguments: Argument) -> Case:
    return Case(partial(at.play, move), code, arguments, rule)


def _texts_of_moves() -> list[Case]:
    cases = [_move(OVER, "x", "over-not-a-move", text="x")]
    for phase, at in PHASES.items():
        cases += [
            _move(at, "x", "not-a-move", text="x", expected=phase),
            _move(at, "DMDM@0,0", "no-such-card", "SC-2", pieces="DMDM"),
        ]
    rules = {"deal": "SC-11", "kind": "SC-12", "secure": "SC-35", "answer": "SC-51", "accept": "SC-52"}
    for phase, at in DUE.items():
        move = "dark" if phase in ("deal", "place") else "pass"
        cases.append(_move(at, move, "not-now", rules.get(phase, "SC-14"), due=phase))
    return cases


MOVES = [
    *_texts_of_moves(),
    _move(PLACE, "WWWM@4,0", "not-in-hand", "SC-14", seat=0, card="WWWM"),
    _move(ANSWER, "answer:DDDM", "not-in-hand", "SC-14", seat=1, card="DDDM"),
    _move(DRAW, "+DDDM", "not-in-stack", "SC-61", card="DDDM"),
    _move(PLACE, "offer:DDDM>1", "not-an-opponent", "SC-50", seat=0),
    _move(ANSWER.play("decline"), "offer:MMMW>2", "already-asked", "SC-53", seat=1),
    _move(SECURE, "token@1,1", "no-card-there", "SC-35", x=1, y=1),
    _move(PLACE, "DDDM@1,0", "not-free", "SC-20", x=1, y=0),
    _move(PLACE, "DDDM@-2,-2", "too-few-edges", "SC-20", pieces="DDDM", x=-2, y=-2),
]


def _of_refused(at: BasePosition, move: str, rule: str) -> Case:
    """A case of the rules' tests, where the words are compared."""
    refused = refusal_of(partial(at.play, move))
    return Case(partial(at.play, move), refused.code, refused.arguments, rule)


STARTS = [Case(lambda: GAME.new("2,start=drawn").play("x"), "not-a-move", {"text": "x", "expected": "start"})]

CASES = [
    *STARTS,
    *OPTIONS,
    *WRITTEN,
    *IMPOSSIBLE,
    *(_of_problem(text, rule) for text, _, rule in PROBLEMS),
    *MOVES,
    *(_of_refused(at, move, rule) for at, move, _, rule, _ in REFUSED),
]
