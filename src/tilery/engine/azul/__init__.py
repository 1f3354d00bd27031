"""What the engine knows of Azul."""

from __future__ import annotations

import numpy as np

from tilery.core.game import Actions, Floats, Rows, Rules
from tilery.engine.azul.alphabeta import AlphaBeta
from tilery.engine.azul.kernel import greedy
from tilery.engine.azul.kernel.alphabeta import SIGNATURES as OF_ALPHABETA
from tilery.engine.azul.kernel.evaluation import SIGNATURES as OF_EVALUATION
from tilery.engine.azul.kernel.look import SIGNATURES as OF_LOOK
from tilery.engine.azul.kernel.look import look
from tilery.engine.azul.kernel.tree import SIGNATURES as OF_TREE
from tilery.engine.azul.knowledge import evaluator_for
from tilery.engine.azul.levels import levels_for
from tilery.engine.azul.tree import Tree
from tilery.engine.family import Family, Question
from tilery.engine.limits import Limit
from tilery.games.azul import AZUL


def _look(rows: Rows, i: int, what: int, out: Actions, values: Floats, scratch: Rows) -> int:
    model = evaluator_for(AZUL.rules_of(rows[i].tobytes())).model
    count: int = look(rows, i, what, out, values, scratch, model, np.zeros(4))
    return count


def _plain(question: Question) -> Tree:
    return Tree(question, plain=True)


_SHORT = 0.05  # seconds


def _strongest(rules: Rules, limit: Limit) -> str:
    """The arena decided (docs/strength.md): between two, `uct` where time is short, else `pvs`, which solves more."""
    short = any(most is not None and most < _SHORT for most in (limit.cpu, limit.time))
    return "uct" if rules.seats > 2 or short else "pvs"


FAMILY = Family(
    name="azul",
    kernels={
        "greedy": (greedy.NAME, greedy.SIGNATURES),
        "evaluation": ("the evaluation of Azul", OF_EVALUATION),
        "look": ("the lower levels of Azul", {**OF_EVALUATION, **OF_LOOK}),
        "pvs": ("the search of Azul for two players", {**OF_EVALUATION, **OF_ALPHABETA}),
        "uct": ("the tree search of Azul", {**OF_EVALUATION, **OF_TREE}),
        "plain-uct": ("the tree search of Azul", {**OF_EVALUATION, **OF_TREE}),
    },
    greedy=greedy.greedy,
    play_games=greedy.play_games,
    look=_look,
    methods={"pvs": AlphaBeta, "uct": Tree, "plain-uct": _plain},
    strongest=_strongest,
    levels=levels_for,
    evaluator=evaluator_for,
)
