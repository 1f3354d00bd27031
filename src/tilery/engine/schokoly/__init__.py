"""The searches, bots and evaluation of Schokoly: `FAMILY`."""

from __future__ import annotations

from tilery.core.game import Rules
from tilery.engine.evaluator import Evaluator
from tilery.engine.family import Family, Search, SearchRequest
from tilery.engine.limits import Limit
from tilery.engine.schokoly.kernel import batch, evaluation, greedy, one_ply, placements
from tilery.engine.schokoly.kernel import endgame as endgame_kernel
from tilery.engine.schokoly.kernel import plain_uct as plain_uct_kernel
from tilery.engine.schokoly.kernel import worlds as worlds_kernel
from tilery.engine.schokoly.levels import levels_for
from tilery.engine.schokoly.plain_uct import PlainUct
from tilery.engine.schokoly.weights import MODEL
from tilery.engine.schokoly.worlds import Worlds

EVALUATOR = Evaluator("schokoly-knowledge 1", evaluation.evaluate, MODEL)


def _evaluator(_: Rules) -> Evaluator:
    return EVALUATOR


def _worlds(request: SearchRequest) -> Search:
    evaluator = request.evaluator or EVALUATOR
    return Worlds(request, evaluator.model, evaluator.name)


def _strongest(_rules: Rules, _limit: Limit) -> str:
    return "worlds"


FAMILY = Family(
    name="schokoly",
    kernels={
        "greedy": (greedy.NAME, greedy.SIGNATURES),
        "batch": (batch.NAME, {**greedy.SIGNATURES, **batch.SIGNATURES}),
        "evaluation": (evaluation.NAME, {**placements.SIGNATURES, **evaluation.SIGNATURES}),
        "one-ply": ("the lower levels of Schokoly", {**placements.SIGNATURES, **one_ply.SIGNATURES}),
        "worlds": (
            worlds_kernel.NAME,
            {
                **placements.SIGNATURES,
                **evaluation.SIGNATURES,
                **worlds_kernel.SIGNATURES,
                **endgame_kernel.SIGNATURES,
            },
        ),
        "plain-uct": ("the plain search of Schokoly", plain_uct_kernel.SIGNATURES),
    },
    greedy=greedy.greedy,
    play_games=batch.play_games,
    one_ply=one_ply.one_ply_values,
    methods={"worlds": _worlds, "plain-uct": PlainUct},
    strongest=_strongest,
    levels=levels_for,
    evaluator=_evaluator,
)
