"""A position as text for a terminal: the table with coordinates, hands, tokens, and the sizes of groups."""

from __future__ import annotations

from collections.abc import Sequence

from tilery.core.english import agreeing
from tilery.core.game import Game, StyledLine

from .groups import Group, groups_of, side_edges, side_of
from .kernel.cards import KINDS
from .kernel.layout import NEUTRAL_LEAST
from .scoring import points_of
from .sentences import NAMES
from .view import HIDDEN, Card, View, view_of

# Rich styles of a printed board; pieces are styled by their letter.
STYLES = {
    "D": "bold #f0dcc8 on #4a2512",
    "M": "bold #fff4e6 on #9a5b2c",
    "W": "bold #3a2a18 on #f4e6c8",
    "token": "bold #d7005f",
    "dim": "dim",
    "name": "bold",
    "turn": "bold reverse",
}
_EMPTY = "·"
_FIRST = Card("", 0, 0, 1, token=False)
_DOING = {
    "start": "the starting seat is drawn",
    "deal": "the cards are dealt",
    "draw": "{who} to draw a card",
    "kind": "{who} to choose a kind",
    "place": "{who} to place a card",
    "secure": "{who} to put a token on a card or not",
    "answer": "{other} to answer the offer of {who}",
    "accept": "{who} to accept or decline the swap",
    "over": "the game is over",
}


def _status(game: Game, row: bytes, view: View, names: Sequence[str]) -> list[StyledLine]:
    who = names[view.seat or 0]
    doing = _DOING[view.phase].format(who=who, other=names[view.partner or 0])
    left = f"{view.left} card{'' if view.left == 1 else 's'} in the stack"
    lines: list[StyledLine] = [[(f"Round {game.round_of(row)}: {doing}", "name"), (f"   {left}", "")]]
    for pending, verb, giver, of in (
        (view.offer, "offer", view.seat, view.partner),
        (view.answer, "answer", view.partner, view.seat),
    ):
        if pending:
            said = agreeing(names[giver or 0], verb) + (" with" if verb == "answer" else "")
            kind = NAMES[view.kinds[of or 0] or "D"]
            card = "a card" if pending.card == HIDDEN else pending.card
            lines.append([(f" {names[giver or 0]} {said} {card}: {pending.number} {kind}", "")])
    return lines


def _hand(cards: Sequence[str]) -> StyledLine:
    line: StyledLine = []
    for card in cards:
        if card == HIDDEN:
            line.append(("????", "dim"))
        else:
            line += [(letter, letter) for letter in card]
        line.append((" ", ""))
    return line or [("-", "dim")]


def _seats(view: View, names: Sequence[str], points: Sequence[int]) -> list[StyledLine]:
    width = max(len(name) for name in names)
    lines = []
    for seat in range(view.rules.seats):
        kind = view.kinds[seat]
        act = view.actor == seat
        line: StyledLine = [(f"{'>' if act else ' '}{names[seat]:<{width}}", "turn" if act else "name"), ("  ", "")]
        line += [(f" {kind} ", kind), (f" {NAMES[kind]:<6}", "")] if kind else [("   no kind", "dim")]
        line += [(f"{points[seat]:>3} points  ", ""), (f"{'o' * view.tokens[seat]:<{view.rules.tokens}}", "token")]
        line += [("  ", ""), *_hand(view.hands[seat])]
        lines.append(line)
    return lines


Top = dict[tuple[int, int], tuple[str, Card]]


def _top(view: View) -> Top:
    """The visible piece and its card, for every cell."""
    seen: Top = {}
    for level in (1, 2):
        for card in view.table:
            if card.level == level:
                seen |= {cell: (piece, card) for cell, piece in zip(card.cells, card.pieces, strict=True)}
    return seen


# The brackets around a card: plain, with a token, on the second level (which has a token).
_BRACKETS = (("[", "]"), ("(", ")"), ("<", ">"))


def _brackets(card: Card) -> tuple[tuple[str, str], str]:
    if card.level == 2:
        return _BRACKETS[2], "token"
    return (_BRACKETS[1], "token") if card.token else (_BRACKETS[0], "dim")


def _table(view: View) -> list[StyledLine]:
    top = _top(view)
    shown = top or dict.fromkeys(_FIRST.cells)  # the first card lies at 0,0
    xs, ys = [x for x, _ in shown], [y for _, y in shown]
    columns = range(min(xs) - 2, max(xs) + 3)
    lines: list[StyledLine] = [[("    ", ""), *((f"{x:>3}" if x % 2 == 0 else "   ", "dim") for x in columns)]]
    for y in range(min(ys) - 2, max(ys) + 3):
        line: StyledLine = [(f"{y:>4}", "dim")]
        for x in columns:
            here = top.get((x, y))
            if here is None:
                line.append((f"  {_EMPTY}", "dim"))
                continue
            piece, card = here
            (left, right), style = _brackets(card)
            # A card is written [D M]: the dot of an empty cell is right-aligned, so a bracket never touches it.
            if card.cells.index((x, y)) in (0, 3):
                line += [(f" {left}", style), (piece, piece)]
            else:
                line += [(" ", ""), (piece, piece), (right, style)]
        lines.append(line)
    marks = "[ ] a card, ( ) with a token, < > on the second level"
    return [*lines, [("    " + marks, "dim")]]


def _group_words(view: View, group: Group, names: Sequence[str]) -> str:
    """A neutral group and the side that gets it."""
    x, y = group.cells[0]
    first, second = side_edges(view.kinds, group)
    side = side_of(view.kinds, group)
    who = "nobody" if side is None else _side_name(view, side, names)
    return f"{group.size} at {x},{y} (edges {first}:{second}, {who})"


def _side_name(view: View, side: int, names: Sequence[str]) -> str:
    return f"{names[side]} and {names[side + 2]}" if view.rules.seats == 4 else names[side]


def _groups(view: View, groups: Sequence[Group], names: Sequence[str]) -> list[StyledLine]:
    """The sizes of all groups of each kind, and the edges of the neutral ones that count."""
    lines: list[StyledLine] = []
    for kind in KINDS:
        own = [group for group in groups if group.kind == kind]
        if not own:
            continue
        heading: StyledLine = [(f" {kind} ", kind), (f" {NAMES[kind]:<6}", "name")]
        if kind != view.neutral:
            rest = " ".join(str(group.size) for group in own[1:])
            at = f" at {own[0].cells[0][0]},{own[0].cells[0][1]}"
            lines.append([*heading, (f"{own[0].size}", "name"), (at, ""), (f", then {rest}" if rest else "", "dim")])
            continue
        lines.append([*heading, ("neutral", "dim")])
        counting = [group for group in own if group.size >= NEUTRAL_LEAST]
        small = " ".join(str(group.size) for group in own if group.size < NEUTRAL_LEAST)
        lines += [[(f"{'':10}{_group_words(view, group, names)}", "")] for group in counting]
        if small:
            lines.append([(f"{'':10}too small to count: {small}", "dim")])
    return [[("Groups", "name")], *lines] if lines else []


def board_lines(game: Game, row: bytes, names: Sequence[str] = ()) -> list[StyledLine]:
    """The printed board, line by line, as styled spans of text."""
    view = view_of(row)
    names = [*names, *(f"Seat {seat + 1}" for seat in range(len(names), view.rules.seats))]
    groups = groups_of(game.kernel, row, view)
    return [
        *_status(game, row, view, names),
        [],
        *_seats(view, names, points_of(game, row)),
        [],
        *_table(view),
        [],
        *_groups(view, groups, names),
    ]
