"""Positions as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tilery.core.game import Game
from tilery.core.kernel.actors import SPECTATOR
from tilery.core.sentences import word_list
from tilery.core.text import Reader

from .actions import LAID_AS
from .kernel.cards import CARDS, KINDS, PATTERNS
from .kernel.layout import MAX_REACH
from .rules import Rules, read_rules
from .validity import check
from .view import ANNOUNCEMENT_NAMES, ENDINGS, HIDDEN, PHASES, Card, SwapCard, View, row_of, view_of


def _cards_text(names: tuple[str, ...]) -> str:
    return ".".join(names) or "-"


def _card_text(card: Card) -> str:
    return f"{card.pieces}@{card.x},{card.y}" + ("^" if card.level == 2 else "!" if card.token else "")


def _pairs_text(pairs: dict[tuple[int, int], tuple[str, ...]]) -> str:
    return ",".join(f"{viewer + 1}>{holder + 1}:{'.'.join(words)}" for (viewer, holder), words in pairs.items())


def _has_starter(rules: Rules, phase: str) -> bool:
    """Whether the text of a position says who starts: if it was drawn."""
    return rules.start is None and phase != "start"


def write_row(game: Game, row: bytes) -> str:
    """A position as one line: every field in its place, see docs/notation.md."""
    view = view_of(row)
    words = [f"{game.name}:{view.rules.text}"]
    if view.viewer is not None:
        words.append(f"seen={'-' if view.viewer == SPECTATOR else view.viewer + 1}")
    whose = view.ended_by or ("" if view.seat is None else view.seat + 1)
    words.append(f"{view.phase}:{whose}" if whose else view.phase)
    if _has_starter(view.rules, view.phase):
        words.append(f"starter={view.starter + 1}")
    words += [
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
            reader.refuse("too-many-words", begin, most=max_names, what=what)
        names.append(reader.one_of(known, what))
    order = [known.index(name) for name in names]
    if order != sorted(order) or (not twice and len(set(order)) != len(order)):
        reader.refuse("words-in-order", begin, what=what, known=word_list(known))
    return tuple(names)


def _read_hand(reader: Reader) -> tuple[str, ...]:
    if reader.skip_if("-"):
        return ()
    return _read_names(reader, (*PATTERNS, HIDDEN), "hand", max_names=4, twice=True)


def _read_stack(reader: Reader, copies: int) -> tuple[tuple[int, ...] | None, int]:
    if reader.skip_if(HIDDEN):
        return None, reader.number("stack-size", 1, copies * CARDS)
    numbers = []
    for card, name in enumerate(PATTERNS):
        if card:
            reader.skip("/", "next-copies", card=name)
        numbers.append(reader.number("copies", 0, copies, card=name))
    return tuple(numbers), sum(numbers)


def _read_coordinate(reader: Reader) -> int:
    minus = reader.skip_if("-")
    number = reader.number("coordinate", 1 if minus else 0, MAX_REACH)
    return -number if minus else number


def _read_card(reader: Reader) -> Card:
    begin = reader.at
    pieces = reader.run(KINDS)
    if len(pieces) != 4:
        reader.refuse("pieces-expected", begin, text=reader.text[begin : begin + 8])
    if pieces not in LAID_AS:
        reader.refuse("no-such-card", begin, "SC-2", pieces=pieces)
    reader.skip("@", "place")
    x = _read_coordinate(reader)
    reader.skip(",", "next-row")
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
            reader.refuse("too-many-cards", begin, "SC-2, SC-3", most=max_cards)
        cards.append(_read_card(reader))
    places = [(card.y, card.x) for card in cards]
    if places != sorted(set(places)):
        reader.refuse("cards-in-order", begin)
    return tuple(cards)


def _read_offer(reader: Reader) -> SwapCard:
    card = reader.one_of((*PATTERNS, HIDDEN), "card")
    reader.skip(":", "next-said")
    return SwapCard(card, reader.number("said", 0, 3))


def _read_pairs(reader: Reader, known: tuple[str, ...], what: str) -> dict[tuple[int, int], tuple[str, ...]]:
    pairs: dict[tuple[int, int], tuple[str, ...]] = {}
    begin = reader.at
    while not pairs or reader.skip_if(","):
        viewer = reader.number("knowing-seat", 1, 3) - 1
        reader.skip(">", "next-known-seat")
        holder = reader.number("known-seat", 1, 3) - 1
        reader.skip(":")
        names = _read_names(reader, known, what, max_names=12, twice=known == PATTERNS)
        if pairs and (viewer, holder) <= max(pairs):
            reader.refuse("pairs-in-order", begin)
        pairs[viewer, holder] = names
    return pairs


def _read_swap(reader: Reader, view: View) -> View:
    """The words that only games with swaps have, each there only when there is something to say."""
    asked: tuple[int, ...] = ()
    if reader.skip_if(" asked="):
        digits = reader.run("123")
        asked = tuple(int(digit) - 1 for digit in digits)
        if not asked or list(asked) != sorted(set(asked)):
            reader.expected("asked-seats")
    swapped = reader.skip_if(" swapped")
    offer, answer, partner = None, None, None
    if reader.skip_if(" offer="):
        offer = _read_offer(reader)
        reader.skip(">", "next-asked-seat")
        partner = reader.number("asked-seat", 1, 3) - 1
    if reader.skip_if(" answer="):
        answer = _read_offer(reader)
    known = _read_pairs(reader, PATTERNS, "cards") if reader.skip_if(" known=") else {}
    said = _read_pairs(reader, ANNOUNCEMENT_NAMES, "said-numbers") if reader.skip_if(" said=") else {}
    return msgspec.structs.replace(
        view, asked=asked, swapped=swapped, partner=partner, offer=offer, answer=answer, known=known, said=said
    )


def _read_barred(reader: Reader, seats: int) -> tuple[tuple[str, ...], ...]:
    barred: list[tuple[str, ...]] = [()] * seats
    if reader.skip_if(" barred="):
        last = 0
        while not last or reader.skip_if(","):
            last = reader.number("passed-seat", last + 1, seats)
            reader.skip(":")
            barred[last - 1] = _read_names(reader, PATTERNS, "cards", max_names=CARDS, twice=False)
    return tuple(barred)


def _read_viewer(reader: Reader, seats: int) -> int | None:
    if not reader.skip_if(" seen="):
        return None
    return SPECTATOR if reader.skip_if("-") else reader.number("seeing-seat", 1, seats) - 1


def read_row(game: Game, reader: Reader) -> bytes:
    """Read a position, or what a seat sees of one; one that contradicts the rules is refused."""
    reader.skip(game.name + ":", "game", game=game.name)
    rules = read_rules(reader)
    viewer = _read_viewer(reader, rules.seats)
    reader.skip(" ", "phase-after-blank")
    phase = reader.one_of(list(PHASES.values()), "phase")
    seat, ended_by = None, ""
    if phase != "start":
        reader.skip(":")
    if phase == "over":
        ended_by = reader.one_of(ENDINGS[1:], "ending")
    elif phase != "start":
        seat = reader.number("turn", 1, rules.seats) - 1
    starter = rules.start or 0
    if _has_starter(rules, phase):
        reader.skip(" starter=")
        starter = reader.number("starting-seat", 1, rules.seats) - 1

    def each(name: str) -> Iterator[int]:
        reader.skip(f" {name}=")
        for other in range(rules.seats):
            if other:
                reader.skip("/", f"next-{name}", seat=other)
            yield other

    kinds = tuple(reader.one_of((*KINDS, "-"), "kind") for _ in each("kinds"))
    tokens = tuple(reader.number("tokens", 0, rules.tokens) for _ in each("tokens"))
    hands = tuple(_read_hand(reader) for _ in each("hands"))
    reader.skip(" stack=")
    stack, left = _read_stack(reader, rules.copies)
    reader.skip(" table=")
    table = _read_table(reader, rules.cards)
    passes = reader.number("passes", 1, rules.seats) if reader.skip_if(" passes=") else 0
    barred = _read_barred(reader, rules.seats)
    view = View(
        rules=rules,
        viewer=viewer,
        phase=phase,
        seat=seat,
        starter=starter,
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
        reader.fail(problem)
    return row_of(view)
