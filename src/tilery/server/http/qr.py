"""QR codes as SVG and as text for a terminal, so that phones can scan an address."""

from __future__ import annotations

QUIET_ZONE = 4  # empty modules on every side, which scanners need
MAX_BYTES = 200  # in UTF-8: an address has less than half of that, and the largest code takes 10 ms to make


def modules(text: str) -> list[list[bool]]:
    """The code as rows of modules, True for dark ones, with the quiet zone around it."""
    import segno  # only when it is needed

    code = segno.make(text, error="m", micro=False, encoding="utf-8")
    return [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET_ZONE)]


def qr_svg(text: str) -> str:
    """The code as an SVG image, black on white."""
    rows = modules(text)
    runs = "".join(f"M{x} {y}h{width}v1h-{width}z" for y, row in enumerate(rows) for x, width in _runs(row))
    size = len(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path fill="#000" d="{runs}"/></svg>\n'
    )


def _runs(row: list[bool]) -> list[tuple[int, int]]:
    """Runs of adjacent dark modules: the position of the first one, and their number."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if dark and x and row[x - 1]:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((x, 1))
    return runs


def qr_lines(text: str, *, inverse: bool = False) -> list[str]:
    """The code as lines for a terminal, two rows of modules per line; `inverse` draws the light modules."""
    rows = modules(text)
    rows.append([False] * len(rows[0]))  # the number of rows is odd
    marks = "█▀▄ " if inverse else " ▄▀█"
    return [
        "".join(marks[2 * upper + lower] for upper, lower in zip(rows[at], rows[at + 1], strict=True))
        for at in range(0, len(rows) - 1, 2)
    ]
