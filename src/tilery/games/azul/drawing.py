"""A position as a picture: the circle of factories above, the players' boards below, in scalable SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tilery.core.kernel.actors import CHANCE
from tilery.games.svg import circle, clipped, fitting, group, rect, text

from .actions import cell_of, take_of
from .art import PLATE, THEMES, TILE, Theme, cluster, definitions, heap, use
from .edition import Edition
from .kernel.layout import ADD, CENTRE, CHOOSE, DEAL, FLOOR, FLOOR_COSTS, LAY, LINES, START_AT
from .view import Board, View

WORDS = {
    "seat": "Seat",
    "round": "Round",
    "points": "points",
    "factory": "factory",
    "centre": "centre",
    "bag": "bag",
    "lid": "lid",
    "floor": "floor line",
    "wall": "wall",
    "empty": "empty",
    "starter": "starts this round",
    "marker": "starting-player marker",
    "saucer gone": "the saucer has left the circle",
    # The status, by phase.
    "start": "The starting player is being drawn",
    "discs": "The special discs are being laid",
    "fill": "The next {factory} is being filled",
    "extra": "The extra tile is being drawn",
    "offer": "{name} to move",
    "tiling": "{name} chooses a space of the {wall}",
    "over": "Game over – winner: {name}",
    # What a special disc does.
    "disc extra": "extra: gets one more tile",
    "disc magnet": "magnet: attracts {colour} tiles",
    "disc keeper": "keeper: the rest stays here",
    "disc spreader": "spreader: the rest goes left and right",
    "disc saucer": "saucer: catches the next fallen tile",
}

WIDTH, MARGIN, HEAD = 1000, 12, 72
RING = {2: 222, 3: 232, 4: 252}  # the radius of the circle of factories, by number of seats ...
DISC_SCALE = {2: 1.2, 3: 1.12, 4: 1.0}  # ... which leaves room for larger discs when they are few
PITCH = 43  # from tile to tile on a board
PAD = 16
BOARD_WIDTH, BOARD_HEIGHT = 482, 366
TOP = 58  # of the lines and the wall on a board
WALL = PAD + LINES * PITCH + 20
FLOOR_TOP = TOP + LINES * PITCH + 38


@dataclass(frozen=True)
class _Touched:
    """What the last move touched, as far as it is known."""

    source: int | None = None
    seat: int | None = None
    line: int | None = None
    cell: tuple[int, int] | None = None


@dataclass(frozen=True)
class _Scene:
    """What every part of the picture needs to know."""

    edition: Edition
    view: View
    theme: Theme
    words: Mapping[str, str]
    names: tuple[str, ...]
    touched: _Touched
    winners: tuple[int, ...]


def _place_of(view: View, kind: str) -> int | None:
    return view.discs.index(kind) + 1 if kind in view.discs else None


def _touched_by_chance(view: View, action: int) -> _Touched:
    if action >= DEAL:  # discs are filled in order
        filled = [disc for disc, tiles in enumerate(view.factories, 1) if tiles]
        return _Touched(source=filled[-1] if filled else None)
    if action >= ADD:
        return _Touched(source=_place_of(view, "extra"))
    if action >= LAY:
        return _Touched(source=(action - LAY) // 10)
    return _Touched()


def _touched(view: View, last: tuple[int, int] | None) -> _Touched:
    if last is None:
        return _Touched()
    seat, action = last
    if seat == CHANCE:
        return _touched_by_chance(view, action)
    if not (0 <= seat < len(view.boards) and 0 <= action < START_AT):
        return _Touched()
    if action >= CHOOSE:
        return _Touched(seat=seat, cell=cell_of(action))
    take = take_of(action, _place_of(view, "spreader") or 0)
    return _Touched(take.source, seat, take.line)


def _ring(theme: Theme) -> str:
    """The paint that marks what the last move touched."""
    return f'fill="none" stroke="{theme.last}" stroke-width="6"'


def _tile_names(scene: _Scene, tiles: str) -> str:
    named = [f"{tiles.count(letter)} {scene.words[letter]}" for letter in scene.edition.letters if letter in tiles]
    return ", ".join(named) or scene.words["empty"]


def _status(scene: _Scene) -> str:
    """Whose turn it is, or what is going on, in words."""
    view = scene.view
    actors = scene.winners if view.phase == "over" else () if view.seat is None else (view.seat,)
    named = " & ".join(clipped(scene.names[seat], 32 // len(actors)) for seat in actors)
    status = scene.words[view.phase]
    for thing in ("factory", "wall"):
        status = status.replace(f"{{{thing}}}", scene.words[thing])
    return status.replace("{name}", named)


def _header(scene: _Scene) -> str:
    theme = scene.theme
    label, status = f"{scene.words['round']} {scene.view.round}", _status(scene)
    pill = 44 + 20 * len(label)
    x = MARGIN + pill + 20
    return (
        rect(MARGIN, 12, pill, 52, 26, f'fill="{theme.turn}"')
        + text(MARGIN + pill / 2, 38, label, 32, theme.turn_ink, anchor="middle")
        + text(x, 38, status, fitting(status, 34, WIDTH - MARGIN - x), theme.back_ink)
    )


def _disc_title(scene: _Scene, disc: int) -> str:
    kind, tiles = scene.view.discs[disc - 1], scene.view.factories[disc - 1]
    title = f"{scene.words['factory']} {disc}"
    if kind != "plain":
        effect = scene.words["disc magnet" if kind.startswith("magnet") else f"disc {kind}"]
        title += f" ({effect.replace('{colour}', scene.words.get(kind[-1], ''))})"
    return f"{title}: {_tile_names(scene, tiles)}"


def _disc(scene: _Scene, disc: int, x: float, y: float, scale: float) -> str:
    """A factory with its tiles, its number at the rim and the emblem of what is special about it."""
    theme = scene.theme
    kind, tiles = scene.view.discs[disc - 1], scene.view.factories[disc - 1]
    gone = kind == "saucer" and scene.view.saucer_gone
    title = scene.words["saucer gone"] if gone else _disc_title(scene, disc)
    parts = [use(theme, "gone" if gone else "plate" if kind == "plain" else "special", 0, 0)]
    if scene.touched.source == disc:
        parts.append(circle(0, 0, PLATE + 4, _ring(theme)))
    if kind == "plain":
        parts += cluster(theme, tiles, 0, 67)
    else:
        parts += cluster(theme, tiles, 10, 62)
        if not tiles and not gone:
            parts.append(use(theme, kind, 0, 12, 1.6, ' opacity=".22"'))
        badge = f'fill="{theme.plate}" stroke="{theme.special}" stroke-width="4"'
        parts += [circle(0, -69, 29, badge), use(theme, kind, 0, -69)]
    parts.append(circle(-57, -52, 17, f'fill="{theme.ink}" stroke="{theme.plate}" stroke-width="2"'))
    parts.append(text(-57, -52, disc, 24, theme.plate, anchor="middle"))
    return group(parts, title=title, x=x, y=y, scale=scale)


def _centre(scene: _Scene, x: float, y: float, radius: float) -> str:
    theme, words, tiles = scene.theme, scene.words, scene.view.centre
    things = tiles + ("m" if scene.view.marker is None else "")
    parts = [circle(0, 0, radius, f'fill="{theme.table}"')]
    if scene.touched.source == CENTRE:
        parts.append(circle(0, 0, radius, _ring(theme)))
    parts += heap(theme, things, min(radius / 118, 1.25), theme.back_ink) if things else []
    if not tiles:
        parts.append(text(0, 44 if things else 0, words["centre"], 26, theme.back_ink, anchor="middle", bold=False))
    return group(parts, title=f"{words['centre']}: {_tile_names(scene, tiles)}", x=x, y=y)


def _stock(scene: _Scene, name: str, counts: Sequence[int], x: float, y: float) -> str:
    """The bag or the lid: its number of tiles, in all and of each colour."""
    theme, label = scene.theme, scene.words[name]
    heading = f"{label} {sum(counts)}"
    parts = [
        use(theme, name, 0, 0),
        text(68, 64, heading, fitting(heading, 28, 118), theme.back_ink, anchor="middle"),
    ]
    for at, (letter, count) in enumerate(zip(scene.edition.letters, counts, strict=True)):
        faint = "" if count else ' opacity=".3"'
        parts.append(use(theme, letter, 22, 92 + 43 * at, 0.95, faint))
        parts.append(text(112, 111 + 43 * at, count, 32, theme.back_ink, anchor="end", bold=bool(count)))
    return group(parts, title=f"{label}: {sum(counts)}", x=x, y=y)


def _table(scene: _Scene) -> tuple[str, float]:
    """The circle of factories round the centre, with bag and lid beside it; and the y where it ends."""
    rules, theme = scene.view.rules, scene.theme
    discs, ring, scale = rules.factories, RING[rules.seats], DISC_SCALE[rules.seats]
    middle = HEAD + 12 + (PLATE + 22) * scale + ring  # an emblem rises above its disc
    parts = [
        circle(WIDTH / 2, middle, ring, f'fill="none" stroke="{theme.table}" stroke-width="14"'),
        _centre(scene, WIDTH / 2, middle, ring - PLATE * scale - 14),
    ]
    for disc in range(1, discs + 1):
        angle = math.tau * (disc - 1) / discs  # clockwise from the top
        x, y = WIDTH / 2 + ring * math.sin(angle), middle - ring * math.cos(angle)
        parts.append(_disc(scene, disc, x, y, scale))
    parts.append(_stock(scene, "bag", scene.view.bag, MARGIN, HEAD + 12))
    parts.append(_stock(scene, "lid", scene.view.lid, WIDTH - MARGIN - 136, HEAD + 12))
    return "".join(parts), middle + ring * math.cos(math.pi / discs) + PLATE * scale + 20


def _empty_board(theme: Theme, edition: Edition, wall: str) -> str:
    """What is printed on a board, once for all boards of the picture."""
    space = f'fill="{theme.well}" stroke="{theme.well_edge}" stroke-width="1.5"'
    parts = [rect(0, 0, BOARD_WIDTH, BOARD_HEIGHT, 18, f'fill="{theme.card}"')]
    side = LINES * PITCH + 5
    parts.append(rect(WALL - 4, TOP - 4, side, side, 10, f'fill="{theme.wall}"'))
    for line in range(LINES):
        y = TOP + line * PITCH
        parts += [rect(_line_x(back) + 1, y + 1, 38, 38, theme.corner, space) for back in range(line + 1)]
        parts.append(f'<path d="M{WALL - 16} {y + 13}l7 7-7 7z" fill="{theme.well_edge}"/>')
        for column in range(5):
            x = WALL + column * PITCH
            if wall == "grey":
                parts.append(rect(x + 1, y + 1, 38, 38, theme.corner, f'fill="{theme.grey}"'))
            else:
                parts.append(use(theme, "pale" + edition.letters[(column - line) % 5], x, y))
    for at, cost in enumerate(FLOOR_COSTS):
        x = PAD + at * PITCH
        parts.append(rect(x + 1, FLOOR_TOP + 1, 38, 38, theme.corner, space))
        parts.append(text(x + 20, FLOOR_TOP - 17, f"−{cost}", 24, theme.soft, anchor="middle", bold=False))
    return f'<g id="{theme.id(wall)}">{"".join(parts)}</g>'


def _line_x(back: int) -> float:
    """The x of a space of a pattern line, `back` steps from the right (lines fill from the right)."""
    return PAD + (LINES - 1 - back) * PITCH


def _name_plate(scene: _Scene, seat: int) -> list[str]:
    """The head of a board: name and score, with the signs of turn, victory, start and marker."""
    theme, view, board = scene.theme, scene.view, scene.view.boards[seat]
    to_act, won = view.seat == seat, seat in scene.winners
    paint = theme.turn if to_act else theme.special if won else ""
    parts, ink, x, signs = [], theme.ink, PAD, BOARD_WIDTH - PAD
    if paint:
        ink = theme.turn_ink if to_act else theme.ink
        head = f"M0 48V18a18 18 0 0 1 18-18H{BOARD_WIDTH - 18}a18 18 0 0 1 18 18V48z"
        parts.append(f'<path d="{head}" fill="{paint}"/>')
        parts.append(rect(0, 0, BOARD_WIDTH, BOARD_HEIGHT, 18, f'fill="none" stroke="{paint}" stroke-width="6"'))
    if to_act:
        parts.append(f'<path d="M{x} 13l18 11-18 11z" fill="{ink}"/>')
        x += 28
    if won:
        parts.append(f'<path d="M{x} 35V13l9 8 8-12 8 12 9-8v22z" fill="{ink}"/>')
        x += 44
    if view.starter == seat and view.phase != "start":
        flag = f'<path d="M4 8v32M4 8h24l-6 8 6 8H4" fill="{ink}" stroke="{ink}" stroke-width="3"/>'
        signs -= 30
        parts.append(group([flag], title=scene.words["starter"], x=signs, y=1))
    if view.marker == seat and "m" not in board.floor and board.saucer != "m":
        signs -= 44
        parts.append(group([use(theme, "m", signs, 5, 0.95)], title=scene.words["marker"]))
    parts.append(text(x, 24, clipped(scene.names[seat], (signs - x) // 20), 30, ink))
    size = 66 if board.score < 100 else 54
    parts.append(group([text(PAD, TOP + 46, board.score, size, theme.ink)], title=scene.words["points"]))
    return parts


def _saucer(scene: _Scene, thing: str) -> str:
    """MC-8: the saucer beside the floor line, with what it has caught."""
    theme = scene.theme
    parts = [use(theme, "special", 0, 0, 0.52)]
    if thing:
        parts.append(use(theme, thing, -TILE / 2, -TILE / 2))
        parts.append(circle(-32, -24, 14, f'fill="{theme.plate}" stroke="{theme.special}" stroke-width="2"'))
        parts.append(use(theme, "saucer", -32, -24, 0.55))
    else:
        parts.append(use(theme, "saucer", 0, 0, 1.2))
    return group(parts, title=scene.words["disc saucer"], x=BOARD_WIDTH - PAD - 40, y=FLOOR_TOP + 10)


def _floor(scene: _Scene, board: Board) -> str:
    theme, label = scene.theme, scene.words["floor"]
    parts = [use(theme, thing, PAD + at * PITCH, FLOOR_TOP) for at, thing in enumerate(board.floor)]
    lost = sum(FLOOR_COSTS[: len(board.floor)])
    x = PAD + 7 * PITCH + 8
    if lost:
        parts.append(text(x, FLOOR_TOP + 20, f"−{lost}", 34, theme.ink))
    if board.saucer is None:
        parts.append(text(x, FLOOR_TOP - 17, label, fitting(label, 24, 144), theme.soft, bold=False))
    else:
        parts.append(_saucer(scene, board.saucer))
    return group(parts, title=f"{label}: −{lost}" if lost else label)


def _board(scene: _Scene, seat: int, x: float, y: float) -> str:
    theme, board = scene.theme, scene.view.boards[seat]
    parts = [use(theme, scene.view.rules.wall, 0, 0), *_name_plate(scene, seat)]
    for line, tiles in enumerate(board.lines):
        top = TOP + line * PITCH
        parts += [use(theme, tile, _line_x(back), top) for back, tile in enumerate(tiles)]
        if len(tiles) > line:
            parts.append(f'<path d="M{WALL - 16} {top + 11}l9 9-9 9z" fill="{theme.turn}"/>')
        wall = enumerate(board.wall[line])
        parts += [use(theme, tile, WALL + column * PITCH, top) for column, tile in wall if tile != "."]
    parts.append(_floor(scene, board))
    if scene.touched.seat == seat:
        parts.append(_board_ring(scene))
    return group(parts, x=x, y=y)


def _board_ring(scene: _Scene) -> str:
    """A ring round the line, the floor line or the wall space that the last move touched."""
    line, cell, paint = scene.touched.line, scene.touched.cell, _ring(scene.theme).replace('"6"', '"5"')
    if cell is not None:
        return rect(WALL + cell[1] * PITCH - 2, TOP + cell[0] * PITCH - 2, 44, 44, 8, paint)
    if line is None:
        return ""
    if line == FLOOR:
        return rect(PAD - 3, FLOOR_TOP - 3, 7 * PITCH + 3, TILE + 6, 8, paint)
    return rect(_line_x(line) - 3, TOP + line * PITCH - 3, (line + 1) * PITCH + 3, TILE + 6, 8, paint)


def _boards(scene: _Scene, top: float) -> tuple[str, float]:
    """Two boards side by side, a third one alone in the middle; and the y where they end."""
    seats = scene.view.rules.seats
    drawn = []
    for seat in range(seats):
        row, column = divmod(seat, 2)
        left = MARGIN + column * (BOARD_WIDTH + MARGIN)
        if seat == seats - 1 and column == 0:
            left = (WIDTH - BOARD_WIDTH) // 2
        drawn.append(_board(scene, seat, left, top + row * (BOARD_HEIGHT + MARGIN)))
    return "".join(drawn), top + (seats + 1) // 2 * (BOARD_HEIGHT + MARGIN)


def _summary(scene: _Scene) -> str:
    view, words = scene.view, scene.words
    scores = ", ".join(f"{name} {board.score}" for name, board in zip(scene.names, view.boards, strict=True))
    return f"{words['round']} {view.round}: {_status(scene)}; {words['points']}: {scores}."


def svg(
    edition: Edition,
    view: View,
    *,
    names: Sequence[str] = (),
    words: Mapping[str, str] | None = None,
    last: tuple[int, int] | None = None,
    winners: Sequence[int] = (),
) -> str:
    """The picture; `last` is the move (actor, action) that led here. `words` overrides `WORDS` and the title "game"."""
    paints = THEMES[edition.theme]
    labels = {"game": paints.title, **WORDS, **edition.words, **edition.names, **(words or {})}
    given = [clipped(name, 60) for name in names[: view.rules.seats]]
    shown_names = [f"{labels['seat']} {seat + 1}" for seat in range(view.rules.seats)]
    shown_names[: len(given)] = [name or default for name, default in zip(given, shown_names, strict=False)]
    scene = _Scene(edition, view, paints, labels, tuple(shown_names), _touched(view, last), tuple(winners))
    table, end = _table(scene)
    boards, height = _boards(scene, math.ceil(end))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" ',
            f'height="{height}" style="max-width:100%;height:auto" role="img" ',
            'font-family="system-ui, sans-serif">',
            f"<title>{escape(labels['game'])}</title><desc>{escape(_summary(scene))}</desc>",
            f"<defs>{definitions(edition)}{_empty_board(paints, edition, view.rules.wall)}</defs>",
            rect(0, 0, WIDTH, height, 20, f'fill="{paints.back}"'),
            _header(scene),
            table,
            boards,
            "</svg>",
        )
    )
