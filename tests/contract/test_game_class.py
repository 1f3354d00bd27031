"""Which methods of `Game` a new game must override, and which it inherits."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError
from functools import cached_property
from types import FunctionType

import pytest

from tilery import GAMES, Game

REQUIRED = {
    # Rules and variants
    "read_rules",
    "rules_of",
    "normalise_variant",
    "with_table_limits",
    # Moves as texts
    "read_move",
    "write_move",
    "move_of",
    "normalise_move",
    "group_key",
    "describe_move",
    "explain_refusal",
    # Positions as texts and values
    "read_row",
    "write_row",
    "viewer_of",
    "view",
    "effects",
    "describe_effects",
    # The score
    "score_changes",
    "outcome_of",
    "breakdown",
    # Pictures
    "board",
    "svg",
}
INHERITED = {"kernel", "round_of", "variant", "new", "read_any", "read", "read_seen"}
OPTIONAL = {"in_version", "moves_by_text", "moves_of", "view_changes"}  # inherited unless a game overrides them


@pytest.fixture(params=GAMES.values(), ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


def test_these_methods_are_required_and_inherited() -> None:
    public = {
        name
        for name, value in vars(Game).items()
        if name[0] != "_" and isinstance(value, (FunctionType, property, cached_property))
    }
    assert Game.__abstractmethods__ == REQUIRED
    assert public - REQUIRED == INHERITED | OPTIONAL


@pytest.mark.parametrize("method", sorted(REQUIRED | INHERITED | OPTIONAL))
def test_every_method_documents_its_contract(method: str) -> None:
    assert inspect.getdoc(getattr(Game, method))


@pytest.mark.parametrize("method", sorted(INHERITED))
def test_a_game_does_not_override_what_is_shared(game: Game, method: str) -> None:
    assert method not in vars(type(game))


@pytest.mark.parametrize("method", sorted(REQUIRED))
def test_a_game_overrides_every_required_method(game: Game, method: str) -> None:
    assert method in vars(type(game))
    signatures = [inspect.signature(getattr(cls, method)) for cls in (Game, type(game))]
    base, own = ([name for name in signature.parameters if name != "self"] for signature in signatures)
    assert own == base


def test_a_game_that_lacks_a_method_cannot_be_created() -> None:
    class Unfinished(Game):
        pass

    with pytest.raises(TypeError, match=r"Unfinished.*abstract methods.*breakdown.*write_row"):
        Unfinished()  # type: ignore[abstract, call-arg]


def test_a_game_never_changes(game: Game) -> None:
    for name in ("name", "svg", "something_else"):
        with pytest.raises(FrozenInstanceError):
            setattr(game, name, "changed")


def test_a_game_is_pickled_by_its_import_path_and_compared_by_identity(game: Game) -> None:
    assert pickle.loads(pickle.dumps(game)) is game
    assert [other for other in GAMES.values() if other == game] == [game]
    assert hash(game) == object.__hash__(game)
