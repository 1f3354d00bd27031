"""Moves as people type them: `Position.read_move` reads every form that docs/notation.md names, and nothing else."""

from __future__ import annotations

import pytest

from tests.variants import EVERY
from tilery import CHANCE, GAMES, OVER, NotAMove, NotLegal, Position, Stream, game
from tilery.core.game import Rules
from tilery.core.move import Move
from tilery.games.azul import move_kinds as azul
from tilery.games.schokoly import move_kinds as schokoly

CASES = [(family, rules) for family, every in EVERY.items() for rules in every]
CASES += [("chocolatier", rules) for rules in EVERY["azul"][1::4]]


def take_forms(move: azul.Take) -> list[str]:
    """Blanks, signs between the parts, lower case, 0 for the centre, the sides in any order."""
    place = "c" if move.source == 0 else str(move.source)
    colour = move.colour.lower()
    line = "f" if move.line is None else str(move.line + 1)
    sides = [mark + tiles for mark, tiles in (("<", move.left), (">", move.right)) if tiles]
    rest = "".join(reversed(sides)).lower()
    swapped = " ".join(side[0] + side[:0:-1] for side in sides)
    forms = [f"{place}{colour}{line}{rest}", f"{place} {colour} {line} {swapped}", f"{place}-{colour}-{line}{rest}"]
    forms += [f"{place}, {colour.upper()}, {line.upper()} {rest}", f"{place}.{colour}.{line}{rest}"]
    return [*forms, f"0{colour}{line}{rest}", f"0 {colour} {line} {swapped}"] if move.source == 0 else forms


def azul_forms(move: Move) -> list[str]:
    match move:
        case azul.Take():
            return take_forms(move)
        case azul.Cell(line=line, column=column):
            return [f"{line + 1} : {column + 1}", f" {line + 1}:{column + 1} "]
        case azul.Start(seat=seat):
            return [f"START={seat + 1}", f"start {seat + 1}", f"Start = {seat + 1}"]
        case azul.Disc(source=source, disc=disc):
            spaced = f"magnet {disc[-1].lower()}" if disc.startswith("magnet") else disc
            return [f"{source}={disc.upper()}", f"{source} {spaced}", f"{source} = {disc.lower()}"]
        case azul.Extra(colour=colour):
            return [f"EXTRA={colour.lower()}", f"extra {colour.lower()}"]
        case azul.Deal(tiles=tiles):
            return [tiles.lower(), f"+{tiles[::-1].lower()}", " ".join(tiles[::-1]), f"+ {', '.join(tiles.lower())}"]
    raise AssertionError(f"no forms of {move!r}")


def schokoly_forms(move: Move) -> list[str]:
    match move:
        case schokoly.Lay(pieces=pieces, x=x, y=y, level=level):
            small = pieces.lower()
            forms = [f"{small} {x} {y}", f"{small} ({x}, {y})", f"{small}: {x}; {y}", f"{pieces} @ {x} , {y}"]
            return [form + up for form in forms for up in ([""] if level == 1 else [" up", "^", " ^", " 2", " UP"])]
        case schokoly.Token(x=x, y=y):
            return [f"token {x} {y}", f"Token ({x},{y})", f"secure {x} {y}", f"TOKEN@{x}, {y}"]
        case schokoly.NoToken():
            return ["no", "none", "No token", "NO-TOKEN"]
        case schokoly.Kind(of=of):
            return [of, of.lower(), move.text.upper(), f" {move.text} "]
        case schokoly.Draw(card=str(card)):
            return [card.lower(), f"+ {card.lower()}", card[2:] + card[:2]]
        case schokoly.Offer(seat=seat, card=str(card)):
            forms = [f"offer {card.lower()} {{}}", f"offer {card[1:] + card[0]} to {{}}", f"OFFER:{card} > {{}}"]
            return [form.format(seat + 1) for form in forms]
        case schokoly.Answer(card=str(card)):
            return [f"answer {card.lower()}", f"Answer: {card[3] + card[:3]}"]
        case schokoly.Accept(card=None):
            return ["yes", "ACCEPT"]
        case schokoly.Accept(card=str(card)):
            return [f"accept {card.lower()}"]
        case schokoly.Decline() | schokoly.Pass():
            return [move.text.upper(), f" {move.text} "]
    return [move.text.lower()]  # what is seen of a hidden card is not typed by people


def forms_of(position: Position, move: Move) -> list[str]:
    return (azul_forms if position.game.family == "azul" else schokoly_forms)(move)


@pytest.mark.parametrize(("name", "rules"), CASES, ids=lambda part: part if isinstance(part, str) else part.text)
def test_every_legal_move_is_read_in_every_form(name: str, rules: Rules) -> None:
    stream = Stream("typed moves", name, rules.text)
    at = GAMES[name].new(rules)
    number = 0
    while at.actor != OVER:
        if number % 6 == 0 or at.actor == CHANCE:
            for move in at.moves():
                for form in forms_of(at, move):
                    assert at.read_move(form) == move, (form, at.text)
        number += 1
        at = at.play(at.draw(stream) if at.actor == CHANCE else stream.choice(at.actions()))


@pytest.mark.parametrize("name", list(GAMES))
def test_what_the_help_of_the_terminal_names_is_read(name: str) -> None:
    """The examples in `move_help` and in the README."""
    examples = {
        "azul": {"3 R 2": "3R2", "3r2": "3R2", "0kf": "CKF", "ckf": "CKF"},
        "chocolatier": {"3r2": "3R2"},
        "schokoly": {"wddm 2 0": "WDDM@2,0", "wddm 2 0 up": "WDDM@2,0^", "token 0 0": "token@0,0", "no": "no-token"},
    }
    for typed, text in examples[name].items():
        assert GAMES[name].normalise_move(typed) == text


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "",
            " ",
            "3",
            "3r",
            "3r22",
            "r3",
            "33r2",
            "-3r2",
            "3r2-",
            "3--r2",
            "3r2x",
            "3/r/2",
            "3r2?",
            "cc1",
        ),
        *("+bbyrr", "+x", "+", "start", "start=", "extra", "3=", "3=xyzzy", "4:", ":2", "4:2:1", "3 rouge 2"),
        *("\u0433r2", "3\u212a2", "3r\u00b2", "\uff13r2"),
    ],
)
def test_anything_else_is_refused_in_azul(typed: str) -> None:
    at = game("azul").new().settle(Stream("typed"))
    with pytest.raises(NotAMove, match="expected a move such as 3R2"):
        at.read_move(typed)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "wddm", "wddm 2", "wddm 2 0 1", "wddm 2 0 down", "wddm 2 0 up up", "wddm 123 0", "wddm 2-", "wddmm 2 0"),
        *(
            "wddx 2 0",
            "wddm 2 0!",
            "wddm 2.5 0",
            "2 0 wddm",
            "token",
            "token 1",
            "token 1 2 3",
            "offer wddm",
            "offer 2",
        ),
        *("offer wddm at 2", "answer", "answer 2", "no no", "dark milk", "darker", "wddm \u0662 0", "wddm - 2 0"),
    ],
)
def test_anything_else_is_refused_in_schokoly(typed: str) -> None:
    start = game("schokoly").new().settle(Stream("typed"))
    at = start.play("dark").play(next(move for move in start.play("dark").moves() if move.kind == "lay"))
    with pytest.raises((NotAMove, NotLegal)) as refused:
        at.read_move(typed)
    assert isinstance(refused.value, NotAMove) or typed == "wddm"  # a card alone is a deal
    assert "expected" in str(refused.value) or "not now" in str(refused.value)
