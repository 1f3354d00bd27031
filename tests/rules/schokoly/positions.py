"""Positions for the tests of the rules: say what matters, all other cards go to the stack or into a string of cards.

What can be seen on a table is worked out here a second time, cell by cell, so that tests can compare.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import tilery
from tests.notation import texts

GAME = tilery.game("schokoly")
KINDS = "DMW"

# SC-2: the pieces of each card, clockwise from the top left.
PATTERNS = ("DDDM", "DDDW", "MMMD", "MMMW", "WWWD", "WWWM", "DDMM", "DDWW", "MMWW", "DDMW", "MMWD", "WWDM")

# The words that a move, a text and a view have for the same three things.
WORDS = {"D": "dark", "M": "milk", "W": "white"}

# Four cards whose outer pieces are all dark: a hand without dark cannot place anything beside them on the first level.
DARK_BLOCK = "DDMD@0,0 DDDW@2,0 DMDD@0,2 WDDD@2,2"
LIGHT = ("MMMW", "WWWM", "MMWW")  # the cards without dark

Cell = tuple[int, int]


def rotations(card: str) -> list[str]:
    """SC-1: how a card may lie: as it is, and after one, two and three quarters of a turn clockwise."""
    return [card[4 - turns :] + card[: 4 - turns] for turns in range(4)]


CARD_OF = {laid: card for card in PATTERNS for laid in rotations(card)}


def in_order(cards: Sequence[str]) -> list[str]:
    """Cards in the order in which texts have them."""
    return sorted(cards, key=[*PATTERNS, "?"].index)


def hand(*cards: str) -> str:
    """Cards of a hand as texts have them."""
    return ".".join(in_order(cards)) or "-"


def held(text: str) -> list[str]:
    """The cards of such a text."""
    return [] if text in ("", "-") else text.split(".")


def drawn(picture: str) -> str:
    """A table of first-level cards from a drawing: rows between slashes, `.` for empty cells, the first card at 0,0.

    It is cut into squares of four cells; each must be a card of the game, or empty.
    """
    rows = picture.split("/")
    cards = []
    for y in range(0, len(rows), 2):
        for x in range(0, len(rows[0]), 2):
            pieces = rows[y][x] + rows[y][x + 1] + rows[y + 1][x + 1] + rows[y + 1][x]
            if pieces != "....":
                assert pieces in CARD_OF, f"no card {pieces} at {x},{y}"
                cards.append(f"{pieces}@{x},{y}")
    return " ".join(cards)


def string(cards: Sequence[str], first: Cell, step: Cell) -> str:
    """Cards laid in a line, as they are."""
    (x, y), (right, down) = first, step
    return " ".join(f"{card}@{x + n * right},{y + n * down}" for n, card in enumerate(cards))


def place_of(card: str) -> tuple[int, int]:
    """Row and column of a lying card, by which texts sort the table."""
    x, y = card.partition("@")[2].rstrip("^!").split(",")
    return int(y), int(x)


def shared_out(seats: int, lying: int) -> str:
    """The tokens of all seats when `lying` are on the table, as if the last seats had laid them."""
    each, spent, left = 12 // seats, lying, []
    for _ in range(seats):
        here = min(spent, each)
        left.append(each - here)
        spent -= here
    return "/".join(map(str, reversed(left)))


def position_text(
    variant: str = "2",
    phase: str = "place:1",
    *,
    table: str = "",
    hands: Sequence[str] = (),
    stack: str | None = None,
    tail: tuple[Cell, Cell] = ((0, 0), (2, 0)),
    kinds: str | None = None,
    tokens: str | None = None,
    seen: int | None = None,
    more: str = "",
) -> str:
    """A position as text. Without `stack`, hands are filled up and the stack holds all other cards.

    With `stack`, hands and stack are exactly as given; all other cards lie in a string of the given first place and
    step, behind those of `table`.
    """
    seats = int(variant[0])
    copies = 4 if "large" in variant else 3
    lying = table.split()
    every = [held(text) for text in hands]
    every += [[] for _ in range(seats - len(every))]
    left = Counter(dict.fromkeys(PATTERNS, copies))
    left.subtract(CARD_OF[card.partition("@")[0]] for card in lying)
    left.subtract(card for cards in every for card in cards)
    if stack is None:
        name, _, actor = phase.partition(":")
        for seat, cards in enumerate(every):
            due = 3 if name in ("secure", "draw") and seat + 1 == int(actor) else 4
            while len(cards) < due:
                card = max(PATTERNS, key=lambda card: left[card])
                left[card] -= 1
                cards.append(card)
        in_stack = left
    else:
        in_stack = Counter(held(stack))
        left.subtract(in_stack)
        lying += string([card for card in PATTERNS for _ in range(left[card])], *tail).split()
    if kinds is None:
        kinds = {2: "D/M", 3: "D/M/W", 4: "D/M/D/M"}[seats]
    if tokens is None:
        tokens = shared_out(seats, sum(card[-1] in "!^" for card in lying))
    return " ".join(
        [
            f"schokoly:{variant}",
            *([] if seen is None else [f"seen={seen}"]),
            phase,
            f"kinds={kinds}",
            f"tokens={tokens}",
            f"hands={'/'.join(hand(*cards) for cards in every)}",
            f"stack={'/'.join(str(in_stack[card]) for card in PATTERNS)}",
            f"table={';'.join(sorted(lying, key=place_of)) or '-'}",
            *([more] if more else []),
        ]
    )


def position(variant: str = "2", phase: str = "place:1", **parts: Any) -> tilery.Position:
    """The position of such a text; `read_position` refuses what cannot occur. Its text is the same again."""
    text = position_text(variant, phase, **parts)
    at = tilery.read_position(text)
    assert at.text == text
    return at


def play(at: tilery.Position, *moves: str) -> tilery.Position:
    """Several moves in a row."""
    for move in moves:
        at = at.play(move)
    return at


def dealt(variant: str, *hands: str) -> tilery.Position:
    """A new game with these hands."""
    return play(GAME.new(variant), *(f"+{card}" for text in hands for card in held(text)))


def hand_of(at: tilery.Position | tilery.Seen, seat: int) -> str:
    """The hand of a seat (from 0)."""
    return hand(*at.view["hands"][seat])


def lying(at: tilery.Position | tilery.Seen) -> set[str]:
    """All cards on the table as texts write them."""
    return set(at.text.partition("table=")[2].split(" ")[0].split(";"))


def seen_text(at: tilery.Seen, field: str) -> str:
    """The value of a field of a text, empty if the field is not there."""
    return next((word.partition("=")[2] for word in at.text.split() if word.startswith(f"{field}=")), "")


def rule_against(at: tilery.Position | tilery.Seen, move: str) -> str:
    """The rule by which a move is refused; the position stays as it was."""
    before = at.text
    with pytest.raises(tilery.NotLegal) as caught:
        at.play(move)
    assert at.text == before
    assert move not in texts(at)
    assert str(at.refusal(move)) == str(caught.value)
    return caught.value.rule


def outcome_of(at: tilery.Position) -> tilery.Outcome:
    """The outcome of a game that is over."""
    assert at.actor == tilery.OVER
    assert at.outcome is not None
    return at.outcome


# The table, looked at cell by cell.


def cells_of(x: int, y: int) -> list[Cell]:
    """The four cells of a card, clockwise from its top left one."""
    return [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]


def beside(cell: Cell) -> list[Cell]:
    """The four cells that have an edge in common with one."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def visible(at: tilery.Position) -> dict[Cell, str]:
    """SC-33: the topmost piece of every cell."""
    return {
        cell: piece
        for level in (1, 2)
        for card in at.view["table"]
        if card["level"] == level
        for cell, piece in zip(cells_of(card["x"], card["y"]), card["pieces"], strict=True)
    }


def group_sizes(at: tilery.Position, kind: str) -> list[int]:
    """SC-42: the sizes of the groups of a kind, the largest first."""
    left = {cell for cell, piece in visible(at).items() if piece == kind}
    sizes = []
    while left:
        waiting, size = [left.pop()], 0
        while waiting:
            size += 1
            near = left & set(beside(waiting.pop()))
            left -= near
            waiting += near
        sizes.append(size)
    return sorted(sizes, reverse=True)


def all_lays(at: tilery.Position) -> set[str]:
    """SC-20 to SC-23, SC-31 to SC-34: every lay of the seat to move, found by trying all of them."""
    view = at.view
    top = visible(at)
    first = {cell: card for card in view["table"] if card["level"] == 1 for cell in cells_of(card["x"], card["y"])}
    second = {cell for card in view["table"] if card["level"] == 2 for cell in cells_of(card["x"], card["y"])}
    cards = sorted(set(view["hands"][at.actor]))
    places = {(x + right, y + down) for x, y in top for right in range(-2, 2) for down in range(-2, 2)}
    lays = set()
    for x, y in places or {(0, 0)}:
        here = cells_of(x, y)
        touched = [(piece, cell) for piece in range(4) for cell in beside(here[piece]) if cell in top]
        touched = [(piece, cell) for piece, cell in touched if cell not in here]
        below = [first[cell] for cell in here if cell in first]
        is_spot = not below and len(touched) >= 2
        is_top = len(below) == 4 and not second & set(here) and not any(card["token"] for card in below)
        is_top = is_top and any(card != below[0] for card in below) and view["tokens"][at.actor] > 0
        for laid in (laid for card in cards for laid in rotations(card)):
            if not top or ((is_spot or is_top) and any(laid[piece] == top[cell] for piece, cell in touched)):
                lays.add(f"{laid}@{x},{y}{'^' if is_top else ''}")
    return lays


def lays_of(at: tilery.Position) -> set[str]:
    """The lays among the legal moves."""
    return {move for move in texts(at) if "@" in move}


def cards_in_all(at: tilery.Position) -> Counter[str]:
    """SC-61: every card, by pattern."""
    view = at.view
    counts = Counter(dict(zip(PATTERNS, view["stack"], strict=True)))
    counts.update(card for cards in view["hands"] for card in cards)
    counts.update(CARD_OF[card["pieces"]] for card in view["table"])
    return counts


def random_game(variant: str, seed: int) -> Iterator[tilery.Position]:
    """Every position of a game of random moves."""
    chance, players = tilery.Stream("rules", seed), random.Random(seed)
    at = GAME.new(variant)
    while at.actor != tilery.OVER:
        yield at
        at = at.play(at.draw(chance) if at.actor == tilery.CHANCE else players.choice(at.actions()))
    yield at
