"""The commands of a table, the same for people, bots and programs."""

from __future__ import annotations

import msgspec

from tilery.table.events import OfferKind


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """`id` is chosen by the sender; a command that is sent again with the same id is carried out once and gets the same
    reply. `step` is the last step of the game that the sender saw."""

    id: str
    step: int

    @property
    def type(self) -> str:
        """The name of the command, such as `play`."""
        return str(self.__struct_config__.tag)


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    """Take an open seat (the first one if `seat` is None), and add entropy to the deals."""

    name: str
    seat: int | None = None
    entropy: str = ""


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Before the game: give up one's seats. During the game: be gone until one's next command; a bot may take over."""


class Rename(Command, frozen=True, kw_only=True, tag="rename"):
    """Change the name at one of one's own seats."""

    name: str
    seat: int | None = None


class Arrange(Command, frozen=True, kw_only=True, tag="arrange"):
    """For the host, before the game: give a seat to a bot, or open it."""

    seat: int
    bot: str | None = None


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """Start the game when every seat is taken, and add entropy to the deals."""

    entropy: str = ""


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Make a move, in the game's notation."""

    move: str


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Resign with one of one's own seats."""

    seat: int | None = None


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Propose a take-back, a draw, a bot for somebody who has left (`seat`, `bot`), or a rematch."""

    what: OfferKind
    seat: int | None = None
    bot: str | None = None


class Answer(Command, frozen=True, kw_only=True, tag="answer"):
    """Agree to an offer, or decline it (one's own offer: withdraw it); `offer` is the number of its event."""

    offer: int
    yes: bool


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Write a chat message."""

    text: str


AnyCommand = Sit | Leave | Rename | Arrange | Start | Play | Resign | Offer | Answer | Say
