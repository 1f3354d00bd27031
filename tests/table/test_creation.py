"""Creating tables: variants, clocks, seats, names, bots."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

from tests.table.table_driver import SECRET, TableDriver, check_bot, key_of, new_table, setup_of, short, who_of
from tilery.core.game import Game, Rules
from tilery.core.refusals import Refused
from tilery.games import GAMES, game
from tilery.table.commands import Start
from tilery.table.creation import SeatPlan, Setup, create_table
from tilery.table.refusals import TableRefused
from tilery.table.state import Table
from tilery.table.wire import ClockSetting


def refused(setup: Setup, person: str = "a") -> TableRefused:
    with pytest.raises(TableRefused) as caught:
        new_table(setup, person)
    return caught.value


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_has_the_game_seats_and_settings_of_its_setup(name: str, seats: int) -> None:
    clock = {"base": 600, "increment": 5}
    setup = setup_of("a" + "*." * 2, name, clock=clock, public=True, chat=False)
    new = new_table(msgspec.structs.replace(setup, seats=setup.seats[:seats]), now=5.5)
    table = Table("T", new.event, game)
    assert (table.game.name, table.rules.seats, table.status, table.created_at) == (name, seats, "open", 5.5)
    assert [seat.kind for seat in table.seats] == ["person", "bot", "open", "bot"][:seats]
    assert [seat.name for seat in table.seats] == ["Anna", "greedy", "", "greedy"][:seats]
    assert table.clock is not None
    assert table.clock.write() == clock
    assert (table.public, table.has_chat, table.before) == (True, False, "")
    assert table.host == who_of("a")
    assert new.secret == SECRET
    assert table.commitment == hashlib.sha256(SECRET).hexdigest()


def test_settings_have_defaults() -> None:
    event = new_table(setup_of("a.")).event
    assert (event.clock, event.public, event.chat, event.before) == (None, False, True, "")
    assert (event.by, event.id) == ("", "")


@pytest.mark.parametrize(
    ("name", "seats", "variant", "rules"),
    [
        ("azul", "a.", "", "2,stall=10"),
        ("azul", "a..", "specials, GREY", "3,grey,specials,stall=10"),
        ("azul", "a...", "stall=4", "4,stall=4"),
        ("azul", "a.", " grey\n", "2,grey,stall=10"),
        ("chocolatier", "a.", "start=drawn,", "2,start=drawn,stall=10"),
        ("schokoly", "a.", "classic", "2"),
        ("schokoly", "a..", "swap,large", "3,large,swap"),
    ],
)
def test_variants_are_normalised_and_get_the_limits_of_tables(name: str, seats: str, variant: str, rules: str) -> None:
    assert new_table(setup_of(seats, name, variant=variant)).event.rules == rules


@pytest.mark.parametrize(
    ("name", "seats", "variant", "expected"),
    [
        ("azul", "a", "", "seats"),
        ("azul", "", "", "seats"),
        ("azul", "a....", "", "seats"),
        ("azul", "a" * 1000, "", "seats"),
        ("azul", "a.", "swap", "option"),
        ("azul", "a.", "2", "option"),
        ("azul", "a.", "start=3", ""),
        ("azul", "a.", "rounds=99999999999999999999", ""),
        ("azul", "a.", "grey" + " " * 100 + "x", "100 characters"),
        ("azul", "a.", "x" * 1_000_000, "100 characters"),
        ("schokoly", "a.", "swap", "SC-50"),
        ("schokoly", "a...", "swap", "SC-50"),
        ("schokoly", "a.", "\ud800", "option"),
        ("chess", "a.", "", "chess"),
        ("", "a.", "", "azul"),
        ("\u202e\ud800" * 1000, "a.", "", "there is no game"),
    ],
    ids=short,
)
def test_a_game_or_a_variant_that_does_not_exist_is_refused(name: str, seats: str, variant: str, expected: str) -> None:
    problem = refused(setup_of(seats, name, variant=variant))
    assert problem.kind == "bad-text"
    assert expected in str(problem)
    assert len(str(problem)) < 300
    str(problem).encode()


GOOD_CLOCKS: list[dict[str, int]] = [
    {"base": 10},
    {"base": 10, "increment": 0},
    {"base": 3 * 3600, "increment": 180},
    {"days": 1},
    {"days": 14},
]
BAD_CLOCKS: list[Any] = [
    {},
    {"base": 9},
    {"base": 3 * 3600 + 1},
    {"base": -600},
    {"base": 600, "increment": -1},
    {"base": 600, "increment": 181},
    {"increment": 5},
    {"days": 0},
    {"days": 15},
    {"days": -1},
    {"days": 1, "base": 600},
    {"days": 10**30},
]
NO_CLOCKS: list[Any] = [
    {"days": True},
    {"base": 600.0},
    {"base": "600"},
    {"base": 600, "bonus": 1},
    [],
    600,
    "600",
]


@pytest.mark.parametrize("clock", GOOD_CLOCKS)
def test_clocks_within_the_limits_are_accepted(clock: dict[str, int]) -> None:
    event = new_table(setup_of("a.", clock=clock)).event
    assert event.clock == ({"increment": 0, **clock} if "base" in clock else clock)


@pytest.mark.parametrize("clock", BAD_CLOCKS)
def test_clocks_beyond_the_limits_are_refused(clock: Any) -> None:
    problem = refused(setup_of("a.", clock=clock))
    assert problem.kind == "bad-text"
    assert "a clock is" in str(problem)


@pytest.mark.parametrize("clock", NO_CLOCKS)
def test_what_is_not_a_clock_is_not_read(clock: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(clock, ClockSetting)


def test_bots_are_checked_with_game_and_rules() -> None:
    heard = []

    def check(game: Game, rules: Rules, bot: str) -> None:
        heard.append((game.name, rules.text, bot))

    create_table(setup_of("a*.*", "schokoly", variant="large"), key_of("a"), 0.0, ("T", SECRET), game, check)
    assert heard == [("schokoly", "4,large", "greedy")] * 2


def test_an_unknown_bot_is_refused() -> None:
    seats = (SeatPlan(kind="me"), SeatPlan(kind="bot", bot="cmd:rm -rf /"))
    problem = refused(Setup(game="azul", seats=seats))
    assert problem.kind == "bad-text"
    assert "no bot" in str(problem)


def test_one_person_may_take_several_seats() -> None:
    seats = (SeatPlan(kind="me", name="Anna"), SeatPlan(kind="open"), SeatPlan(kind="me", name="Ben"))
    table = Table("T", new_table(Setup(game="azul", seats=seats)).event, game)
    assert table.seats_of(who_of("a")) == [0, 2]
    assert [seat.name for seat in table.seats] == ["Anna", "", "Ben"]
    assert table.people() == {who_of("a")}


def test_the_default_name_is_the_number_of_the_seat() -> None:
    seats = (SeatPlan(kind="open", name="ignored"), SeatPlan(kind="me"), SeatPlan(kind="bot", bot="greedy", name="x"))
    assert new_table(Setup(game="azul", seats=seats)).event.names == ("", "Player 2", "greedy")


def test_creating_a_table_requires_a_token() -> None:
    assert refused(setup_of("a."), person="").kind == "not-allowed"


def test_the_host_starts_a_table_of_bots() -> None:
    driver = TableDriver("**", "schokoly", start=False)
    driver.refused("b", Start, "not-seated")
    driver.refused("", Start, "not-seated")
    driver.do("a", Start)
    driver.finish(7)
    assert driver.table.result is not None


NAMES = [
    ("  Anna \t Lena\n", "Anna Lena"),
    ("A\u0308ra", "Ära"),
    ("\u00a0Zo\u3000e\u2003", "Zo e"),
    ("日本", "日本"),
    ("O'Neil <b>&amp;", "O'Neil <b>&amp;"),
    ("🦊", "🦊"),
    ("x" * 24, "x" * 24),
    (" " * 36 + "x" + " " * 36, "x"),
]
BAD_NAMES = [
    "",
    " ",
    "\u2003\n",
    "x" * 25,
    "x" * 1_000_000,
    " " * 1_000_000,
    "a\x00b",
    "a\x07b",
    "a\x1bb",
    "a\x7fb",
    "a\u202eb",
    "a\u2066b",
    "a\u200fb",
    "a\u200bb",
    "\u200b",
    "a\u00adb",
    "\ufeffa",
    "a\ue000",
    "a\uffff",
    "a\ud800",
    "a\U000e0041",
]


@pytest.mark.parametrize(("name", "kept"), NAMES, ids=short)
def test_names_are_normalised_to_one_line(name: str, kept: str) -> None:
    seats = (SeatPlan(kind="me", name=name), SeatPlan(kind="open"))
    assert new_table(Setup(game="azul", seats=seats)).event.names[0] == kept


@pytest.mark.parametrize("name", BAD_NAMES[1:], ids=short)
def test_names_with_misleading_characters_are_refused(name: str) -> None:
    problem = refused(Setup(game="azul", seats=(SeatPlan(kind="me", name=name), SeatPlan(kind="open"))))
    assert problem.kind == "bad-text"
    assert "a name" in str(problem)
    assert len(str(problem)) < 100
    assert str(problem).isascii()


def test_the_given_bot_check_is_used() -> None:
    with pytest.raises(TableRefused):
        create_table(setup_of("a*"), key_of("a"), 0.0, ("T", SECRET), game, _nothing_but_people)
    create_table(setup_of("a*"), key_of("a"), 0.0, ("T", SECRET), game, check_bot)


def _nothing_but_people(_: Game, __: Rules, bot: str) -> None:
    raise TableRefused.of("bad-text", Refused(f"no bots here, not even {bot}"))
