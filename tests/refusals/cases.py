"""What a case of a refusal is: a request, and the fact that it must be refused with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tilery.core.refusals import Argument, Refused


class Case(NamedTuple):
    """A request that is refused with a code, arguments and a rule; where a text is read, also with a place."""

    request: Callable[[], object]
    code: str
    arguments: Mapping[str, Argument] = {}
    rule: str = ""
    place: tuple[int, int] | None = None


def changed(text: str, *changes: tuple[str, str]) -> str:
    """A text with something in it replaced."""
    for old, new in changes:
        assert old in text, f"{old} in {text}"
        text = text.replace(old, new, 1)
    return text


def refusal_of(request: Callable[[], object]) -> Refused:
    """The refusal of a request: raised or returned."""
    try:
        returned = request()
    except Refused as refused:
        return refused
    assert isinstance(returned, Refused), f"not refused: {returned!r}"
    return returned
