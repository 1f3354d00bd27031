"""The functions of `core.game.Kernel` for Azul. `rows` is uint8[n, WIDTH]; each function works on row i."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import inlined, jit, outlined
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.kernel.comparison import list_changes
from tilery.core.kernel.generator import below

from .actions import COLOUR_OF, LINE_OF, SOURCE_OF
from .boards import bonus
from .chance import add_extra, draw_outcome, draw_tiles, fill, lay, list_outcomes, pile_of, tiles_due, weight
from .circle import next_seat
from .layout import (
    ADD,
    CHOOSE,
    DEAL,
    ENDED,
    FILL,
    GIVEN_AT,
    LAY,
    OFFER,
    ROW,
    SPREAD,
    START_AT,
    TILING,
    WORDS,
)
from .legal_actions import list_actions
from .legality import LEGAL, refusal_of
from .offer import is_offer_over, list_takes, spreader_of, take
from .rounds import set_up, share_win, start_at, tile_and_continue
from .tiling import begin_tiling, choose, list_choices, tile_lines

UNKNOWN = -(1 << 15)  # instead of a number of points that depends on a choice


@inlined
def copy_row(to: Any, at: int, rows: Any, i: int) -> None:
    """Copy row i of `rows` to row `at` of `to`, eight bytes at a time."""
    target = to[at].view(np.int64)
    source = rows[i].view(np.int64)
    for k in range(WORDS):
        target[k] = source[k]


@jit
def setup(rows: Any, i: int, options: Any) -> None:
    """A new game with the options of `layout.OPTIONS`."""
    set_up(rows[i].view(ROW)[0], options)


@inlined
def actor_of(row: Any) -> int:
    """The seat whose turn it is, CHANCE or OVER."""
    phase = int(row["phase"])
    if phase in (OFFER, TILING):
        return int(row["seat"])
    return OVER if phase == ENDED else CHANCE


@jit
def actor(rows: Any, i: int) -> int:
    """The seat whose turn it is, CHANCE or OVER."""
    return actor_of(rows[i].view(ROW)[0])


@jit
def round_number(rows: Any, i: int) -> int:
    """The round being played, from 1."""
    return int(rows[i].view(ROW)[0]["round"])


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
    total = 0.0
    for k in range(n):
        p[k] = weight(row, int(out[k]))
        total += p[k]
    for k in range(n):
        p[k] /= total
    return n


@jit
def draw(rows: Any, i: int, rng: Any) -> int:
    """When chance acts: an outcome drawn with its probability by generator i."""
    return draw_outcome(rows[i].view(ROW)[0], rng, i)


@inlined
def _play_take(row: Any, action: int, journal: Any = None) -> None:
    """Take tiles, without what follows."""
    if action < SPREAD:
        source, colour, line, right = int(SOURCE_OF[action]), int(COLOUR_OF[action]), int(LINE_OF[action]), 0
    else:
        how = action - SPREAD
        source, colour, line, right = spreader_of(row), how // 192, how // 32 % 6, how % 32
    take(row, source, colour, line, right, journal)


@inlined
def play_move(row: Any, action: int, journal: Any = None) -> None:
    """Play a legal move of a seat: a take or the choice of a cell, and the tiling that may follow."""
    if action < CHOOSE:
        _play_take(row, action, journal)
        if not is_offer_over(row):
            row["seat"] = next_seat(row)
            return
        begin_tiling(row, journal)
    else:
        choose(row, (action - CHOOSE) // 5, (action - CHOOSE) % 5, journal)
    tile_and_continue(row, journal)


@outlined
def play_chance(row: Any, action: int, journal: Any = None) -> None:
    """Play a possible outcome of chance."""
    if action >= DEAL:
        fill(row, pile_of(action), journal)
    elif action >= ADD:
        add_extra(row, action - ADD, journal)
    elif action >= LAY:
        lay(row, (action - LAY) // 10, (action - LAY) % 10, journal)
    else:
        start_at(row, action - START_AT, journal)


@inlined
def let_chance_act(row: Any, rng: Any, i: int) -> None:
    """One step of chance, drawn and played."""
    if int(row["phase"]) == FILL:
        fill(row, draw_tiles(row, rng, i, tiles_due(row)))  # the same as below, without naming the deal
    else:
        play_chance(row, draw_outcome(row, rng, i))


@inlined
def _play(row: Any, action: int) -> None:
    if action < START_AT:
        play_move(row, action)
    else:
        play_chance(row, action)


@jit
def apply(rows: Any, i: int, action: int) -> None:
    """Play a legal action, and everything that follows without a decision."""
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
        plies[k, 1] = int(row["round"])
        _play(row, action)
    return len(actions)


@jit
def record(rows: Any, i: int, action: int, journal: Any) -> None:
    """The same as `apply`; what happens is written to the journal (see `core.kernel.journal`)."""
    row = rows[i].view(ROW)[0]
    if action < START_AT:
        play_move(row, action, journal)
    else:
        play_chance(row, action, journal)


@jit
def gain(rows: Any, action: int, seat: int) -> int:
    """How many more points tiling its wall would bring a seat after it has taken tiles than before, or UNKNOWN if it
    would have to choose a cell. Rows 0 and 1 are the position before the take; both are changed."""
    before, after = rows[0].view(ROW)[0], rows[1].view(ROW)[0]
    _play_take(after, action)
    if tile_lines(before, seat) and tile_lines(after, seat):
        return int(after["score"][seat]) - int(before["score"][seat])
    return UNKNOWN


@jit
def list_bonuses(rows: Any, i: int, journal: Any) -> None:
    """AZ-40: write down the bonuses of all seats for the walls as they are; changes nothing else."""
    row = rows[i].view(ROW)[0]
    for seat in range(int(row["seats"])):
        bonus(row, seat, journal)


@jit
def compare(rows: Any, journal: Any) -> None:
    """Write down which numbers of the given fields differ between rows 0 and 1, see `list_changes`."""
    list_changes(rows, GIVEN_AT, journal)


@jit
def settle(rows: Any, i: int, rng: Any) -> None:
    """Let chance act until it is a seat's turn or the game is over."""
    row = rows[i].view(ROW)[0]
    while int(row["phase"]) < OFFER:
        let_chance_act(row, rng, i)


@jit
def scores(rows: Any, i: int, out: Any) -> None:
    """Write the score of every seat; after the end including bonuses."""
    row = rows[i].view(ROW)[0]
    for seat in range(int(row["seats"])):
        out[seat] = int(row["score"][seat])


@jit
def result(rows: Any, i: int, shares: Any) -> int:
    """Write each seat's share of the win; returns the reason why the game ended, 0 while it goes on."""
    row = rows[i].view(ROW)[0]
    share_win(row, shares)
    return int(row["ended"])


@jit
def hide(rows: Any, i: int, seat: int) -> None:
    """AZ-61: remove what the seat cannot know. In Azul that is nothing: a bag is stored as counts, which are public."""


@jit
def guess(rows: Any, i: int, seat: int, rng: Any) -> None:
    """Fill in what the seat cannot know with one of the possible worlds. In Azul there is only one."""


@jit
def veil(rows: Any, i: int, action: int, seat: int) -> int:  # noqa: ARG001  the signature is the same for all games
    """What a seat sees of an action: in Azul, all of it."""
    return action


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
            if phase < OFFER:
                let_chance_act(row, rng, i)
                continue
            count = list_takes(row, out) if phase == OFFER else list_choices(row, out)
            play_move(row, int(out[below(rng, i, count)]))
            played += 1
        moves += played
    return moves


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
    record: "rows int int table",
    gain: "rows int int",
    list_bonuses: "rows int table",
    compare: "rows table",
    settle: "rows int ints",
    scores: "rows int ints",
    result: "rows int floats",
    hide: "rows int int",
    guess: "rows int int ints",
    veil: "rows int int int",
    playout: "rows int int ints int list",
}
