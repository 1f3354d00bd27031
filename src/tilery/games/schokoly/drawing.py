"""A position as a picture: the table of chocolate above, the players with their hands below, in scalable SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tilery.games.svg import circle, clipped, fitting, group, number, rect, text, width_of

from . import art
from .actions import cell_at
from .art import card, stroke, use
from .groups import Group, side_edges, side_of
from .kernel.cards import KINDS
from .kernel.layout import LAY, NEUTRAL_LEAST, TOKEN
from .view import HIDDEN, Card, SwapCard, View

WORDS = {
    "game": "Schokoly",
    "seat": "Seat",
    "team": "Team",
    "points": "points",
    "stack": "stack",
    "token": "token",
    "table": "table",
    "hand": "hand",
    "hidden": "a hidden card",
    "neutral": "neutral",
    "swap": "Swap",
    "no offer": "no offer",
    "offers": "{name} offers",
    "answers": "{name} answers",
    "passes": "passes",
    "viewer": "sees this",
    "group": "group",
    "edges": "edges",
    # The status, by phase.
    "start": "The starting player is being drawn",
    "deal": "The cards are being dealt",
    "draw": "{name} draws a card",
    "kind": "{name} chooses a kind",
    "place": "{name} lays a card",
    "secure": "{name} may secure a card",
    "answer": "{name} answers the offer",
    "accept": "{name} agrees or refuses",
    "over": "Game over – winner: {name}",
    **dict(zip(KINDS, ("dark", "milk", "white"), strict=True)),
}

WIDTH, MARGIN, HEAD = 1000, 12, 130
GUTTER = 52  # for the numbers of rows, on either side of the table
MAX_SCALE, MIN_SCALE = 1.95, 0.3  # the scale of a card on the table ...
TALLEST = 1000  # ... so that the table is not taller than that, if possible
FIGURES = 26  # the size of those numbers
PANEL_WIDTH, PANEL_HEIGHT, PANEL_TOP = 482, 258, 58
PAD, STEP = 17, 116  # cards of a hand
TEAM_TOP = 52


@dataclass(frozen=True)
class _Scene:
    """What every part of the picture needs to know."""

    view: View
    groups: Sequence[Group]
    words: Mapping[str, str]
    names: tuple[str, ...]
    place: tuple[int, int] | None  # of the card that the last move laid or secured
    winners: tuple[int, ...]
    points: tuple[int, ...]
    counts: bool

    @property
    def acting(self) -> int | None:
        """The seat that has to decide, or whose turn it is while chance acts for it."""
        return self.view.seat if self.view.actor is None else self.view.actor

    @property
    def raised(self) -> set[tuple[int, int]]:
        """The cells of second-level cards."""
        return {cell for lying in self.view.table if lying.level == 2 for cell in lying.cells}


@dataclass(frozen=True)
class _Frame:
    """The part of the plane that is shown, and where it is in the picture."""

    left: int
    top: int
    columns: int
    rows: int
    scale: float
    x: float
    y: float

    @property
    def cell(self) -> float:
        """The side of a cell in the picture."""
        return art.CELL * self.scale

    @property
    def ways(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """For columns and for rows: the first, how many, and the step between those that get a number."""
        longest = max(len(str(end)) for end in (self.left, self.left + self.columns))
        wide, high = (0.6 * longest + 0.2) * FIGURES, 1.1 * FIGURES
        across = next(step for step in (1, 2, 5, 10, 20, 50) if step * self.cell >= wide)
        down = next(step for step in (1, 5, 10, 20, 50) if step * self.cell >= high)
        return (self.left, self.columns, across), (self.top, self.rows, down)

    def at(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The top left corner of a cell, in the units of a card."""
        return art.CELL * (cell[0] - self.left), art.CELL * (cell[1] - self.top)


def _place(view: View, last: tuple[int, int] | None) -> tuple[int, int] | None:
    if last is None or not 0 <= last[0] < view.rules.seats or last[1] < LAY:
        return None
    code = last[1] - TOKEN if last[1] >= TOKEN else (last[1] - LAY) >> 6 & 0xFFFF
    cell = cell_at(code)
    return cell if any((lying.x, lying.y) == cell for lying in view.table) else None


def _status(scene: _Scene) -> str:
    """Whose turn it is and what it has to do, in words."""
    view = scene.view
    actors = scene.winners if scene.acting is None else (scene.acting,)
    named = " & ".join(clipped(scene.names[seat], 32 // len(actors)) for seat in actors)
    status = scene.words[view.phase].replace("{name}", named)
    return f"{status} · {scene.words['passes']}: {view.passes}" if view.passes and view.phase != "over" else status


def _header(scene: _Scene) -> str:
    status, view = _status(scene), scene.view
    parts = [text(MARGIN + 6, 38, status, fitting(status, 38, 790), art.INK)]
    x = MARGIN + 6.0
    for kind in KINDS:
        label = f"{kind} {scene.words[kind]}"
        if kind == view.neutral:
            label += f" ({scene.words['neutral']})"
        parts += [use(kind, x, 76, 1.1), text(x + 48, 96, label, 27, art.SOFT, bold=False)]
        x += 76 + 13.5 * width_of(label)
    return "".join(parts) + art.pile(view.left, scene.words["stack"], WIDTH - MARGIN - 108, 12)


def _framed(view: View) -> _Frame:
    """All cards and room for one more on each side, as large as fits."""
    cells = [cell for lying in view.table for cell in lying.cells] or [(0, 0), (1, 1)]
    spare = 1 if view.phase == "over" else 2
    left, right = min(x for x, _ in cells) - spare, max(x for x, _ in cells) + spare
    top, bottom = min(y for _, y in cells) - spare, max(y for _, y in cells) + spare
    columns, rows = right - left + 1, bottom - top + 1
    room = WIDTH - 2 * (MARGIN + GUTTER)
    scale = min(MAX_SCALE, room / columns / art.CELL, max(TALLEST / rows / art.CELL, MIN_SCALE))
    scale = math.floor(100 * scale) / 100  # rounded as it will be written, so that rows and their numbers stay aligned
    return _Frame(left, top, columns, rows, scale, (WIDTH - columns * art.CELL * scale) / 2, HEAD + 46)


def _numbers(scene: _Scene, frame: _Frame) -> str:
    """The numbers of columns and rows along the edges; those of the last move stand out."""
    cell, parts = frame.cell, []
    right, foot = frame.x + frame.columns * cell, frame.y + frame.rows * cell
    for way, (first, count, step) in enumerate(frame.ways):
        last = scene.place[way] if scene.place else None
        for at in range(first, first + count):
            near = last is not None and abs(at - last) < step  # it is the last one, or would run into it
            if at != last and (near or at % step):
                continue
            ink, bold, middle = art.LAST if near else art.SOFT, near, (at - first + 0.5) * cell
            if way == 0:
                for y in (frame.y - 20, foot + 20):
                    parts.append(text(frame.x + middle, y, at, FIGURES, ink, anchor="middle", bold=bold))
            else:
                parts.append(text(frame.x - 9, frame.y + middle, at, FIGURES, ink, anchor="end", bold=bold))
                parts.append(text(right + 9, frame.y + middle, at, FIGURES, ink, bold=bold))
    return "".join(parts) + art.corner(frame.x, frame.y)


def _title_of(lying: Card) -> str:
    """A lying card in the notation of positions."""
    return f"{lying.pieces}@{lying.x},{lying.y}" + ("^" if lying.level == 2 else "!" if lying.token else "")


def _cards(scene: _Scene, frame: _Frame) -> list[str]:
    """Both levels, each above its shadows; covered pieces are not drawn."""
    low, high = (
        [(lying, *frame.at((lying.x, lying.y))) for lying in scene.view.table if lying.level == level]
        for level in (1, 2)
    )
    covered, size, lift = scene.raised, art.CARD, art.LIFT
    parts = [rect(x + 2, y + 3, size, size, 7, 'opacity=".16"') for _, x, y in low]
    for lying, x, y in low:
        shown = "".join(" " if cell in covered else kind for cell, kind in zip(lying.cells, lying.pieces, strict=True))
        parts.append(card(shown, x, y, title=_title_of(lying)))
    parts += [rect(x + 3, y + 4, size + 5, size + 5, 9, 'opacity=".22"') for _, x, y in high]
    parts += [rect(x, y, size + 4, size + 4, 8, 'opacity=".35"') for _, x, y in high]
    side = f'fill="{art.RAISED_EDGE}"'  # of a card that rises above the others
    parts += [rect(x - 2, y - 2, size + 2, size + 2, 6, side) for _, x, y in high]
    parts += [card(lying.pieces, x - lift, y - lift, title=_title_of(lying), tray="raised") for lying, x, y in high]
    return parts


def _middle(frame: _Frame, lying: Card) -> tuple[float, float]:
    x, y = frame.at((lying.x, lying.y))
    lift = art.LIFT if lying.level == 2 else 0
    return x + art.CARD / 2 - lift, y + art.CARD / 2 - lift


def _last_ring(scene: _Scene, frame: _Frame) -> list[str]:
    """A ring round the card that the last move laid or secured."""
    parts = []
    for lying in scene.view.table:
        if (lying.x, lying.y) == scene.place:
            x, y = _middle(frame, lying)
            for paint, wide in (("#fff", 8), (art.LAST, 4.5)):
                line = f'fill="none" stroke="{paint}" stroke-width="{wide}"'
                parts.append(rect(x - 41, y - 41, 82, 82, 8, line))
    return parts


def _largest(scene: _Scene) -> list[Group]:
    """SC-43: the largest group of each side; several if they are of equal size."""
    best = {kind: max((counted.size for counted in scene.groups if counted.kind == kind), default=0) for kind in KINDS}
    return [
        counted for counted in scene.groups if counted.kind in scene.view.kinds and counted.size == best[counted.kind]
    ]


def _badge(scene: _Scene, counted: Group) -> tuple[art.Badge, str]:
    """The count of a group as a badge and in words."""
    view, label = scene.view, f"{scene.words[counted.kind]}: {scene.words['group']} {counted.size}"
    first, second = view.kinds[:2]
    if counted.kind != view.neutral or counted.size < NEUTRAL_LEAST or first is None or second is None:
        return art.number_badge(counted.size, best=counted in _largest(scene)), label
    edges = side_edges(view.kinds, counted)
    badge = art.edges_badge(counted.size, (first, second), edges, side_of(view.kinds, counted))
    return badge, f"{label}, {scene.words['edges']} {edges[0]}:{edges[1]}"


def _badges(scene: _Scene, frame: _Frame) -> list[str]:
    """SC-42 to SC-44: the size of each group, on one of its cells, if possible away from tokens and other badges."""
    view, drawn = scene.view, []
    taken = [(*_middle(frame, lying), art.LENTIL, art.LENTIL) for lying in view.table if lying.token]
    scale = round(min(max(1, 1.05 / frame.scale), 2), 2)  # a badge may outgrow a small cell
    for counted in scene.groups:
        if counted.size < 2:
            continue
        badge, label = _badge(scene, counted)
        wide, high = scale * badge.half_width, scale * badge.half_height
        centre = [sum(cell[way] for cell in counted.cells) / counted.size for way in (0, 1)]
        spots = []
        for column, row in counted.cells:
            lift = art.LIFT if (column, row) in scene.raised else 0
            x, y = (start + art.CELL / 2 - lift for start in frame.at((column, row)))
            clashes = sum(abs(x - a) < wide + b and abs(y - c) < high + d for a, c, b, d in taken)
            beside = sum(side in counted.cells for side in ((column - 1, row), (column + 1, row)))
            spots.append((clashes, -beside if wide > art.CELL / 2 else 0, math.dist((column, row), centre), y, x))
        *_, y, x = min(spots)
        taken.append((x, y, wide, high))
        drawn.append(group([badge.drawn], title=label, x=x, y=y, scale=scale))
    return drawn[::-1]  # larger groups are drawn later


def _table(scene: _Scene) -> tuple[str, float]:
    """The table with all cards; and the y where it ends."""
    frame = _framed(scene.view)
    end = frame.y + frame.rows * frame.cell + 46
    across, down = (
        [k for k in range(count) if step > 2 and (first + k) % step == 0] for first, count, step in frame.ways
    )
    parts = [art.grid(frame.columns, frame.rows, across, down, 1.4 / frame.scale if frame.cell >= 14 else 0)]
    parts += _cards(scene, frame)
    if not scene.view.table:
        parts.append(use("slot", *frame.at((0, 0))))
    if scene.counts:
        raised = set(map(frame.at, scene.raised))
        parts += [art.outline(map(frame.at, counted.cells), raised) for counted in _largest(scene)]
    parts += _last_ring(scene, frame)
    parts += [use("token", *_middle(frame, lying)) for lying in scene.view.table if lying.token]
    parts += _badges(scene, frame) if scene.counts else []
    table = group(parts, x=frame.x, y=frame.y, scale=frame.scale, more=f' class="{art.part_id("table")}"')
    return art.marble(MARGIN, HEAD, WIDTH - 2 * MARGIN, end - HEAD) + _numbers(scene, frame) + table, end + MARGIN


def _away(view: View, seat: int) -> str | None:
    """SC-50: the card of a hand that is on offer, if that is known."""
    pending, other = (view.offer, view.partner) if seat == view.seat else (view.answer, view.seat)
    if pending is None or other is None or seat not in (view.seat, view.partner):
        return None
    kind = view.kinds[other] or ""
    likely = {name for name in view.hands[seat] if name == HIDDEN or name.count(kind) == pending.number}
    return pending.card if pending.card != HIDDEN else next(iter(likely)) if len(likely) == 1 else None


def _hand(scene: _Scene, seat: int) -> str:
    """The cards of a hand with their names, hidden ones face down; one that is on offer is faint."""
    names, away, parts = scene.view.hands[seat], _away(scene.view, seat), []
    for at in range(4):
        x = PAD + at * STEP
        if at >= len(names):
            parts.append(use("slot", x, PANEL_TOP + 10, 1.25))
            continue
        faint = names[at] == away
        away = None if faint else away
        if names[at] == HIDDEN:
            drawn = group([use("back", 0, 0)], title=scene.words["hidden"], x=x, y=PANEL_TOP + 10, scale=1.25)
        else:
            drawn = card(names[at], x, PANEL_TOP + 10, 1.25, title=names[at])
            drawn += text(x + 50, PANEL_TOP + 130, names[at], 24, art.INK, anchor="middle")
        parts.append(group([drawn], more=' opacity=".3"') if faint else drawn)
    return group(parts, title=f"{scene.words['hand']}: {' '.join(names)}")


def _panel(scene: _Scene, seat: int, x: float, y: float) -> str:
    """A player: kind, name and points, the hand, the tokens that are left."""
    view, words = scene.view, scene.words
    acts, won, kind = scene.acting == seat, seat in scene.winners, view.kinds[seat]
    paint, ink = (art.TURN, art.TURN_INK) if acts else (art.GOLD, art.INK) if won else ("", art.INK)
    parts = [rect(0, 0, PANEL_WIDTH, PANEL_HEIGHT, 16, f'fill="{art.PANEL}" stroke="{art.EMPTY}" stroke-width="2"')]
    at, end = PAD, PANEL_WIDTH - PAD
    if paint:
        head = f"M0 {PANEL_TOP}V16a16 16 0 0 1 16-16H{PANEL_WIDTH - 16}a16 16 0 0 1 16 16V{PANEL_TOP}z"
        parts.append(f'<path d="{head}" fill="{paint}"/>')
        parts.append(rect(0, 0, PANEL_WIDTH, PANEL_HEIGHT, 16, f'fill="none" stroke="{paint}" stroke-width="5"'))
    if acts:
        parts.append(f'<path d="M{at} 16l20 13-20 13z" fill="{ink}"/>')
        at += 32
    if won:
        parts.append(use("crown", at, 11))
        at += 46
    points = str(scene.points[seat])
    parts.append(group([text(end, 29, points, 44, ink, anchor="end")], title=f"{words['points']}: {points}"))
    end -= 28 * len(points) + 14
    if view.viewer == seat:
        end -= 44
        parts.append(group([use("eye", end, 11)], title=words["viewer"], more=f' color="{ink}"'))
    parts.append(text(at, 29, clipped(scene.names[seat], (end - at) // 20), 31, ink))
    parts.append(_hand(scene, seat))
    low = PANEL_HEIGHT - 27
    parts.append(use(kind or "unknown", PAD, low - 18))
    if kind:
        parts.append(text(PAD + 46, low, words[kind], fitting(words[kind], 28, 150), art.INK))
    tokens = []
    for k in range(view.rules.tokens):
        middle = PANEL_WIDTH - PAD - 14 - 33 * k
        if k < view.tokens[seat]:
            tokens.append(use("token", middle, low, 1.3))
        else:
            tokens.append(circle(middle, low, 11, f'fill="none" stroke="{art.EMPTY}" stroke-width="2"'))
    parts.append(group(tokens, title=f"{words['token']}: {view.tokens[seat]}"))
    return group(parts, x=x, y=y)


def _offered(scene: _Scene, offer: SwapCard | None, by: int | None, to: int | None, word: str, x: float) -> str:
    """SC-50: a card on offer and what is said of it."""
    if offer is None or by is None or to is None:
        return use("slot", x + 56, PANEL_TOP + 40, 1.25)
    heading = scene.words[word].replace("{name}", clipped(scene.names[by], 12))
    kind = scene.view.kinds[to] or "unknown"
    parts = [text(106, 20, heading, fitting(heading, 26, 212), art.INK, anchor="middle")]
    if offer.card == HIDDEN:
        parts.append(use("back", 56, 40, 1.25))
    else:
        parts.append(card(offer.card, 56, 40, 1.25, title=offer.card))
    parts += [text(94, 166, f"{offer.number} ×", 30, art.INK, anchor="end"), use(kind, 104, 148)]
    said = f"{heading}: {offer.number} {scene.words.get(kind, '?')}"
    return group(parts, title=said, x=x, y=PANEL_TOP)


def _swap(scene: _Scene, x: float, y: float) -> str:
    """The place beside the third player where swaps are made."""
    view, words = scene.view, scene.words
    border = f'fill="none" stroke="{art.EMPTY}" stroke-width="2" stroke-dasharray="9 7"'
    label = words["swap"] if view.offer else f"{words['swap']}: {words['no offer']}"
    parts = [rect(0, 0, PANEL_WIDTH, PANEL_HEIGHT, 16, border), text(PAD, 29, label, 30, art.SOFT)]
    parts.append(_offered(scene, view.offer, view.seat, view.partner, "offers", 8))
    parts.append(_offered(scene, view.answer, view.partner, view.seat, "answers", PANEL_WIDTH - 220))
    parts.append(stroke("M-14-8H16l-9-8M14 10H-16l9 8", art.SOFT, 4, f' transform="translate({PANEL_WIDTH // 2} 148)"'))
    return group(parts, x=x, y=y)


def _players(scene: _Scene, top: float) -> tuple[str, float]:
    """Two players side by side, partners above each other; and the y where they end."""
    rules, drawn = scene.view.rules, []
    high = PANEL_HEIGHT + MARGIN
    if rules.seats == 4:
        for team in (0, 1):
            x = MARGIN + team * (PANEL_WIDTH + MARGIN)
            label = f"{scene.words['team']} {team + 1} + {team + 3}"
            drawn.append(rect(x - 4, top, PANEL_WIDTH + 8, TEAM_TOP + 2 * high - 6, 18, f'fill="{art.TEAM}"'))
            drawn.append(text(x + PANEL_WIDTH / 2, top + 27, label, fitting(label, 30, 440), art.INK, anchor="middle"))
        top += TEAM_TOP
    for seat in range(rules.seats):
        row, column = divmod(seat, 2)
        left = MARGIN + column * (PANEL_WIDTH + MARGIN)
        if seat == 2 and rules.seats == 3:
            left = MARGIN if rules.swap else (WIDTH - PANEL_WIDTH) // 2
        drawn.append(_panel(scene, seat, left, top + row * high))
    if rules.swap:
        drawn.append(_swap(scene, MARGIN + PANEL_WIDTH + MARGIN, top + high))
    return "".join(drawn), top + (rules.seats + 1) // 2 * high + (4 if rules.seats == 4 else 0)


def _summary(scene: _Scene) -> str:
    view, words = scene.view, scene.words
    scores = ", ".join(
        f"{name} ({words[kind] if kind else '?'}) {points}"
        for name, kind, points in zip(scene.names, view.kinds, scene.points, strict=True)
    )
    return (
        f"{_status(scene)}; {words['points']}: {scores}; "
        f"{words['table']}: {len(view.table)}; {words['stack']}: {view.left}."
    )


def svg(
    view: View,
    groups: Sequence[Group],
    *,
    names: Sequence[str],
    words: Mapping[str, str],
    last: tuple[int, int] | None,
    winners: Sequence[int],
    points: Sequence[int],
    counts: bool,
) -> str:
    """The picture; `last` is the move (actor, action) that led here. `words` overrides entries of `WORDS`."""
    labels = {**WORDS, **words}
    given = [clipped(name, 60) for name in names[: view.rules.seats]]
    shown_names = [f"{labels['seat']} {seat + 1}" for seat in range(view.rules.seats)]
    shown_names[: len(given)] = [name or default for name, default in zip(given, shown_names, strict=False)]
    scene = _Scene(view, groups, labels, tuple(shown_names), _place(view, last), tuple(winners), tuple(points), counts)
    table, end = _table(scene)
    players, height = _players(scene, math.ceil(end))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {number(height)}" width="{WIDTH}" ',
            f'height="{number(height)}" style="max-width:100%;height:auto" role="img" ',
            'font-family="system-ui, sans-serif">',
            f"<title>{escape(labels['game'])}</title><desc>{escape(_summary(scene))}</desc>",
            f"<defs>{art.definitions()}</defs>",
            rect(0, 0, WIDTH, height, 20, f'fill="{art.BACK}"'),
            _header(scene),
            table,
            players,
            "</svg>",
        )
    )
