"""Before the game: sitting down, standing up, names, bots, the start; and tables that nobody starts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.driving import Room, key_of, kinds, short, who_of
from tests.table.test_founding import NAMES, NO_NAMES
from tilery.games import GAMES
from tilery.table.commands import Answer, AnyCommand, Arrange, Leave, Offer, Play, Rename, Resign, Say, Sit, Start
from tilery.table.handling import OPEN_FOR, wakes_at


def test_who_sits_down_gets_the_first_open_seat() -> None:
    room = Room("a...", start=False)
    assert kinds(room.do("b", Sit, name="Ben")) == ["sat"]
    room.do("c", Sit, name="Cleo", seat=3)
    assert [seat.name for seat in room.table.seats] == ["Anna", "Ben", "", "Cleo"]
    assert [seat.kind for seat in room.table.seats] == ["person", "person", "open", "person"]
    assert room.table.seats[3].key == key_of("c")


def test_one_person_may_sit_down_twice() -> None:
    room = Room("a..", start=False)
    room.do("b", Sit, name="Ben")
    room.do("b", Sit, name="Bea")
    assert room.table.seats_of(who_of("b")) == [1, 2]


@pytest.mark.parametrize("seat", [-1, 2, 10**30, -(10**30)])
def test_seats_that_are_not_there_are_refused(seat: int) -> None:
    room = Room("a.", start=False)
    room.refused("b", Sit, "bad-text", name="Ben", seat=seat)
    room.refused("a", Arrange, "bad-text", seat=seat, bot="greedy")
    room.refused("a", Rename, "not-allowed", name="Ada", seat=seat)


def test_a_taken_seat_is_refused() -> None:
    room = Room("a*.", start=False)
    room.refused("b", Sit, "taken", name="Ben", seat=0)
    room.refused("b", Sit, "taken", name="Ben", seat=1)
    room.do("b", Sit, name="Ben")
    room.refused("c", Sit, "taken", name="Cleo")
    room.refused("c", Sit, "taken", name="Cleo", seat=2)


def test_a_seat_is_taken_with_a_token() -> None:
    Room("a.", start=False).refused("", Sit, "not-allowed", name="Ben")


@pytest.mark.parametrize(("name", "kept"), NAMES, ids=short)
def test_names_are_tidied_when_somebody_sits_down_or_changes_the_name(name: str, kept: str) -> None:
    room = Room("a.", start=False)
    room.do("b", Sit, name=name)
    assert room.table.seats[1].name == kept
    room.do("a", Rename, name=name)
    assert room.table.seats[0].name == kept


@pytest.mark.parametrize("name", NO_NAMES, ids=short)
def test_names_that_cannot_be_shown_honestly_are_refused_everywhere(name: str) -> None:
    room = Room("a.", start=False)
    room.refused("b", Sit, "bad-text", name=name)
    room.refused("a", Rename, "bad-text", name=name)


@pytest.mark.parametrize("entropy", ["g", "A", "0" * 65, " ", "0\n", "٣", "ab,cd", "ab/0", "x" * 10**6], ids=short)
def test_entropy_is_small_hexadecimal_text(entropy: str) -> None:
    room = Room("a.", start=False)
    room.refused("b", Sit, "bad-text", name="Ben", entropy=entropy)
    room.do("b", Sit, name="Ben", entropy="0" * 64)
    room.refused("b", Start, "bad-text", entropy=entropy)


def test_all_entropy_goes_into_the_deals_in_its_order() -> None:
    room = Room("a...", start=False)
    room.do("c", Sit, name="C", seat=3, entropy="03")
    room.do("b", Sit, name="B", entropy="01")
    room.do("d", Sit, name="D")
    room.do("d", Start, entropy="ff")
    assert room.table.record().tags["Entropy"] == "03,01,ff"


def test_who_stands_up_takes_the_entropy_along_so_that_it_cannot_pile_up() -> None:
    room = Room("a..", start=False)
    room.do("b", Sit, name="B", entropy="b0")
    for round_ in range(100):
        room.do("c", Sit, name="C", entropy=f"{round_:064x}")
        if round_ % 2:
            room.do("c", Leave)
        else:
            room.do("a", Arrange, seat=2)
    room.do("a", Arrange, seat=2, bot="greedy")
    room.do("a", Start)
    assert room.table.record().tags["Entropy"] == "b0"
    assert room.table.record().text


def test_who_leaves_before_the_game_makes_room() -> None:
    room = Room("ab.", start=False)
    room.do("b", Sit, name="Bea")
    assert kinds(room.do("b", Leave)) == ["left"]
    assert [seat.kind for seat in room.table.seats] == ["person", "open", "open"]
    assert room.table.status == "open"
    room.refused("b", Leave, "not-seated")


def test_the_last_person_who_leaves_closes_the_table() -> None:
    room = Room("ab*", start=False)
    assert kinds(room.do("a", Leave)) == ["left"]
    assert kinds(room.do("b", Leave)) == ["left", "closed"]
    assert room.table.status == "closed"
    assert wakes_at(room.table) is None


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
    room = Room("ab", start=False)
    room.now = OPEN_FOR[False]
    assert kinds(room.tick()) == ["closed"]
    for kind, fields in everything():
        for person in ("a", "b", "c", ""):
            assert "closed" in str(room.refused(person, kind, "not-now", **fields))


def test_a_spectator_can_do_nothing_while_a_game_goes_on() -> None:
    room = Room("ab")
    for kind, fields in everything():
        for person in ("c", ""):
            problem = room.refused(person, kind, "not-now" if kind in (Sit, Arrange, Start) else "not-seated", **fields)
            assert str(problem)


def test_only_who_made_the_table_arranges_its_seats() -> None:
    room = Room("ab.", start=False)
    for person in ("b", "c", ""):
        room.refused(person, Arrange, "not-allowed", seat=2, bot="greedy")
    room.do("a", Arrange, seat=2, bot="random")
    assert (room.table.seats[2].kind, room.table.seats[2].name) == ("bot", "random")
    room.do("a", Arrange, seat=2, bot=None)
    assert room.table.seats[2].kind == "open"
    room.refused("a", Arrange, "bad-text", seat=2, bot="nonsense")


def test_who_made_the_table_arranges_it_without_a_seat_too() -> None:
    room = Room("ab", start=False)
    room.do("a", Leave)
    room.do("a", Arrange, seat=0, bot="greedy")
    room.do("b", Start)
    assert room.table.status == "playing"


def test_a_seat_can_be_taken_from_somebody_before_the_game() -> None:
    room = Room("ab", start=False)
    room.do("a", Arrange, seat=1)
    assert room.table.people() == {who_of("a")}
    room.refused("b", Say, "not-seated", text="hey")


def test_a_name_is_changed_for_one_of_several_seats() -> None:
    room = Room("aba", start=False)
    room.refused("a", Rename, "bad-text", name="Ada")
    room.refused("a", Rename, "not-allowed", name="Ada", seat=1)
    room.refused("c", Rename, "not-seated", name="Ada")
    room.do("a", Rename, name="Ada", seat=2)
    room.do("b", Rename, name="Bea")
    assert [seat.name for seat in room.table.seats] == ["Anna", "Bea", "Ada"]
    room.do("a", Start)
    room.do("b", Rename, name="Ben")
    assert room.table.record().players == ("Anna", "Ben", "Ada")


def test_the_game_starts_when_every_seat_is_taken() -> None:
    room = Room("a.", start=False)
    room.refused("a", Start, "not-now")
    room.do("b", Sit, name="B")
    room.refused("c", Start, "not-seated")
    assert kinds(room.do("b", Start)) == ["started"]
    assert room.table.status == "playing"
    assert room.table.deals > 0
    for kind, fields in ((Start, {}), (Sit, {"name": "C"}), (Arrange, {"seat": 1})):
        assert "begun" in str(room.refused("a", kind, "not-now", **fields))


@pytest.mark.parametrize("name", GAMES)
def test_before_the_start_nothing_can_be_played(name: str) -> None:
    room = Room("ab", name, start=False)
    for kind, fields in ((Play, {"move": "1B1"}), (Resign, {})):
        assert "not begun" in str(room.refused("a", kind, "not-now", **fields))
    for what in ("takeback", "draw", "replace", "rematch"):
        room.refused("a", Offer, "not-now", what=what, seat=1, bot="greedy")
    room.refused("a", Answer, "stale", offer=1, yes=True)


@pytest.mark.parametrize(("public", "days"), [(True, 1), (False, 30)])
def test_a_table_that_nobody_starts_is_closed_in_time(public: bool, days: int) -> None:
    room = Room("ab", public=public, start=False)
    end = days * 86_400.0
    assert wakes_at(room.table) == end
    room.now = end - 0.001
    assert room.tick() == []
    room.now = end
    assert kinds(room.tick()) == ["closed"]
    assert room.tick() == []


def test_a_game_that_has_begun_is_never_closed() -> None:
    room = Room("ab", public=True)
    room.now = 1e9
    assert room.tick() == []
    assert wakes_at(room.table) is None
