"""Chocolate pieces, cards, tokens and their paints: what the picture of a position is composed of.

Every kind has its own relief (dark a diamond between ridges, milk a dome with waves, white a ring), so that pieces
can be recognised by shape as well: in print, in greyscale, and by colour-blind people.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tilery.games.svg import circle, fitting, group, number, rect, text, use_of

PIECE = 36  # the side of a piece as it is defined ...
CELL = 40  # ... of the cell that it fills, with its share of the tray round a card ...
CARD = 2 * CELL  # ... and of a card
TRAY = 3.5  # how much of the tray is seen round the pieces
LIFT = 5  # how far a card of the second level rises to the upper left
LENTIL = 10.5  # the radius of a token

# The paints: a marble counter, cocoa for what is written, gold foil under the chocolate.
BACK = "#efe9e1"
MARBLE = "#faf8f4"
VEIN = "#b9aea3"
GRID = "#d8cfc5"
PANEL = "#fffdf9"
TEAM = "#ddd0c0"
INK = "#3a2216"
SOFT = "#7d6151"
EMPTY = "#cdbfb0"
TURN = "#1f6a5c"
TURN_INK = "#ffffff"
GOLD = "#f0b93f"
LAST = "#e0115f"
FOIL = "#e6c27c"
FOIL_EDGE = "#6d4417"
RAISED = "#fbe7b2"
RAISED_EDGE = "#3d230c"
WRAPPER = "#7c2c42"
TOKEN_EDGE = "#0f4a78"


@dataclass(frozen=True)
class Chocolate:
    """The paints of one kind: its face, the facets round it by how much light falls on them, and its relief."""

    face: str
    edge: str
    facets: tuple[str, str, str, str]  # top, left, right, foot
    ink: str
    deep: str  # the shade beside the relief


CHOCOLATES = {
    "D": Chocolate("#3c2218", "#180b06", ("#7d5746", "#5f3d2e", "#2b170f", "#1d0e08"), "#c99f85", "#1d0e08"),
    "M": Chocolate("#a8683d", "#5a3117", ("#d19e6d", "#bd8050", "#87502a", "#6f3f1f"), "#f7dcb4", "#6f3d1c"),
    "W": Chocolate("#fbf1da", "#8d6d43", ("#ffffff", "#fffaf0", "#e3cfa8", "#d5bb8d"), "#a06a2c", "#ffffff"),
}


def part_id(part: str) -> str:
    """The id of a part. Equal ids mean equal drawings, so several pictures can share one page."""
    return f"schokoly-{part}"


def use(part: str, x: float, y: float, scale: float = 1, more: str = "") -> str:
    """A defined part of these pictures."""
    return use_of(part_id(part), x, y, scale, more)


def stroke(path: str, paint: str, width: float, more: str = "") -> str:
    """A line along a path."""
    return (
        f'<path d="{path}" fill="none" stroke="{paint}" stroke-width="{number(width)}" '
        f'stroke-linecap="round" stroke-linejoin="round"{more}/>'
    )


def _filled(path: str, paint: str) -> str:
    return f'<path d="{path}" fill="{paint}"/>'


def _relief(kind: str) -> str:
    """One bold figure per kind: bold, because a piece may be only a dozen pixels wide."""
    paints = CHOCOLATES[kind]
    if kind == "D":
        ridges = "M6.5 11l4.5-4.5M25 6.5l4.5 4.5M6.5 25l4.5 4.5M25 29.5l4.5-4.5"
        facets = (
            _filled("M18 6.5V18H6.5z", "#8d6654"),
            _filled("M18 6.5L29.5 18H18z", "#6b4838"),
            _filled("M6.5 18H18V29.5z", "#543427"),
            _filled("M18 18H29.5L18 29.5z", "#311b12"),
        )
        diamond = "M18 6L30 18 18 30 6 18z"
        return stroke(ridges, paints.ink, 1.6, ' opacity=".55"') + "".join(facets) + stroke(diamond, paints.ink, 2.2)
    if kind == "M":
        wave = "q3.25-5.6 6.5 0t6.5 0 6.5 0"
        waves = f"M8.25 14.6{wave}M8.25 23.6{wave}"
        dome = rect(5.2, 5.2, 25.6, 25.6, 8, 'fill="#b97a4b"') + stroke("M9 8Q18 4.6 27 8", "#dcae7e", 1.4)
        low = waves.replace("M8.25 14.6", "M8.25 16").replace("M8.25 23.6", "M8.25 25")
        return dome + stroke(low, paints.deep, 3) + stroke(waves, paints.ink, 3)
    return (
        circle(18, 19, 9.6, f'fill="none" stroke="{paints.deep}" stroke-width="4.4"')
        + circle(18, 18, 9.6, f'fill="none" stroke="{paints.ink}" stroke-width="4"')
        + circle(18, 18, 3.1, f'fill="{paints.ink}"')
    )


def _piece(kind: str) -> str:
    """A piece of a bar: a flat top with a relief, and four slanting facets round it."""
    paints = CHOCOLATES[kind]
    outlines = (
        "M1.5 1.5H34.5L31 5H5z",
        "M1.5 1.5L5 5V31L1.5 34.5z",
        "M34.5 1.5V34.5L31 31V5z",
        "M1.5 34.5L5 31H31L34.5 34.5z",
    )
    return (
        f'<g id="{part_id(kind)}">'
        + rect(0.6, 0.6, 34.8, 34.8, 3.5, f'fill="{paints.face}" stroke="{paints.edge}" stroke-width="1.2"')
        + "".join(_filled(path, paint) for path, paint in zip(outlines, paints.facets, strict=True))
        + _relief(kind)
        + "</g>"
    )


def _trays() -> str:
    """What the four pieces of a card lie on: gold foil; the one of the second level is bright, with a strong rim."""
    low = rect(0.9, 0.9, 78.2, 78.2, 6, f'fill="{FOIL}" stroke="{FOIL_EDGE}" stroke-width="1.8"')
    high = rect(1.2, 1.2, 77.6, 77.6, 6, f'fill="{RAISED}" stroke="{RAISED_EDGE}" stroke-width="2.4"')
    return f'<g id="{part_id("tray")}">{low}</g><g id="{part_id("raised")}">{high}</g>'


def _token() -> str:
    """A sugar-coated lentil seen from above, its gloss at the upper left."""
    return (
        f'<g id="{part_id("token")}">'
        + circle(0.8, 1.8, LENTIL, 'fill="#1c0d06" opacity=".4"')
        + circle(0, 0, LENTIL - 0.8, f'fill="#2f8fd6" stroke="{TOKEN_EDGE}" stroke-width="1.6"')
        + stroke("M6.6 1.2A6.8 6.8 0 0 1-1 6.7", "#8fd0ff", 1.5, ' opacity=".8"')
        + '<ellipse cx="-2.8" cy="-3.6" rx="4" ry="2.3" transform="rotate(-32 -2.8 -3.6)" fill="#fff" opacity=".92"/>'
        + "</g>"
    )


def _card_back() -> str:
    """A wrapped bar: paper with a lattice, a golden border and a cocoa bean on it."""
    lattice = "M8 24L24 8M8 40L40 8M8 56L56 8M8 72L72 8M24 72L72 24M40 72L72 40M56 72L72 56"
    bean = "M30 47C25 37 36 23 47 27 56 31 51 48 41 52 36 54 32 52 30 47z"
    return (
        f'<g id="{part_id("back")}">'
        + rect(1, 1, 78, 78, 7, f'fill="{WRAPPER}" stroke="#3f1220" stroke-width="2"')
        + stroke(lattice, "#a65a6c", 1.4)
        + rect(6.5, 6.5, 67, 67, 4, f'fill="none" stroke="{GOLD}" stroke-width="2"')
        + circle(40, 40, 20, f'fill="{WRAPPER}" stroke="{GOLD}" stroke-width="2"')
        + _filled(bean, GOLD)
        + stroke("M34 49C36 42 41 44 46 30", WRAPPER, 2.4)
        + "</g>"
    )


def _signs() -> str:
    """A crown, an eye, and the kind that nobody has chosen yet; each about 36 wide."""
    unknown = rect(2, 2, 32, 32, 5, f'fill="none" stroke="{SOFT}" stroke-width="2.4" stroke-dasharray="6 4.5"')
    crown = f'<path d="M2 29V9l8 7 8-12 8 12 8-7v20z" fill="{INK}"/>'
    eye = stroke("M3 18Q18 3 33 18 18 33 3 18z", "currentColor", 3) + circle(18, 18, 5, 'fill="currentColor"')
    slot = rect(1.5, 1.5, 77, 77, 7, f'fill="none" stroke="{EMPTY}" stroke-width="2" stroke-dasharray="7 6"')
    return (
        f'<g id="{part_id("unknown")}">{unknown}{text(18, 18, "?", 22, SOFT, anchor="middle")}</g>'
        f'<g id="{part_id("crown")}">{crown}</g><g id="{part_id("eye")}">{eye}</g><g id="{part_id("slot")}">{slot}</g>'
    )


def definitions() -> str:
    """All parts that are drawn more than once, to be used by id."""
    return "".join((*map(_piece, CHOCOLATES), _trays(), _token(), _card_back(), _signs()))


def piece_at(corner: int) -> tuple[float, float]:
    """Where a piece begins on its card; corners count clockwise from the top left."""
    far = CARD - TRAY - PIECE
    return (far if corner in (1, 2) else TRAY, far if corner >= 2 else TRAY)


def card(pieces: str, x: float, y: float, scale: float = 1, *, title: str = "", tray: str = "tray") -> str:
    """A card; a piece that is not visible is written as a blank."""
    drawn = [use(tray, 0, 0)]
    drawn += [use(kind, *piece_at(corner)) for corner, kind in enumerate(pieces) if kind != " "]
    return group(drawn, title=title, x=x, y=y, scale=scale)


def marble(x: float, y: float, width: float, height: float) -> str:
    """A slab of marble with a few soft veins that stay inside it."""
    veins = (
        ("M0 8C7 8 9 18 16 20S24 30 33 33 41 45 50 47 60 60 70 63 80 74 88 76 94 85 100 85", 0.4, 0.32),
        ("M0 12C8 12 9 22 17 24S26 35 34 38 44 51 52 54 63 66 72 70 83 80 90 82 94 90 100 90", 2.4, 0.11),
        ("M33 33C40 30 44 20 52 19S62 9 72 10 84 7 100 7", 0.3, 0.3),
        ("M50 47C58 42 66 44 74 37S90 28 100 28", 0.25, 0.26),
        ("M50 48C58 45 67 47 75 40S91 32 100 32", 1.6, 0.09),
        ("M0 56C9 56 12 66 20 67S30 77 40 79 50 88 60 90 80 97 100 97", 0.3, 0.26),
    )
    paths = [
        f'<path d="{path}" fill="none" stroke="{VEIN}" stroke-width="{number(wide)}" opacity="{faint:g}"/>'
        for path, wide, faint in veins
    ]
    stretch = f"translate({number(x)} {number(y)}) scale({number(width / 100)} {number(height / 100)})"
    return (
        rect(x, y, width, height, 16, f'fill="{MARBLE}" stroke="{EMPTY}" stroke-width="2"')
        + f'<g transform="{stretch}">{"".join(paths)}</g>'
    )


def pile(count: int, label: str, x: float, y: float) -> str:
    """The stack: cards face down, in fewer layers when fewer are left."""
    layers = max(math.ceil(count / 8), 1)
    parts = [text(-16, 44, label, fitting(label, 28, 170), SOFT, anchor="end", bold=False)]
    parts += [use("back" if count else "slot", 3.5 * layer, 16 - 3.5 * layer, 1.05) for layer in range(layers)]
    shift = 3.5 * (layers - 1)
    parts.append(circle(42 + shift, 58 - shift, 27, f'fill="{PANEL}" stroke="{GOLD}" stroke-width="3"'))
    parts.append(text(42 + shift, 58 - shift, count, 34, INK, anchor="middle"))
    return group(parts, title=f"{label}: {count}", x=x, y=y)


def corner(x: float, y: float) -> str:
    """The labels of the axes x and y, at the upper left corner (x, y) of the table."""
    letters = text(-12, -27, "x", 24, SOFT, anchor="middle") + text(-34, -13, "y", 24, SOFT, anchor="middle")
    return group([stroke("M-42-38L-5-5", GRID, 2), letters], x=x, y=y)


def grid(columns: int, rows: int, across: Iterable[int], down: Iterable[int], thin: float) -> str:
    """Lines between the cells, where they are not too thin, and bands along the given columns and rows."""
    wide, high = columns * CELL, rows * CELL
    bands = "".join(f"M{k * CELL} 0h{CELL}v{high}h-{CELL}z" for k in across)
    bands += "".join(f"M0 {k * CELL}h{wide}v{CELL}h-{wide}z" for k in down)
    lines = "".join(f"M{k * CELL} 0V{high}" for k in range(columns + 1))
    lines += "".join(f"M0 {k * CELL}H{wide}" for k in range(rows + 1))
    drawn = f'<path d="{bands}" fill="{GRID}" opacity=".5"/>' if bands else ""
    return drawn + (stroke(lines, GRID, thin) if thin else "")


def outline(corners: Iterable[tuple[int, int]], raised: set[tuple[int, int]]) -> str:
    """A golden line round a group, along those edges of its cells that no two of them share; it climbs raised ones."""
    cells, path = set(corners), ""
    lifted = {(x + right, y + down) for x, y in cells & raised for right in (0, CELL) for down in (0, CELL)}

    def point(x: int, y: int) -> str:
        lift = LIFT if (x, y) in lifted else 0
        return f"{x - lift} {y - lift}"

    for x, y in sorted(cells):
        for right, down in ((0, -CELL), (0, CELL), (-CELL, 0), (CELL, 0)):
            if (x + right, y + down) not in cells:
                left, top = x + max(right, 0), y + max(down, 0)
                path += f"M{point(left, top)}L{point(left + abs(down), top + abs(right))}"
    return stroke(path, INK, 6.5) + stroke(path, GOLD, 4)


@dataclass(frozen=True)
class Badge:
    """A number to be laid on a group, round (0, 0)."""

    drawn: str
    half_width: float
    half_height: float


def number_badge(count: int, *, best: bool) -> Badge:
    """The size of a group; that of a side's largest is golden."""
    radius = 17 if best else 13
    paint = f'fill="{GOLD if best else PANEL}" stroke="{INK}" stroke-width="{2.2 if best else 1.4}"'
    size = (23 if best else 19) - (5 if count > 99 else 0)
    drawn = circle(0, 0, radius, paint) + text(0, 0, count, size, INK, anchor="middle")
    return Badge(drawn, radius, radius)


def edges_badge(count: int, kinds: tuple[str, str], edges: tuple[int, int], winner: int | None) -> Badge:
    """The size of a neutral group, below it its edges to each side's kind; the side that gets it is framed in gold."""
    half = 17 + 15 * max(len(str(number)) for number in edges)
    parts = [rect(-half, -26, 2 * half, 52, 9, f'fill="{PANEL}" stroke="{INK}" stroke-width="2"')]
    parts.append(text(0, -13, count, 24, INK, anchor="middle"))
    for side, kind in enumerate(kinds):
        left = 5 if side else 3 - half
        paints = CHOCOLATES[kind]
        frame = f'stroke="{GOLD}" stroke-width="4"' if side == winner else f'stroke="{INK}" stroke-width="1.4"'
        parts.append(rect(left, 0, half - 8, 23, 5, f'fill="{paints.face}" {frame}'))
        ink = INK if kind == "W" else "#ffffff"
        parts.append(text(left + half / 2 - 4, 11.5, edges[side], 21, ink, anchor="middle"))
    parts.append(text(0, 10, ":", 21, INK, anchor="middle"))
    return Badge("".join(parts), half, 26)
