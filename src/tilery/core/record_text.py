"""Records as texts: tags, then the plies round by round, comments in braces. See docs/notation.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NoReturn

from tilery.core.game import Game
from tilery.core.kernel.actors import CHANCE, SPECTATOR
from tilery.core.position import BasePosition, Position, Seen
from tilery.core.record import MAX_TAG_CHARACTERS, OWN_TAGS, BaseRecord, Record, SeenRecord
from tilery.core.record_plies import MAX_VALUE_CHARACTERS, PlyReader
from tilery.core.refusals import Argument, BadText, Refused
from tilery.core.sentences import LIBRARY, within
from tilery.core.text import DIGITS, END_OF_LINE, Reader

AnyRecord = Record | SeenRecord

HEAD = '[Tilery "'
MAX_RECORD_CHARACTERS = 1 << 20
MAX_TAGS = 64
WIDTH = 78
_START_TAGS = ("Tilery", "Game", "Rules", "Seen", "Position")  # the tags that define the first position
_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + DIGITS
_QUOTED = re.compile(r'[^"\\]*(?:\\["\\][^"\\]*)*"')  # the rest of a quoted value
_ESCAPED = re.compile(r'\\(["\\])')
_NO_SEAT = "-"  # in the tag Seen: a spectator


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def check_words(text: str, what: str, forbidden: str = "", **arguments: Argument) -> None:
    """Raise `Refused` unless a name, tag or comment is one line of printable text; `what` is a code of `LIBRARY`."""
    if len(text) > MAX_VALUE_CHARACTERS:
        raise LIBRARY.refused("text-too-long", what=what, most=MAX_VALUE_CHARACTERS, length=len(text), **arguments)
    for letter in text:
        if not letter.isprintable() or letter in forbidden:
            raise LIBRARY.refused("forbidden-character", what=what, character=letter, **arguments)


def _all_tags(record: BaseRecord[Position] | BaseRecord[Seen]) -> Iterator[tuple[str, str]]:
    game = record.game
    yield "Tilery", str(game.version)
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
        raise LIBRARY.refused("too-many-tags", most=MAX_TAGS)
    for name, value in _all_tags(record):
        check_words(value, "tag", tag=name)
    lines = [f"[{name} {_quoted(value)}]" for name, value in _all_tags(record)]
    paragraph = _Paragraph()
    round_number = 0
    by_chance = True
    position: BasePosition = record.start
    for at in range(len(record.plies) + 1):
        ply = record.plies[at] if at < len(record.plies) else None
        # A comment belongs to the ply before it; one before all plies comes first.
        if at in record.comments:
            check_words(record.comments[at], "comment", "{}")
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
        raise LIBRARY.refused("text-too-long", what="record", most=MAX_RECORD_CHARACTERS, length=len(text))
    return text


def _read_tags(reader: Reader) -> dict[str, tuple[str, int]]:
    """All tags with their line numbers."""
    tags: dict[str, tuple[str, int]] = {}
    while reader.skip_if("["):
        begin = reader.at
        name = reader.run(_NAME)
        if not name or name[0] in DIGITS:
            reader.expected("name-of-tag")
        if len(name) > MAX_TAG_CHARACTERS:
            reader.refuse("tag-name", begin, most=MAX_TAG_CHARACTERS, found=name[:40])
        if name in tags:
            reader.refuse("tag-twice", begin, tag=name)
        if len(tags) == MAX_TAGS:
            reader.refuse("too-many-tags", begin, most=MAX_TAGS)
        reader.skip(' "', "quoted-value")
        tags[name] = (_read_quoted(reader), reader.line)
        reader.skip("]")
        if not reader.done:
            reader.skip("\n", END_OF_LINE)
    return tags


def _read_quoted(reader: Reader) -> str:
    """The rest of a quoted value, at once if it is well-formed, otherwise letter by letter up to the problem."""
    if found := _QUOTED.match(reader.text, reader.at):
        value = _ESCAPED.sub(r"\1", found[0][:-1])
        if len(value) <= MAX_VALUE_CHARACTERS and value.isprintable():
            reader.at = found.end()
            return value
    letters: list[str] = []
    while not reader.skip_if('"'):
        letter = reader.peek()
        if letter == "\\":
            reader.at += 1
            letter = reader.peek()
            if letter not in ('"', "\\"):
                reader.expected("escaped-character")
        elif not letter.isprintable() or not letter:
            reader.expected("value-character")
        if len(letters) == MAX_VALUE_CHARACTERS:
            reader.refuse("longer-than", what="tag-value", most=MAX_VALUE_CHARACTERS)
        letters.append(letter)
        reader.at += 1
    return "".join(letters)


def _read_viewer(text: str, seats: int) -> int:
    if text == _NO_SEAT:
        return SPECTATOR
    if text not in [str(seat + 1) for seat in range(seats)]:
        raise LIBRARY.refused("viewer-expected", seats=seats, text=text[:20])
    return int(text) - 1


def _read_version(text: str, game: Game) -> int:
    versions = [str(version) for version in range(1, game.version + 1)]
    if text not in versions:
        raise LIBRARY.refused("record-format", format=text[:20], known=str(game.version))
    return int(text)


def _miss_tag(reader: Reader, tag: str) -> NoReturn:
    reader.refuse("tag-missing", tag=tag, found=reader.found)


def _read_start(reader: Reader, tags: dict[str, tuple[str, int]], find: Callable[[str], Game]) -> BasePosition:
    """The first position, from the tags that define it; a position of the game in the version of the record."""
    for name in ("Tilery", "Game", "Rules"):
        if name not in tags:
            _miss_tag(reader, name)
    if list(tags)[:3] != ["Tilery", "Game", "Rules"]:
        reader.refuse("tag-order")
    if "Seen" in tags and list(tags)[3] != "Seen":
        raise BadText.at(tags["Seen"][1], 2, LIBRARY.refused("seen-tag-place"))
    name = "Game"
    try:
        game = find(tags["Game"][0])
        name = "Tilery"
        game = game.in_version(_read_version(tags["Tilery"][0], game))
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
                raise LIBRARY.refused("other-rules")
    except Refused as error:
        value, line = tags[name]
        before = error.column - 1 if isinstance(error, BadText) else 0  # characters of the value before the place
        column = len(name) + 2 + len(_quoted(value[:before]))
        raise BadText.at(line, column, within(error, "in_tag", name)) from None
    return start


def read_record(text: str, find: Callable[[str], Game], *, first_line: int = 1) -> AnyRecord:
    """Read a record, complete or as a seat saw it, and replay it; `find` looks up a game by its name."""
    reader = Reader(text, LIBRARY, max_length=MAX_RECORD_CHARACTERS, what="record", line=first_line)
    tags = _read_tags(reader)
    start = _read_start(reader, tags, find)
    players = []
    for seat in range(start.seats):
        if f"Seat{seat + 1}" not in tags:
            _miss_tag(reader, f"Seat{seat + 1}")
        players.append(tags.pop(f"Seat{seat + 1}")[0])
    if "Result" not in tags:
        _miss_tag(reader, "Result")
    result, line = tags.pop("Result")
    read = PlyReader(reader, start)
    plies, comments, last = tuple(read.plies), read.comments, read.last
    for name, (_, at) in tags.items():
        if name not in _START_TAGS and OWN_TAGS.fullmatch(name):
            raise BadText.at(at, 2, LIBRARY.refused("tag-of-no-seat", tag=name, seats=start.seats))
    others = {name: value for name, (value, _) in tags.items() if name not in _START_TAGS}
    outcome = last.outcome
    true_result = "-".join(map(str, outcome.scores)) if outcome else "*"
    if result != true_result:
        refused = LIBRARY.refused("wrong-result", result=true_result, found=result[:40])
        raise BadText.at(line, 9, refused)
    game = find(start.game.name)  # in its current version
    record: AnyRecord
    if isinstance(start, Seen):
        record = SeenRecord(Seen(game, start.row, start.seat), plies, tuple(players), others, comments)
    else:
        record = Record(Position(game, start.row), plies, tuple(players), others, comments)
    record.replayed_to(last.row)
    return record


def split_records(text: str) -> Iterator[tuple[int, str]]:
    """The records of a file that holds several, each with the line it begins on."""
    lines = text.split("\n")
    begins = [n for n, line in enumerate(lines) if line.startswith(HEAD)] or [0]
    if begins[0] != 0 and any(line.strip() for line in lines[: begins[0]]):
        begins.insert(0, 0)
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        part = "\n".join(lines[begin:end])
        yield begin + 1, part + ("" if part.endswith("\n") or end == len(lines) else "\n")
