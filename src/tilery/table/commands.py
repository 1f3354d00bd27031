"""The commands of a table, the same for people, bots and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

STRICT = {"extra": "forbid"}  # the wire protocol accepts these fields and no others


@dataclass(frozen=True, kw_only=True)
class Command:
    """`id` is chosen by the sender; a command that is sent again with the same id is carried out once and gets the same
    reply. `step` is the last step of the game that the sender saw."""

    __pydantic_config__: ClassVar[Any] = STRICT
    id: str
    step: int


@dataclass(frozen=True, kw_only=True)
class Sit(Command):
    """Take an open seat (the first one if `seat` is None), and add entropy to the deals."""

    type: Literal["sit"] = "sit"
    name: str
    seat: int | None = None
    entropy: str = ""


@dataclass(frozen=True, kw_only=True)
class Leave(Command):
    """Before the game: give up one's seats. During the game: be gone until one's next command; a bot may take over."""

    type: Literal["leave"] = "leave"


@dataclass(frozen=True, kw_only=True)
class Rename(Command):
    """Change the name at one of one's own seats."""

    type: Literal["rename"] = "rename"
    name: str
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class Arrange(Command):
    """For the host, before the game: give a seat to a bot, or open it."""

    type: Literal["arrange"] = "arrange"
    seat: int
    bot: str | None = None


@dataclass(frozen=True, kw_only=True)
class Start(Command):
    """Start the game when every seat is taken, and add entropy to the deals."""

    type: Literal["start"] = "start"
    entropy: str = ""


@dataclass(frozen=True, kw_only=True)
class Play(Command):
    """Make a move, in the game's notation."""

    type: Literal["play"] = "play"
    move: str


@dataclass(frozen=True, kw_only=True)
class Resign(Command):
    """Resign with one of one's own seats."""

    type: Literal["resign"] = "resign"
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class Offer(Command):
    """Propose a take-back, a draw, a bot for somebody who has left (`seat`, `bot`), or a rematch."""

    type: Literal["offer"] = "offer"
    what: Literal["takeback", "draw", "replace", "rematch"]
    seat: int | None = None
    bot: str | None = None


@dataclass(frozen=True, kw_only=True)
class Answer(Command):
    """Agree to an offer, or decline it (one's own offer: withdraw it); `offer` is the number of its event."""

    type: Literal["answer"] = "answer"
    offer: int
    yes: bool


@dataclass(frozen=True, kw_only=True)
class Say(Command):
    """Write a chat message."""

    type: Literal["say"] = "say"
    text: str


AnyCommand = Sit | Leave | Rename | Arrange | Start | Play | Resign | Offer | Answer | Say
