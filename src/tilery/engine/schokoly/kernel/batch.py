"""Batches of whole games of Schokoly between compiled bots (random and greedy)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import jit
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.kernel.generator import below
from tilery.engine.kernel.bot_codes import GREEDY
from tilery.engine.schokoly.kernel.greedy import greedy
from tilery.games.schokoly.kernel.entries import actor_of, apply, draw, legal
from tilery.games.schokoly.kernel.layout import ROW

NAME = "simulated games of Schokoly"


@jit
def play_games(
    rows: Any, first: int, last: int, rng: Any, players: Any, max_moves: int, log: Any, out: Any, scratch: Any
) -> int:
    """Play rows `first` to `last - 1` to the end, at most `max_moves` moves each; return the number of moves.

    `players[seat]` is RANDOM or GREEDY. `log: int64[n, plies]` receives in column 0 the number of plies of each game,
    then its actions, chance included, as far as the columns go; with one column it receives the numbers only.
    """
    moves = 0
    for i in range(first, last):
        row = rows[i].view(ROW)[0]
        played = plies = 0
        who = actor_of(row)
        while who != OVER and played < max_moves:
            if who == CHANCE:
                action = draw(rows, i, rng)
            else:
                played += 1
                if players[who] == GREEDY:
                    action = greedy(rows, i, rng, out, scratch)
                else:
                    action = int(out[below(rng, i, legal(rows, i, out))])
            apply(rows, i, action)
            plies += 1
            if plies < log.shape[1]:
                log[i, plies] = action
            who = actor_of(row)
        log[i, 0] = plies
        moves += played
    return moves


SIGNATURES = {play_games: "rows int int ints ints int table list rows"}
