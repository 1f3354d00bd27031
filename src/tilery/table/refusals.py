"""Refusals of a table: a kind that tells a program how to react, the exact code, and a text for people."""

from __future__ import annotations

from typing import Any, Literal, Self, cast

from tilery.core.refusals import Argument, BadText, NotAMove, NotLegal, NotYourTurn, Refused, from_one
from tilery.core.sentences import LIBRARY
from tilery.table import wire

Kind = Literal[
    "stale",  # the game has moved on: look at the current state
    "not-seated",  # this needs a seat at the table
    "not-your-turn",
    "not-a-move",
    "not-legal",
    "not-now",  # not in this state of the table
    "not-allowed",  # not for this person
    "taken",  # the seat
    "bad-text",  # an invalid name, chat message or setting
    "full",  # the table has reached a limit
    "late",  # the time is up
    "too-many-requests",  # a limit of the sender's address is reached
]


def _thousands(value: Argument) -> str:
    return f"{value:,}"


SENTENCES = LIBRARY.extended(
    {
        # The state of the table and of the game.
        "table-closed": "the table is closed",
        "not-started": "the game has not started yet",
        "already-started": "the game has already started",
        "no-game-now": "there is no game in progress at this table",
        "game-moved-on": "the game has moved on: look at the current state",
        "time-up": "the time is up",
        "turn-of-other": "it is {name}'s turn",
        "too-many-events": "a table has at most {most} events: now you can only play on or resign",
        # Seats.
        "seat-needed": "you need a seat at this table",
        "which-seat": "you have several seats: name one of them",
        "not-your-seat": "this is not your seat",
        "token-for-seat": "taking a seat requires a token",
        "token-for-table": "creating a table requires a token",
        "no-free-seat": "every seat is taken",
        "seat-taken": "the seat is taken",
        "seat-open": "there is still an open seat",
        "already-left": "you have already left",
        "names-final": "names cannot change after the game",
        "host-arranges": "only the host can arrange the seats",
        "players-start": "only players and the host can start the game",
        "card-not-named": "the player does not name the card that comes with this move",
        # Offers.
        "offer-pending": "answer the {offer} offer first",
        "offer-gone": "this offer no longer stands",
        "not-yours-to-decline": "this offer is not for you to decline",
        "not-yours-to-agree": "this offer is not for you to agree to",
        "already-agreed": "you have already agreed",
        "no-move-to-take-back": "you have no move to take back",
        "takeback-reveals": "your last move cannot be taken back in a game with other people: since then something was "
        "dealt or seen",
        "draw-with-bots": "bots do not agree to draws",
        "draw-without-all": "somebody has left and cannot agree to a draw",
        "replace-nobody": "name the seat of a person for the bot to take over",
        "replace-present": "only a player who has left, or has not moved for a day, can be replaced by a bot",
        "replace-yourself": "you cannot replace yourself with a bot: resign instead",
        "bot-missing": "name the bot that takes over",
        "rematch-early": "a rematch is possible when the game is over",
        "rematch-made": "the rematch is already at table {table}",
        # Chat, hints and what people type.
        "no-chat": "this table has no chat",
        "chat-full": "a table has at most {most} chat messages",
        "hints-in-practice": "hints are only for practice games: all other seats must be bots",
        "mixed-scripts": "{text} mixes letters of several alphabets and could be mistaken for another word: write each "
        "word of a name in one alphabet",
        "name-taken": "the name {text} looks like that of another player: choose a different one",
        "name-of-bot": "the name {text} looks like that of a bot: choose a different one",
        "empty-text": "{what} cannot be empty",
        "entropy-form": "entropy is at most {most} hexadecimal digits in lower case",
        "command-id": "the id of a command is 1 to {most} letters, digits, hyphens and underscores",
        "clock-form": "a clock is {{base: {least} to {base} seconds, increment: 0 to {increment}}} "
        "or {{days: 1 to {days}}}",
        # Requests.
        "message-form": "{problem}",
        "token-form": "a token is {digits} hexadecimal digits in lower case",
        "seat-by-request": "take a seat with POST /api/tables/TABLE/seat",
        # Limits of an address; `seconds` is the retry delay.
        "too-many-commands": "too many commands from your network: try again in {seconds} s",
        "too-many-tables": "too many new tables and rematches from your network: try again in {seconds} s",
        "too-many-seats": "too many seats were taken from your network: try again in {seconds} s",
        "too-much-stored": "too much was played and written from your network: try again in {seconds} s",
        "too-many-public-tables": "{most} public tables from your network are already waiting for players: start or "
        "leave one of them, or make this table private",
        # Fairness.
        "fairness-tag": "the record has no tag {tag}: only finished games that were played on a server have one",
        "secret-form": "the tag Secret is not {digits} hexadecimal digits in lower case",
        "secret-differs": "the secret does not match the commitment: its SHA-256 is different",
        "deal-differs": "ply {at}, deal {deal}: {dealt} was dealt, but the secret gives {right}",
    },
    {"at": from_one, "deal": from_one, "seconds": _thousands},
    {
        "offer": {"takeback": "take-back", "draw": "draw", "replace": "replacement", "rematch": "rematch"},
        "what": {"name": "a name", "chat-message": "a chat message"},
    },
)


class TableRefused(Refused):
    """A command that a table refuses; nothing has changed. The code is one of `SENTENCES`."""

    kind: Kind

    def __init__(self, kind: Kind, code: str, /, **arguments: Argument) -> None:
        super().__init__(SENTENCES.write(code, arguments), code, arguments)
        self.kind = kind

    @classmethod
    def of(cls, kind: Kind, refused: Refused) -> Self:
        """A refusal of the library, or one of another process, as a refusal of the table."""
        made = cls.__new__(cls)
        Refused.__init__(made, refused.reason, refused.code, refused.arguments, refused.rule)
        made.kind = kind
        return made


def kind_of(refused: Refused) -> Kind:
    """How a program should react to a refusal."""
    if isinstance(refused, TableRefused):
        return refused.kind
    if isinstance(refused, NotLegal):
        return "not-legal"
    if isinstance(refused, NotYourTurn):
        return "not-your-turn"
    return "not-a-move" if isinstance(refused, NotAMove) else "bad-text"


def from_rules(refused: Refused) -> TableRefused:
    """The refusal of a move by the rules, as a refusal of the table."""
    return TableRefused.of(kind_of(refused), refused)


def error_of(refused: Refused, *, kind: str = "", move: int | None = None) -> wire.ErrorInfo:
    """A refusal for clients; `move` is the number of the refused move, if several were given."""
    place = (refused.line, refused.column) if isinstance(refused, BadText) else (None, None)
    kind = kind or kind_of(refused)
    return wire.ErrorInfo(
        kind=kind,
        code=refused.code,
        text=_encodable(str(refused)),
        arguments={name: _encodable(value) for name, value in refused.arguments.items()},
        rule=refused.rule,
        line=place[0],
        column=place[1],
        move=move,
        retry_delay=cast("float | None", refused.arguments.get("seconds")) if kind == "too-many-requests" else None,
    )


def _encodable(value: Argument) -> Any:
    """A text without lone surrogates, which UTF-8 cannot express; other values as they are."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def refusal_in(error: wire.ErrorInfo) -> TableRefused:
    """The inverse of `error_of` for the refusals of a table."""
    reason = error.text.removesuffix(f" ({error.rule})")
    return TableRefused.of(cast("Kind", error.kind), Refused(reason, error.code, error.arguments, error.rule))
