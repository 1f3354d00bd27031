"""Positions as typed values for programs, and what changed between two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import msgspec


class View(msgspec.Struct, frozen=True):
    """A position in readable values. Each game has a subclass with the fields of its own."""

    rules: str  # the variant
    phase: str
    seat: int | None  # whose turn it is, or for whom chance acts; None if it is nobody's turn


Splice = tuple[int, int, tuple[Any, ...]]  # from this index on, drop so many items and insert these


class ViewChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What leads from one view to another. A path is the names of fields and the indices of lists, joined by dots."""

    set: dict[str, Any] = {}  # path: its new value
    splice: dict[str, Splice] = {}  # path of a list: from this index on, drop so many items and insert these


def view_changes(before: View, after: View) -> ViewChanges:
    """The changes that lead from one view of a game to another."""
    changes = ViewChanges({}, {})
    _compare_fields("", before, after, changes)
    return changes


def _compare_fields(path: str, before: Any, after: Any, changes: ViewChanges) -> None:
    for name in after.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            _compare(path + name, old, new, changes)


def _compare(path: str, before: Any, after: Any, changes: ViewChanges) -> None:
    if isinstance(after, msgspec.Struct) and type(after) is type(before):
        _compare_fields(f"{path}.", before, after, changes)
    elif isinstance(after, tuple) and isinstance(before, tuple) and before and after:
        _compare_lists(path, before, after, changes)
    else:
        changes.set[path] = after


def _compare_lists(path: str, before: tuple[Any, ...], after: tuple[Any, ...], changes: ViewChanges) -> None:
    if len(before) == len(after):
        places = [at for at, old in enumerate(before) if old != after[at]]
        if 2 * len(places) <= len(after) or (len(after) <= 4 and isinstance(after[0], msgspec.Struct)):
            for at in places:
                _compare(f"{path}.{at}", before[at], after[at], changes)
            return
    first, last = 0, min(len(before), len(after))
    while first < last and before[first] == after[first]:
        first += 1
    behind = 0
    while behind < last - first and before[-1 - behind] == after[-1 - behind]:
        behind += 1
    if first + behind:
        changes.splice[path] = (first, len(before) - first - behind, after[first : len(after) - behind])
    else:
        changes.set[path] = after


def apply_changes(view: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A view after changes, both in plain values as on the wire."""
    changed: dict[str, Any] = deepcopy(dict(view))
    for path, value in changes.get("set", {}).items():
        *way, last = path.split(".")
        holder = _walk(changed, way)
        holder[int(last) if isinstance(holder, list) else last] = value
    for path, (first, dropped, items) in changes.get("splice", {}).items():
        _walk(changed, path.split("."))[first : first + dropped] = items
    return changed


def _walk(value: Any, way: Sequence[str]) -> Any:
    for step in way:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value
