"""What the engine knows of Schokoly."""

from __future__ import annotations

from tilery.core.game import Rules
from tilery.engine.evaluator import Evaluator
from tilery.engine.family import Family, Question, Search
from tilery.engine.limits import Limit
from tilery.engine.schokoly.kernel import endings as by_solving
from tilery.engine.schokoly.kernel import evaluation, looking, rating
from tilery.engine.schokoly.kernel import greedy as by_one_ply
from tilery.engine.schokoly.kernel import uct as by_tree
from tilery.engine.schokoly.kernel import worlds as by_worlds
from tilery.engine.schokoly.knowledge import MODEL
from tilery.engine.schokoly.levels import levels
from tilery.engine.schokoly.uct import PlainUct
from tilery.engine.schokoly.worlds import Worlds

KNOWLEDGE = Evaluator("schokoly-knowledge 1", evaluation.evaluate, MODEL)


def _evaluator(_: Rules) -> Evaluator:
    return KNOWLEDGE


def _worlds(question: Question) -> Search:
    evaluator = question.evaluator or KNOWLEDGE
    return Worlds(question, evaluator.model, evaluator.name)


def _strongest(_rules: Rules, _limit: Limit) -> str:
    return "worlds"


FAMILY = Family(
    name="schokoly",
    kernels={
        "greedy": (by_one_ply.NAME, by_one_ply.SIGNATURES),
        "evaluation": (evaluation.NAME, {**rating.SIGNATURES, **evaluation.SIGNATURES}),
        "look": ("the lower levels of Schokoly", {**rating.SIGNATURES, **looking.SIGNATURES}),
        "worlds": (
            by_worlds.NAME,
            {**rating.SIGNATURES, **evaluation.SIGNATURES, **by_worlds.SIGNATURES, **by_solving.SIGNATURES},
        ),
        "plain-uct": ("the plain search of Schokoly", by_tree.SIGNATURES),
    },
    greedy=by_one_ply.greedy,
    play_games=by_one_ply.play_games,
    look=looking.look,
    methods={"worlds": _worlds, "plain-uct": PlainUct},
    strongest=_strongest,
    levels=levels,
    evaluator=_evaluator,
)
