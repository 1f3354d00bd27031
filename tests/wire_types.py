"""The types of the wire in TypeScript and in docs/wire.md, written from the Python types.

`python -m tests.wire_types` (run by `make golden`) writes them; `tests/docs/test_wire_types.py` fails when they are
stale.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import msgspec
from msgspec import UnsetType
from msgspec import inspect as types

from tilery.core import view as core_view
from tilery.core.effects import Effect
from tilery.core.game import Game
from tilery.core.move import Move
from tilery.games import GAMES
from tilery.games.azul.kernel.layout import FLOOR_COSTS
from tilery.server import wire as requests
from tilery.table import commands, creation, responses, wire

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "wire.md"
BOARDS = ROOT / "web" / "src" / "boards"
HEAD = "// Written by `make golden` from {source}: change it there.\n"
WIDTH = 120
Struct = type[msgspec.Struct]

BASES = (Move, Effect, core_view.View)
MOVE = "export type Move = [kind: string, text: string, action: number, ...parts: unknown[]];\n"
GAME_NAME = "// The name of a game; `GET /api/games` lists them.\nexport type GameName = string;\n"
# What is printed on the components of a family, by family.
PRINTED = {
    "azul": "// AZ-3: what the spaces of a floor line cost, left to right.\n"
    f"export const FLOOR_COSTS = {list(FLOOR_COSTS)};\n"
}


def _structs_in(module: Any) -> list[Struct]:
    """The structs that a module defines, in the order of its source."""
    found = [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, msgspec.Struct) and one.__module__ == module.__name__
    ]
    return sorted(found, key=lambda one: inspect.getsourcelines(one)[1])


def _about(struct: Struct) -> str:
    return " ".join((struct.__doc__ or "").split())


def comments_of(struct: Struct) -> dict[str, str]:
    """The comments behind the fields of a class and its bases, by field."""
    comments: dict[str, str] = {}
    for one in reversed(struct.__mro__):
        if not issubclass(one, msgspec.Struct) or one is msgspec.Struct:
            continue
        for line in inspect.getsource(one).splitlines():
            field, has_comment, comment = line.partition("  # ")
            if has_comment and re.match(r"    \w+:", field):
                comments[field.split(":")[0].strip()] = re.sub(r"\bNone\b", "null", comment)
    return comments


# --- TypeScript


def type_text(kind: types.Type) -> str:
    """A type in TypeScript."""
    match kind:
        case types.IntType() | types.FloatType():
            return "number"
        case types.StrType():
            return "string"
        case types.BoolType():
            return "boolean"
        case types.NoneType():
            return "null"
        case types.AnyType():
            return "unknown"
        case types.LiteralType(values=values):
            return " | ".join(sorted(f"'{value}'" for value in values))
        case types.UnionType(types=members):
            names = [type_text(member) for member in members if not _is_unset(member)]
            return " | ".join(sorted(dict.fromkeys(names), key=lambda text: text == "null"))
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            text = type_text(item)
            return f"({text})[]" if " | " in text else f"{text}[]"
        case types.TupleType(item_types=items):
            return f"[{', '.join(map(type_text, items))}]"
        case types.DictType(key_type=key, value_type=value):
            return f"Record<{type_text(key)}, {type_text(value)}>"
        case types.StructType(cls=cls):
            return str(cls.__name__)
    raise TypeError(f"no TypeScript for {kind}")


def _is_unset(kind: types.Type) -> bool:
    return isinstance(kind, types.CustomType) and kind.cls is UnsetType


def _may_be_unset(field: types.Field) -> bool:
    """Whether the default is `UNSET`, which msgspec shows as no default of a field that is not required."""
    return not field.required and field.default is field.default_factory is msgspec.NODEFAULT


def _is_optional(struct: types.StructType, field: types.Field, *, is_request: bool) -> bool:
    """Whether a field may be absent."""
    if _may_be_unset(field):
        return True
    return not field.required and (is_request or struct.cls.__struct_config__.omit_defaults)


def info_of(struct: Struct) -> types.StructType:
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    return info


def interface(struct: Struct, *, is_request: bool = False) -> str:
    """A struct as an interface."""
    info = info_of(struct)
    lines = [f"  {info.tag_field}: '{info.tag}';"] if info.tag_field else []
    comments = comments_of(struct)
    for field in info.fields:
        comment = f" // {comments[field.name]}" if field.name in comments else ""
        mark = "?" if _is_optional(info, field, is_request=is_request) else ""
        lines.append(f"  {field.encode_name}{mark}: {type_text(field.type)};{comment}")
    if not lines:
        return f"// {_about(struct)}\nexport type {struct.__name__} = Record<string, never>;\n"
    head = f"export interface {struct.__name__}"
    bases = [base.__name__ for base in struct.__mro__[1:] if base in BASES and base is not Move and base is not Effect]
    extends = f" extends {bases[0]}" if bases else ""
    if bases:
        inherited = {field.name for field in info_of(core_view.View).fields}
        lines = [line for line in lines if line.split(":")[0].strip().rstrip("?") not in inherited]
    return "\n".join([f"// {_about(struct)}", f"{head}{extends} {{", *lines, "}\n"])


def union(name: str, members: Iterable[str]) -> str:
    """A union of interfaces, as Prettier breaks it."""
    names = list(members)
    line = f"export type {name} = {' | '.join(names)};\n"
    return line if len(line) <= WIDTH else f"export type {name} =\n  | " + "\n  | ".join(names) + ";\n"


def _names(union_type: UnionType) -> list[str]:
    return [member.__name__ for member in get_args(union_type)]


def library_text() -> str:
    """`lib/types.ts`: all that has nothing to do with a game."""
    events = get_args(wire.AnyEvent)
    told = [one for one in (*_structs_in(wire), *_structs_in(responses)) if one not in (wire.Message, wire.TableEvent)]
    asked = [*_structs_in(creation), *_structs_in(commands), *_structs_in(requests)]
    asked = [one for one in asked if one is not commands.Command]
    parts = [
        HEAD.format(source="src/tilery/table/wire.py, responses.py and src/tilery/server/wire.py"),
        "// Seats, lines and columns count from 0. Moves, effects and views of each game: boards/GAME/wire.ts.\n",
        f"export const PROTOCOL_VERSION = {wire.VERSION};\n",
        GAME_NAME,
        f"// {_about(Move)}\n{MOVE}",
        f"// {_about(Effect)}\nexport interface Effect {{\n  type: string;\n}}\n",
        interface(core_view.View).replace(" extends View", ""),
        interface(core_view.ViewChanges),
        *(interface(one) for one in told),
        union("TableEvent", [one.__name__ for one in events]),
        union("ServerMessage", _names(wire.AnyMessage)),
        *(interface(one, is_request=True) for one in asked),
        union("Command", _names(commands.AnyCommand)),
    ]
    all_events = " | ".join(one.__name__ for one in events)
    return "\n".join(parts).replace(f"({all_events})[]", "TableEvent[]")


def _parts_of(union_type: UnionType) -> str:
    """The names of the parts of each kind of move, in the order of the wire."""
    lines = []
    for member in get_args(union_type):
        info = info_of(member)
        names = ", ".join(f"'{field.encode_name}'" for field in info.fields[2:])
        tag = str(info.tag)
        lines.append(f"  {tag if tag.isidentifier() else repr(tag)}: [{names}],")
    return "\n".join(["export const MOVE_PARTS: Record<string, string[]> = {", *lines, "};\n"])


def game_text(game: Game) -> str:
    """`boards/GAME/wire.ts`: the moves, effects and the view of a family."""
    moves, effects, view = get_args(game.move_type), get_args(game.effect_type), game.view_type
    parts: dict[str, Struct] = {}
    for one in (*effects, view):
        _add_parts(one, parts)
    name = view.__name__.removesuffix("View")
    source = f"src/tilery/games/{game.family}/move_kinds.py, effects.py and values.py"
    return "\n".join(
        [
            HEAD.format(source=source),
            "import type { View } from '../../lib/types';\n",
            *([PRINTED[game.family]] if game.family in PRINTED else ()),
            *(interface(one) for one in parts.values()),
            interface(view),
            *map(interface, moves),
            union(f"{name}Move", [one.__name__ for one in moves]),
            "// On the wire a move is a list: its kind, its text, its action, and then these parts.",
            _parts_of(game.move_type),
            *(_renamed(interface(one), moves) for one in effects),
            union(f"{name}Effect", [_effect_name(one, moves) for one in effects]),
        ]
    )


def _effect_name(effect: Struct, moves: tuple[Struct, ...]) -> str:
    clash = effect.__name__ in {move.__name__ for move in moves}
    return f"{effect.__name__}Effect" if clash else effect.__name__


def _renamed(text: str, moves: tuple[Struct, ...]) -> str:
    clashes = "|".join(move.__name__ for move in moves)
    return re.sub(rf"interface ({clashes}) ", r"interface \1Effect ", text)


def _add_parts(struct: Struct, parts: dict[str, Struct]) -> None:
    """The structs that the fields of a struct consist of."""
    waiting: list[Any] = [field.type for field in info_of(struct).fields]
    while waiting:
        kind = waiting.pop(0)
        if isinstance(kind, types.StructType) and kind.cls.__name__ not in parts:
            parts[kind.cls.__name__] = kind.cls
            _add_parts(kind.cls, parts)
        waiting += getattr(kind, "types", ()) or getattr(kind, "item_types", ())
        waiting += [kind.item_type] if hasattr(kind, "item_type") else []


# --- docs/wire.md


def _words(kind: types.Type) -> str:
    """A type in words."""
    match kind:
        case types.IntType() | types.FloatType():
            return "number"
        case types.StrType():
            return "text"
        case types.BoolType():
            return "boolean"
        case types.NoneType():
            return "`null`"
        case types.AnyType():
            return "any value"
        case types.LiteralType(values=values):
            return ", ".join(f'`"{value}"`' for value in values)
        case types.UnionType(types=members):
            if len(members) > 4:
                return "object"
            return " or ".join(dict.fromkeys(_words(member) for member in members if not _is_unset(member)))
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            return f"list of {_words(item)}"
        case types.TupleType(item_types=items):
            return f"list: {', '.join(map(_words, items))}"
        case types.DictType(value_type=value):
            return f"object, each value {_words(value)}"
        case types.StructType(cls=cls):
            return "[move](#moves)" if cls is Move else f"`{cls.__name__}`"
    raise TypeError(f"no words for {kind}")


def fields_table(struct: Struct, *, is_request: bool = False) -> str:
    """The fields of a struct as a table."""
    info, comments = info_of(struct), comments_of(struct)
    head = "| field | type | default | meaning |" if is_request else "| field | type | meaning |"
    rows = [head, re.sub(r"[^|]+", " --- ", head)]
    for field in info.fields:
        cells = [f"`{field.encode_name}`", _words(field.type)]
        if is_request:
            cells.append("required" if field.required else _default(field))
        about = re.sub(r"\bnull\b", "`null`", comments.get(field.name, ""))
        if not is_request and _is_optional(info, field, is_request=False):
            absence = "may be absent" if _may_be_unset(field) or field.default is None else "absent if empty"
            about = f"{about} ({absence})" if about else absence
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in [*cells, about]) + " |")
    return "\n".join(rows).replace("|  |", "| |")


def _default(field: types.Field) -> str:
    value = field.default
    return "none" if value in (None, "", ()) else f"`{msgspec.json.encode(value).decode()}`"


def union_table(union_type: UnionType, common: frozenset[str] = frozenset()) -> str:
    """The members of a tagged union as a table."""
    first = info_of(get_args(union_type)[0])
    rows = [f"| `{first.tag_field}` | fields | meaning |", "| --- | --- | --- |"]
    for member in get_args(union_type):
        info, comments = info_of(member), comments_of(member)
        fields = []
        for field in info.fields:
            if field.name not in common:
                comment = f" ({comments[field.name]})" if field.name in comments else ""
                fields.append(f"`{field.encode_name}`{comment}")
        about = re.sub(r"`?\bNone\b`?", "`null`", _about(member))
        rows.append(f"| `{info.tag}` | {', '.join(fields)} | {about} |")
    return re.sub(r"(?<!`)\bnull\b(?!`)", "`null`", "\n".join(rows)).replace("|  |", "| |")


def tables() -> dict[str, str]:
    """The generated tables of docs/wire.md by the names in their markers."""
    found = {}
    told: list[Struct] = [*_structs_in(wire), *_structs_in(responses), core_view.ViewChanges]
    for struct in told:
        found[struct.__name__] = fields_table(struct)
    for struct in (*_structs_in(creation), *_structs_in(requests)):
        found[struct.__name__] = fields_table(struct, is_request=True)
    found["every event"] = fields_table(wire.TableEvent)
    for game in families().values():
        parts: dict[str, Struct] = {}
        for one in (*get_args(game.effect_type), game.view_type):
            _add_parts(one, parts)
        found |= {name: fields_table(one) for name, one in parts.items()}
    found["commands"] = union_table(commands.AnyCommand, frozenset({"id", "step"}))
    found["events"] = union_table(wire.AnyEvent, frozenset({"seq", "at", "who"}))
    for game in families().values():
        found[f"moves of {game.family}"] = union_table(game.move_type, frozenset({"text", "action"}))
        found[f"effects of {game.family}"] = union_table(game.effect_type)
        found[f"view of {game.family}"] = fields_table(game.view_type)
    return found


MARKED = re.compile(r"<!-- table: (.+?) -->\n.*?<!-- end of table -->", re.DOTALL)


def families() -> dict[str, Game]:
    """One game of each family."""
    return {game.family: game for game in GAMES.values()}


def page_text() -> str:
    """docs/wire.md with its tables as they are now."""
    filled = tables()

    def fill(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n\n{filled[match[1]]}\n\n<!-- end of table -->"

    return MARKED.sub(fill, PAGE.read_text(encoding="utf-8"))


def files() -> dict[Path, str]:
    """Every generated file and its text."""
    return {
        PAGE: page_text(),
        ROOT / "web" / "src" / "lib" / "types.ts": library_text(),
        **{BOARDS / family / "wire.ts": game_text(game) for family, game in families().items()},
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
