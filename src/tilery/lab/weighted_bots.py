"""Bots that play with given weights of the evaluation, for tuning and for matches between weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from tilery.core.game import Floats, Game, Rules
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.bots import Bot
from tilery.engine.family import family_of
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.games import game as game_named
from tilery.lab.settings import Settings
from tilery.lab.tune import Weights
from tilery.lab.workers import Workers


class WeightedEvaluation(Protocol):
    """What tuning needs from the module `weights` of a family: named weights, and the model built from them."""

    def weights_of(self, rules: Rules) -> Mapping[str, float]: ...

    def model_of(self, rules: Rules, weights: Mapping[str, float]) -> Floats: ...


def weighted_evaluation(game: Game) -> WeightedEvaluation:
    """The named weights of a game's evaluation, from the module `weights` of its family."""
    name = f"tilery.engine.{game.family}.weights"
    module = import_module(name) if find_spec(name) else None
    if not (hasattr(module, "weights_of") and hasattr(module, "model_of")):
        raise Refused(f"the evaluation of {game.title} has no named weights to tune")
    evaluation: WeightedEvaluation = module  # type: ignore[assignment]
    return evaluation


@dataclass(frozen=True)
class WeightedBots:
    """Returns bots by name, each with its own set of weights; can be pickled for worker processes."""

    game: str
    variant: str
    limit: str
    method: str | None
    sets: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]

    @staticmethod
    def of(game: Game, rules: Rules, limit: str, method: str | None, **sets: Weights) -> WeightedBots:
        """`WeightedBots.of(game, rules, "300n", None, new={...}, old={...})`."""
        named = tuple((name, tuple(sorted(weights.items()))) for name, weights in sets.items())
        return WeightedBots(game.name, rules.text, limit, method, named)

    def __call__(self, name: str) -> Bot:
        """The bot of this name."""
        game = game_named(self.game)
        evaluation = weighted_evaluation(game)
        rules = game.variant(self.variant)
        default = family_of(game, "evaluation").evaluator(rules)
        weights = {**evaluation.weights_of(rules), **dict(dict(self.sets)[name])}
        evaluator = replace(default, name=f"{default.name} ({name})", model=evaluation.model_of(rules, weights))
        limit = Limit.read(self.limit)

        def choose(seen: Seen, stream: Stream) -> int:
            actions = seen.actions()
            if len(actions) == 1:
                return actions[0]
            return think(seen, limit, stream=stream, method=self.method, evaluator=evaluator).action

        return Bot(name, "a set of weights", choose)


class SpsaMatch:
    """The match of an SPSA iteration: two sets of weights play paired games in the given workers."""

    def __init__(self, settings: Settings, workers: Workers, bots: WeightedBots) -> None:
        self.settings, self.workers, self.bots = settings, workers, bots

    def __call__(self, plus: Weights, minus: Weights, number: int) -> float:
        sets = (("plus", tuple(sorted(plus.items()))), ("minus", tuple(sorted(minus.items()))))
        find = replace(self.bots, sets=sets)
        settings = replace(self.settings, seed=f"{self.settings.seed}/{number}")
        tasks = ((settings, find, 0, pair) for pair in range(settings.pairs))
        shares = {pair.number: pair.share for pair, _ in self.workers.play_pairs(tasks)}
        mean = sum(shares[number] for number in sorted(shares)) / len(shares)
        sides = settings.rules.sides
        return 0.5 + (mean - 1 / sides) * sides / (2 * (sides - 1))  # alone among many: scale par to a half
