"""What a ply did: the base class of the typed values that each game returns, in the order in which things happen."""

from __future__ import annotations

import msgspec


class Effect(msgspec.Struct, frozen=True, tag_field="type"):
    """One thing that happened in a ply. Each game has a subclass for each kind; seats, lines and columns count from 0.

    `Position.effects` returns all effects of a move, and they are complete: applied in order to the view before the
    move, they give the view after it, without any knowledge of the rules.
    """

    @property
    def type(self) -> str:
        """The kind of effect, such as `tiled`."""
        return str(self.__struct_config__.tag)
