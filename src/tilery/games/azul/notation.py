"""Moves and positions as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from tilery.core.game import Game
from tilery.core.refusals import NotAMove, NotLegal
from tilery.core.text import Reader

from .actions import cell_of, take_of
from .kernel.layout import (
    ACTIONS,
    ADD,
    CENTRE,
    CHOOSE,
    DEAL,
    DRAW_DISCS,
    ENDED,
    EXTRA_TILE,
    FILL,
    FLOOR,
    FLOOR_SPACES,
    LAY,
    LINES,
    NEVER,
    OFFER,
    ROW,
    SOURCES,
    SPREAD,
    SPREADER,
    START,
    START_AT,
    TILING,
)
from .kernel.piles import BITS, COLOURS, COUNT
from .rules import Rules, read_rules
from .validity import check
from .view import ENDINGS, KINDS, LETTERS, PHASES, Board, View, row_of, view_of

LONGEST_MOVE = 24
_SPECIALS_AT = ROW.fields["specials"][1] if ROW.fields else 0

_TAKE = re.compile(r"([C1-9])([BYRKW])([1-5F])(?:<([BYRKW]+))?(?:>([BYRKW]+))?", re.ASCII)
_CHOOSE = re.compile(r"([1-5]):([1-5])", re.ASCII)
_START = re.compile(r"start=([1-4])", re.ASCII)
_LAY = re.compile(r"([1-9])=([a-z]+[BYRKW]?)", re.ASCII)
_ADD = re.compile(r"extra=([BYRKW])", re.ASCII)
_DEAL = re.compile(r"\+([BYRKW]{1,4})", re.ASCII)

# What a move looks like in each phase, for those who typed something else.
_HOW = {
    START: "who starts, such as start=2",
    DRAW_DISCS: "a special disc, such as 5=keeper or 3=magnetR",
    FILL: "the tiles of the next factory, such as +BBYR",
    EXTRA_TILE: "the extra tile, such as extra=W",
    OFFER: "a move such as 3R2 (from factory 3, red, to line 2) or CKF (from the centre, black, to the floor)",
    TILING: "the choice of a cell, such as 4:2 (line 4, column 2)",
    ENDED: "nothing: the game is over",
}


def _not_a_move(row: bytes, text: str) -> NotAMove:
    """What is wrong with a text, as closely as can be told."""
    fields = np.frombuffer(row, dtype=ROW)[0]
    how = _HOW[int(fields["phase"])]
    if int(fields["phase"]) == OFFER and SPREADER in fields["discs"]:
        how += ", from the spreader 3R2<B>YK (blue to the left, yellow and black to the right)"
    problem = ""
    if len(text) == 3 and text.isascii() and text.isalnum():
        if text[0] not in "C123456789":
            problem = f": {text[0]} is neither a factory (1 to 9) nor C, the centre"
        elif text[1] not in LETTERS:
            problem = f": {text[1]} is no colour (B blue, Y yellow, R red, K black, W white)"
        elif text[2] not in "12345F":
            problem = f": there is no line {text[2]} (1 to 5, or F for the floor)"
    elif text[:1] == "+":
        problem = ": a deal is + and one to four colours of BYRKW"
    return NotAMove(f"{text!a} is not a move{problem}; expected {how}")


def _take_text(colour: int, source: int, line: int) -> str:
    place = "C" if source == CENTRE else str(source)
    return f"{place}{LETTERS[colour]}{'F' if line == FLOOR else line + 1}"


# Without special discs every take is context-free: the whole table is small and quick.
TAKES = [
    _take_text(colour, source, line)
    for colour in range(COLOURS)
    for source in range(SOURCES)
    for line in range(LINES + 1)
]
_ACTIONS = {text: action for action, text in enumerate(TAKES)}


def _chosen(mask: int) -> str:
    return "".join(letter for colour, letter in enumerate(LETTERS) if mask >> colour & 1)


def _mask(letters: str) -> int:
    return sum(1 << LETTERS.index(letter) for letter in set(letters))


def _spreader(row: bytes) -> tuple[int, int]:
    """The spreader's source and the mask of colours on it; source 0 where there is none."""
    fields = np.frombuffer(row, dtype=ROW)[0]
    for source in range(1, SOURCES):
        if int(fields["discs"][source]) == SPREADER:
            pile = int(fields["piles"][source])
            return source, sum(1 << c for c in range(COLOURS) if pile >> BITS * c & COUNT)
    return 0, 0


@lru_cache(maxsize=1 << 10)
def _deal_text(tiles: int) -> str:
    return "+" + "".join(letter * (tiles >> 3 * c & 7) for c, letter in enumerate(LETTERS))


def write_move(row: bytes, action: int) -> str:
    """The notation of an action that is legal in the row."""
    if 0 <= action < SPREAD:
        return TAKES[action]
    if not 0 <= action < ACTIONS or ADD + COLOURS <= action < DEAL:
        raise NotAMove(f"{action} is not the number of an action")
    if action < CHOOSE:
        spreader, shown = _spreader(row)
        take = take_of(action, spreader)
        right, left = take.right, shown & ~take.right & ~(1 << take.colour)
        text = _take_text(take.colour, take.source, take.line)
        return text + (f"<{_chosen(left)}" if left else "") + (f">{_chosen(right)}" if right else "")
    if action < START_AT:
        line, column = cell_of(action)
        return f"{line + 1}:{column + 1}"
    if action < LAY:
        return f"start={action - START_AT + 1}"
    if action < ADD:
        return f"{(action - LAY) // 10}={KINDS[(action - LAY) % 10]}"
    if action < DEAL:
        return f"extra={LETTERS[action - ADD]}"
    return _deal_text(action - DEAL)


def _in_order(text: str, letters: str | None, *, alike: bool = False) -> str:
    """Letters must stand in the order of LETTERS (once each, unless alike ones may repeat)."""
    letters = letters or ""
    right = "".join(sorted(letters if alike else set(letters), key=LETTERS.index))
    if letters != right:
        raise NotAMove(f"in {text!r} the colours stand in the order {LETTERS}: write {right}, not {letters}")
    return letters


def _read_take(row: bytes, text: str, parts: re.Match[str]) -> int:
    place, letter, to, left, right = parts.groups()
    left, right = _in_order(text, left), _in_order(text, right)
    source = CENTRE if place == "C" else int(place)
    colour = LETTERS.index(letter)
    line = FLOOR if to == "F" else int(to) - 1
    spreader, shown = _spreader(row)
    if source == CENTRE or source != spreader:
        if left or right:
            raise NotLegal(f"only a take from the spreader says < and >, and {place} is not it", "MC-7")
        return (colour * SOURCES + source) * 6 + line
    rest = shown & ~(1 << colour)
    if (_mask(left) ^ _mask(right)) != rest or _mask(left) & _mask(right):
        names = _chosen(rest) or "none is left"
        raise NotLegal(f"say for each colour that stays on the spreader ({names}) whether it goes < or >", "MC-7")
    return SPREAD + (colour * 6 + line) * 32 + _mask(right)


def read_move(row: bytes, text: str) -> int:
    """The action that a text means in a row; whether it is legal is for the kernel to say."""
    if row[_SPECIALS_AT] == NEVER and text in _ACTIONS:
        return _ACTIONS[text]
    if len(text) > LONGEST_MOVE:
        raise NotAMove(f"a move has at most {LONGEST_MOVE} characters, this one has {len(text):,}")
    if parts := _TAKE.fullmatch(text):
        return _read_take(row, text, parts)
    if parts := _CHOOSE.fullmatch(text):
        return CHOOSE + (int(parts[1]) - 1) * 5 + int(parts[2]) - 1
    if parts := _DEAL.fullmatch(text):
        letters = _in_order(text, parts[1], alike=True)
        return DEAL + sum(letters.count(letter) << 3 * c for c, letter in enumerate(LETTERS))
    if (parts := _LAY.fullmatch(text)) and parts[2] in KINDS[1:]:
        return LAY + int(parts[1]) * 10 + KINDS.index(parts[2])
    if parts := _ADD.fullmatch(text):
        return ADD + LETTERS.index(parts[1])
    if parts := _START.fullmatch(text):
        return START_AT + int(parts[1]) - 1
    raise _not_a_move(row, text)


_TYPED = re.compile(r"([c0-9])([byrkw])([1-9f])((?:[<>][byrkw]*)*)", re.IGNORECASE | re.ASCII)


def tidy_move(text: str) -> str:
    """What a person may type for a move: small letters, 0 for the centre, colours in any order, a deal without +."""
    text = "".join(text.split())
    if parts := _TYPED.fullmatch(text):
        place, letter, to, ways = (part.upper() for part in parts.groups())
        sides = {"<": "", ">": ""}
        for side, letters in re.findall(r"([<>])([BYRKW]*)", ways):
            sides[side] += letters
        tail = "".join(s + "".join(sorted(ls, key=LETTERS.index)) for s, ls in sides.items() if ls)
        return f"{'C' if place == '0' else place}{letter}{to}{tail}"
    tiles = text.removeprefix("+").upper()
    if tiles and set(tiles) <= set(LETTERS):
        return "+" + "".join(sorted(tiles, key=LETTERS.index))
    if "=" in text:
        key, value = text.split("=", 1)
        value = value.lower()
        if key.lower() == "extra" or value.startswith("magnet"):
            value = value[:-1] + value[-1:].upper()
        return f"{key.lower()}={value}"
    return text


def listed_by(move: str) -> str:
    """Source and colour: that is where the eye looks first. Moves from the spreader are many and long: for them the
    pattern line counts as well."""
    return move[: 3 if len(move) > 3 else 2]


def _counts_text(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def _board_text(board: Board) -> str:
    parts = [
        str(board.score),
        "/".join(line or "-" for line in board.lines),
        "/".join(board.wall),
        board.floor or "-",
    ]
    if board.saucer is not None:
        parts.append(f"saucer:{board.saucer or '-'}")
    return "|".join(parts)


def _discs_text(view: View) -> str:
    words = []
    for kind, tiles in zip(view.discs, view.factories, strict=True):
        gone = kind == "saucer" and view.saucer_gone
        words.append(("" if kind == "plain" else f"{kind}:") + ("gone" if gone else tiles or "-"))
    return "/".join(words)


def write_row(game: Game, row: bytes) -> str:
    """A position as one line: every field in its place, see docs/notation.md."""
    view = view_of(row)
    phase = view.phase
    if view.seat is not None:
        phase += f":{view.seat + 1}"
    elif view.ended_by:
        phase += f":{view.ended_by}"
    words = [
        f"{game.name}:{view.rules.text}",
        f"round={view.round}",
        phase,
        f"starter={view.starter + 1}",
        f"marker={'C' if view.marker is None else view.marker + 1}",
    ]
    if view.rules.stall_limit:
        words.append(f"stalled={view.stalled}")
    words += [
        f"bag={_counts_text(view.bag)}",
        f"lid={_counts_text(view.lid)}",
        f"centre={view.centre or '-'}",
        f"discs={_discs_text(view)}",
        *(_board_text(board) for board in view.boards),
    ]
    return " ".join(words)


def _read_counts(reader: Reader) -> tuple[int, ...]:
    numbers = []
    for colour in range(COLOURS):
        if colour:
            reader.skip("/", "'/' between the five counts of blue/yellow/red/black/white")
        numbers.append(reader.number("a count of tiles", 0, 20))
    return tuple(numbers)


def _read_tiles(reader: Reader, what: str) -> str:
    """Tiles in the order of LETTERS, or `-` for none."""
    if reader.skip_if("-"):
        return ""
    begin = reader.at
    tiles = reader.run(LETTERS)
    if not tiles:
        reader.expected(f"{what}: letters of {LETTERS}, or - for none")
    if list(tiles) != sorted(tiles, key=LETTERS.index):
        reader.fail(f"tiles stand in the order {LETTERS}", begin)
    return tiles


def _read_discs(reader: Reader, rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    kinds, piles, gone = [], [], False
    for place in range(rules.factories):
        if place:
            reader.skip("/", f"'/' and disc {place + 1} of {rules.factories}")
        kind = next((word for word in KINDS[1:] if reader.skip_if(word + ":")), "plain")
        kinds.append(kind)
        if kind == "saucer" and reader.skip_if("gone"):
            gone = True
            piles.append("")
        else:
            piles.append(_read_tiles(reader, "the tiles of a disc"))
    return tuple(kinds), tuple(piles), gone


def _read_line(reader: Reader, line: int) -> str:
    begin = reader.at
    tiles = _read_tiles(reader, f"the tiles of line {line + 1}")
    if len(set(tiles)) > 1:
        reader.fail("a line holds one colour (AZ-15)", begin)
    if len(tiles) > line + 1:
        reader.fail(f"line {line + 1} holds at most {line + 1} tiles, found {len(tiles)} (AZ-3)", begin)
    return tiles


def _read_wall_row(reader: Reader) -> str:
    cells = ""
    for _ in range(5):
        if reader.peek() not in tuple(LETTERS + "."):
            reader.expected(f"a cell of the wall: one of {LETTERS} or '.'")
        cells += reader.peek()
        reader.at += 1
    return cells


def _read_board(reader: Reader) -> Board:
    score = reader.number("a score", 0, 30_000)
    reader.skip("|", "'|' and five lines")
    lines = []
    for line in range(LINES):
        if line:
            reader.skip("/", f"'/' and line {line + 1}")
        lines.append(_read_line(reader, line))
    reader.skip("|", "'|' and five wall rows")
    rows = []
    for line in range(5):
        if line:
            reader.skip("/", f"'/' and wall row {line + 1}")
        rows.append(_read_wall_row(reader))
    reader.skip("|", "'|' and the floor line")
    floor = ""
    if not reader.skip_if("-"):
        begin = reader.at
        floor = reader.run(LETTERS + "m")
        if not floor:
            reader.expected(f"the floor line: letters of {LETTERS}, m for the marker, or - for none")
        if len(floor) > FLOOR_SPACES:
            reader.fail(f"a floor line has {FLOOR_SPACES} spaces, found {len(floor)} tiles (AZ-3)", begin)
    saucer: str | None = None
    if reader.skip_if("|"):
        reader.skip("saucer:")
        saucer = reader.one_of(["-", *LETTERS, "m"], "what lies on the saucer").replace("-", "")
    return Board(score, tuple(lines), tuple(rows), floor, saucer)


def _read_phase(reader: Reader, rules: Rules) -> tuple[str, int | None, str]:
    phase = reader.one_of(list(PHASES.values()), "the phase")
    if phase in ("offer", "tiling"):
        reader.skip(":")
        return phase, reader.number("the seat whose turn it is", 1, rules.seats) - 1, ""
    if phase == "over":
        reader.skip(":")
        return phase, None, reader.one_of(ENDINGS[1:], "by what the game ended")
    return phase, None, ""


def _has_choice(game: Game, row: bytes) -> bool:
    """AZ-52: a seat chooses only between two or more cells."""
    rows = np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1)
    return game.kernel.legal(rows, 0, game.kernel.new_list()) > 1


def read_row(game: Game, reader: Reader) -> bytes:
    """Read a position; one that contradicts the rules is refused."""
    reader.skip(game.name + ":", f"'{game.name}:' and the variant")
    rules = read_rules(reader)
    reader.skip(" round=")
    round_number = reader.number("the round", 1, 2_000_000_000)
    reader.skip(" ", "a blank and the phase")
    phase, seat, ended_by = _read_phase(reader, rules)
    reader.skip(" starter=")
    starter = reader.number("the starting seat", 1, rules.seats) - 1
    reader.skip(" marker=")
    marker = None if reader.skip_if("C") else reader.number("C or the marker's seat", 1, rules.seats) - 1
    stalled = 0
    if rules.stall_limit:
        reader.skip(" stalled=")
        stalled = reader.number("rounds without a tile on a wall", 0, rules.stall_limit)
    reader.skip(" bag=")
    bag = _read_counts(reader)
    reader.skip(" lid=")
    lid = _read_counts(reader)
    reader.skip(" centre=")
    centre = _read_tiles(reader, "the tiles of the centre")
    reader.skip(" discs=")
    at_discs = reader.at
    discs, factories, gone = _read_discs(reader, rules)
    boards = []
    for other in range(rules.seats):
        reader.skip(" ", f"a blank and the board of seat {other + 1}")
        boards.append(_read_board(reader))
    view = View(
        rules,
        round_number,
        phase,
        seat,
        starter,
        marker,
        stalled,
        bag,
        lid,
        centre,
        discs,
        factories,
        tuple(boards),
        ended_by,
    )
    if gone != view.saucer_gone:
        reader.fail("a saucer that is gone lies at exactly one board, and only then (MC-8)", at_discs)
    problem = check(view)
    if problem:
        reader.fail(f"this position cannot occur: {problem}")
    row = row_of(view)
    if phase == "tiling" and not _has_choice(game, row):
        reader.fail("this position cannot occur: this seat has no two cells to choose from (AZ-52)")
    return row
