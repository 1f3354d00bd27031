"""The English sentences for the refusals of the library that belong to no single game: moves, positions, records."""

from __future__ import annotations

from collections.abc import Sequence

from tilery.core.kernel.actors import CHANCE, OVER, SPECTATOR
from tilery.core.refusals import Argument, Refused, Sentences, from_one
from tilery.core.text import END_OF_LINE, END_OF_TEXT, listed

_ACTORS = {CHANCE: "chance", OVER: "over", SPECTATOR: "spectator"}
_ACTOR_NAMES = {"chance": "chance", "over": "nobody: the game is over", "spectator": "a spectator"}


def actor_argument(actor: int) -> Argument:
    """An actor or viewer as an argument of a refusal: a seat (from 0), or `chance`, `over` or `spectator`."""
    return _ACTORS.get(actor, actor)


def write_actor(value: Argument) -> str:
    """An actor or viewer in English."""
    return _ACTOR_NAMES[value] if isinstance(value, str) else f"seat {from_one(value)}"


def _found(value: Argument) -> str:
    return {END_OF_TEXT: "the end of the text", END_OF_LINE: "the end of the line"}.get(str(value)) or ascii(value)


def word_list(words: Sequence[str]) -> str:
    """Words (without blanks) as one argument of a refusal."""
    return " ".join(words)


def _words(value: Argument) -> str:
    return listed(str(value).split(" "))


def _thousands(value: Argument) -> str:
    return f"{value:,}"


LIBRARY = Sentences(
    {
        # Moves and turns.
        "move-type": "a move is a text or a whole number, not {found}",
        "not-a-number": "{number} is not the number of an action",
        "not-a-move": "{text} is not a move: expected {expected}",
        "not-now": "not now: {due}",
        "too-long": "a move has at most {most} characters, this one has {length}",
        "game-over": "the game is over",
        "not-your-turn": "it is the turn of {actor}, not of {by}",
        "not-chance": "chance has nothing to decide here: {actor} acts",
        # Games and variants.
        "no-such-game": "there is no game {text}: expected {games}",
        "no-such-option": "{game} has no option {unknown}: expected {options}",
        "option-value": "{option} is {values}, not {value}",
        "whole-number": "a whole number was expected, not {value}",
        "start-range": "the starting seat is 0 to {last}, or None when drawn, not {index}",
        "seats-number": "{numbers} seats were expected, not {value}",
        # Positions, and what a seat sees of them.
        "row-width": "a row of {game} has {width} bytes, this one has {length}",
        "no-such-seat": "there is no seat {index}: seats are 0 to {last}",
        "no-such-world": "there is no position in which {viewer} would see this",
        "seen-position": "this is only what {viewer} sees: a whole position was expected",
        "seen-by-another": "this is what {viewer} sees, not {wanted}",
        "depth": "a depth of 0 to {most} was expected, not {depth}",
        # Records.
        "seen-record": "this is the game as {viewer} saw it: a complete record was expected",
        "complete-record": "this is a complete record: one that a seat saw was expected (it has a tag Seen)",
        "no-such-ply": "there is no ply {ply}: this record has {plies}",
        "too-many-players": "{players} players for {seats} seats",
        "comment-place": "a comment after ply {ply} of a record of {plies} plies",
        "comment-twice": "there is already a comment after this ply",
        "unclosed-comment": "expected a closing brace for this comment",
        "tag-name": "the name of a tag is up to {most} letters and digits, not {found}",
        "own-tag": "the tag {tag} is written by the record itself",
        "tag-twice": "the tag {tag} occurs twice",
        "tag-missing": 'expected the tag [{tag} "..."], found {found}',
        "tag-order": "a record begins with the tags Tilery, Game and Rules in this order",
        "seen-tag-place": "the tag Seen follows the tag Rules",
        "tag-of-no-seat": "there is no {tag} in a game of {seats} seats",
        "too-many-tags": "a record has at most {most} tags, including those it writes itself",
        "record-format": "this is format {format}, expected {known}",
        "viewer-expected": "expected a seat from 1 to {seats}, or - for a spectator, found {text}",
        "other-rules": "the position was played with other rules",
        "round-expected": "expected the round {round}., found {found}",
        "round-missing": "expected the round {round}. before its first ply",
        "other-notation": "write {right}, not {letters}",
        "wrong-result": "the plies give the result {result}, not {found}",
        # Texts.
        "text-too-long": "{what} has at most {most} characters, this one has {length}",
        "longer-than": "{what} has at most {most} characters",
        "forbidden-character": "{what} cannot contain {character}",
        "expected": "expected {what}, found {found}",
        "expected-word": "expected {what}: {words}, found {found}",
        "expected-number": "expected {what} ({low} to {high}), found {found}",
        "number-form": "expected {what} ({low} to {high}, no leading zero), found {digits}",
        "number-range": "expected {what} from {low} to {high}, found {number}",
    },
    {
        **dict.fromkeys(("actor", "by", "viewer", "wanted"), write_actor),
        **dict.fromkeys(("most", "length"), _thousands),
        **dict.fromkeys(("words", "games", "options", "values", "numbers"), _words),
        **dict.fromkeys(("text", "character", "format"), ascii),
        "found": _found,
        "seat": from_one,
    },
    {
        "what": {
            "text": "{text}",
            END_OF_TEXT: "the end of the text",
            END_OF_LINE: "the end of the line",
            # Texts as a whole.
            "variant": "a variant",
            "position": "a position",
            "record": "a record",
            "comment": "a comment",
            "tag": "the tag {tag}",
            "tag-value": "a value",
            "ply": "a ply",
            "seed": "a seed",
            "bot-name": "the name of a bot",
            # Parts of variants and positions.
            "name-of-game": "the name of a game",
            "seats": "the number of seats",
            "option": "an option, in this order",
            "end-of-variant": "the end of the variant",
            "starting-seat": "the starting seat",
            "game": "'{game}:' and the variant",
            "phase": "the phase",
            "phase-after-blank": "a blank and the phase",
            "turn": "the seat whose turn it is",
            "ending": "the reason why the game ended",
            # Parts of records.
            "name-of-tag": "the name of a tag: letters and digits",
            "quoted-value": "a blank and a quoted value",
            "escaped-character": '\\" or \\\\',
            "value-character": "a printable character or the closing quote",
            "ply-or-comment": "a ply, a round such as 2., or a comment in braces",
        },
    },
)


def wrong_option(sentences: Sentences, option: str, values: Sequence[str], value: object, rule: str = "") -> Refused:
    """The refusal of an option (a code of `sentences`) that has none of its values."""
    arguments = {"option": option, "values": word_list(values), "value": repr(value)[:40]}
    return sentences.refused("option-value", rule, **arguments)


# A refusal of a part keeps its code and its arguments; one more argument names the part.
PARTS = Sentences(
    {
        "in_tag": "in the tag {in_tag}: ",
        "in_move": "{in_move}: ",
        "in_ply": "ply {in_ply}: ",
        "in_variant": "the variant {in_variant}: ",
    },
    {"in_move": ascii, "in_variant": ascii, "in_ply": from_one},
)


def within(refused: Refused, part: str, value: Argument) -> Refused:
    """A refusal of a part of something larger: `part` is a code of `PARTS`, `value` says which part."""
    reason = PARTS.write(part, {part: value}) + refused.reason
    return Refused(reason, refused.code, {**refused.arguments, part: value}, refused.rule)
