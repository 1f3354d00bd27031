"""Positions as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tilery.core.game import Game
from tilery.core.kernel.actors import SPECTATOR
from tilery.core.text import Reader

from .actions import LAID_AS
from .kernel.cards import CARDS, KINDS, PATTERNS
from .kernel.layout import MAX_REACH
from .rules import read_rules
from .validity import check
from .view import ANNOUNCEMENT_NAMES, ENDINGS, HIDDEN, PHASES, Card, Offer, View, row_of, view_of


def _cards_text(names: tuple[str, ...]) -> str:
    return ".".join(names) or "-"


def _card_text(card: Card) -> str:
    return f"{card.pieces}@{card.x},{card.y}" + ("^" if card.level == 2 else "!" if card.token else "")


def _pairs_text(pairs: dict[tuple[int, int], tuple[str, ...]]) -> str:
    return ",".join(f"{viewer + 1}>{holder + 1}:{'.'.join(words)}" for (viewer, holder), words in pairs.items())


def write_row(game: Game, row: bytes) -> str:
    """A position as one line: every field in its place, see docs/notation.md."""
    view = view_of(row)
    words = [f"{game.name}:{view.rules.text}"]
    if view.viewer is not None:
        words.append(f"seen={'-' if view.viewer == SPECTATOR else view.viewer + 1}")
    words += [
        f"{view.phase}:{view.ended_by if view.seat is None else view.seat + 1}",
        f"kinds={'/'.join(kind or '-' for kind in view.kinds)}",
        f"tokens={'/'.join(map(str, view.tokens))}",
        f"hands={'/'.join(map(_cards_text, view.hands))}",
        f"stack={f'?{view.left}' if view.stack is None else '/'.join(map(str, view.stack))}",
        f"table={';'.join(map(_card_text, view.table)) or '-'}",
    ]
    if view.passes:
        words.append(f"passes={view.passes}")
    if any(view.barred):
        words.append("barred=" + ",".join(f"{s + 1}:{'.'.join(cards)}" for s, cards in enumerate(view.barred) if cards))
    if view.asked:
        words.append("asked=" + "".join(str(seat + 1) for seat in view.asked))
    if view.swapped:
        words.append("swapped")
    if view.offer:
        words.append(f"offer={view.offer.card}:{view.offer.number}>{(view.partner or 0) + 1}")
    if view.answer:
        words.append(f"answer={view.answer.card}:{view.answer.number}")
    if view.known:
        words.append(f"known={_pairs_text(view.known)}")
    if view.said:
        words.append(f"said={_pairs_text(view.said)}")
    return " ".join(words)


def _read_names(reader: Reader, known: tuple[str, ...], what: str, *, max_names: int, twice: bool) -> tuple[str, ...]:
    """Words joined by dots, in their order."""
    names: list[str] = []
    begin = reader.at
    while not names or reader.skip_if("."):
        if len(names) == max_names:
            reader.fail(f"at most {max_names} were expected here: {what}", begin)
        names.append(reader.one_of(known, what))
    order = [known.index(name) for name in names]
    if order != sorted(order) or (not twice and len(set(order)) != len(order)):
        reader.fail(f"expected {what} in order: {' '.join(known)}", begin)
    return tuple(names)


def _read_hand(reader: Reader) -> tuple[str, ...]:
    if reader.skip_if("-"):
        return ()
    return _read_names(reader, (*PATTERNS, HIDDEN), "cards of a hand", max_names=4, twice=True)


def _read_stack(reader: Reader, copies: int) -> tuple[tuple[int, ...] | None, int]:
    if reader.skip_if(HIDDEN):
        return None, reader.number("the number of cards in the stack", 1, copies * CARDS)
    numbers = []
    for card, name in enumerate(PATTERNS):
        if card:
            reader.skip("/", f"'/' and the number of cards {name}")
        numbers.append(reader.number(f"the number of cards {name}", 0, copies))
    return tuple(numbers), sum(numbers)


def _read_coordinate(reader: Reader) -> int:
    minus = reader.skip_if("-")
    number = reader.number("a coordinate", 1 if minus else 0, MAX_REACH)
    return -number if minus else number


def _read_card(reader: Reader) -> Card:
    begin = reader.at
    pieces = reader.run(KINDS)
    if len(pieces) != 4:
        reader.fail(
            f"expected a card as it lies: four letters of {KINDS}, found {reader.text[begin : begin + 8]!a}", begin
        )
    if pieces not in LAID_AS:
        reader.fail(f"there is no card {pieces}: read its pieces clockwise from the top left (SC-2)", begin)
    reader.skip("@", "'@' and the card's top left cell")
    x = _read_coordinate(reader)
    reader.skip(",", "',' and the row")
    y = _read_coordinate(reader)
    second = reader.skip_if("^")
    return Card(pieces, x, y, 2 if second else 1, second or reader.skip_if("!"))


def _read_table(reader: Reader, max_cards: int) -> tuple[Card, ...]:
    if reader.skip_if("-"):
        return ()
    cards: list[Card] = []
    begin = reader.at
    while not cards or reader.skip_if(";"):
        if len(cards) == max_cards:
            reader.fail(f"there are only {max_cards} cards (SC-2, SC-3)", begin)
        cards.append(_read_card(reader))
    places = [(card.y, card.x) for card in cards]
    if places != sorted(set(places)):
        reader.fail("cards are listed by rows, then columns, each place once", begin)
    return tuple(cards)


def _read_offer(reader: Reader) -> Offer:
    card = reader.one_of((*PATTERNS, HIDDEN), "a card")
    reader.skip(":", "':' and the number said")
    return Offer(card, reader.number("the number said", 0, 3))


def _read_pairs(reader: Reader, known: tuple[str, ...], what: str) -> dict[tuple[int, int], tuple[str, ...]]:
    pairs: dict[tuple[int, int], tuple[str, ...]] = {}
    begin = reader.at
    while not pairs or reader.skip_if(","):
        viewer = reader.number("the seat that knows", 1, 3) - 1
        reader.skip(">", "'>' and the seat it knows of")
        holder = reader.number("the seat it knows of", 1, 3) - 1
        reader.skip(":")
        names = _read_names(reader, known, what, max_names=12, twice=known == PATTERNS)
        if pairs and (viewer, holder) <= max(pairs):
            reader.fail("pairs of seats are listed in order, each once", begin)
        pairs[viewer, holder] = names
    return pairs


def _read_swap(reader: Reader, view: View) -> View:
    """The words that only games with swaps have, each there only when there is something to say."""
    asked: tuple[int, ...] = ()
    if reader.skip_if(" asked="):
        digits = reader.run("123")
        asked = tuple(int(digit) - 1 for digit in digits)
        if not asked or list(asked) != sorted(set(asked)):
            reader.expected("the seats asked, in order")
    swapped = reader.skip_if(" swapped")
    offer, answer, partner = None, None, None
    if reader.skip_if(" offer="):
        offer = _read_offer(reader)
        reader.skip(">", "'>' and the seat asked")
        partner = reader.number("the seat asked", 1, 3) - 1
    if reader.skip_if(" answer="):
        answer = _read_offer(reader)
    known = _read_pairs(reader, PATTERNS, "cards") if reader.skip_if(" known=") else {}
    said = _read_pairs(reader, ANNOUNCEMENT_NAMES, "numbers said") if reader.skip_if(" said=") else {}
    return replace(
        view, asked=asked, swapped=swapped, partner=partner, offer=offer, answer=answer, known=known, said=said
    )


def _read_barred(reader: Reader, seats: int) -> tuple[tuple[str, ...], ...]:
    barred: list[tuple[str, ...]] = [()] * seats
    if reader.skip_if(" barred="):
        last = 0
        while not last or reader.skip_if(","):
            last = reader.number("a seat that has passed", last + 1, seats)
            reader.skip(":")
            barred[last - 1] = _read_names(reader, PATTERNS, "cards", max_names=CARDS, twice=False)
    return tuple(barred)


def _read_viewer(reader: Reader, seats: int) -> int | None:
    if not reader.skip_if(" seen="):
        return None
    return SPECTATOR if reader.skip_if("-") else reader.number("the seat that sees this", 1, seats) - 1


def read_row(game: Game, reader: Reader) -> bytes:
    """Read a position, or what a seat sees of one; one that contradicts the rules is refused."""
    reader.skip(game.name + ":", f"'{game.name}:' and the variant")
    rules = read_rules(reader)
    viewer = _read_viewer(reader, rules.seats)
    reader.skip(" ", "a blank and the phase")
    phase = reader.one_of(list(PHASES.values()), "the phase")
    reader.skip(":")
    seat, ended_by = None, ""
    if phase == "over":
        ended_by = reader.one_of(ENDINGS[1:], "the reason why the game ended")
    else:
        seat = reader.number("the seat whose turn it is", 1, rules.seats) - 1

    def each(name: str, what: str) -> Iterator[int]:
        reader.skip(f" {name}=")
        for other in range(rules.seats):
            if other:
                reader.skip("/", f"'/' and {what} of seat {other + 1}")
            yield other

    kinds = tuple(reader.one_of((*KINDS, "-"), "a kind") for _ in each("kinds", "the kind"))
    tokens = tuple(reader.number("tokens", 0, rules.tokens) for _ in each("tokens", "the tokens"))
    hands = tuple(_read_hand(reader) for _ in each("hands", "the hand"))
    reader.skip(" stack=")
    stack, left = _read_stack(reader, rules.copies)
    reader.skip(" table=")
    table = _read_table(reader, rules.cards)
    passes = reader.number("passes in a row", 1, rules.seats) if reader.skip_if(" passes=") else 0
    barred = _read_barred(reader, rules.seats)
    view = View(
        rules=rules,
        viewer=viewer,
        phase=phase,
        seat=seat,
        kinds=tuple(None if kind == "-" else kind for kind in kinds),
        tokens=tokens,
        hands=hands,
        stack=stack,
        left=left,
        table=table,
        passes=passes,
        barred=barred,
        asked=(),
        swapped=False,
        partner=None,
        offer=None,
        answer=None,
        known={},
        said={},
        ended_by=ended_by,
    )
    if rules.swap:
        view = _read_swap(reader, view)
    problem = check(view)
    if problem:
        reader.fail(f"this position cannot occur: {problem}")
    return row_of(view)
