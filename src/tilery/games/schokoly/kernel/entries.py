"""The functions of `core.game.Kernel` for Schokoly. `rows` is uint8[n, WIDTH]; each function works on row i."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import inlined, jit, outlined, stack_array
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.kernel.generator import below

from .actions import is_second_level, laid_of, place_of
from .cards import CARDS, UNKNOWN
from .groups import GROUPS_LENGTH, edges_to, find_groups, group_at, kind_of, share_win, size_of, write_all_scores
from .hidden_information import fill_in, hide_from, veiled
from .layout import (
    AGREE,
    ANSWER,
    ANSWER_WITH,
    BY_CARDS,
    DECLINE,
    DRAW,
    ENDED,
    KIND,
    LAY,
    LEARN,
    NO_TOKEN,
    NOBODY,
    OFFER,
    PASS,
    PLACE,
    ROW,
    SECURE,
    START,
    START_AT,
    TAKE,
    TOKEN,
    WORDS,
)
from .legal_actions import list_actions, list_kinds, list_outcomes, list_places, list_tokens
from .legality import LEGAL, refusal_of
from .piles import count_of, nth
from .plane import corner, index_of, sort_open
from .plane import derive_fields as derive_fields_of_row
from .turns import (
    agree,
    answer,
    choose_kind,
    decline,
    offer,
    pass_turn,
    place,
    put_no_token,
    put_token,
    said_of,
    set_up,
    start_at,
    take,
)


@inlined
def copy_row(to: Any, at: int, rows: Any, i: int) -> None:
    """Copy row i of `rows` to row `at` of `to`, eight bytes at a time."""
    target = to[at].view(np.int64)
    source = rows[i].view(np.int64)
    for k in range(WORDS):
        target[k] = source[k]


@jit
def setup(rows: Any, i: int, options: Any) -> None:
    """A new game with the options of `layout.OPTIONS`, whatever the row contained before."""
    words = rows[i].view(np.int64)
    for k in range(WORDS):
        words[k] = 0
    set_up(rows[i].view(ROW)[0], options)


@inlined
def actor_of(row: Any) -> int:
    """The acting seat: the one whose turn it is, or the one that must answer an offer."""
    phase = int(row["phase"])
    if phase == ANSWER:
        return int(row["partner"])
    if phase == ENDED:
        return OVER
    return CHANCE if phase < KIND else int(row["seat"])


@jit
def actor(rows: Any, i: int) -> int:
    """The seat whose turn it is, CHANCE or OVER."""
    return actor_of(rows[i].view(ROW)[0])


@inlined
def round_of(row: Any) -> int:
    """The round being played, from 1; a round is one turn of every seat."""
    played, phase = int(row["laid"]), int(row["phase"])
    if phase in (SECURE, DRAW) or int(row["ended"]) == BY_CARDS:
        played -= 1  # the turn of the last card is not over yet, or the game is over
    return played // int(row["seats"]) + 1


@jit
def round_number(rows: Any, i: int) -> int:
    """The round being played, from 1."""
    return round_of(rows[i].view(ROW)[0])


@jit
def legal(rows: Any, i: int, out: Any) -> int:
    """Write all legal actions, sorted; returns their number."""
    return list_actions(rows[i].view(ROW)[0], out)


@jit
def refusal(rows: Any, i: int, action: int) -> int:
    """0 when the action is legal, else the code of the rule that forbids it."""
    return refusal_of(rows[i].view(ROW)[0], action)


@jit
def probabilities(rows: Any, i: int, out: Any, p: Any) -> int:
    """When chance acts: write all outcomes and their exact probabilities; returns their number."""
    row = rows[i].view(ROW)[0]
    n = list_outcomes(row, out)
    if int(row["phase"]) == START:
        for k in range(n):
            p[k] = 1.0 / n
        return n
    for k in range(n):
        p[k] = count_of(int(row["stack"]), int(out[k]) - TAKE) / int(row["left"])
    return n


@inlined
def _draw_card(row: Any, rng: Any, i: int) -> int:
    return nth(int(row["stack"]), below(rng, i, int(row["left"])))


@jit
def draw(rows: Any, i: int, rng: Any) -> int:
    """When chance acts: an outcome drawn with its probability by generator i."""
    row = rows[i].view(ROW)[0]
    if int(row["phase"]) == START:
        return START_AT + below(rng, i, int(row["seats"]))
    return TAKE + _draw_card(row, rng, i)


@inlined
def let_chance_act(row: Any, rng: Any, i: int) -> None:
    """One step of chance, drawn and played."""
    if int(row["phase"]) == START:
        start_at(row, below(rng, i, int(row["seats"])))
    else:
        take(row, _draw_card(row, rng, i))


@outlined
def _play_swap(row: Any, action: int) -> None:
    """A step of a swap; of hidden cards only the number is known."""
    if action >= OFFER:
        other, card = (action - OFFER) // 16, (action - OFFER) % 16
        if card < CARDS:
            offer(row, other, card, said_of(row, card, other))
        else:
            offer(row, other, UNKNOWN, card - CARDS)
    elif action >= ANSWER_WITH:
        card = action - ANSWER_WITH
        if card < CARDS:
            answer(row, card, said_of(row, card, int(row["seat"])))
        else:
            answer(row, UNKNOWN, card - CARDS)
    elif action >= LEARN:
        if int(row["viewer"]) == int(row["seat"]):
            row["answered"] = action - LEARN
        else:
            row["offered"] = action - LEARN
        agree(row)
    elif action == AGREE:
        agree(row)
    elif action == DECLINE:
        decline(row)


@inlined
def play_move(row: Any, action: int) -> None:
    """Play a legal action of a seat."""
    if action >= TOKEN:
        put_token(row, action - TOKEN)
    elif action >= LAY:
        place(row, place_of(action), laid_of(action), is_second_level(action))
    elif action < PASS:
        choose_kind(row, action)
    elif action == PASS:
        pass_turn(row)
    elif action == NO_TOKEN:
        put_no_token(row)
    else:
        _play_swap(row, action)


@outlined
def _play(row: Any, action: int) -> None:
    if TAKE <= action < ANSWER_WITH:
        take(row, action - TAKE)
    elif START_AT <= action < LEARN:
        start_at(row, action - START_AT)
    else:
        play_move(row, action)
        sort_open(row)
    if int(row["viewer"]) != NOBODY:
        hide_from(row, int(row["viewer"]))


@jit
def apply(rows: Any, i: int, action: int) -> None:
    """Play a legal action. In a view, what the viewer cannot know stays hidden."""
    _play(rows[i].view(ROW)[0], action)


@jit
def replay(rows: Any, i: int, actions: Any, plies: Any) -> int:
    """Play actions, up to the first that is not legal; writes the actor and the round before each; returns how many
    were played."""
    row = rows[i].view(ROW)[0]
    for k in range(len(actions)):
        action = int(actions[k])
        if refusal_of(row, action) != LEGAL:
            return k
        plies[k, 0] = actor_of(row)
        plies[k, 1] = round_of(row)
        _play(row, action)
    return len(actions)


@jit
def settle(rows: Any, i: int, rng: Any) -> None:
    """Let chance act until it is a seat's turn or the game is over."""
    row = rows[i].view(ROW)[0]
    while int(row["phase"]) <= DRAW:
        let_chance_act(row, rng, i)


@jit
def scores(rows: Any, i: int, out: Any) -> None:
    """SC-43 to SC-46: write the current points of every seat."""
    write_all_scores(rows[i].view(ROW)[0], out)


@jit
def result(rows: Any, i: int, shares: Any) -> int:
    """Write each seat's share of the win; returns the reason why the game ended, 0 while it goes on."""
    row = rows[i].view(ROW)[0]
    if int(row["ended"]) != 0:
        share_win(row, shares)
    return int(row["ended"])


@jit
def hide(rows: Any, i: int, seat: int) -> None:
    """SC-60: remove what the seat cannot know."""
    hide_from(rows[i].view(ROW)[0], seat)


@jit
def guess(rows: Any, i: int, seat: int, rng: Any) -> None:
    """Fill in what the seat cannot know with a possible world; all arrangements of cards are equally likely."""
    fill_in(rows[i].view(ROW)[0], seat, rng, i)


@jit
def veil(rows: Any, i: int, action: int, seat: int) -> int:
    """What a seat sees of a legal action."""
    return veiled(rows[i].view(ROW)[0], action, seat)


@jit
def playout(rows: Any, first: int, last: int, rng: Any, max_moves: int, out: Any) -> int:
    """Play rows first to last - 1 with random legal moves to the end, or for at most `max_moves` each; returns the
    number of moves."""
    moves = 0
    for i in range(first, last):
        row = rows[i].view(ROW)[0]
        played = 0
        while int(row["phase"]) != ENDED and played < max_moves:
            phase = int(row["phase"])
            if phase <= DRAW:
                let_chance_act(row, rng, i)
                continue
            if phase == PLACE:
                count = list_places(row, out)
            elif phase == SECURE:
                count = list_tokens(row, out)
            elif phase == KIND:
                count = list_kinds(row, out)
            else:
                count = list_actions(row, out)
            play_move(row, int(out[below(rng, i, count)]))
            played += 1
        sort_open(row)
        moves += played
    return moves


@jit
def derive_fields(rows: Any, i: int) -> None:
    """Compute all fields that follow from the cards on the table."""
    derive_fields_of_row(rows[i].view(ROW)[0])


@jit
def groups(rows: Any, i: int, table: Any, cells: Any) -> int:
    """SC-42, SC-44: size, kind and edges to the three kinds of every group, and the group of every piece of a lying
    card (four each, clockwise from the top left, as seen from above); returns the number of groups."""
    row = rows[i].view(ROW)[0]
    all_groups = stack_array(GROUPS_LENGTH)
    count = find_groups(row, all_groups)
    for group in range(count):
        table[group, 0] = size_of(all_groups, group)
        table[group, 1] = kind_of(all_groups, group)
        for kind in range(3):
            table[group, 2 + kind] = edges_to(all_groups, group, kind)
    for k in range(int(row["laid"])):
        at = index_of(int(row["cards"][k]) >> 8)
        for piece in range(4):
            cells[4 * k + piece] = group_at(all_groups, corner(at, piece))
    return count


SIGNATURES = {
    setup: "rows int ints",
    actor: "rows int",
    round_number: "rows int",
    legal: "rows int list",
    refusal: "rows int int",
    probabilities: "rows int list floats",
    draw: "rows int ints",
    apply: "rows int int",
    replay: "rows int ints table",
    settle: "rows int ints",
    scores: "rows int ints",
    result: "rows int floats",
    hide: "rows int int",
    guess: "rows int int ints",
    veil: "rows int int int",
    playout: "rows int int ints int list",
    derive_fields: "rows int",
    groups: "rows int table ints",
}
