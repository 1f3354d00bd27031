"""Tiles, emblems and palettes: the pieces that the picture of a position is composed of.

Every colour has its own ornament, dark on light or light on dark, so that tiles can be recognised by shape as well: in
print, in greyscale, and by colour-blind people. The paints and ornaments of tiles are in `edition.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilery.games.svg import circle, group, rect, text, use_of

from .edition import Colour, Edition

TILE = 40  # the side of a tile as it is defined ...
PLATE = 76  # ... and the radius of a disc


@dataclass(frozen=True)
class Theme:
    """The paints of one edition, but for those of its tiles."""

    name: str
    title: str
    back: str
    back_ink: str
    card: str
    ink: str
    soft: str  # secondary text
    well: str  # an empty space
    well_edge: str
    wall: str  # the background of the wall
    grey: str  # a space of the grey wall
    table: str  # the centre, the bag and the lid
    plate: str
    rim: str
    special: str  # the rim of a special disc
    turn: str  # the frame of the seat to act ...
    turn_ink: str  # ... and the text on it
    last: str  # what the last move touched
    corner: float  # how round a tile is

    def id(self, part: str) -> str:
        """The id of a part. Equal ids mean equal drawings, so several pictures can share one page."""
        return f"azul-{self.name}-{part}"


CERAMIC = Theme(
    name="ceramic",
    title="Azul",
    back="#d5e4ea",
    back_ink="#173746",
    card="#fcfbf7",
    ink="#1c3540",
    soft="#5b727c",
    well="#e9eeee",
    well_edge="#bccbd0",
    wall="#c9d8dd",
    grey="#e9edec",
    table="#bcd3dc",
    plate="#fdfdfb",
    rim="#8fb0bd",
    special="#c8902b",
    turn="#0d6d76",
    turn_ink="#ffffff",
    last="#e0218a",
    corner=5,
)
CHOCOLATE = Theme(
    name="chocolate",
    title="Azul: Master Chocolatier",
    back="#3a2319",
    back_ink="#fbeeda",
    card="#fbf1e1",
    ink="#3a2116",
    soft="#85644f",
    well="#efdfc9",
    well_edge="#cfb292",
    wall="#d3b491",
    grey="#f0e2cd",
    table="#5a3828",
    plate="#fffaf1",
    rim="#c99f76",
    special="#e58a1f",
    turn="#b3264f",
    turn_ink="#ffffff",
    last="#00a3b4",
    corner=10,
)
THEMES = {theme.name: theme for theme in (CERAMIC, CHOCOLATE)}


def use(theme: Theme, part: str, x: float, y: float, scale: float = 1, more: str = "") -> str:
    """A defined part of the theme."""
    return use_of(theme.id(part), x, y, scale, more)


def _stroke(path: str, paint: str, width: float, *, opacity: float = 1, cap: str = "round") -> str:
    faint = f' opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<path d="{path}" fill="none" stroke="{paint}" stroke-width="{width:g}" '
        f'stroke-linecap="{cap}" stroke-linejoin="round"{faint}/>'
    )


def _ornament(name: str, ink: str) -> str:
    """A bold figure: bold, because a tile may be only a dozen pixels wide."""
    if name == "waves":
        wave = "q4-6 8 0t8 0 8 0"
        return _stroke(f"M8 11.5{wave}M8 20.5{wave}M8 29.5{wave}", ink, 3.6)
    if name == "sun":
        rays = "M20 6v4M20 30v4M6 20h4M30 20h4M10.1 10.1l2.8 2.8M27.1 27.1l2.8 2.8"
        sun = f'<circle cx="20" cy="20" r="7" fill="{ink}"/>'
        return sun + _stroke(f"{rays}M10.1 29.9l2.8-2.8M27.1 12.9l2.8-2.8", ink, 3.4)
    if name == "diamond":
        core = f'<path d="M20 14l6 6-6 6-6-6z" fill="{ink}"/>'
        return core + _stroke("M20 6.5L33.5 20 20 33.5 6.5 20z", ink, 3.2)
    if name == "star":
        star = f'<path d="M20 4.5l4 11.5 11.5 4-11.5 4-4 11.5-4-11.5-11.5-4 11.5-4z" fill="{ink}"/>'
        return star + _stroke("M9.5 9.5h0M30.5 9.5h0M9.5 30.5h0M30.5 30.5h0", ink, 4)
    if name == "slice":
        rim = f'<circle cx="20" cy="20" r="12.4" fill="none" stroke="{ink}" stroke-width="3.2"/>'
        return rim + _stroke("M20 10v20M11.3 15l17.4 10M11.3 25l17.4-10", ink, 2.8)
    if name == "heart":
        heart = "M20 33C8 24.5 6.5 19 7.4 14.8 8.8 9 16.5 8 20 14c3.5-6 11.2-5 12.6.8C33.5 19 32 24.5 20 33z"
        return f'<path d="{heart}" fill="{ink}"/>'
    if name == "swirl":
        swirl = "M20.5 20.5c-.6-2.4 3.6-2.8 4 .6.5 4.6-5.6 6.8-9 3.2-4-4.3-1.3-12 5.5-12.6 7.8-.7 12.6 6 10.7 12.5"
        return _stroke(swirl, ink, 3.6)
    assert name == "rings"
    dot = f'<circle cx="20" cy="20" r="4.2" fill="{ink}"/>'
    return f'{dot}<circle cx="20" cy="20" r="11.6" fill="none" stroke="{ink}" stroke-width="4"/>'


def _tile(theme: Theme, colour: Colour) -> str:
    """A placed tile: a dark edge, a gloss along the top and a shade along the bottom make it stand out."""
    glaze, round_ = colour.glaze, theme.corner
    body = f'<rect x=".8" y=".8" width="38.4" height="38.4" rx="{round_:g}" fill="{glaze.base}"'
    inner = max(round_ - 2, 2)
    return (
        f'<g id="{theme.id(colour.letter)}">{body} stroke="{glaze.edge}" stroke-width="1.6"/>'
        + _stroke(f"M{2 + inner:g} 3H{38 - inner:g}", "#fff", 1.6, opacity=0.45)
        + _stroke(f"M{2 + inner:g} 37H{38 - inner:g}", glaze.edge, 1.8, opacity=0.6)
        + _ornament(colour.ornament, glaze.ink)
        + "</g>"
    )


def _pale_tile(theme: Theme, colour: Colour) -> str:
    glaze = colour.glaze
    body = f'<rect x="1" y="1" width="38" height="38" rx="{theme.corner:g}" fill="{glaze.pale}"/>'
    return f'<g id="{theme.id("pale" + colour.letter)}">{body}{_ornament(colour.ornament, glaze.pale_ink)}</g>'


def _marker(theme: Theme) -> str:
    """The starting-player marker: round, so that nobody takes it for a tile."""
    return (
        f'<g id="{theme.id("m")}">'
        + circle(20, 20, 18.4, f'fill="{theme.special}" stroke="{theme.ink}" stroke-width="2"')
        + circle(20, 20, 14, 'fill="#fffdf4"')
        + _stroke("M14.5 15.5l6.3-5v20", theme.ink, 4.4)
        + "</g>"
    )


def _magnet(theme: Theme, colour: Colour) -> str:
    """A horseshoe of its colour that holds a tile of that colour."""
    glaze = colour.glaze
    shoe = "M-15.5-17V1.5a15.5 15.5 0 0 0 31 0V-17"
    return (
        _stroke(shoe, glaze.edge, 11, cap="butt")
        + _stroke(shoe, glaze.base, 7.5, cap="butt")
        + _stroke("M-15.5-16v7M15.5-16v7", glaze.ink, 7.5, cap="butt")
        + use(theme, colour.letter, -9, -12, 0.45)
    )


def _emblem(theme: Theme, edition: Edition, kind: str) -> str:
    """The sign of a special disc, about 40 wide round (0, 0)."""
    ink = theme.ink
    if kind.startswith("magnet"):
        return _magnet(theme, edition.colours[edition.letters.index(kind[-1])])
    if kind == "extra":
        return _stroke("M-15 0H1M-7-8V8M7-6l6-5V11", ink, 5)
    if kind == "keeper":  # a padlock: the rest stays in
        lock = f'<rect x="-13" y="-4" width="26" height="19" rx="3.5" fill="{ink}"/>'
        hole = f'<path d="M0 3.5v4" stroke="{theme.plate}" stroke-width="5" stroke-linecap="round"/>'
        return lock + hole + _stroke("M-7.5-4v-4a7.5 7.5 0 0 1 15 0v4", ink, 4.4)
    if kind == "spreader":
        return f'<path d="M-19 0l11-11v7H8v-7L19 0 8 11V4H-8v7z" fill="{ink}"/>'
    cup = f'<path d="M-11-13h19v7a9.5 9.5 0 0 1-19 0z" fill="{ink}"/>'
    dish = f'<path d="M-18 8h36c-3 6-8 7-18 7s-15-1-18-7z" fill="{ink}"/>'
    return cup + dish + _stroke("M8-10h3a4 4 0 0 1 0 8H7", ink, 3)


def _plate(theme: Theme, name: str, rim: str, width: float) -> str:
    return (
        f'<g id="{theme.id(name)}"><circle cy="5" r="{PLATE + 1}" opacity=".16"/>'
        f'<circle r="{PLATE - width / 2:g}" fill="{theme.plate}" stroke="{rim}" stroke-width="{width:g}"/>'
        f'<circle r="63" fill="none" stroke="{rim}" stroke-width="1.5" opacity=".5"/></g>'
    )


def _bag_and_lid(theme: Theme) -> str:
    """A pouch for the bag and a box for the lid, with space for the numbers of tiles."""
    pouch = "M44 34C6 62-2 130 1 262q1 48 40 48h54q39 0 40-48C138 130 130 62 92 34z"
    neck = "M38 3q8 8 15 1t15 0 15 0 15-1L91 27H45z"
    paint = f'fill="{theme.table}"'
    bag = f'<path d="{pouch}{neck}" {paint}/>' + _stroke("M46 31h44", theme.special, 7)
    lid = f'<rect y="36" width="136" height="274" rx="12" {paint}/>' + rect(-4, 34, 144, 52, 10, paint)
    crease = _stroke("M-3 87h142", theme.back, 3)
    return f'<g id="{theme.id("bag")}">{bag}</g><g id="{theme.id("lid")}">{lid}{crease}</g>'


def definitions(edition: Edition) -> str:
    """All tiles, the marker and the emblems, to be used by id."""
    theme = THEMES[edition.theme]
    tiles = [part for colour in edition.colours for part in (_tile(theme, colour), _pale_tile(theme, colour))]
    emblems = [f'<g id="{theme.id(kind)}">{_emblem(theme, edition, kind)}</g>' for kind in edition.discs[1:]]
    gone = (
        f'<circle id="{theme.id("gone")}" r="72" fill="{theme.back}" stroke="{theme.rim}" stroke-width="4" '
        'stroke-dasharray="12 9"/>'
    )
    plates = (_plate(theme, "plate", theme.rim, 4), _plate(theme, "special", theme.special, 7), gone)
    return "".join((*tiles, _marker(theme), *emblems, *plates, _bag_and_lid(theme)))


# The rows in which tiles lie on a disc, by the number of tiles.
_ROWS = {
    3: (1, 2),
    4: (2, 2),
    5: (3, 2),
    6: (3, 3),
    7: (2, 3, 2),
    8: (2, 4, 2),
    9: (3, 3, 3),
    10: (3, 4, 3),
    11: (2, 4, 3, 2),
    12: (2, 4, 4, 2),
}


def cluster(theme: Theme, things: str, y: float, radius: float) -> list[str]:
    """Tiles in rows, as large as fits into a circle of this radius at height y."""
    if len(things) > max(_ROWS):
        return [group(heap(theme, things, 0.62, theme.ink), y=y)]
    rows = _ROWS.get(len(things), (len(things),))
    half = len(rows) / 2
    reach = max(math.hypot(row / 2, abs(at + 0.5 - half) + 0.5) for at, row in enumerate(rows))
    pitch = min(radius / reach, 44)
    scale = round(pitch / 44 * 41 / TILE, 2)
    drawn, left = [], iter(things)
    for at, row in enumerate(rows):
        for column in range(row):
            middle_x, middle_y = (column + 0.5 - row / 2) * pitch, y + (at + 0.5 - half) * pitch
            drawn.append(use(theme, next(left), middle_x - scale * TILE / 2, middle_y - scale * TILE / 2, scale))
    return drawn


def heap(theme: Theme, things: str, scale: float, ink: str) -> list[str]:
    """Each colour once with its number of tiles, for piles of any size. The marker comes first."""
    kinds = sorted(dict.fromkeys(things), key=lambda kind: kind != "m")
    rows = {1: (1,), 2: (2,), 3: (1, 2), 4: (2, 2), 5: (2, 2, 1)}.get(len(kinds), (2, 2, 2))
    drawn, left = [], iter(kinds)
    for at, row in enumerate(rows):
        y = (at - len(rows) / 2) * 50 + 5
        for column in range(row):
            kind, x = next(left), (column - row / 2) * 97 + 6
            if kind == "m":
                drawn.append(use(theme, kind, (x + 22) * scale, y * scale, scale))
                continue
            number_x, number_y = (x + 47) * scale, (y + TILE / 2) * scale
            drawn.append(use(theme, kind, x * scale, y * scale, scale))
            drawn.append(text(number_x, number_y, things.count(kind), round(31 * scale), ink))
    return drawn
