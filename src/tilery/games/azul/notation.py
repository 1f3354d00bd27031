"""Positions as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

from tilery.core.game import Game, as_rows
from tilery.core.text import Reader

from .kernel.layout import FLOOR_SPACES, LINES
from .kernel.piles import COLOURS
from .rules import Rules, read_rules
from .validity import check
from .view import ENDINGS, KINDS, LETTERS, PHASES, Board, View, row_of, view_of


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
        reader.fail(f"tiles are written in the order {LETTERS}", begin)
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
        return phase, None, reader.one_of(ENDINGS[1:], "the reason why the game ended")
    return phase, None, ""


def _has_choice(game: Game, row: bytes) -> bool:
    """AZ-52: a seat chooses only between two or more cells."""
    rows = as_rows(row)
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
        reader.fail("a saucer that has left the circle lies at exactly one board, and only then (MC-8)", at_discs)
    problem = check(view)
    if problem:
        reader.fail(f"this position cannot occur: {problem}")
    row = row_of(view)
    if phase == "tiling" and not _has_choice(game, row):
        reader.fail("this position cannot occur: this seat does not have two cells to choose from (AZ-52)")
    return row
