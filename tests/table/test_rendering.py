"""Replays and previews of moves, for every viewer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET

from tests.notation import texts
from tests.table.table_driver import TableDriver, who_of
from tests.table.test_views import GAMES_PLAYED, plain
from tilery.core.position import BasePosition
from tilery.core.record import Record, SeenRecord
from tilery.core.view import apply_changes
from tilery.games import game, read_position
from tilery.table.commands import Play, Resign
from tilery.table.refusals import TableRefused
from tilery.table.rendering import previews_of, replay_of
from tilery.table.views import VisibleGame, history_of, own_turn, practice_turn, visible_record


def plain_effects(position: BasePosition, action: int) -> Any:
    """The effects of a legal action as they arrive."""
    return plain(position.game.effects(position.row, action))


def replay(driver: TableDriver, person: str) -> dict[str, Any]:
    visible = VisibleGame(driver.table, who_of(person))
    values: dict[str, Any] = plain(replay_of(visible.record(), is_over=visible.is_over))
    return values


def views_of(values: dict[str, Any]) -> list[dict[str, Any]]:
    """All positions of a replay."""
    views = [values["start"]]
    for step in values["steps"]:
        views.append(apply_changes(views[-1], step["changes"]))
    return views


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_a_replay_has_every_position_as_the_viewer_saw_it(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant)
    for number in range(12):
        driver.move(7 * number)
    for person in ("a", "b", "x", ""):
        values = replay(driver, person)
        seen = visible_record(driver.table, who_of(person))
        assert views_of(values) == [json.loads(position.json()) for position in seen.positions()]
        assert views_of(values)[-1] == driver.state(person)["position"]
        plies = [{name: step[name] for name in ("actor", "move", "effects")} for step in values["steps"]]
        assert plies == plain(history_of(seen))
        assert len(values["steps"]) == driver.table.plies
        assert (values["result"], values["breakdown"]) == ("*", None)


@pytest.mark.parametrize(("name", "seats", "variant"), [("azul", "ab", ""), ("schokoly", "abc", "swap")])
def test_after_the_game_everybody_sees_everything_and_the_breakdown(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant)
    driver.finish(5)
    values = replay(driver, "")
    assert values == replay(driver, "a")
    assert views_of(values) == [json.loads(position.json()) for position in driver.table.record().positions()]
    assert values["breakdown"] == driver.state()["breakdown"]
    assert values["result"] == "-".join(map(str, driver.state()["result"]["scores"]))
    assert "?" not in json.dumps(views_of(values))


def test_a_resigned_game_has_a_breakdown_but_no_result() -> None:
    driver = TableDriver("ab", "schokoly")
    driver.do("a", Resign)
    values = replay(driver, "b")
    assert values["result"] == "*"
    assert values["breakdown"] == driver.state()["breakdown"]


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_the_effects_of_plies_are_those_in_the_viewers_own_position(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant)
    driver.finish(3)
    whole = driver.table.record()
    records: list[Record | SeenRecord] = [whole, *(whole.seen_by(viewer) for viewer in range(len(seats)))]
    for record in records:
        plies = history_of(record)
        for ply, before, played in zip(plies, record.positions(), record.plies, strict=False):
            assert ply.actor == played.actor
            assert ply.move == before.move_text(played.action)
            assert plain(ply.effects) == plain_effects(before, played.action)
        assert any(ply.effects for ply in plies)


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_previews_agree_with_what_the_table_accepts_and_refuses(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant)
    tried = {
        "1B1",
        "CKF",
        "9R1",
        "2:2",
        "pass",
        "dark",
        "no-token",
        "accept",
        "accept:DDDM",
        "decline",
        "+?",
        "DDDM@0,0",
    }
    for number in range(60):
        if driver.table.status == "over":
            break
        if not driver.turn_of:
            driver.move(number)
            continue
        moves = texts(driver.table.position)
        tried |= set(moves[:: max(1, len(moves) // 5)])
        moves_and_others = [*moves[:20], *sorted(tried)[:60]]
        seen = own_turn(driver.table, who_of(driver.turn_of))
        for move, preview in zip(moves_and_others, previews_of(seen, moves_and_others), strict=True):
            assert preview.typed == move
            assert (preview.move is not UNSET) is (move in moves)
            if preview.move is not UNSET:
                assert preview.move == move
                assert plain(preview.effects) == plain_effects(seen, seen.action(move))
            else:
                assert preview.error is not UNSET
                refused = driver.refused(driver.turn_of, Play, preview.error.kind, move=move)
                if not move.startswith("accept:"):  # for cards of a swap the table says more
                    assert (preview.error.rule, preview.error.code) == (refused.rule, refused.code)
        driver.move(11 * number)


def test_a_preview_of_accept_must_not_name_the_card() -> None:
    driver = TableDriver("abc", "schokoly", variant="swap")
    while driver.table.position.view["phase"] != "accept":
        swaps = ("offer:", "answer:", "accept")
        moves = texts(driver.table.position)
        driver.move(next((at for at, move in enumerate(moves) if move.startswith(swaps)), 0))
    seen = own_turn(driver.table, who_of(driver.turn_of))
    (accept,) = previews_of(seen, ["accept"])
    assert accept.move is not UNSET
    assert accept.move.text == "accept"
    assert plain(accept.effects) == plain_effects(seen, seen.action("accept"))
    cards = [f"accept:{card}" for card in ("DDDM", "DDDW", "MMMD", "MMMW", "WWWD", "WWWM", "DDMM", "DDWW", "MMWW")]
    assert any(seen.refusal(card) is None for card in cards)  # some of them are possible
    for card, preview in zip(cards, previews_of(seen, cards), strict=True):
        assert preview.error is not UNSET
        possible = seen.refusal(card) is None
        assert (preview.error.kind, preview.error.code == "card-not-named") == ("not-legal", possible)
        driver.refused(driver.turn_of, Play, "not-legal", move=card)


def test_nothing_is_legal_after_the_game() -> None:
    over = read_position(
        "azul:2 round=5 over:row starter=2 marker=2 bag=0/0/0/0/0 lid=13/10/13/14/13 centre=- discs=-/-/-/-/- "
        "48|-/-/-/-/YYY|BYRKW/WBYRK/..BYR/..WB./.....|- 62|-/-/-/-/-|BYRKW/WBYRK/K..YR/R.WBY/..KW.|-"
    )
    (preview,) = previews_of(over, ["1B1"])
    assert preview.error is not UNSET
    assert (preview.error.kind, preview.error.code) == ("not-legal", "game-over")


def test_a_deal_has_a_preview_too() -> None:
    (preview,) = previews_of(game("azul").new(), ["+BBYR"])
    assert plain(preview.effects) == [{"type": "dealt", "source": 1, "tiles": "BBYR"}]


def code(driver: TableDriver, person: str, *, practice: bool) -> str:
    look = practice_turn if practice else own_turn
    try:
        assert look(driver.table, who_of(person)) == driver.table.position.seen_by(driver.actor)
    except TableRefused as refused:
        return refused.kind
    return ""


def test_only_the_person_to_move_has_a_turn() -> None:
    driver = TableDriver("ab", "schokoly", start=False)
    assert [code(driver, person, practice=False) for person in ("a", "x", "")] == [
        "not-now",
        "not-seated",
        "not-seated",
    ]
    driver = TableDriver("ab", "schokoly")
    assert [code(driver, person, practice=False) for person in "abx"] == ["", "not-your-turn", "not-seated"]
    driver.do("a", Resign)
    assert [code(driver, person, practice=False) for person in "ab"] == ["not-now", "not-now"]


def test_practice_requires_that_all_others_are_bots() -> None:
    for seats, expected in (
        ("a*", ""),
        ("a**", ""),
        ("ab", "not-allowed"),
        ("ab*", "not-allowed"),
        ("aa", "not-allowed"),
    ):
        driver = TableDriver(seats, "schokoly")
        assert code(driver, "a", practice=True) == expected, seats
        assert code(driver, "x", practice=True) == "not-seated"
    driver = TableDriver("a*", "azul")
    driver.move()
    assert code(driver, "a", practice=True) == "not-your-turn"
    driver.move()
    assert code(driver, "a", practice=True) == ""
    assert code(TableDriver("a*", start=False), "a", practice=True) == "not-now"


def test_no_hints_after_resigning() -> None:
    driver = TableDriver("a**", "azul")
    driver.do("a", Resign)
    assert driver.table.status == "playing"
    assert code(driver, "a", practice=True) == "not-seated"
    assert code(driver, "a", practice=False) == "not-seated"
