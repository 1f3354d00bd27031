"""What people, bots and programs may ask of a table. All of them use the same commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

STRICT = {"extra": "forbid"}  # how the wire reads these: these fields and no others


@dataclass(frozen=True, kw_only=True)
class Command:
    """`id` is chosen by the sender; a command that is repeated with the same id is answered as the first time. `step`
    is the step of the game that the sender saw last."""

    __pydantic_config__: ClassVar[Any] = STRICT
    id: str
    step: int


@dataclass(frozen=True, kw_only=True)
class Sit(Command):
    """Take an open seat (the first one unless told which), and add entropy to the deals."""

    type: Literal["sit"] = "sit"
    name: str
    seat: int | None = None
    entropy: str = ""


@dataclass(frozen=True, kw_only=True)
class Leave(Command):
    """Stand up; while a game goes on: leave it for good, so that a bot may play on."""

    type: Literal["leave"] = "leave"


@dataclass(frozen=True, kw_only=True)
class Rename(Command):
    """Change the name of a seat of one's own."""

    type: Literal["rename"] = "rename"
    name: str
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class Arrange(Command):
    """For who made the table, before the game: give a seat to a bot, or make it open."""

    type: Literal["arrange"] = "arrange"
    seat: int
    bot: str | None = None


@dataclass(frozen=True, kw_only=True)
class Start(Command):
    """Begin, when every seat is taken; adds entropy to the deals."""

    type: Literal["start"] = "start"
    entropy: str = ""


@dataclass(frozen=True, kw_only=True)
class Play(Command):
    """Make a move, in the game's notation."""

    type: Literal["play"] = "play"
    move: str


@dataclass(frozen=True, kw_only=True)
class Resign(Command):
    """Give up the game (with a seat of one's own)."""

    type: Literal["resign"] = "resign"
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class Offer(Command):
    """Ask the other people for a take-back, a draw, a bot in place of who has left (`seat`, `bot`), or a rematch."""

    type: Literal["offer"] = "offer"
    what: Literal["takeback", "draw", "replace", "rematch"]
    seat: int | None = None
    bot: str | None = None


@dataclass(frozen=True, kw_only=True)
class Answer(Command):
    """Agree to an offer, or decline it (who made it withdraws it); `offer` is the number of its event."""

    type: Literal["answer"] = "answer"
    offer: int
    yes: bool


@dataclass(frozen=True, kw_only=True)
class Say(Command):
    """Write a line of chat."""

    type: Literal["say"] = "say"
    text: str


AnyCommand = Sit | Leave | Rename | Arrange | Start | Play | Resign | Offer | Answer | Say
