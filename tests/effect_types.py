"""The types of effects in TypeScript and in docs/wire.md, written from the Python types.

`python -m tests.effect_types` (run by `make golden`) writes them; `tests/docs/test_effect_types.py` fails when they are
stale.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType, UnionType
from typing import get_args

import msgspec
from msgspec import inspect as types

from tilery.games.azul import effects as azul
from tilery.games.schokoly import effects as schokoly
from tilery.games.schokoly.groups import ScoredGroup

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "wire.md"
HEAD = "// Written by `make golden` from src/tilery/games/{family}/effects.py: change it there.\n"
WIDTH = 120


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
        case types.LiteralType(values=values):
            return " | ".join(f"'{value}'" for value in values)
        case types.UnionType(types=members):
            return " | ".join(sorted(map(type_text, members), key=lambda text: text == "null"))
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            return f"{type_text(item)}[]"
        case types.TupleType(item_types=items):
            return f"[{', '.join(map(type_text, items))}]"
        case types.DictType(key_type=key, value_type=value):
            return f"Record<{type_text(key)}, {type_text(value)}>"
        case types.StructType(cls=cls):
            return cls.__name__
    raise TypeError(f"no TypeScript for {kind}")


def _comments(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The comments behind the fields of a class, by field."""
    comments = {}
    for line in inspect.getsource(struct).splitlines():
        field, has_comment, comment = line.partition("  # ")
        if has_comment and ":" in field:
            comments[field.split(":")[0].strip()] = comment.replace("None", "null")
    return comments


def interface(struct: type[msgspec.Struct]) -> str:
    """A struct as an interface."""
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    lines = [f"  {info.tag_field}: '{info.tag}';"] if info.tag_field else []
    comments = _comments(struct)
    for field in info.fields:
        comment = f" // {comments[field.name]}" if field.name in comments else ""
        lines.append(f"  {field.encode_name}: {type_text(field.type)};{comment}")
    about = " ".join((struct.__doc__ or "").split())
    return "\n".join([f"// {about}", f"export interface {struct.__name__} {{", *lines, "}\n"])


def union(name: str, members: list[str]) -> str:
    """A union of interfaces, as Prettier breaks it."""
    line = f"export type {name} = {' | '.join(members)};\n"
    return line if len(line) <= WIDTH else f"export type {name} =\n  | " + "\n  | ".join(members) + ";\n"


def table(union_type: UnionType) -> str:
    """The members of a union as a table of docs/wire.md."""
    rows = ["\n| `type` | fields | meaning |", "| --- | --- | --- |"]
    for member in get_args(union_type):
        info = types.type_info(member)
        assert isinstance(info, types.StructType)
        comments = _comments(member)
        fields = []
        for field in info.fields:
            comment = f" ({comments[field.name]})" if field.name in comments else ""
            fields.append(f"`{field.encode_name}`{comment}")
        about = " ".join((member.__doc__ or "").split())
        rows.append(f"| `{info.tag}` | {', '.join(fields)} | {about} |")
    return "\n".join([*rows, "\n"])


def module_text(module: ModuleType, family: str, name: str, others: list[type[msgspec.Struct]]) -> str:
    """The whole file of a family."""
    members = list(get_args(getattr(module, name)))
    parts = [HEAD.format(family=family), *map(interface, [*others, *members])]
    return "\n".join([*parts, union(name, [member.__name__ for member in members])])


def files() -> dict[Path, str]:
    """Every generated file and its text."""
    boards = ROOT / "web" / "src" / "boards"
    page = PAGE.read_text(encoding="utf-8")
    for family, union_type in (("azul", azul.AzulEffect), ("schokoly", schokoly.SchokolyEffect)):
        begin, end = f"<!-- effects of {family} -->\n", f"<!-- end of effects of {family} -->"
        before, rest = page.split(begin)
        page = before + begin + table(union_type) + end + rest.split(end)[1]
    return {
        PAGE: page,
        boards / "azul" / "effects.ts": module_text(azul, "azul", "AzulEffect", []),
        boards / "schokoly" / "effects.ts": module_text(schokoly, "schokoly", "SchokolyEffect", [ScoredGroup]),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
