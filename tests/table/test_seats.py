"""Before the game: sitting down, standing up, names, bots, the start; and tables that nobody starts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.table_driver import TableDriver, event_types, key_of, short, who_of
from tests.table.test_creation import BAD_NAMES, NAMES
from tilery.games import GAMES
from tilery.table.commands import Answer, AnyCommand, Arrange, Leave, Offer, Play, Rename, Resign, Say, Sit, Start
from tilery.table.handler import OPEN_FOR, wakes_at


def test_the_default_is_the_first_open_seat() -> None:
    driver = TableDriver("a...", start=False)
    assert event_types(driver.do("b", Sit, name="Ben")) == ["sat"]
    driver.do("c", Sit, name="Cleo", seat=3)
    assert [seat.name for seat in driver.table.seats] == ["Anna", "Ben", "", "Cleo"]
    assert [seat.kind for seat in driver.table.seats] == ["person", "person", "open", "person"]
    assert driver.table.seats[3].key == key_of("c")


def test_one_person_may_sit_down_twice() -> None:
    driver = TableDriver("a..", start=False)
    driver.do("b", Sit, name="Ben")
    driver.do("b", Sit, name="Bea")
    assert driver.table.seats_of(who_of("b")) == [1, 2]


@pytest.mark.parametrize("seat", [-1, 2, 10**30, -(10**30)])
def test_seats_that_do_not_exist_are_refused(seat: int) -> None:
    driver = TableDriver("a.", start=False)
    driver.refused("b", Sit, "bad-text", name="Ben", seat=seat)
    driver.refused("a", Arrange, "bad-text", seat=seat, bot="greedy")
    driver.refused("a", Rename, "not-allowed", name="Ada", seat=seat)


def test_a_taken_seat_is_refused() -> None:
    driver = TableDriver("a*.", start=False)
    driver.refused("b", Sit, "taken", name="Ben", seat=0)
    driver.refused("b", Sit, "taken", name="Ben", seat=1)
    driver.do("b", Sit, name="Ben")
    driver.refused("c", Sit, "taken", name="Cleo")
    driver.refused("c", Sit, "taken", name="Cleo", seat=2)


def test_taking_a_seat_requires_a_token() -> None:
    TableDriver("a.", start=False).refused("", Sit, "not-allowed", name="Ben")


@pytest.mark.parametrize(("name", "kept"), NAMES, ids=short)
def test_names_are_normalised_in_sit_and_rename(name: str, kept: str) -> None:
    driver = TableDriver("a.", start=False)
    driver.do("b", Sit, name=name)
    assert driver.table.seats[1].name == kept
    driver.do("b", Rename, name="Ben")
    driver.do("a", Rename, name=name)
    assert driver.table.seats[0].name == kept


@pytest.mark.parametrize("name", BAD_NAMES, ids=short)
def test_names_with_misleading_characters_are_refused_everywhere(name: str) -> None:
    driver = TableDriver("a.", start=False)
    driver.refused("b", Sit, "bad-text", name=name)
    driver.refused("a", Rename, "bad-text", name=name)


@pytest.mark.parametrize("entropy", ["g", "A", "0" * 65, " ", "0\n", "٣", "ab,cd", "ab/0", "x" * 10**6], ids=short)
def test_entropy_is_a_short_hexadecimal_text(entropy: str) -> None:
    driver = TableDriver("a.", start=False)
    driver.refused("b", Sit, "bad-text", name="Ben", entropy=entropy)
    driver.do("b", Sit, name="Ben", entropy="0" * 64)
    driver.refused("b", Start, "bad-text", entropy=entropy)


def test_all_entropy_is_joined_in_the_order_of_arrival() -> None:
    driver = TableDriver("a...", start=False)
    driver.do("c", Sit, name="C", seat=3, entropy="03")
    driver.do("b", Sit, name="B", entropy="01")
    driver.do("d", Sit, name="D")
    driver.do("d", Start, entropy="ff")
    assert driver.table.record().tags["Entropy"] == "03,01,ff"


def test_entropy_is_removed_when_its_person_leaves() -> None:
    driver = TableDriver("a..", start=False)
    driver.do("b", Sit, name="B", entropy="b0")
    for round_ in range(100):
        driver.do("c", Sit, name="C", entropy=f"{round_:064x}")
        if round_ % 2:
            driver.do("c", Leave)
        else:
            driver.do("a", Arrange, seat=2)
    driver.do("a", Arrange, seat=2, bot="greedy")
    driver.do("a", Start)
    assert driver.table.record().tags["Entropy"] == "b0"
    assert driver.table.record().text


def test_leaving_before_the_game_opens_the_seat() -> None:
    driver = TableDriver("ab.", start=False)
    driver.do("b", Sit, name="Bea")
    assert event_types(driver.do("b", Leave)) == ["left"]
    assert [seat.kind for seat in driver.table.seats] == ["person", "open", "open"]
    assert driver.table.status == "open"
    driver.refused("b", Leave, "not-seated")


def test_the_last_person_who_leaves_closes_the_table() -> None:
    driver = TableDriver("ab*", start=False)
    assert event_types(driver.do("a", Leave)) == ["left"]
    assert event_types(driver.do("b", Leave)) == ["left", "closed"]
    assert driver.table.status == "closed"
    assert wakes_at(driver.table) is None


def everything(**fields: Any) -> list[tuple[type[AnyCommand], dict[str, Any]]]:
    return [
        (Sit, {"name": "X"}),
        (Leave, {}),
        (Rename, {"name": "X"}),
        (Arrange, {"seat": 0}),
        (Start, {}),
        (Play, {"move": "1B1"}),
        (Resign, {}),
        *((Offer, {"what": what, **fields}) for what in ("takeback", "draw", "replace", "rematch")),
        (Answer, {"offer": 1, "yes": True}),
        (Say, {"text": "hello"}),
    ]


def test_a_closed_table_refuses_everything() -> None:
    driver = TableDriver("ab", start=False)
    driver.now = OPEN_FOR[False]
    assert event_types(driver.tick()) == ["closed"]
    for kind, fields in everything():
        for person in ("a", "b", "c", ""):
            assert "closed" in str(driver.refused(person, kind, "not-now", **fields))


def test_a_spectator_can_do_nothing_during_a_game() -> None:
    driver = TableDriver("ab")
    for kind, fields in everything():
        for person in ("c", ""):
            problem = driver.refused(
                person, kind, "not-now" if kind in (Sit, Arrange, Start) else "not-seated", **fields
            )
            assert str(problem)


def test_only_the_host_arranges_seats() -> None:
    driver = TableDriver("ab.", start=False)
    for person in ("b", "c", ""):
        driver.refused(person, Arrange, "not-allowed", seat=2, bot="greedy")
    driver.do("a", Arrange, seat=2, bot="random")
    assert (driver.table.seats[2].kind, driver.table.seats[2].name) == ("bot", "random")
    driver.do("a", Arrange, seat=2, bot=None)
    assert driver.table.seats[2].kind == "open"
    driver.refused("a", Arrange, "bad-text", seat=2, bot="nonsense")


def test_the_host_arranges_seats_without_having_one() -> None:
    driver = TableDriver("ab", start=False)
    driver.do("a", Leave)
    driver.do("a", Arrange, seat=0, bot="greedy")
    driver.do("b", Start)
    assert driver.table.status == "playing"


def test_a_seat_can_be_taken_from_somebody_before_the_game() -> None:
    driver = TableDriver("ab", start=False)
    driver.do("a", Arrange, seat=1)
    assert driver.table.people() == {who_of("a")}
    driver.refused("b", Say, "not-seated", text="hey")


def test_a_name_is_changed_for_one_of_several_seats() -> None:
    driver = TableDriver("aba", start=False)
    driver.refused("a", Rename, "bad-text", name="Ada")
    driver.refused("a", Rename, "not-allowed", name="Ada", seat=1)
    driver.refused("c", Rename, "not-seated", name="Ada")
    driver.do("a", Rename, name="Ada", seat=2)
    driver.do("b", Rename, name="Bea")
    assert [seat.name for seat in driver.table.seats] == ["Anna", "Bea", "Ada"]
    driver.do("a", Start)
    driver.do("b", Rename, name="Ben")
    assert driver.table.record().players == ("Anna", "Ben", "Ada")


def test_the_game_starts_when_every_seat_is_taken() -> None:
    driver = TableDriver("a.", start=False)
    driver.refused("a", Start, "not-now")
    driver.do("b", Sit, name="B")
    driver.refused("c", Start, "not-seated")
    assert event_types(driver.do("b", Start)) == ["started"]
    assert driver.table.status == "playing"
    assert driver.table.history.deals > 0
    for kind, fields in ((Start, {}), (Sit, {"name": "C"}), (Arrange, {"seat": 1})):
        assert "already started" in str(driver.refused("a", kind, "not-now", **fields))


@pytest.mark.parametrize("name", GAMES)
def test_nothing_can_be_played_before_the_start(name: str) -> None:
    driver = TableDriver("ab", name, start=False)
    for kind, fields in ((Play, {"move": "1B1"}), (Resign, {})):
        assert "not started" in str(driver.refused("a", kind, "not-now", **fields))
    for what in ("takeback", "draw", "replace", "rematch"):
        driver.refused("a", Offer, "not-now", what=what, seat=1, bot="greedy")
    driver.refused("a", Answer, "stale", offer=1, yes=True)


@pytest.mark.parametrize(("public", "days"), [(True, 1), (False, 30)])
def test_a_table_that_nobody_starts_is_closed(public: bool, days: int) -> None:
    driver = TableDriver("ab", public=public, start=False)
    end = days * 86_400.0
    assert wakes_at(driver.table) == end
    driver.now = end - 0.001
    assert driver.tick() == []
    driver.now = end
    assert event_types(driver.tick()) == ["closed"]
    assert driver.tick() == []


def test_a_game_in_progress_is_never_closed() -> None:
    driver = TableDriver("ab", public=True)
    driver.now = 1e9
    assert driver.tick() == []
    assert wakes_at(driver.table) is None
