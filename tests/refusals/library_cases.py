"""Refusals that belong to no single game: moves, turns, positions, records and their texts."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any, cast

import tilery
from tests.refusals.cases import Case, changed
from tilery.core.perft import perft
from tilery.core.position import Position, Seen
from tilery.core.record_text import check_words, read_record
from tilery.core.refusals import Argument
from tilery.games import GAMES
from tilery.games.azul import AzulGame

AZUL, CHOCOLATIER, SCHOKOLY = GAMES.values()
STARTS = [game.new().settle(tilery.Stream("refusals")) for game in GAMES.values()]
NEW, SEEN = SCHOKOLY.new(), SCHOKOLY.new().seen_by(0)
DEALT = STARTS[-1]
IMPOSSIBLE = Seen(SCHOKOLY, DEALT.seen_by(0).row, 1)  # what seat 1 sees, said to be what seat 2 sees


class _Lenient(AzulGame):
    """Azul, but moves are also read in lower case, which is not how they are written."""

    read_move = staticmethod(lambda row, text: AZUL.read_move(row, text.upper()))


LENIENT = _Lenient(**{field.name: getattr(AZUL, field.name) for field in fields(AZUL)})

RECORD = """\
[Tilery "1"]
[Game "azul"]
[Rules "2"]
[Seat1 "Ann"]
[Seat2 "Ben"]
[Date "2026-11-18"]
[Result "*"]

1. +BBYR {first} +BYRK +BYRK +BYRW +BKWW
3R2
"""
SCHOKOLY_RECORD = """\
[Tilery "1"]
[Game "schokoly"]
[Rules "2"]
[Seat1 "Ann"]
[Seat2 "Ben"]
[Result "*"]

1. +DDDM +DDMM
"""
SEEN_RECORD = tilery.read_record(SCHOKOLY_RECORD).seen_by(0).text


def _moves() -> list[Case]:
    cases: list[Case] = []
    for at in STARTS:
        row_width: dict[str, Argument] = {"game": at.game.name, "width": len(at.row), "length": 3}
        cases += [
            Case(partial(at.play, cast(Any, None)), "move-type", {"found": "None"}),
            Case(partial(at.play, 2**40), "not-a-number", {"number": 2**40}),
            Case(partial(at.play, 2**30), "not-a-number", {"number": 2**30}),
            Case(partial(at.play, "x" * 25), "too-long", {"most": 24, "length": 25}),
            Case(partial(at.play, "pass", by=1), "not-your-turn", {"actor": 0, "by": 1}),
            Case(at.probabilities, "not-chance", {"actor": 0}),
            Case(partial(at.draw, tilery.Stream("x")), "not-chance", {"actor": 0}),
            Case(partial(at.seen_by, 7), "no-such-seat", {"index": 7, "last": 1}),
            Case(partial(Position, at.game, b"123"), "row-width", row_width),
        ]
    chance: dict[str, Argument] = {"actor": "chance", "by": 0}
    return [*cases, Case(lambda: NEW.play("+DDDM", by=0), "not-your-turn", chance)]


def _positions() -> list[Case]:
    games: dict[str, Argument] = {"games": "azul chocolatier schokoly"}
    of_azul = "seats wall specials start round_limit stall_limit"
    spectator = NEW.seen_by(tilery.SPECTATOR)
    return [
        Case(lambda: tilery.game("chess"), "no-such-game", {"text": "chess", **games}),
        Case(
            lambda: tilery.read_position(""),
            "expected-word",
            {"what": "name-of-game", "words": "azul: chocolatier: schokoly:", "found": "end-of-text"},
            "",
            (1, 1),
        ),
        Case(
            lambda: AZUL.new(colour="blue"),
            "no-such-option",
            {"game": "azul", "unknown": "colour", "options": of_azul},
        ),
        Case(lambda: SCHOKOLY.read(SEEN.text), "seen-position", {"viewer": 0}),
        Case(lambda: SCHOKOLY.read(spectator.text), "seen-position", {"viewer": "spectator"}),
        Case(lambda: SCHOKOLY.read_seen(SEEN.text, 1), "seen-by-another", {"viewer": 0, "wanted": 1}),
        Case(lambda: IMPOSSIBLE.guess(tilery.Stream("x")), "no-such-world", {"viewer": 1}),
        Case(lambda: perft(NEW, 21), "depth", {"most": 20, "depth": 21}),
        Case(lambda: AZUL.variant("2" * 201), "text-too-long", {"what": "variant", "most": 200, "length": 201}),
        Case(lambda: AZUL.read("x" * 4001), "text-too-long", {"what": "position", "most": 4000, "length": 4001}),
        Case(lambda: check_words("\n", "seed"), "forbidden-character", {"what": "seed", "character": "\n"}),
        Case(lambda: check_words("\n", "bot-name"), "forbidden-character", {"what": "bot-name", "character": "\n"}),
    ]


def _variants() -> list[Case]:
    """In every game: the part of a text that all variants begin with."""
    cases = []
    for game in GAMES.values():
        expected: dict[str, Any] = {"what": "seats", "low": 2, "high": 4}
        cases += [
            Case(partial(game.variant, "x"), "expected-number", {**expected, "found": "x"}, "", (1, 1)),
            Case(partial(game.variant, ""), "expected-number", {**expected, "found": "end-of-text"}, "", (1, 1)),
            Case(partial(game.variant, "02"), "number-form", {**expected, "digits": "02"}, "", (1, 1)),
            Case(partial(game.variant, "5"), "number-range", {**expected, "number": 5}, "", (1, 1)),
            Case(partial(game.variant, "2 "), "expected", {"what": "end-of-text", "found": " "}, "", (1, 2)),
            Case(partial(game.variant, "3\n"), "expected", {"what": "end-of-text", "found": "end-of-line"}, "", (1, 2)),
            Case(
                partial(game.read, "chess:"),
                "expected",
                {"what": "game", "game": game.name, "found": "c"},
                "",
                (1, 1),
            ),
        ]
    no_blank: dict[str, Any] = {"what": "phase-after-blank", "found": "end-of-text"}
    no_round: dict[str, Any] = {"what": "text", "text": " round=", "found": "end-of-text"}
    return [
        *cases,
        Case(lambda: SCHOKOLY.read("schokoly:2"), "expected", no_blank, "", (1, 11)),
        Case(lambda: AZUL.read("azul:2"), "expected", no_round, "", (1, 7)),
        Case(lambda: AZUL.read("azul:2 round=1"), "expected", no_blank, "", (1, 15)),
    ]


def _record(*changes: tuple[str, str]) -> Any:
    return lambda: tilery.read_record(changed(RECORD, *changes))


def _records() -> list[Case]:
    record = tilery.read_record(RECORD)
    tags = "".join(f'[A{number} ""]\n' for number in range(60))
    return [
        Case(lambda: tilery.read_record(SEEN_RECORD), "seen-record", {"viewer": 0}),
        Case(lambda: tilery.read_seen_record(RECORD), "complete-record"),
        Case(lambda: record.position(9), "no-such-ply", {"ply": 9, "plies": 6}),
        Case(lambda: record.upto(7), "no-such-ply", {"ply": 7, "plies": 6}),
        Case(
            lambda: tilery.Record(record.start, (tilery.Ply(0, 5),)).position(),
            "not-now",
            {"due": "fill", "in_ply": 0},
            "AZ-10",
        ),
        Case(lambda: tilery.Record(record.start, (), ("a", "b", "c")), "too-many-players", {"players": 3, "seats": 2}),
        Case(
            lambda: tilery.Record(record.start, comments={2: "x"}),
            "comment-place",
            {"ply": 2, "plies": 0},
        ),
        Case(lambda: tilery.Record(record.start, tags={"a b": ""}), "tag-name", {"most": 32, "found": "a b"}),
        Case(lambda: tilery.Record(record.start, tags={"Seat9": ""}), "own-tag", {"tag": "Seat9"}),
        Case(
            lambda: tilery.Record(record.start, tags={"Event": "\n"}).text,
            "forbidden-character",
            {"what": "tag", "tag": "Event", "character": "\n"},
        ),
        Case(
            lambda: tilery.Record(record.start, tags={"Event": "x" * 5001}).text,
            "text-too-long",
            {"what": "tag", "tag": "Event", "most": 5000, "length": 5001},
        ),
        Case(
            lambda: tilery.Record(record.start, comments={0: "}"}).text,
            "forbidden-character",
            {"what": "comment", "character": "}"},
        ),
        Case(
            lambda: tilery.Record(record.start, comments={0: "x" * 5001}).text,
            "text-too-long",
            {"what": "comment", "most": 5000, "length": 5001},
        ),
        Case(
            lambda: tilery.Record(record.start, tags={f"A{number}": "" for number in range(64)}).text,
            "too-many-tags",
            {"most": 64},
        ),
        Case(
            lambda: tilery.read_record("[" * (2**20 + 1)),
            "text-too-long",
            {"what": "record", "most": 2**20, "length": 2**20 + 1},
        ),
        # Tags.
        Case(_record(('[Date "', '[2 "')), "expected", {"what": "name-of-tag", "found": " "}, "", (6, 3)),
        Case(_record(('[Date "', f'[{"D" * 33} "')), "tag-name", {"most": 32, "found": "D" * 33}, "", (6, 2)),
        Case(_record(("[Date", "[Seat1")), "tag-twice", {"tag": "Seat1"}, "", (6, 2)),
        Case(_record(("[Date", f"{tags}[Date")), "too-many-tags", {"most": 64}, "", (65, 2)),
        Case(_record(('[Date "', "[Date 2")), "expected", {"what": "quoted-value", "found": " "}, "", (6, 6)),
        Case(_record(("2026", "\\2026")), "expected", {"what": "escaped-character", "found": "2"}, "", (6, 9)),
        Case(_record(("2026", "\n")), "expected", {"what": "value-character", "found": "end-of-line"}, "", (6, 8)),
        Case(_record(("2026", "x" * 5001)), "longer-than", {"what": "tag-value", "most": 5000}, "", (6, 5008)),
        Case(_record(('18"]', '18"')), "expected", {"what": "text", "text": "]", "found": "end-of-line"}, "", (6, 19)),
        Case(_record(('18"]', '18"] ')), "expected", {"what": "end-of-line", "found": " "}, "", (6, 20)),
        Case(_record(('[Tilery "1"]\n', "")), "tag-missing", {"tag": "Tilery", "found": "end-of-line"}, "", (7, 1)),
        Case(_record(('[Seat2 "Ben"]\n', "")), "tag-missing", {"tag": "Seat2", "found": "end-of-line"}, "", (7, 1)),
        Case(_record(('[Result "*"]\n', "")), "tag-missing", {"tag": "Result", "found": "end-of-line"}, "", (7, 1)),
        Case(_record(('[Game "azul"]\n[Rules "2"]', '[Rules "2"]\n[Game "azul"]')), "tag-order", {}, "", (8, 1)),
        Case(_record(('[Date "', '[Seen "1')), "seen-tag-place", {}, "", (6, 2)),
        Case(_record(("[Date", "[Seat3")), "tag-of-no-seat", {"tag": "Seat3", "seats": 2}, "", (6, 2)),
        Case(_record(('"1"', '"9"')), "record-format", {"format": "9", "known": "1", "in_tag": "Tilery"}, "", (1, 10)),
        Case(
            _record(('"2"', '"2,start=9"')),
            "number-range",
            {"what": "starting-seat", "low": 2, "high": 2, "number": 9, "in_tag": "Rules"},
            "",
            (3, 17),
        ),
        Case(
            lambda: tilery.read_seen_record(changed(SEEN_RECORD, ('[Seen "1"', '[Seen "3"'))),
            "viewer-expected",
            {"seats": 2, "text": "3", "in_tag": "Seen"},
            "",
            (4, 8),
        ),
        Case(
            _record(("[Seat1", f'[Position "{AZUL.new("3").text}"]\n[Seat1')),
            "other-rules",
            {"in_tag": "Position"},
            "",
            (4, 12),
        ),
        Case(_record(('"*"', '"1-2"')), "wrong-result", {"result": "*", "found": "1-2"}, "", (7, 9)),
        # Plies and comments.
        Case(_record(("{first}", "{first} {second}")), "comment-twice", {}, "", (9, 18)),
        Case(_record(("{first}", "{first")), "unclosed-comment", {}, "", (9, 10)),
        Case(
            _record(("first", "fi\nrst")),
            "forbidden-character",
            {"what": "comment", "character": "\n"},
            "",
            (9, 13),
        ),
        Case(_record(("first", "x" * 5001)), "longer-than", {"what": "comment", "most": 5000}, "", (9, 10)),
        Case(_record(("3R2", "3" * 65)), "longer-than", {"what": "ply", "most": 64}, "", (10, 1)),
        Case(_record(("3R2", "}")), "expected", {"what": "ply-or-comment", "found": "}"}, "", (10, 1)),
        Case(_record(("3R2", "1.")), "expected", {"what": "ply", "found": "1."}, "", (10, 1)),
        Case(_record(("1. ", "2. ")), "round-expected", {"round": 1, "found": "2."}, "", (9, 1)),
        Case(_record(("1. ", "")), "round-missing", {"round": 1}, "", (9, 1)),
        Case(
            _record(("3R2", "1W2")),
            "no-such-tile",
            {"from": 1, "colour": "W", "in_move": "1W2"},
            "AZ-12",
            (10, 1),
        ),
        Case(
            lambda: read_record(changed(RECORD, ("3R2", "3r2")), lambda _: LENIENT),
            "other-notation",
            {"right": "3R2", "letters": "3r2", "in_move": "3r2"},
            "",
            (10, 1),
        ),
        Case(
            _record(("3R2", "3R9")),
            "no-such-line",
            {"text": "3R9", "letter": "9", "expected": "offer"},
            "",
            (10, 1),
        ),
    ]


CASES = [*_moves(), *_positions(), *_variants(), *_records()]
