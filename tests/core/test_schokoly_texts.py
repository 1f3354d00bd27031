"""The readers of Schokoly: positions, moves and records, whole and as one seat sees them."""

from __future__ import annotations

import time
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.notation import texts
from tests.variants import SCHOKOLY as EVERY
from tilery import (
    CHANCE,
    OVER,
    BadText,
    NotAMove,
    NotLegal,
    Ply,
    Position,
    Record,
    Refused,
    Seen,
    Stream,
    game,
    read_position,
    read_record,
    read_records,
    read_seen_record,
)
from tilery.core.record_text import AnyRecord
from tilery.games import read_any_position, read_any_record
from tilery.games.schokoly.kernel.layout import LAY
from tilery.games.schokoly.rules import Rules
from tilery.games.schokoly.view import name_of

SCHOKOLY = game("schokoly")

# Four cards that show nothing but dark to the outside, so that somebody may have to pass.
BLOCK = ("DDMD@0,0", "DDDW@2,0", "DMDD@0,2", "WDDD@2,2")


class _Game:
    """A game being played, move by move."""

    def __init__(self, rules: Rules) -> None:
        self.start = self.position = SCHOKOLY.new(rules)
        self.plies: list[Ply] = []

    def play(self, move: str | int) -> None:
        action = self.position.action(move)
        self.plies.append(Ply(self.position.actor, action))
        self.position = self.position.play(action)

    def give(self, turn: int, card: str = "") -> None:
        """A card for a seat, counted from the first player; by default one without dark for whoever has to pass."""
        moves = texts(self.position)
        plain = [move for move in moves if "D" not in move]
        passing = self.position.seats == 2 or turn == len(BLOCK) % self.position.seats
        self.play(f"+{card}" if card else plain[0] if plain and passing else moves[-1])

    def lay_the_block(self) -> None:
        """From the first deal to the first pass."""
        seats = self.position.seats
        if self.position.view["phase"] == "start":
            self.play("start=2")
        for turn in range(seats):
            own = [name_of(lies[:4]) for lies in BLOCK[turn::seats]]
            for card in [*own, "", "", ""][:4]:
                self.give(turn, card)
        for turn, lies in enumerate(BLOCK):
            for move in (*("dark", "milk")[turn : turn + 1], lies, "no-token"):
                self.play(move)
            self.give(turn % seats)
        self.play("pass")

    def play_on(self, stream: Stream) -> None:
        """To the end, at random; what is not a card laid (an offer, for example) half of the time."""
        while self.position.actor != OVER:
            if self.position.actor == CHANCE:
                self.play(self.position.draw(stream))
                continue
            actions = self.position.actions()
            words = [action for action in actions if action < LAY]
            self.play(stream.choice(words if words and stream.below(2) else actions))


@cache
def whole_record(seed: int) -> Record:
    """A random game in one of the variants; in every second one of a variant somebody passes early."""
    played = _Game(EVERY[seed % len(EVERY)])
    if seed // len(EVERY) % 2:
        played.lay_the_block()
    played.play_on(Stream("texts of Schokoly", seed))
    return Record(played.start, tuple(played.plies))


def random_record(seed: int, plies: int = 10_000) -> Record:
    """The beginning of such a game."""
    record = whole_record(seed)
    return record.upto(min(plies, len(record.plies)))


def looks(position: Position) -> list[Position | Seen]:
    """A position and all that is seen of it."""
    return [position, *map(position.seen_by, range(position.seats))]


def records_of(record: Record) -> list[AnyRecord]:
    """A record, and the record of every seat."""
    return [record, *map(record.seen_by, range(record.start.seats))]


def test_these_games_cover_everything() -> None:
    words = set()
    for seed in range(2 * len(EVERY)):
        for position in whole_record(seed).positions():
            words |= {word.partition("=")[0].partition(":")[0] for word in position.text.split(" ")}
            words |= {position.view["ended_by"]} - {""}
    phases = {"start", "deal", "draw", "kind", "place", "secure", "answer", "accept", "over", "cards"}
    fields = {"schokoly", "starter", "kinds", "tokens", "hands", "stack", "table"}
    assert words == phases | fields | {"passes", "barred", "asked", "swapped", "offer", "known", "said"}


# Round trips.

seeds = st.integers(0, 51)
words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), max_size=30)
quiet_words = words.filter(lambda text: "{" not in text and "}" not in text)


@pytest.mark.parametrize("seed", range(2 * len(EVERY)))
def test_positions_and_moves_round_trip(seed: int) -> None:
    record = whole_record(seed)
    for position, ply in zip(record.positions(), (*record.plies, None), strict=True):
        for look in looks(position):
            again = read_any_position(look.text)
            assert again == look
            assert again.row == look.row
            assert again.text == look.text
            moves = texts(look)
            assert len(set(moves)) == len(moves)
            assert [look.action(move) for move in moves] == look.actions()
            if ply and isinstance(look, Seen):
                veiled = position.veiled(ply.action, look.seat)
                assert look.action(look.move_text(veiled)) == veiled


@given(seeds, st.integers(0, 150), words, st.dictionaries(st.integers(0, 150), quiet_words, max_size=5))
def test_records_round_trip(seed: int, plies: int, name: str, comments: dict[int, str]) -> None:
    record = random_record(seed, plies)
    kept = {at: text for at, text in comments.items() if at <= len(record.plies)}
    record = Record(record.start, record.plies, (name,), {"Date": "2026-11-15", "Event": name}, kept)
    for one in records_of(record):
        again = read_any_record(one.text)
        assert again == one
        assert again.text == one.text
        assert again.last == one.last


@given(seeds, st.integers(0, 120))
def test_a_record_may_begin_at_any_position(seed: int, plies: int) -> None:
    middle = random_record(seed, plies)
    record = Record(middle.last, whole_record(seed).plies[len(middle.plies) :])
    for one in records_of(record):
        assert read_any_record(one.text) == one
    assert record.last == whole_record(seed).last


@given(seeds, st.integers(0, 150))
def test_what_a_seat_saw_says_nothing_more(seed: int, plies: int) -> None:
    """Two games that a seat cannot tell apart have the same text for it; comments and a seed are left out."""
    record = random_record(seed, plies)
    full = Record(record.start, record.plies, (), {"Seed": "7", "Place": "here"}, {0: "look at seat 2"})
    for seat in range(record.start.seats):
        seen = full.seen_by(seat)
        assert seen.comments == {}
        assert seen.tags == {"Place": "here"}
        assert seen.plies == record.seen_by(seat).plies
        assert read_seen_record(seen.text).last == record.last.seen_by(seat)
        world = record.last.seen_by(seat).guess(Stream("world", seed))
        assert world.seen_by(seat).text == record.last.seen_by(seat).text


def test_one_file_holds_records_of_any_kind() -> None:
    record = random_record(6, 60)
    text = "\n".join(one.text for one in [record, random_record(1), record])
    assert list(read_records(text)) == [record, random_record(1), record]
    with pytest.raises(Refused, match="this is the game as seat 2 saw it: a complete record was expected"):
        list(read_records(f"{text}\n{record.seen_by(1).text}"))


# Damaged texts.


def _mutated(text: str, at: int, how: int, letter: str) -> str:
    at %= len(text) + 1
    return (text[:at] + letter + text[at:], text[:at] + text[at + 1 :], text[:at] + letter + text[at + 1 :])[how]


def _has_a_place(refused: BadText, text: str) -> None:
    """The error names a line and a column of the text (or just behind it)."""
    lines = [*text.split("\n"), ""]
    assert 1 <= refused.line <= len(lines)
    assert 1 <= refused.column <= len(lines[refused.line - 1]) + 2
    assert str(refused).startswith(f"line {refused.line}, column {refused.column}: ")


def _can_be_used(look: Position | Seen) -> None:
    """Whatever was accepted can be looked at, and a whole position can be played a long way."""
    assert str(look)
    assert look.json()
    assert look.actor == OVER or texts(look)
    stream = Stream("on")
    for _ in range(30):
        if look.actor == OVER or isinstance(look, Seen):
            return
        look = look.play(stream.choice(look.actions()))


@given(
    seeds,
    st.integers(0, 150),
    st.integers(0, 4),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 2), st.sampled_from("0123456789DMW?@,;.^!-/=:> \nx٣²"))),
)
def test_a_damaged_position_is_refused_or_is_another_position(
    seed: int, plies: int, which: int, damage: list[tuple[int, int, str]]
) -> None:
    """Never a crash, never the same position by another text, never a text that is written differently."""
    views = looks(random_record(seed, plies).last)
    look = views[which % len(views)]
    text = look.text
    for at, how, letter in damage[:3]:
        text = _mutated(text, at, how, letter)
    try:
        read = SCHOKOLY.read_any(text)
    except BadText as refused:
        _has_a_place(refused, text)
    else:
        assert read.text == text
        assert (read == look) == (text == look.text)
        _can_be_used(read)


@cache
def _fields() -> dict[str, list[str]]:
    """The words that positions are made of, by field."""
    values: dict[str, set[str]] = {}
    for seed in range(0, 2 * len(EVERY), 3):
        for position in whole_record(seed).positions():
            for look in looks(position):
                for word in look.text.split(" ")[1:]:
                    values.setdefault(word.partition("=")[0].partition(":")[0], set()).add(word)
    return {field: sorted(words) for field, words in sorted(values.items())}


@given(seeds, st.integers(0, 150), st.integers(0, 4), st.data())
def test_a_position_put_together_from_others_is_refused_or_is_a_position(
    seed: int, plies: int, which: int, data: st.DataObject
) -> None:
    """Fields that are well written, but do not belong together."""
    views = looks(random_record(seed, plies).last)
    parts = views[which % len(views)].text.split(" ")
    for _ in range(data.draw(st.integers(1, 2))):
        field = data.draw(st.sampled_from(sorted(_fields())))
        word = data.draw(st.sampled_from(_fields()[field]))
        own = [at for at, part in enumerate(parts) if part.partition("=")[0].partition(":")[0] == field]
        if own:
            parts[own[0]] = word
        else:
            parts.insert(data.draw(st.integers(1, len(parts))), word)
    text = " ".join(parts)
    try:
        read = SCHOKOLY.read_any(text)
    except BadText as refused:
        _has_a_place(refused, text)
    else:
        assert read.text == text
        _can_be_used(read)


@given(
    seeds,
    st.integers(0, 4),
    st.integers(0, 5000),
    st.integers(0, 2),
    st.sampled_from('0123456789DMW+?@,^-:>{}[]" \n.=x٣'),
)
def test_a_damaged_record_is_refused_or_reads_as_what_it_says(
    seed: int, which: int, at: int, how: int, letter: str
) -> None:
    records = records_of(random_record(seed, 60))
    text = _mutated(records[which % len(records)].text, at, how, letter)
    try:
        record = read_any_record(text)
    except BadText as refused:
        _has_a_place(refused, text)
    else:
        assert read_any_record(record.text) == record


PLAIN = read_position(
    "schokoly:2 place:1 kinds=D/M tokens=6/5 hands=DDDW.MMMD.WWWM.DDMM/DDDW.MMMW.DDWW.MMWW "
    "stack=2/0/2/2/3/2/2/2/2/3/3/3 table=DDDM@0,0!;DWDD@2,0"
)
PENDING = read_position(
    "schokoly:3,swap answer:2 kinds=D/W/M tokens=3/4/3 "
    "hands=MMMW.WWWM.DDMW.MMWD/DDDW.WWWD.WWWM.MMWW/MMMW.WWWD.DDMM.DDWW "
    "stack=2/2/2/1/1/1/1/2/2/2/2/2 table=DMMD@0,-2!;DDDM@0,0;MMDM@1,0^;DMWW@2,0 "
    "asked=3 offer=DDDW:0>3 known=2>1:DDMW said=1>2:M0,3>2:M0"
)


@given(st.text(max_size=30) | st.text("DMW?+@^,-0123456789:>acdeknoprst", max_size=24))
@example("WDDM@3,-2 ")
@example("WDDM@3,-2\n")
@example("WDDM@-0,0")
@example("WDDM@٣,0")
@example("wddm@3,-2")
@example("DMDM@0,0")
@example("token@100,0")
@example("offer:DDDM>4")
@example("offer:?4>2")
@example("accept:?")
@example("+" + "D" * 10_000)
def test_any_text_is_a_move_or_is_refused(text: str) -> None:
    for look in (*looks(PLAIN), *looks(PENDING)):
        try:
            action = look.action(text)
        except NotAMove:
            continue
        assert look.move_text(action) == text
        refused = look.refusal(action)
        assert refused is None or (isinstance(refused, NotLegal) and refused.rule)


@given(st.text(max_size=200))
@example("schokoly:")
@example("schokoly:2")
@example("schokoly:2 seen=1")
@example('[Tilery "1"]\n[Game "schokoly"]\n[Rules "2"]\n[Seen "1"]\n')
def test_any_text_is_a_position_or_a_record_or_is_refused(text: str) -> None:
    for read in (read_position, read_any_position, read_record, read_seen_record, SCHOKOLY.read_any):
        with pytest.raises(Refused):
            read(text)
    with pytest.raises(Refused):
        SCHOKOLY.variant(text + "?")


def test_hostile_texts_are_refused_at_once() -> None:
    """Far too long or repetitive: each is refused in time that grows no faster than the text."""
    record = random_record(6, 60)
    seen = record.seen_by(0).text
    head, _, table = PLAIN.text.rpartition("table=")
    hostile = [
        head + "table=" + ";".join(["DDDM@0,0"] * 100_000),
        head + "table=" + "D" * 1_000_000,
        head.replace("DDDW.MMMD", ".".join(["DDDW"] * 200_000)) + "table=" + table,
        PLAIN.text + " barred=1:" + ".".join(["DDDM"] * 200_000),
        PENDING.text + "." + ".".join(["M0"] * 300_000),
        seen + "+? " * 300_000,
        seen + "{" * 900_000,
        "offer:" + "?" * 1_000_000,
    ]
    began = time.process_time()
    for text in hostile:
        for read in (SCHOKOLY.read_any, read_any_record, PENDING.action, SCHOKOLY.variant):
            with pytest.raises(Refused):
                read(text)
        SCHOKOLY.normalise_move(text)
    assert time.process_time() - began < 60  # hours, if any of it were quadratic


# What is wrong, and where.


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("5", 1, "expected the number of seats from 2 to 4, found 5"),
        ("02", 1, "expected the number of seats (2 to 4, no leading zero), found 02"),
        ("large", 1, "expected the number of seats (2 to 4), found 'l'"),
        ("2,swap", 3, "chocolate is swapped among 3 players only (SC-50)"),
        ("4,large,swap", 9, "chocolate is swapped among 3 players only (SC-50)"),
        ("3,swap,large", 8, "expected an option, in this order: start=, found 'large'"),
        ("3,swap,swap", 8, "expected an option, in this order: start=, found 'swap'"),
        ("2,start=2,large", 11, "expected the end of the variant, found 'l'"),
        ("2,start=1", 9, "expected the starting seat from 2 to 2, found 1"),
        ("3,start=4", 9, "expected the starting seat from 2 to 3, found 4"),
        ("3,start=Drawn", 9, "expected the starting seat (2 to 3), found 'D'"),
        ("2,classic", 3, "expected an option, in this order: large or start=, found 'classic'"),
        ("3,Swap", 3, "expected an option, in this order: large, swap or start=, found 'Swap'"),
        ("3 ", 2, "expected the end of the text, found ' '"),
    ],
)
def test_what_is_wrong_with_a_variant_is_said_where_it_is(text: str, column: int, problem: str) -> None:
    with pytest.raises(BadText) as refused:
        SCHOKOLY.variant(text)
    assert str(refused.value) == f"line 1, column {column}: {problem}"


_CARDS = "DDDM, DDDW, MMMD, MMMW, WWWD, WWWM, DDMM, DDWW, MMWW, DDMW, MMWD, WWDM"
_PHASES = "start, deal, draw, kind, place, secure, answer, accept or over"


def _refused_at(text: str, before: str, after: str) -> tuple[str, str]:
    """The text at the place where a damaged position is refused, and the reason."""
    assert text.count(before) >= 1
    broken = text.replace(before, after, 1)
    with pytest.raises(BadText) as refused:
        read_any_position(broken)
    assert refused.value.line == 1
    return broken[refused.value.column - 1 :], refused.value.problem


@pytest.mark.parametrize(
    ("before", "after", "at", "problem"),
    [
        (":2 ", ":5 ", "5 place", "expected the number of seats from 2 to 4, found 5"),
        (":2 ", ":2,swap ", "swap place", "chocolate is swapped among 3 players only (SC-50)"),
        (":2 ", ":2  ", " place", f"expected the phase: {_PHASES}, found ' '"),
        (":2 ", ":2 seen=3 ", "3 place", "expected the seat that sees this from 1 to 2, found 3"),
        ("place:1", "play:1", "play:1", f"expected the phase: {_PHASES}, found 'play'"),
        ("place:1", "place:3", "3 kinds", "expected the seat whose turn it is from 1 to 2, found 3"),
        ("place:1", "place", " kinds", "expected ':', found ' '"),
        ("place:1", "over:1", "1 kinds", "expected the reason why the game ended: cards or passes, found '1'"),
        ("kinds=D/M", "kinds=d/M", "d/M", "expected a kind: D, M, W or -, found 'd'"),
        ("kinds=D/M", "kinds=D", " tokens", "expected '/' and the kind of seat 2, found ' '"),
        ("kinds=D/M", "kinds=D/M/W", "/W tokens", "expected ' tokens=', found '/'"),
        ("kinds=D/M ", "", " tokens", "expected ' kinds=', found ' '"),
        ("tokens=6/5", "tokens=7/4", "7/4", "expected tokens from 0 to 6, found 7"),
        ("tokens=6/5", "tokens=06/5", "06/5", "expected tokens (0 to 6, no leading zero), found 06"),
        ("DDDW.", "WDDD.", "WDDD.", f"expected cards of a hand: {_CARDS} or ?, found 'WDDD'"),
        ("DDDW.", "dddw.", "dddw.", f"expected cards of a hand: {_CARDS} or ?, found 'dddw'"),
        ("DDDW.MMMD", "DDDW,MMMD", ",MMMD", "expected '/' and the hand of seat 2, found ','"),
        ("DDDW.MMMD", "MMMD.DDDW", "MMMD.DDDW", "expected cards of a hand in order: "),
        ("DDDW.MMMD", "?.?", "?.?.WWWM", "expected cards of a hand in order: "),
        ("stack=2/", "stack=4/", "4/", "expected the number of cards DDDM from 0 to 3, found 4"),
        ("/3/3/3 ", "/3/3 ", " table", "expected '/' and the number of cards WWDM, found ' '"),
        ("/3/3/3 ", "/3/3/3/3 ", "/3 table", "expected ' table=', found '/'"),
        ("DWDD@2,0", "DWDD@2.0", ".0", "expected ',' and the row, found '.'"),
        ("DWDD@2,0", "DWDD(2,0)", "(2,0)", "expected '@' and the card's top left cell, found '('"),
        ("DWDD@2,0", "DWDD@02,0", "02,0", "expected a coordinate (0 to 94, no leading zero), found 02"),
        ("DWDD@2,0", "DWDD@-0,0", "0,0", "expected a coordinate from 1 to 94, found 0"),
        ("DWDD@2,0", "DWDD@95,0", "95,0", "expected a coordinate from 0 to 94, found 95"),
        ("DWDD@2,0", "DWD@2,0", "DWD@2,0", "expected a card as it lies: "),
        ("DWDD@2,0", "DWDD@2,-2", "DDDM@0,0", "cards are listed by rows, then columns, each place once"),
        ("DWDD@2,0", "DWDD@2,0 ", " ", "expected the end of the text, found ' '"),
        ("DWDD@2,0", "DWDD@2,0 passes=0", "0", "expected passes in a row from 1 to 2, found 0"),
        ("DWDD@2,0", "DWDD@2,0 barred=2:", "", "expected cards: DDDM, "),
        ("DWDD@2,0", "DWDD@2,0 swapped", " swapped", "expected the end of the text, found ' '"),
    ],
)
def test_what_is_written_wrongly_is_said_where_it_is(before: str, after: str, at: str, problem: str) -> None:
    rest, reason = _refused_at(PLAIN.text, before, after)
    assert rest.startswith(at)
    assert bool(rest) == bool(at)
    assert reason.startswith(problem)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("place:1", "over:cards", "the game is over when the last card has been played, and only then (SC-40)"),
        ("place:1", "draw:1", "seat 1 must hold 3 cards while the stack lasts, not 4 (SC-14)"),
        ("place:1", "kind:1", "the first two players must choose their kinds in their first turns (SC-12, SC-13)"),
        ("place:1", "answer:1", "cards must be on offer while a swap is pending, and only then (SC-50, SC-51)"),
        ("kinds=D/M", "kinds=D/D", "each side must have a different kind, and partners the same (SC-13)"),
        ("tokens=6/5", "tokens=6/6", "there must be 12 tokens, not 13 (SC-4)"),
        ("stack=2/", "stack=3/", "there must be 3 cards DDDM, not 4 (SC-61)"),
        ("stack=2/0/2/2/3/2/2/2/2/3/3/3", "stack=?26", "a whole position must not have hidden cards (SC-60)"),
        ("DWDD@2,0", "DWDD@3,0", "the card at 3,0 shares fewer than two edges with cards laid before it (SC-20)"),
        ("DWDD@2,0", "DWDD@1,0", "two cards lie at 1,0 on the first level (SC-20)"),
        ("0!;DWDD@2,0", "0;DWDD@2,0^", "the second-level card at 2,0 must lie on four first-level pieces (SC-31)"),
        ("DWDD@2,0", "DWDD@2,0 passes=2", "the game is over when all have passed in a row, and only then (SC-41)"),
        ("DWDD@2,0", "DWDD@2,0 barred=1:DDDW", "seat 1 has passed, so it cannot hold DDDW (SC-60)"),
        (":2 ", ":2 seen=1 ", "nobody may see the stack (SC-60)"),
    ],
)
def test_a_position_that_contradicts_the_rules_is_refused_with_the_rule(before: str, after: str, problem: str) -> None:
    assert _refused_at(PLAIN.text, before, after) == ("", f"this position cannot occur: {problem}")


@pytest.mark.parametrize(
    ("before", "after", "at", "problem"),
    [
        ("asked=3", "asked=", " offer", "expected the seats asked, in order, found ' '"),
        ("asked=3", "asked=4", "4 offer", "expected the seats asked, in order, found '4'"),
        ("offer=DDDW:0>3", "offer=DDDW>3", ">3", "expected ':' and the number said, found '>'"),
        ("offer=DDDW:0>3", "offer=DDDW:4>3", "4>3", "expected the number said from 0 to 3, found 4"),
        ("offer=DDDW:0>3", "offer=DDDW:0>4", "4 known", "expected the seat asked from 1 to 3, found 4"),
        ("known=2>1:DDMW", "known=2:DDMW", ":DDMW", "expected '>' and the seat it knows of, found ':'"),
        ("said=1>2:M0", "said=1>2:M4", "M4", "expected numbers said: D0, D1, D2, D3, M0, "),
        ("said=1>2:M0", "said=1>2:W2.M0", "W2.M0", "expected numbers said in order: D0 D1 D2 D3 M0 "),
        ("said=1>2:M0", "said=1>2:M0.M0", "M0.M0", "expected numbers said in order: D0 D1 D2 D3 M0 "),
        ("said=1>2:M0,3>2:M0", "said=3>2:M0,1>2:M0", "3>2:M0", "pairs of seats are listed in order, each once"),
        ("known=2>1:DDMW said", "said=1>2:M0 said", " said=1>2:M0,", "expected the end of the text, found ' '"),
        ("asked=3", "asked=2", "", "this position cannot occur: the partner must have been asked"),
        ("offer=DDDW:0", "offer=DDDW:1", "", "this position cannot occur: DDDW has 0 pieces of milk, not 1 (SC-50)"),
        ("offer=DDDW:0", "offer=DDDM:0", "", "this position cannot occur: seat 2 holds no DDDM to offer (SC-50)"),
        (
            "offer=DDDW:0",
            "offer=?:0",
            "",
            "this position cannot occur: a card on offer must be seen by its owner alone",
        ),
        ("answer:2", "accept:2", "", "this position cannot occur: cards must be on offer while a swap is pending"),
        ("2>1:DDMW", "2>1:DDMM", "", "this position cannot occur: seat 1 does not hold what seat 2 knows of (SC-60)"),
        ("2>1:DDMW", "1>1:DDMW", "", "this position cannot occur: only the two players of a swap may know its cards"),
        ("1>2:M0", "1>2:M3", "", "this position cannot occur: seat 2 holds no card with 3 milk pieces (SC-60)"),
    ],
)
def test_what_is_wrong_with_a_swap_is_said_where_it_is(before: str, after: str, at: str, problem: str) -> None:
    rest, reason = _refused_at(PENDING.text, before, after)
    assert rest.startswith(at)
    assert bool(rest) == bool(at)
    assert reason.startswith(problem)


@pytest.mark.parametrize(
    ("before", "after", "at", "problem"),
    [
        ("stack=?26", "stack=?", " table", "expected the number of cards in the stack (1 to 36), found ' '"),
        ("stack=?26", "stack=?0", "0 table", "expected the number of cards in the stack from 1 to 36, found 0"),
        ("?.?.?.?", "?.DDDW.?.?", "?.DDDW", "expected cards of a hand in order: "),
        (
            "stack=?26",
            "stack=?25",
            "",
            "this position cannot occur: stack, hands and table must hold 36 cards, not 35 (SC-61)",
        ),
        (
            "?.?.?.?",
            "?.?.?",
            "",
            "this position cannot occur: stack, hands and table must hold 36 cards, not 35 (SC-61)",
        ),
        ("?.?.?.?", "DDWW.?.?.?", "", "this position cannot occur: "),
        ("seen=1", "seen=2", "", "this position cannot occur: every seat must see its own hand (SC-60)"),
    ],
)
def test_what_is_wrong_with_what_a_seat_sees_is_said_where_it_is(
    before: str, after: str, at: str, problem: str
) -> None:
    rest, reason = _refused_at(PLAIN.seen_by(0).text, before, after)
    assert rest.startswith(at)
    assert bool(rest) == bool(at)
    assert reason.startswith(problem)


def test_what_a_seat_sees_is_no_whole_position() -> None:
    seen = PLAIN.seen_by(0)
    with pytest.raises(Refused, match="this is only what seat 1 sees: a whole position was expected"):
        read_position(seen.text)
    with pytest.raises(Refused, match="this is what seat 1 sees, not seat 2"):
        SCHOKOLY.read_seen(seen.text, 1)
    with pytest.raises(Refused, match="line 1, column 1: expected the name of a game"):
        read_position(PLAIN.text.replace("schokoly", "schokoli"))
    assert SCHOKOLY.read_seen(PLAIN.text, 1) == PLAIN.seen_by(1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("wddm@2,0", "'wddm@2,0' is not a move: expected a card as it lies, clockwise from the top left, and its top "),
        ("WDDM@2", "'WDDM@2' is not a move: expected a card as it lies"),
        ("WDDM@2,0 ", "'WDDM@2,0 ' is not a move: expected a card as it lies"),
        ("WDDM@2,0!", "'WDDM@2,0!' is not a move: expected a card as it lies"),
        ("DMDM@0,2", "there is no card DMDM: read its pieces clockwise from the top left (SC-2)"),
        ("WDM@0,2", "'WDM@0,2' is not a move: expected a card as it lies"),
        ("DDWM@0,2", "there is no card DDWM: read its pieces clockwise from the top left (SC-2)"),
        ("W" * 25, "a move has at most 24 characters, this one has 25"),
        ("WWWD@0,2", "seat 1 holds no WWWD (SC-14)"),
        ("DDDW@0,1", "the four cells from 0,1 are not all empty (SC-20)"),
        ("DDDW@1,2^", "all four pieces of a second-level card lie on first-level pieces: no overhang, no hole (SC-31)"),
        ("DDDW@1,0^", "a card with a token cannot be covered, not even in part (SC-31)"),
        ("DDDW@99,-99", "DDDW at 99,-99 shares fewer than two edges with others (SC-20)"),
        ("pass", "a player who can place a card on the first level may not pass (SC-41)"),
        ("token@0,0", "not now: it is time to place a card ("),
        ("dark", "not now: it is time to place a card ("),
        ("+DDDM", "not now: it is time to place a card ("),
        ("offer:DDDW>2", "cards are not swapped in this game (SC-50)"),
    ],
)
def test_what_is_wrong_with_a_move_is_said(text: str, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        PLAIN.play(text)
    assert str(refused.value).startswith(problem)


SWAP = read_record(
    """\
[Tilery "1"]
[Game "schokoly"]
[Rules "3,swap"]
[Seat1 "Ann"]
[Seat2 "Ben"]
[Seat3 "Cleo"]
[Result "*"]

1. +DDDM +DDMM +MMWD +WWDM +DDDW +WWWM +MMWW +DDMW +MMMD +WWWD +DDWW +MMMW
dark DDDM@0,0 no-token
+MMMW
white offer:DDMW>1 answer:WWDM accept DMWW@2,0 no-token
+WWWD
MMDM@1,0^
+DDMM

2. DMMD@0,-2 token@0,-2
+WWWM
offer:DDDW>3 decline MWWW@4,0 no-token
+DDWW
"""
)
_NAMED = "only those who see a card may name it (SC-60)"


@pytest.mark.parametrize(
    ("seat", "before", "after", "problem"),
    [
        (None, "+DDDM", "+MDDD", "9, column 4: '+MDDD' is not a move: expected a card dealt, such as +DDMW"),
        (None, "+DDMM +MMWD +WWDM", "+DDDM +DDDM +DDDM", "9, column 22: '+DDDM': no DDDM is left in the stack (SC-61)"),
        (None, "+MMMW\ndark", "dark", "9, column 70: 'dark': not now: the cards are dealt first ("),
        (None, "dark ", "", "10, column 1: 'DDDM@0,0': not now: a kind is chosen first ("),
        (
            None,
            "DDDM@0,0",
            "DDDM@1,0",
            "10, column 6: 'DDDM@1,0': the first card lies at 0,0 on the first level (SC-12)",
        ),
        (None, "0,0 no-token", "0,0", "11, column 1: '+MMMW': not now: it is time to put a token on a card, or none ("),
        (None, "white", "dark", "12, column 1: 'dark': dark is taken: choose one of the two kinds left (SC-13)"),
        (None, "DDMW>1", "DDMW>2", "12, column 7: 'offer:DDMW>2': seat 2 is not an opponent (SC-50)"),
        (None, "DDMW>1", "DDMW", "12, column 7: 'offer:DDMW' is not a move: expected a card as it lies"),
        (None, "answer:WWDM", "answer:DDDW", "12, column 20: 'answer:DDDW': seat 1 holds no DDDW (SC-14)"),
        (None, "accept", "accept:DDMW", f"12, column 32: 'accept:DDMW': {_NAMED}"),
        (
            None,
            "DMWW@2,0",
            "WDMW@2,0",
            "12, column 39: 'WDMW@2,0': no edge here joins two pieces of the same kind (SC-21)",
        ),
        (
            None,
            "DMWW@2,0",
            "pass",
            "12, column 39: 'pass': a player who can place a card on the first level may not pass (SC-41)",
        ),
        (None, "DMWW@2,0", "offer:DDDW>3", "12, column 39: 'offer:DDDW>3': only one swap is allowed in a turn (SC-53)"),
        (None, "MMDM@1,0^", "MMDM@1,0", "14, column 1: 'MMDM@1,0': the four cells from 1,0 are not all empty (SC-20)"),
        (None, "1,0^", "1,0^ no-token", "14, column 11: 'no-token': not now: a card is drawn first ("),
        (None, "token@0,-2", "token@1,0", "17, column 14: 'token@1,0': this card already carries a token (SC-35)"),
        (None, "+WWWD\nMMDM", "+?\nMMDM", f"13, column 1: '+?': {_NAMED}"),
        (None, "2. ", "3. ", "17, column 1: expected the round 2., found '3.'"),
        (None, '"3,swap"', '"3"', "12, column 7: 'offer:DDMW>1': cards are not swapped in this game (SC-50)"),
        (None, '"3,swap"', '"2,swap"', "3, column 11: in the tag Rules: chocolate is swapped among"),
        (None, '"*"', '"3-4-8"', "7, column 9: the plies give the result *, not '3-4-8'"),
        (None, "[Seat1", '[Seen "1"]\n[Seat1', f"10, column 28: '+DDDW': {_NAMED}"),
        (None, "[Result", '[Seen "1"]\n[Result', "7, column 2: the tag Seen follows the tag Rules"),
        (
            2,
            '[Seen "3"]\n[Seat1 "Ann"]',
            '[Seat1 "Ann"]\n[Seen "3"]',
            "5, column 2: the tag Seen follows the tag",
        ),
        (2, '[Seen "3"]', '[Seen "4"]', "4, column 8: in the tag Seen: expected a seat from 1 to 3, or - for a"),
        (2, '[Seen "3"]', '[Seen "2"]', f"10, column 16: '+?': {_NAMED}"),
        (2, '[Seen "3"]\n', "", f"9, column 4: '+?': {_NAMED}"),
        (2, "+?", "+DDDM", f"10, column 4: '+DDDM': {_NAMED}"),
        (2, "+MMMD", "+?", f"10, column 28: '+?': {_NAMED}"),
        (2, "offer:?2>1", "offer:DDMW>1", f"13, column 7: 'offer:DDMW>1': {_NAMED}"),
        (2, "offer:?2>1", "offer:?4>1", "13, column 7: 'offer:?4>1' is not a move: expected "),
        (2, "accept", "accept:DDMW", f"13, column 28: 'accept:DDMW': {_NAMED}"),
        (2, "MMDM@1,0^", "DDDM@1,0^", "15, column 1: 'DDDM@1,0^': seat 3 holds no DDDM (SC-14)"),
        (
            0,
            "accept:DDMW",
            "accept",
            "13, column 30: 'accept': say which card was received, such as accept:DDDM (SC-60)",
        ),
        (
            0,
            "accept:DDMW",
            "accept:DDDM",
            "13, column 30: 'accept:DDDM': another number of pieces was said",
        ),
        (0, "answer:WWDM", "answer:?2", f"13, column 18: 'answer:?2': {_NAMED}"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_where_it_is(
    seat: int | None, before: str, after: str, problem: str
) -> None:
    text = SWAP.text if seat is None else SWAP.seen_by(seat).text
    assert before in text
    with pytest.raises(BadText) as refused:
        read_any_record(text.replace(before, after, 1))
    assert str(refused.value).startswith(f"line {problem}")


def test_a_seat_may_write_comments_into_what_it_saw() -> None:
    seen = SWAP.seen_by(2).comment("I should not have declined.")
    assert read_seen_record(seen.text) == seen
    assert seen.comments == {len(SWAP.plies): "I should not have declined."}


def test_the_position_of_a_record_that_a_seat_saw_is_what_it_saw() -> None:
    middle = Record(SWAP.position(20), SWAP.plies[20:])
    text = middle.seen_by(2).text
    assert f'[Position "{SWAP.position(20).seen_by(2).text}"]' in text
    whole = text.replace(SWAP.position(20).seen_by(2).text, SWAP.position(20).text)
    assert read_seen_record(whole) == middle.seen_by(2)
    with pytest.raises(BadText, match="in the tag Position: this is what seat 2 sees, not seat 3"):
        read_seen_record(text.replace(SWAP.position(20).seen_by(2).text, SWAP.position(20).seen_by(1).text))
    with pytest.raises(BadText, match="in the tag Position: this is only what seat 3 sees"):
        read_record(text.replace('[Seen "3"]\n', ""))


# What people type.


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("wddm 2 0", "WDDM@2,0"),
        ("WDDM@2,0", "WDDM@2,0"),
        ("  wddm   -2   10 ", "WDDM@-2,10"),
        ("wddm(2,-1)", "WDDM@2,-1"),
        ("wddm 2, -1", "WDDM@2,-1"),
        ("wddm 02 -0", "WDDM@2,0"),
        ("wddm 2 0 up", "WDDM@2,0^"),
        ("wddm 2 0 UP", "WDDM@2,0^"),
        ("wddm 2 0^", "WDDM@2,0^"),
        ("wddm 2 0 2", "WDDM@2,0^"),
        ("token 0 0", "token@0,0"),
        ("Token@0,-1", "token@0,-1"),
        ("secure 1 -2", "token@1,-2"),
        ("no", "no-token"),
        ("none", "no-token"),
        ("no token", "no-token"),
        ("No-Token", "no-token"),
        ("d", "dark"),
        ("M", "milk"),
        ("White", "white"),
        ("PASS", "pass"),
        ("offer dddm 2", "offer:DDDM>2"),
        ("offer dddm to 2", "offer:DDDM>2"),
        ("offer:DDDM>2", "offer:DDDM>2"),
        ("answer mmwd", "answer:MMWD"),
        ("answer:mmwd", "answer:MMWD"),
        ("yes", "accept"),
        ("Accept", "accept"),
        ("decline", "decline"),
        ("dddm", "+DDDM"),
        ("+dddm", "+DDDM"),
        ("+ dddm", "+DDDM"),
        ("nonsense", "nonsense"),
        ("", ""),
    ],
)
def test_typed_moves_are_normalised(typed: str, move: str) -> None:
    assert SCHOKOLY.normalise_move(typed) == move


@given(seeds, st.integers(0, 150))
def test_moves_in_notation_are_not_changed(seed: int, plies: int) -> None:
    for look in looks(random_record(seed, plies).last):
        for move in texts(look):
            assert SCHOKOLY.normalise_move(move) == move
            assert SCHOKOLY.normalise_move(move.lower().replace("@", " ").replace(",", " ")) == move


@given(st.text(max_size=30) | st.text("dmw ?+@^,;()-012up:>tokenacr", max_size=24))
def test_anything_may_be_typed(typed: str) -> None:
    tidy = SCHOKOLY.normalise_move(typed)
    assert SCHOKOLY.normalise_move(tidy) == tidy
    for look in (PLAIN, PENDING):
        try:
            action = look.action(tidy)
        except NotAMove:
            continue
        assert look.move_text(action) == tidy


@pytest.mark.parametrize(
    ("typed", "variant"),
    [
        ("", ""),
        ("large", "large"),
        ("SWAP, large", "large,swap"),
        ("classic", ""),
        ("swap,classic", "swap"),
        ("x", "x"),
    ],
)
def test_typed_variants_are_normalised(typed: str, variant: str) -> None:
    assert SCHOKOLY.normalise_variant(typed) == variant


def test_options_are_checked() -> None:
    for options in ({"seats": 3.0}, {"seats": True}, {"seats": 5}, {"set": "huge"}, {"swap": 1}, {"swap": True}):
        with pytest.raises(Refused):
            SCHOKOLY.new(**options)
    with pytest.raises(Refused, match="has no option wall"):
        SCHOKOLY.new(wall="grey")
    assert SCHOKOLY.new(seats=3, swap=True) == SCHOKOLY.new("3,swap")
