"""SVG elements that all pictures use."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from html import escape


def number(value: float) -> str:
    """A number as text, with at most two decimals and no negative zero."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def text(x: float, y: float, content: object, size: int, fill: str, *, anchor: str = "start", bold: bool = True) -> str:
    """A line of text whose middle is at height y."""
    return (
        f'<text x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{size}" fill="{fill}"'
        + (f' text-anchor="{anchor}"' if anchor != "start" else "")
        + (' font-weight="700"' if bold else "")
        + f">{escape(str(content))}</text>"
    )


def width_of(content: str) -> int:
    """The width of a text in letters; wide (East Asian) ones count twice."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in content)


def clipped(name: str, room: int) -> str:
    """A name without unprintable characters, shortened to the width `room`."""
    shown = "".join(sign for sign in " ".join(name.split()) if sign.isprintable())
    if width_of(shown) <= room:
        return shown
    while shown and width_of(shown) >= room:
        shown = shown[:-1]
    return shown + "…"


def fitting(content: str, size: int, room: float) -> int:
    """The font size at which a text fits; a bold letter is about 0.64 as wide as it is high."""
    return min(size, int(room / (0.64 * max(width_of(content), 1))))


def group(
    parts: Iterable[str], *, title: str = "", x: float = 0, y: float = 0, scale: float = 1, more: str = ""
) -> str:
    """A group of elements, moved and scaled, with a title that browsers show as a tooltip."""
    size = f" scale({number(scale)})" if scale != 1 else ""
    move = f' transform="translate({number(x)} {number(y)}){size}"' if x or y or size else ""
    tip = f"<title>{escape(title)}</title>" if title else ""
    return f"<g{move}{more}>{tip}{''.join(parts)}</g>"


def use_of(id_: str, x: float, y: float, scale: float = 1, more: str = "") -> str:
    """A defined element, by its id, with its origin at (x, y); `more` holds further attributes."""
    if scale == 1:
        return f'<use href="#{id_}" x="{number(x)}" y="{number(y)}"{more}/>'
    place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return f'<use href="#{id_}" transform="{place}"{more}/>'


def rect(x: float, y: float, width: float, height: float, corner: float, paint: str) -> str:
    """A rectangle with rounded corners; `paint` holds the remaining attributes."""
    box = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {box} rx="{number(corner)}" {paint}/>'


def circle(x: float, y: float, radius: float, paint: str) -> str:
    """A circle; `paint` holds the remaining attributes."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" {paint}/>'
