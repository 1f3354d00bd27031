"""Records as texts: tags, then the plies round by round, comments in braces. See docs/notation.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilery.core.game import Game
from tilery.core.kernel.actors import CHANCE, SPECTATOR
from tilery.core.position import BasePosition, Position, Seen
from tilery.core.record import OWN_TAGS, BaseRecord, Ply, Record, SeenRecord
from tilery.core.refusals import BadText, NotAMove, Refused
from tilery.core.text import DIGITS, Reader

AnyRecord = Record | SeenRecord

FORMAT = "1"
HEAD = '[Tilery "'
MAX_RECORD_CHARACTERS = 1 << 20
MAX_VALUE_CHARACTERS = 5000
MAX_TAGS = 64
WIDTH = 78
_START_TAGS = ("Tilery", "Game", "Rules", "Seen", "Position")  # the tags that define the first position
_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + DIGITS
_BLANK = " \t\n"
_NO_SEAT = "-"  # in the tag Seen: a spectator


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def check_words(text: str, what: str, forbidden: str = "") -> None:
    """Raise `Refused` unless a name, tag or comment is one line of printable text."""
    if len(text) > MAX_VALUE_CHARACTERS:
        raise Refused(f"{what} has at most {MAX_VALUE_CHARACTERS:,} characters, this one has {len(text):,}")
    for letter in text:
        if not letter.isprintable() or letter in forbidden:
            raise Refused(f"{what} cannot contain {letter!a}")


def _all_tags(record: BaseRecord[Position] | BaseRecord[Seen]) -> Iterator[tuple[str, str]]:
    game = record.game
    yield "Tilery", FORMAT
    yield "Game", game.name
    yield "Rules", record.start.rules.text
    first: BasePosition = game.new(record.start.rules)
    if isinstance(record.start, Seen):
        yield "Seen", _NO_SEAT if record.start.seat == SPECTATOR else str(record.start.seat + 1)
        first = game.new(record.start.rules).seen_by(record.start.seat)
    if record.start != first:
        yield "Position", record.start.text
    for seat, name in enumerate(record.players):
        yield f"Seat{seat + 1}", name
    yield from record.tags.items()
    yield "Result", record.result


class _Paragraph:
    """Words wrapped into lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""

    def add(self, word: str, *, fresh: bool = False) -> None:
        if self.line and (fresh or len(self.line) + 1 + len(word) > WIDTH):
            self.lines.append(self.line)
            self.line = word
        else:
            self.line = f"{self.line} {word}" if self.line else word

    def close(self) -> list[str]:
        return [*self.lines, self.line] if self.line else self.lines


def write_record(record: BaseRecord[Position] | BaseRecord[Seen]) -> str:
    """The text of a record: chance and players on separate lines, a paragraph for each round."""
    if len(list(_all_tags(record))) > MAX_TAGS:
        raise Refused(f"a record has at most {MAX_TAGS} tags, including those it writes itself")
    for name, value in _all_tags(record):
        check_words(value, f"the tag {name}")
    lines = [f"[{name} {_quoted(value)}]" for name, value in _all_tags(record)]
    paragraph = _Paragraph()
    round_number = 0
    by_chance = True
    position: BasePosition = record.start
    for at in range(len(record.plies) + 1):
        ply = record.plies[at] if at < len(record.plies) else None
        # A comment belongs to the ply before it; one before all plies comes first.
        if at in record.comments:
            check_words(record.comments[at], "a comment", "{}")
            paragraph.add("{" + record.comments[at] + "}")
        if ply is None:
            break
        fresh = by_chance != (ply.actor == CHANCE)
        by_chance = ply.actor == CHANCE
        if position.round != round_number:
            round_number = position.round
            lines += ["", *paragraph.close()] if paragraph.line else []
            paragraph = _Paragraph()
            paragraph.add(f"{round_number}.")
            fresh = False
        paragraph.add(position.move_text(ply.action), fresh=fresh)
        position = position.play(ply.action)
    if paragraph.line:
        lines += ["", *paragraph.close()]
    text = "\n".join(lines) + "\n"
    if len(text) > MAX_RECORD_CHARACTERS:
        raise Refused(f"a record has at most {MAX_RECORD_CHARACTERS:,} characters, this one would have {len(text):,}")
    return text


def _read_tags(reader: Reader) -> dict[str, tuple[str, int]]:
    """All tags with their line numbers."""
    tags: dict[str, tuple[str, int]] = {}
    while reader.skip_if("["):
        begin = reader.at
        name = reader.run(_NAME)
        if not name or name[0] in DIGITS:
            reader.expected("the name of a tag: letters and digits")
        if len(name) > 32:
            reader.fail("the name of a tag has at most 32 letters", begin)
        if name in tags:
            reader.fail(f"the tag {name} occurs twice", begin)
        if len(tags) == MAX_TAGS:
            reader.fail(f"a record has at most {MAX_TAGS} tags", begin)
        reader.skip(' "', "a blank and a quoted value")
        tags[name] = (_read_quoted(reader), reader.line)
        reader.skip("]")
        if not reader.done:
            reader.skip("\n", "the end of the line")
    return tags


def _read_quoted(reader: Reader) -> str:
    letters: list[str] = []
    while not reader.skip_if('"'):
        letter = reader.peek()
        if letter == "\\":
            reader.at += 1
            letter = reader.peek()
            if letter not in ('"', "\\"):
                reader.expected('\\" or \\\\')
        elif not letter.isprintable() or not letter:
            reader.expected("a printable character or the closing quote")
        if len(letters) == MAX_VALUE_CHARACTERS:
            reader.fail(f"a value has at most {MAX_VALUE_CHARACTERS:,} characters")
        letters.append(letter)
        reader.at += 1
    return "".join(letters)


def _read_comment(reader: Reader) -> str:
    begin = reader.at
    end = reader.text.find("}", reader.at)
    if end < 0:
        reader.fail("expected a closing brace for this comment", begin - 1)
    if end - begin > MAX_VALUE_CHARACTERS:
        reader.fail(f"a comment has at most {MAX_VALUE_CHARACTERS:,} characters", begin - 1)
    text = reader.text[begin:end]
    for at, letter in enumerate(text):
        if not letter.isprintable() or letter == "{":
            reader.fail(f"a comment is one line without braces, found {letter!a}", begin + at)
    reader.at = end + 1
    return text


def _skip_blanks(reader: Reader) -> None:
    while reader.peek() and reader.peek() in _BLANK:
        reader.skip(reader.peek())


def _word(reader: Reader) -> str:
    begin = reader.at
    text = reader.text
    while reader.at < len(text) and text[reader.at] not in _BLANK and text[reader.at] not in "{}":
        reader.at += 1
        if reader.at - begin > 64:
            reader.fail("a ply has at most 64 characters", begin)
    if begin == reader.at:
        reader.expected("a ply, a round such as 2., or a comment in braces")
    return text[begin : reader.at]


def _read_viewer(text: str, seats: int) -> int:
    if text == _NO_SEAT:
        return SPECTATOR
    if text not in [str(seat + 1) for seat in range(seats)]:
        raise Refused(f"expected a seat from 1 to {seats}, or {_NO_SEAT} for a spectator, found {text[:20]!a}")
    return int(text) - 1


def _read_start(reader: Reader, tags: dict[str, tuple[str, int]], find: Callable[[str], Game]) -> BasePosition:
    """The first position, from the tags Game, Rules, Seen and Position."""
    for name in ("Tilery", "Game", "Rules"):
        if name not in tags:
            reader.expected(f'the tag [{name} "..."]')
    if list(tags)[:3] != ["Tilery", "Game", "Rules"]:
        reader.fail("a record begins with the tags Tilery, Game and Rules in this order")
    version, line = tags["Tilery"]
    if version != FORMAT:
        raise BadText(line, 1, f"this is format {version[:20]!a}, expected {FORMAT}")
    name = "Game"
    try:
        game = find(tags["Game"][0])
        name = "Rules"
        first = game.new(tags["Rules"][0])
        start: BasePosition = first
        if "Seen" in tags:
            name = "Seen"
            start = first.seen_by(_read_viewer(tags["Seen"][0], first.seats))
        if "Position" in tags:
            name = "Position"
            text = tags["Position"][0]
            start = game.read_seen(text, start.seat) if isinstance(start, Seen) else game.read(text)
            if start.rules != first.rules:
                raise Refused("the position was played with other rules")
    except Refused as error:
        raise BadText(tags[name][1], len(name) + 4, f"in the tag {name}: {error}") from None
    return start


def _read_plies(reader: Reader, start: BasePosition) -> tuple[list[Ply], dict[int, str], BasePosition]:
    plies: list[Ply] = []
    comments: dict[int, str] = {}
    position = start
    round_number = 0
    while True:
        _skip_blanks(reader)
        if reader.done:
            return plies, comments, position
        begin = reader.at
        if reader.skip_if("{"):
            if len(plies) in comments:
                reader.fail("there is already a comment after this ply", begin)
            comments[len(plies)] = _read_comment(reader)
            continue
        word = _word(reader)
        if word[-1] == ".":
            if word != f"{position.round}." or position.round == round_number:
                due = "a ply" if position.round == round_number else f"the round {position.round}."
                reader.fail(f"expected {due}, found {word!a}", begin)
            round_number = position.round
            continue
        if position.round != round_number and position.outcome is None:
            reader.fail(f"expected the round {position.round}. before its first ply", begin)
        try:
            action = position.action(word)
            after = position.play(action)
            if position.move_text(action) != word:
                raise Refused(f"write {position.move_text(action)}, not {word}")
        except NotAMove as error:  # its message quotes the word
            reader.fail(str(error), begin)
        except Refused as error:
            reader.fail(f"{word!a}: {error}", begin)
        plies.append(Ply(position.actor, action))
        position = after


def read_record(text: str, find: Callable[[str], Game], *, first_line: int = 1) -> AnyRecord:
    """Read a record, complete or as a seat saw it, and replay it; `find` looks up a game by its name."""
    reader = Reader(text, max_length=MAX_RECORD_CHARACTERS, what="a record", line=first_line)
    tags = _read_tags(reader)
    start = _read_start(reader, tags, find)
    players = []
    for seat in range(start.seats):
        if f"Seat{seat + 1}" not in tags:
            reader.expected(f'the tag [Seat{seat + 1} "..."]')
        players.append(tags.pop(f"Seat{seat + 1}")[0])
    if "Result" not in tags:
        reader.expected('the tag [Result "..."]')
    result, line = tags.pop("Result")
    plies, comments, last = _read_plies(reader, start)
    for name, (_, at) in tags.items():
        if name not in _START_TAGS and OWN_TAGS.fullmatch(name):
            raise BadText(at, 2, f"there is no {name} in a game of {start.seats} seats")
    others = {name: value for name, (value, _) in tags.items() if name not in _START_TAGS}
    outcome = last.outcome
    true_result = "-".join(map(str, outcome.scores)) if outcome else "*"
    if result != true_result:
        raise BadText(line, 9, f"the plies give the result {true_result}, not {result[:40]!a}")
    if isinstance(start, Seen):
        return SeenRecord(start, tuple(plies), tuple(players), others, comments)
    assert isinstance(start, Position)
    return Record(start, tuple(plies), tuple(players), others, comments)


def split_records(text: str) -> Iterator[tuple[int, str]]:
    """The records of a file that holds several, each with the line it begins on."""
    lines = text.split("\n")
    begins = [n for n, line in enumerate(lines) if line.startswith(HEAD)] or [0]
    if begins[0] != 0 and any(line.strip() for line in lines[: begins[0]]):
        begins.insert(0, 0)
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        part = "\n".join(lines[begin:end])
        yield begin + 1, part + ("" if part.endswith("\n") or end == len(lines) else "\n")
