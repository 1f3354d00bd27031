"""QR codes: an address on a screen that a phone reads."""

from __future__ import annotations

QUIET = 4  # empty squares on every side, which readers need
LONGEST_TEXT = 300


def squares(text: str) -> list[list[bool]]:
    """The code as rows of squares, True for dark ones, with the quiet zone around it."""
    import segno  # most servers never draw one

    code = segno.make(text, error="m", micro=False, encoding="utf-8")
    return [[bool(square) for square in row] for row in code.matrix_iter(border=QUIET)]


def svg_of(text: str) -> str:
    """The code as a picture, black on white, sharp at every size."""
    rows = squares(text)
    runs = "".join(f"M{x} {y}h{width}v1h-{width}z" for y, row in enumerate(rows) for x, width in _runs(row))
    size = len(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path fill="#000" d="{runs}"/></svg>\n'
    )


def _runs(row: list[bool]) -> list[tuple[int, int]]:
    """Where dark squares stand together: the first one, and how many."""
    found: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if dark and x and row[x - 1]:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        elif dark:
            found.append((x, 1))
    return found


def blocks_of(text: str, *, inverse: bool = False) -> list[str]:
    """The code as lines for a terminal, two rows of squares to a line; `inverse` draws the light ones."""
    rows = squares(text)
    rows.append([False] * len(rows[0]))  # their number is odd
    marks = "█▀▄ " if inverse else " ▄▀█"
    return [
        "".join(marks[2 * upper + lower] for upper, lower in zip(rows[at], rows[at + 1], strict=True))
        for at in range(0, len(rows) - 1, 2)
    ]
