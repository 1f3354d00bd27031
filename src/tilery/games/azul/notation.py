"""Positions as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilery.core.game import as_rows
from tilery.core.refusals import Argument
from tilery.core.text import Reader

from .edition import Edition
from .kernel.layout import FLOOR_SPACES, LINES
from .kernel.piles import COLOURS
from .rules import Rules, read_rules
from .validity import check
from .view import ENDINGS, PHASES, Board, View, row_of, view_of

if TYPE_CHECKING:
    from .game import AzulGame


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


def write_row(game: AzulGame, row: bytes) -> str:
    """A position as one line: every field in its place, see docs/notation.md."""
    view = view_of(game.edition, row)
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
            reader.skip("/", "next-count")
        numbers.append(reader.number("tiles", 0, 20))
    return tuple(numbers)


def _read_tiles(edition: Edition, reader: Reader, what: str, **arguments: Argument) -> str:
    """Tiles in their order, or `-` for none."""
    if reader.skip_if("-"):
        return ""
    begin = reader.at
    tiles = reader.run(edition.letters)
    if not tiles:
        reader.expected(what, **arguments)
    if tiles != edition.in_order(tiles):
        reader.refuse("tile-order", begin, letters=edition.letters)
    return tiles


def _read_discs(edition: Edition, reader: Reader, rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    kinds, piles, gone = [], [], False
    for place in range(rules.factories):
        if place:
            reader.skip("/", "next-disc", place=place, factories=rules.factories)
        kind = next((word for word in edition.discs[1:] if reader.skip_if(word + ":")), "plain")
        kinds.append(kind)
        if kind == "saucer" and reader.skip_if("gone"):
            gone = True
            piles.append("")
        else:
            piles.append(_read_tiles(edition, reader, "disc"))
    return tuple(kinds), tuple(piles), gone


def _read_line(edition: Edition, reader: Reader, line: int) -> str:
    begin = reader.at
    tiles = _read_tiles(edition, reader, "line", line=line)
    if len(set(tiles)) > 1:
        reader.refuse("line-colours", begin, "AZ-15")
    if len(tiles) > line + 1:
        reader.refuse("line-length", begin, "AZ-3", line=line, most=line + 1, number=len(tiles))
    return tiles


def _read_wall_row(edition: Edition, reader: Reader) -> str:
    cells = ""
    for _ in range(5):
        if reader.peek() not in tuple(edition.letters + "."):
            reader.expected("cell")
        cells += reader.peek()
        reader.at += 1
    return cells


def _read_board(edition: Edition, reader: Reader) -> Board:
    score = reader.number("score", 0, 30_000)
    reader.skip("|", "lines")
    lines = []
    for line in range(LINES):
        if line:
            reader.skip("/", "next-line", line=line)
        lines.append(_read_line(edition, reader, line))
    reader.skip("|", "wall")
    rows = []
    for line in range(5):
        if line:
            reader.skip("/", "next-wall-row", line=line)
        rows.append(_read_wall_row(edition, reader))
    reader.skip("|", "floor")
    floor = ""
    if not reader.skip_if("-"):
        begin = reader.at
        floor = reader.run(edition.letters + "m")
        if not floor:
            reader.expected("floor-tiles")
        if len(floor) > FLOOR_SPACES:
            reader.refuse("floor-length", begin, "AZ-3", most=FLOOR_SPACES, number=len(floor))
    saucer: str | None = None
    if reader.skip_if("|"):
        reader.skip("saucer:")
        saucer = reader.one_of(["-", *edition.letters, "m"], "saucer").replace("-", "")
    return Board(score, tuple(lines), tuple(rows), floor, saucer)


def _read_phase(reader: Reader, rules: Rules) -> tuple[str, int | None, str]:
    phase = reader.one_of(list(PHASES.values()), "phase")
    if phase in ("offer", "tiling"):
        reader.skip(":")
        return phase, reader.number("turn", 1, rules.seats) - 1, ""
    if phase == "over":
        reader.skip(":")
        return phase, None, reader.one_of(ENDINGS[1:], "ending")
    return phase, None, ""


def _has_choice(game: AzulGame, row: bytes) -> bool:
    """AZ-52: a seat chooses only between two or more cells."""
    rows = as_rows(row)
    return game.kernel.legal(rows, 0, game.kernel.new_list()) > 1


def read_row(game: AzulGame, reader: Reader) -> bytes:
    """Read a position; one that contradicts the rules is refused."""
    edition = game.edition
    reader.skip(game.name + ":", "game", game=game.name)
    rules = read_rules(reader)
    reader.skip(" round=")
    round_number = reader.number("round", 1, 2_000_000_000)
    reader.skip(" ", "phase-after-blank")
    phase, seat, ended_by = _read_phase(reader, rules)
    reader.skip(" starter=")
    starter = reader.number("starting-seat", 1, rules.seats) - 1
    reader.skip(" marker=")
    marker = None if reader.skip_if("C") else reader.number("marker", 1, rules.seats) - 1
    stalled = 0
    if rules.stall_limit:
        reader.skip(" stalled=")
        stalled = reader.number("stalled", 0, rules.stall_limit)
    reader.skip(" bag=")
    bag = _read_counts(reader)
    reader.skip(" lid=")
    lid = _read_counts(reader)
    reader.skip(" centre=")
    centre = _read_tiles(edition, reader, "centre")
    reader.skip(" discs=")
    at_discs = reader.at
    discs, factories, gone = _read_discs(edition, reader, rules)
    boards = []
    for other in range(rules.seats):
        reader.skip(" ", "board", seat=other)
        boards.append(_read_board(edition, reader))
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
        reader.refuse("saucer-places", at_discs, "MC-8")
    problem = check(edition, view)
    if problem:
        reader.fail(problem)
    row = row_of(edition, view)
    if phase == "tiling" and not _has_choice(game, row):
        reader.refuse("no-two-cells", None, "AZ-52")
    return row
