"""Moves as values: the notation, the action, and the parts that the kind of move has."""

from __future__ import annotations

from typing import Any

import msgspec


class Move(msgspec.Struct, frozen=True, eq=False, array_like=True, tag_field="kind"):
    """A move of one position. Each game has a subclass for each kind of move, whose fields are the parts of the move.

    A move can be used wherever a text or an action is accepted: it is equal to its text, and `int(move)` is its action.
    Seats, lines and columns count from 0. As JSON, a move is a list: its kind, its text, its action and its parts.
    """

    text: str
    action: int

    @property
    def kind(self) -> str:
        """The kind of move, such as `take`."""
        return str(self.__struct_config__.tag)

    @property
    def parts(self) -> dict[str, Any]:
        """The parts of the move by name, without its kind, text and action."""
        return {name: getattr(self, name) for name in self.__struct_fields__[2:]}

    def __str__(self) -> str:
        return self.text

    def __index__(self) -> int:
        return self.action

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Move):
            return self.text == other.text
        return self.text == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)
