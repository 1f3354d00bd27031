"""Bots that play with weights of their own: how the named weights of a family's evaluation meet the arena."""

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


class Weighed(Protocol):
    """What the engine's room of a family offers to be tuned: names with values, and the model behind them."""

    def weights_of(self, rules: Rules) -> Mapping[str, float]: ...

    def model_of(self, rules: Rules, weights: Mapping[str, float]) -> Floats: ...


def weighed(game: Game) -> Weighed:
    """The named weights of a game's evaluation, from the module `knowledge` of its family."""
    home = f"tilery.engine.{game.family}.knowledge"
    module = import_module(home) if find_spec(home) else None
    if not (hasattr(module, "weights_of") and hasattr(module, "model_of")):
        raise Refused(f"the evaluation of {game.title} has no named weights to tune")
    found: Weighed = module  # type: ignore[assignment]
    return found


@dataclass(frozen=True)
class WeighedBots:
    """Bots by name, each with weights of its own; a value, so that workers can be handed it."""

    game: str
    variant: str
    limit: str
    method: str | None
    sets: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]

    @staticmethod
    def of(game: Game, rules: Rules, limit: str, method: str | None, **sets: Weights) -> WeighedBots:
        """`WeighedBots.of(game, rules, "300n", None, new={...}, old={...})`."""
        held = tuple((name, tuple(sorted(weights.items()))) for name, weights in sets.items())
        return WeighedBots(game.name, rules.text, limit, method, held)

    def __call__(self, name: str) -> Bot:
        """The bot of this name."""
        game = game_named(self.game)
        offer = weighed(game)
        rules = game.variant(self.variant)
        own = family_of(game, "evaluation").evaluator(rules)
        weights = {**offer.weights_of(rules), **dict(dict(self.sets)[name])}
        evaluator = replace(own, name=f"{own.name} ({name})", model=offer.model_of(rules, weights))
        limit = Limit.read(self.limit)

        def choose(seen: Seen, stream: Stream) -> int:
            actions = seen.actions()
            if len(actions) == 1:
                return actions[0]
            return think(seen, limit, stream=stream, method=self.method, evaluator=evaluator).action

        return Bot(name, "a set of weights", choose)


class Playing:
    """A match of SPSA: the two sets of weights play paired games, in workers that stay."""

    def __init__(self, settings: Settings, workers: Workers, bots: WeighedBots) -> None:
        self.settings, self.workers, self.bots = settings, workers, bots

    def __call__(self, plus: Weights, minus: Weights, number: int) -> float:
        sets = (("plus", tuple(sorted(plus.items()))), ("minus", tuple(sorted(minus.items()))))
        find = replace(self.bots, sets=sets)
        settings = replace(self.settings, seed=f"{self.settings.seed}/{number}")
        tasks = ((settings, find, 0, pair) for pair in range(settings.pairs))
        shares = {pair.number: pair.share for pair, _ in self.workers.play(tasks)}
        mean = sum(shares[number] for number in sorted(shares)) / len(shares)
        sides = settings.rules.sides
        return 0.5 + (mean - 1 / sides) * sides / (2 * (sides - 1))  # one among many: par is put at a half
