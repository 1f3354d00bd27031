"""Every type of the wire and of the store, with any values, is the same after it was written and read."""

from __future__ import annotations

import inspect
from functools import cache
from types import ModuleType, UnionType
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec import inspect as types

from tilery.core import view as core_view
from tilery.core.effects import Effect
from tilery.core.move import Move
from tilery.games import GAMES
from tilery.server import wire as requests
from tilery.table import commands, creation, events, responses, wire

Struct = type[msgspec.Struct]
FAMILIES = {game.family: game for game in GAMES.values()}
OF_GAMES: dict[Struct, list[Struct]] = {
    Move: [kind for game in FAMILIES.values() for kind in get_args(game.move_type)],
    Effect: [kind for game in FAMILIES.values() for kind in get_args(game.effect_type)],
    core_view.View: [game.view_type for game in FAMILIES.values()],
}
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
_NUMBER = st.integers(-(2**53), 2**53)


def structs_in(module: ModuleType) -> list[Struct]:
    return [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
    ]


def values(kind: types.Type) -> st.SearchStrategy[Any]:
    """Any values of a type."""
    match kind:
        case types.IntType():
            return _NUMBER
        case types.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case types.StrType(max_length=longest):
            return _TEXT if longest is None or longest >= 5 else st.just("")
        case types.BoolType():
            return st.booleans()
        case types.NoneType():
            return st.none()
        case types.AnyType():
            return st.none() | st.booleans() | _NUMBER | _TEXT | st.lists(_NUMBER, max_size=2)
        case types.LiteralType(values=allowed):
            return st.sampled_from(allowed)
        case types.UnionType(types=members):
            return st.one_of([values(member) for member in members])
        case types.CustomType(cls=cls) if cls is UnsetType:
            return st.just(UNSET)
        case types.VarTupleType(item_type=item):
            return st.lists(values(item), max_size=2).map(tuple)
        case types.TupleType(item_types=items):
            return st.tuples(*map(values, items))
        case types.DictType(key_type=key, value_type=value):
            return st.dictionaries(values(key), values(value), max_size=2)
        case types.StructType(cls=cls):
            return instances(cls)
    raise TypeError(f"no values for {kind}")


@cache
def instances(struct: Struct) -> st.SearchStrategy[Any]:
    """Any instances of a struct; of a base class of the games, instances of the games' classes."""
    if struct in OF_GAMES:
        return st.one_of([instances(kind) for kind in OF_GAMES[struct]])
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    unset = {field.name for field in info.fields if not field.required and _may_be_unset(field)}
    fields = {
        field.name: values(field.type) | st.just(UNSET) if field.name in unset else values(field.type)
        for field in info.fields
    }
    return st.builds(struct, **fields)


def _may_be_unset(field: types.Field) -> bool:
    return field.default is field.default_factory is msgspec.NODEFAULT


def belongs_to_a_game(kind: types.Type, seen: frozenset[Struct] = frozenset()) -> bool:
    """Whether a type contains moves, effects or views, whose classes only a game knows."""
    if isinstance(kind, types.StructType):
        if kind.cls in OF_GAMES:
            return True
        if kind.cls in seen:
            return False
        return any(belongs_to_a_game(field.type, seen | {kind.cls}) for field in kind.fields)
    parts = [*getattr(kind, "types", ()), *getattr(kind, "item_types", ())]
    parts += [getattr(kind, name) for name in ("item_type", "key_type", "value_type") if hasattr(kind, name)]
    return any(belongs_to_a_game(part, seen) for part in parts)


STRUCTS = [
    kind
    for module in (wire, responses, commands, creation, requests, events, core_view)
    for kind in structs_in(module)
    if kind not in (core_view.View, commands.Command, wire.Message, wire.TableEvent, events.Event)
]
UNIONS: list[tuple[str, UnionType]] = [
    (f"{family} {what}", kind)
    for family, game in FAMILIES.items()
    for what, kind in (("moves", game.move_type), ("effects", game.effect_type))
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: f"{struct.__module__.split('.')[-1]}.{struct.__name__}")
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_written_is_read(struct: Struct, data: st.DataObject) -> None:
    value = data.draw(instances(struct))
    written = msgspec.json.encode(value)
    assert msgspec.json.decode(written) == msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(value)))
    if not belongs_to_a_game(types.type_info(struct)) and not _has_any(struct):
        assert msgspec.json.decode(written, type=struct) == value


def _has_any(struct: Struct) -> bool:
    """Whether a list could be read as another one than the tuple that was written."""
    return struct is core_view.ViewChanges


@pytest.mark.parametrize("union", [kind for _, kind in UNIONS], ids=[name for name, _ in UNIONS])
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_moves_and_effects_of_a_game_are_read_by_their_kinds(union: UnionType, data: st.DataObject) -> None:
    value = data.draw(st.one_of([instances(kind) for kind in get_args(union)]))
    again = msgspec.json.decode(msgspec.json.encode(value), type=union)
    assert type(again) is type(value)
    assert msgspec.structs.astuple(again) == msgspec.structs.astuple(value)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_views_of_a_game_are_read(family: str, data: st.DataObject) -> None:
    kind = FAMILIES[family].view_type
    value = data.draw(instances(kind))
    assert msgspec.json.decode(msgspec.json.encode(value), type=kind) == value
