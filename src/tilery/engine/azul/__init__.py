"""The searches, bots and evaluation of Azul: `FAMILY`."""

from __future__ import annotations

import numpy as np

from tilery.core.game import Actions, Floats, Rows, Rules
from tilery.engine.azul.kernel import batch, evaluation, greedy, one_ply
from tilery.engine.azul.kernel import pvs as pvs_kernel
from tilery.engine.azul.kernel import uct as uct_kernel
from tilery.engine.azul.levels import levels_for
from tilery.engine.azul.pvs import Pvs
from tilery.engine.azul.uct import Uct
from tilery.engine.azul.weights import evaluator_for
from tilery.engine.family import Family, SearchRequest
from tilery.engine.limits import Limit
from tilery.games.azul import AZUL


def _one_ply(rows: Rows, i: int, scope: int, out: Actions, values: Floats, scratch: Rows) -> int:
    model = evaluator_for(AZUL.rules_of(rows[i].tobytes())).model
    count: int = one_ply.one_ply_values(rows, i, scope, out, values, scratch, model, np.zeros(4))
    return count


def _plain_uct(request: SearchRequest) -> Uct:
    return Uct(request, plain=True)


_SHORT = 0.05  # seconds


def _strongest(rules: Rules, limit: Limit) -> str:
    """`pvs`, which solves more, for two seats unless time is short; else `uct` (by matches, see docs/strength.md)."""
    short = any(most is not None and most < _SHORT for most in (limit.cpu, limit.time))
    return "uct" if rules.seats > 2 or short else "pvs"


FAMILY = Family(
    name="azul",
    kernels={
        "greedy": (greedy.NAME, greedy.SIGNATURES),
        "batch": (batch.NAME, {**greedy.SIGNATURES, **batch.SIGNATURES}),
        "evaluation": ("the evaluation of Azul", evaluation.SIGNATURES),
        "one-ply": ("the lower levels of Azul", {**evaluation.SIGNATURES, **one_ply.SIGNATURES}),
        "pvs": ("the search of Azul for two players", {**evaluation.SIGNATURES, **pvs_kernel.SIGNATURES}),
        "uct": ("the tree search of Azul", {**evaluation.SIGNATURES, **uct_kernel.SIGNATURES}),
        "plain-uct": ("the tree search of Azul", {**evaluation.SIGNATURES, **uct_kernel.SIGNATURES}),
    },
    greedy=greedy.greedy,
    play_games=batch.play_games,
    one_ply=_one_ply,
    methods={"pvs": Pvs, "uct": Uct, "plain-uct": _plain_uct},
    strongest=_strongest,
    levels=levels_for,
    evaluator=evaluator_for,
)
