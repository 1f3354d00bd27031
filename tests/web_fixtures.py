"""The fixtures of the web client's unit tests: everything in them that the library says of their positions.

`python -m tests.web_fixtures` (run by `make golden`) computes effects, refusals, legal moves and the positions after
moves again; the positions themselves stay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.notation import texts
from tilery import Position, Seen, game
from tilery.core.position import BasePosition
from tilery.games.azul import view as azul
from tilery.games.schokoly import view as schokoly
from tilery.table.rendering import previews_of

FOLDER = Path(__file__).parents[1] / "web" / "tests" / "fixtures"
Values = dict[str, Any]


def _with_tuples(values: Values) -> Values:
    return {field: tuple(value) if isinstance(value, list) else value for field, value in values.items()}


def azul_position(name: str, view: Values) -> Position:
    """The position with this view."""
    boards = tuple(azul.Board(**_with_tuples(board)) for board in view["boards"])
    fields = _with_tuples(view)
    del fields["saucer_gone"]
    rules = game(name).variant(view["rules"])
    return Position(game(name), azul.row_of(azul.View(**{**fields, "rules": rules, "boards": boards})))


def _pairs(name: str, known: list[Values]) -> dict[tuple[int, int], tuple[str, ...]]:
    return {(one["viewer"], one["holder"]): tuple(one[name]) for one in known}


def schokoly_position(view: Values) -> BasePosition:
    """The position with this view, whole or as its viewer sees it."""
    rules = game("schokoly").variant(view["rules"])
    fields = _with_tuples(view) | {
        "rules": rules,
        "hands": tuple(map(tuple, view["hands"])),
        "barred": tuple(map(tuple, view["barred"])),
        "table": tuple(schokoly.Card(**card) for card in view["table"]),
        "offer": view["offer"] and schokoly.Offer(**view["offer"]),
        "answer": view["answer"] and schokoly.Offer(**view["answer"]),
        "known": _pairs("known", view["known"]),
        "said": _pairs("said", view["said"]),
    }
    del fields["points"], fields["groups"]
    row = schokoly.row_of(schokoly.View(**fields))
    if view["viewer"] is None:
        return Position(game("schokoly"), row)
    return Seen(game("schokoly"), row, view["viewer"])


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _played(one: Values) -> Values:
    """A move of Azul. What chance did after it stays as it was; without chance, `after` is computed again."""
    position = azul_position(one["game"], one["before"])
    after = _plain(position.play(one["move"]).view)
    done = {**one, "before": _plain(position.view), "effects": msgspec.to_builtins(position.effects(one["move"]))}
    return {**done, "end": after} if "end" in one else {**done, "after": after}


def _turn(one: Values) -> Values:
    position = schokoly_position(one["view"])
    previews = previews_of(position, [preview["move"] for preview in one["previews"]])
    return {**one, "view": _plain(position.view), "moves": texts(position), "previews": _plain(previews)}


def _azul_refusal(one: Values) -> Values:
    position = azul_position("azul", one["view"])
    (preview,) = previews_of(position, [one["preview"]["move"]])
    return {"view": _plain(position.view), "preview": _plain(preview)}


def _text_board(one: Values) -> Values:
    view = one["view"]
    position = azul_position(one["game"], view) if "boards" in view else schokoly_position(view)
    return {**one, "view": _plain(position.view), "moves": texts(position) if one["moves"] else []}


def files() -> Iterator[tuple[Path, str]]:
    """Every fixture and its text."""
    for name, renew in (
        ("azul-takes", _played),
        ("azul-tiling", _played),
        ("azul-refusals", _azul_refusal),
        ("text-azul", _text_board),
        ("text-schokoly", _text_board),
        ("schokoly-turns", _turn),
    ):
        path = FOLDER / f"{name}.json"
        values = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(values, dict):
            lines = [f"{json.dumps(key)}:{_compact(renew(one))}" for key, one in values.items()]
        else:
            lines = [_compact(renew(one)) for one in values]
        begin, end = "{}" if isinstance(values, dict) else "[]"
        yield path, begin + "\n" + ",\n".join(lines) + f"\n{end}\n"


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
