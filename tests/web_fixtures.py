"""The fixtures of the web client's unit tests: JSON of the wire, from games that the library plays.

`python -m tests.web_fixtures` (run by `make golden`) writes them to `web/tests/fixtures`; `web/tests/fixtures.ts`
describes and reads them; `tests/docs/test_wire_types.py` fails when they are stale. The games are the golden games of
`tests/playthroughs` and `OTHERS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.notation import texts
from tests.playthroughs import GOLDEN, played_out, record_of
from tests.refusals.web_fixture import sentences
from tests.table.table_driver import TableDriver, who_of
from tilery import CHANCE, Position, Record, Stream, game
from tilery.core.position import BasePosition
from tilery.core.view import View, view_changes
from tilery.server.http.study import study_of
from tilery.server.wire import StudyRequest
from tilery.table import responses, wire
from tilery.table.rendering import ply_of, previews_of, replay_of
from tilery.table.views import Shown, TableViews

FOLDER = Path(__file__).parents[1] / "web" / "tests" / "fixtures"
NAMES = ("Ann", "Ben", "Cleo", "Dan")
OTHERS = {"azul-specials": "2,specials", "schokoly-swaps": "3,large,swap"}
GAMES = [*GOLDEN, *OTHERS]
AZUL = [name for name in GAMES if not name.startswith("schokoly")]
Values = dict[str, Any]


class Played(NamedTuple):
    """A ply of a golden game and the positions around it."""

    before: Position
    action: int
    after: Position


def _choice(position: Position, stream: Stream) -> int:
    """Any move, but where cards can be swapped mostly that."""
    swaps = [move.action for move in position.moves() if move.kind in ("offer", "answer", "accept")]
    return stream.choice(swaps if swaps and stream.below(4) else position.actions())


@cache
def plies_of(name: str) -> list[Played]:
    """All plies of a game."""
    if name in OTHERS:
        start = game(name.partition("-")[0]).new(OTHERS[name])
        record = played_out(start, Stream("fixtures", name), _choice)
    else:
        record = record_of(name)
    return [
        Played(before, ply.action, after)
        for ply, (before, after) in zip(record.plies, pairwise(record.positions()), strict=True)
    ]


def _view(position: BasePosition) -> View:
    return position.game.view(position.row)


def _step(before: BasePosition, action: int) -> responses.Step:
    ply = ply_of(before, before.actor, action)
    return responses.Step(ply.actor, ply.move, ply.effects, view_changes(_view(before), _view(before.play(action))))


# Plies of Azul


def _shape(position: Position, action: int) -> frozenset[Any]:
    """What is special about a move: the types of its effects, where tiles and the marker go, whether the saucer is
    occupied."""
    places = ("saucer", "floor", "lid", "full", "to", "discs_removed")
    saucer = position.view["boards"][position.actor]["saucer"] if position.actor != CHANCE else None
    return frozenset(
        (type(effect), bool(saucer), *(bool(getattr(effect, place)) for place in places if hasattr(effect, place)))
        for effect in position.effects(action)
    )


def azul_steps() -> Iterator[Values]:
    """Moves of Azul that differ in what they do, each with the steps of chance after it."""
    shapes = set()
    for name in AZUL:
        plies = plies_of(name)
        for number, (before, action, _) in enumerate(plies):
            shape = _shape(before, action)
            if before.actor == CHANCE or shape in shapes:
                continue
            shapes.add(shape)
            steps = [_step(before, action)]
            deals = takewhile(lambda played: played.before.actor == CHANCE, plies[number + 1 :])
            steps += [_step(played.before, played.action) for played in deals]
            yield {"game": before.game.name, "start": _view(before), "steps": steps}


# What a player to move sees


def _seen(position: Position) -> BasePosition:
    return position.seen_by(position.actor) if position.game.hidden_information else position


def _illegal(position: BasePosition) -> Iterator[str]:
    """Moves to try, most of which are not legal."""
    if position.game.family == "azul":
        yield from (f"{source}{colour}{line}" for source in "C149" for colour in "BW" for line in "12345")
        yield from (f"{line}:{column}" for line in (1, 3, 5) for column in (1, 4))
    else:
        yield from ("dark", "milk", "pass", "no-token", "accept", "decline", "token@0,0", "token@9,9", "answer:DDDM")
        yield from (f"{card}@{place}" for card in ("DDDM", "WDDM", "MMWW") for place in ("0,0", "0,0^", "1,1^", "9,9"))
        yield from ("offer:DDDM>1", "offer:DDDM>2", "offer:MMWW>3", "+DDMW")
    yield from ("+BBYR", "start=1", "extra=W", "3=keeper", "hello", "3R7", "offer:DDDM")


def _turn(name: str, number: int) -> Values:
    plies = plies_of(name)
    position = plies[number].before
    seen = _seen(position)
    moves = seen.moves()
    last: wire.Ply | None = None
    for played in reversed(plies[:number]):
        if played.before.actor != CHANCE:
            viewed = played.before.seen_by(position.actor) if position.game.hidden_information else played.before
            veiled = played.before.veiled(played.action, position.actor)
            last = ply_of(viewed, played.before.actor, veiled)
            break
    tried = previews_of(seen, _illegal(seen))
    refused = {preview.error.code: preview.typed for preview in reversed(tried) if preview.error}
    shown = {(move.kind, move.parts.get("level")): move.text for move in reversed(moves)}
    return {
        "game": position.game.name,
        "names": NAMES[: position.seats],
        "seat": position.actor,
        "view": _view(seen),
        "moves": moves,
        "last": last,
        "previews": previews_of(seen, [*shown.values(), *texts(seen)[3::40], *list(refused.values())[-2:]]),
    }


def _variety(position: Position) -> tuple[int, int]:
    """How many different moves there are in kind, level and card, and how many in all."""
    moves = position.moves()
    return len({(move.kind, move.parts.get("level"), move.parts.get("card")) for move in moves}), len(moves)


def turns() -> Iterator[Values]:
    """In every game and every phase, the turn with the most varied moves."""
    for name in GAMES:
        plies = plies_of(name)
        numbers: dict[str, list[int]] = {}
        for number, played in enumerate(plies):
            if played.before.actor != CHANCE:
                numbers.setdefault(_view(played.before).phase, []).append(number)
        for among in numbers.values():
            varieties = {number: _variety(plies[number].before) for number in among}
            yield _turn(name, max(varieties, key=varieties.__getitem__))


def refusals() -> Iterator[Values]:
    """Every reason for which one of the tried moves is refused, once in each family."""
    known = set()
    for name in GAMES:
        for played in plies_of(name)[::5]:
            position = played.before
            seen = _seen(position) if position.actor != CHANCE else position
            for preview in previews_of(seen, _illegal(seen)):
                code = preview.error and (position.game.family, preview.error.code)
                if code and code not in known:
                    known.add(code)
                    yield {"game": position.game.name, "view": _view(seen), "preview": preview}


# Whole answers of the server


def replays() -> Iterator[responses.Replay]:
    """A game of Azul as far as the second round, one of Schokoly, and what a seat saw of it."""
    for name, length in (("azul-2", 40), ("schokoly-3-swap", 60)):
        whole = record_of(name)
        record = Record(whole.start, whole.plies[:length], players=NAMES[: whole.start.seats])
        yield replay_of(record, is_over=False)
        if whole.game.hidden_information:
            yield replay_of(record.seen_by(1), is_over=False)
    yield replay_of(record_of("schokoly-2"), is_over=True)


def studies() -> Iterator[Values]:
    """Answers of the study endpoint: moves from an opening, and the end of a round with a deal."""

    def answered(start: Position, *moves: str, **others: Any) -> Values:
        answer = study_of(StudyRequest(position=start.text, moves=moves, preview=others.get("preview", ())))
        request: Values = {"position": start.text, **({"deal": True} if others.get("deal") else {"moves": moves})}
        return {
            "request": request | {"preview": others["preview"]} if "preview" in others else request,
            "response": answer,
        }

    played = plies_of("azul-2")
    opening = next(each.before for each in played if each.before.actor != CHANCE)
    first = texts(opening)[3]
    then = opening.play(first)
    yield answered(opening)
    yield answered(opening, first)
    yield answered(then)
    for preview in (texts(then)[0], "5 z 1"):
        yield answered(then, preview=(preview,))
    yield answered(then, texts(then)[0])
    number, last = next((at, each) for at, each in enumerate(played) if each.before.actor >= 0 > each.after.actor)
    yield answered(last.before)
    yield answered(last.before, last.before.move_text(last.action))
    deals = takewhile(lambda each: each.before.actor == CHANCE, played[number + 1 :])
    yield answered(last.after, *(each.before.move_text(each.action) for each in deals), deal=True)
    over = plies_of("schokoly-2")[-1]
    yield answered(over.before, over.before.move_text(over.action))


# Messages of a table


class Listener:
    """A person at a table, and everything that the server sends to them."""

    def __init__(self, driver: TableDriver, person: str) -> None:
        self._driver, self._who = driver, who_of(person)
        views = TableViews(driver.table, driver.now)
        welcome = views.welcome(self._who, after=None, chat=True, heartbeat=20.0)
        views.state(self._who)
        self._shown: Shown = views.shown()
        self.messages: Values = {"welcome": msgspec.Raw(welcome.data), "updates": [], "states": []}

    def listen(self, applied: list[Any]) -> None:
        """Write down the update about these events, and the whole state after them."""
        views = TableViews(self._driver.table, self._driver.now, self._shown, applied)
        self.messages["updates"].append(msgspec.Raw(views.update(self._who, chat=True).data))
        self.messages["states"].append(views.state(self._who))
        self._shown = views.shown()


def tables() -> Iterator[Values]:
    """What a person at a table receives: against another person, against a bot, with two people on one device."""
    for name, seats, moves in (("azul", "ab", 22), ("azul", "a*", 6), ("schokoly", "ab", 16), ("schokoly", "aa", 12)):
        driver = TableDriver(seats, name)
        listener = Listener(driver, "a")
        for number in range(moves):
            driver.now += 5.0
            listener.listen(driver.move(7 * number))
        yield {"game": name, "seats": seats, **listener.messages}


def files() -> Iterator[tuple[Path, str]]:
    """Every fixture and its text: a list with a line for each entry."""
    for name, entries in (
        ("azul-steps", azul_steps()),
        ("turns", turns()),
        ("refusals", refusals()),
        ("refusal-sentences", sentences()),
        ("replays", replays()),
        ("studies", studies()),
        ("tables", tables()),
    ):
        lines = ",\n".join(wire.encode(entry).decode() for entry in entries)
        yield FOLDER / f"{name}.json", f"[\n{lines}\n]\n"


if __name__ == "__main__":
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for path, text in files():
        path.write_text(text, encoding="utf-8")
