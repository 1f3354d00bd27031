"""Twin worlds: two games that differ only in cards that are hidden from a person. Every message to this person must be
the same in both."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import count

import pytest

from tests.table.table_driver import SECRET, TableDriver, who_of
from tilery.core.kernel.actors import CHANCE, SPECTATOR
from tilery.core.position import Position
from tilery.games.schokoly import SCHOKOLY
from tilery.table import commands, wire
from tilery.table.fairness import Dealer
from tilery.table.refusals import TableRefused
from tilery.table.rendering import previews_of, replay_of
from tilery.table.views import (
    ClientMessage,
    TableViews,
    VisibleGame,
    lobby_card,
    own_turn,
    refusal_message,
    visible_record,
)

PATTERNS = list(SCHOKOLY.new().probabilities())  # +DDDM and so on
CARDS = [name[1:] for name in PATTERNS]
PROBES = [
    *("pass", "accept", "decline", "no-token", "dark", "token@0,0", "offer:?1>2", "answer:?0", "+?", "nonsense"),
    *PATTERNS,
    *(f"accept:{card}" for card in CARDS),
    *(f"answer:{card}" for card in CARDS),
    *(f"offer:{card}>{seat}" for card in CARDS for seat in (1, 2, 3)),
    *(f"{card}@2,0" for card in CARDS),
    *(f"{card}@1,1^" for card in CARDS),
]


class Script(Dealer):
    """Deals given actions."""

    __slots__ = ("_actions",)

    def __init__(self, actions: Sequence[int]) -> None:
        super().__init__(SECRET)
        self._actions = actions

    def deal(self, position: Position, entropy: str, number: int) -> int:  # noqa: ARG002
        return self._actions[number]


def random_actions(variant: str, plies: int, dice: random.Random) -> list[int]:
    """A random game so far, with many swaps; it stops when a seat has to move."""
    position = SCHOKOLY.new(variant)
    actions: list[int] = []
    while position.actor != -2 and (len(actions) < plies or position.actor == CHANCE):
        legal = position.actions()
        talk = [action for action in legal if action < 1 << 23]
        action = dice.choice(talk if talk and position.actor != CHANCE and dice.random() < 0.5 else legal)
        if position.actor == CHANCE:
            action = position.action(dice.choices(*zip(*position.probabilities().items(), strict=True))[0])
        actions.append(action)
        position = position.play(action)
    return actions


def twin_of(actions: list[int], variant: str, viewers: tuple[int, ...], dice: random.Random) -> list[int] | None:
    """Another game that looks the same to the viewers; None if this attempt finds none."""
    one = two = SCHOKOLY.new(variant)
    twin: list[int] = []
    strange = dice.choice([0.03, 0.1, 0.3])
    for action in actions:
        seen = [one.veiled(action, viewer) for viewer in viewers]
        choice = action
        legal = two.refusal(action) is None and [two.veiled(action, viewer) for viewer in viewers] == seen
        if not legal or (seen != [action] * len(viewers) and dice.random() < strange):
            fitting = [
                other
                for other in two.actions()
                if other != action and [two.veiled(other, viewer) for viewer in viewers] == seen
            ]
            if not fitting and not legal:
                return None
            choice = dice.choice(fitting or [action])
        one, two = one.play(action), two.play(choice)
        if any(one.seen_by(viewer) != two.seen_by(viewer) for viewer in viewers):
            return None
        twin.append(choice)
    return twin if one != two else None


@cache
def twins(variant: str, viewers: tuple[int, ...], number: int) -> tuple[list[int], list[int]]:
    dice = random.Random(f"{variant} {viewers} {number}")
    while True:
        actions = random_actions(variant, dice.choice([12, 30, 60, 90]), dice)
        for _ in range(40):
            twin = twin_of(actions, variant, viewers, dice)
            if twin:
                return actions, twin


def driver_of(seats: str, variant: str, actions: list[int]) -> tuple[TableDriver, list[str]]:
    """A table at the start of its game, and the moves to make there."""
    deals, moves = [], []
    position = SCHOKOLY.new(variant)
    for action in actions:
        if position.actor == CHANCE:
            deals.append(action)
        else:
            moves.append(position.move_text(action))
        position = position.play(action)
    options = variant.partition(",")[2]
    return TableDriver(
        seats, "schokoly", variant=options, dealer=Script(deals), clock={"base": 600, "increment": 1}
    ), moves


def all_messages(driver: TableDriver, person: str) -> list[str | bytes]:
    """Every message that a person could get now, except for replies."""
    who = who_of(person)
    views = TableViews(driver.table, driver.now)
    texts: list[str | bytes] = [driver.updates().update(who, chat=True).data, lobby_card(driver.table)]
    texts.append(TableViews(driver.table, driver.now, None, driver.applied).update(who, chat=True).data)
    texts.append(views.welcome(who, after=None, chat=True, heartbeat=1.0).data)
    texts.append(
        wire.encode(replay_of(visible_record(driver.table, who), is_over=VisibleGame(driver.table, who).is_over))
    )
    if driver.turn_of == person:
        texts.append(wire.encode(previews_of(own_turn(driver.table, who), PROBES)))
    for after in range(max(0, driver.table.number - 25), driver.table.number + 1, 6):
        texts.append(views.welcome(who, after=after, chat=True, heartbeat=1.0).data)
    texts.append(visible_record(driver.table, who).text)
    return texts


def replies(driver: TableDriver, person: str) -> list[str | bytes]:
    texts: list[str | bytes] = []
    attempts: list[commands.AnyCommand] = [commands.Play(id="p", step=driver.table.step, move=move) for move in PROBES]
    for what in ("takeback", "draw", "replace", "rematch"):
        attempts.append(commands.Offer(id="o", step=driver.table.step, what=what, seat=1, bot="greedy"))
    for command in attempts:
        try:
            texts.append(f"fine, {len(driver.handle(person, command).events)} events")
        except TableRefused as refused:
            texts.append(ClientMessage(refusal_message(refused, command.id)).data)
    return texts


CASES = [
    ("ab", "2", "a", (0,)),
    ("ab", "2,large", "b", (1,)),
    ("ab", "2", "x", (SPECTATOR,)),
    ("abc", "3", "c", (2,)),
    ("abc", "3,swap", "a", (0,)),
    ("abc", "3,swap", "b", (1,)),
    ("abc", "3,large,swap", "c", (2,)),
    ("abc", "3,swap", "", (SPECTATOR,)),
    ("aab", "3,swap", "a", (0, 1)),
    ("abcd", "4", "d", (3,)),
]


@pytest.mark.parametrize(("seats", "variant", "person", "viewers"), CASES)
@pytest.mark.parametrize("number", range(3))
def test_messages_do_not_depend_on_hidden_cards(
    seats: str, variant: str, person: str, viewers: tuple[int, ...], number: int
) -> None:
    first, second = twins(variant, viewers, number)
    assert first != second
    (one, moves), (two, others) = driver_of(seats, variant, first), driver_of(seats, variant, second)
    assert len(moves) == len(others)
    for turn, (move, other) in enumerate(zip(moves, others, strict=True)):
        assert one.turn_of == two.turn_of
        whole = turn % 8 == 0 or turn > len(moves) - 3
        if whole:
            assert all_messages(one, person) == all_messages(two, person)
            assert replies(one, person) == replies(two, person)
        for driver, chosen in ((one, move), (two, other)):
            driver.now += 1
            driver.do(driver.turn_of, commands.Play, move=chosen)
    assert one.table.position != two.table.position
    assert all_messages(one, person) == all_messages(two, person)
    # For somebody else the worlds do differ, so the comparison can fail.
    everybody = [letter for letter in dict.fromkeys(seats) if letter != person]
    assert any(all_messages(one, letter) != all_messages(two, letter) for letter in everybody) or (
        one.table.position.view["hands"] == two.table.position.view["hands"]
    )


def hand_over(driver: TableDriver, how: str, seat: int) -> None:
    """Let a bot take over a seat."""
    person = driver.table.seats[seat].key[:1]
    if how == "resigns":
        driver.do(person, commands.Resign, seat=seat)
    else:
        driver.do(person, commands.Leave)
        others = dict.fromkeys(each.who[:1] for each in driver.table.seats if each.who[:1] not in ("", person))
        by, *asked = others
        driver.agree(by, "replace", "".join(asked), seat=seat, bot="greedy")
    assert driver.table.seats[seat].kind == "bot"


def play_on(driver: TableDriver, move: str) -> None:
    """The seat to move moves: its person, or the bot that has taken over."""
    driver.now += 1
    bot = None if driver.turn_of else driver.actor
    driver.do(driver.turn_of, commands.Play, by_bot=bot, move=move)


def twins_of_a_seat(variant: str, viewers: tuple[int, ...], number: int) -> tuple[list[int], list[int], int]:
    """Twins with some moves that differ for the seat, which is none of the viewers."""
    for attempt in count(number * 100):
        pair = twins(variant, viewers, attempt)
        one, two = positions = [SCHOKOLY.new(variant), SCHOKOLY.new(variant)]
        moves = 0
        for actions in zip(*pair, strict=True):
            moves += one.actor != CHANCE
            one, two = positions = [each.play(action) for each, action in zip(positions, actions, strict=True)]
        differing = [seat for seat in range(one.rules.seats) if one.seen_by(seat) != two.seen_by(seat)]
        if moves >= 6 and differing and (viewers == (SPECTATOR,) or 0 in differing):
            return *pair, differing[0]
    raise AssertionError


@pytest.mark.parametrize(
    ("how", "seats", "variant", "viewers"),
    [
        ("resigns", "abc", "3", (SPECTATOR,)),
        ("resigns", "abc", "3,swap", (SPECTATOR,)),
        ("is replaced", "ab", "2", (SPECTATOR,)),
        ("is replaced", "abc", "3,swap", (SPECTATOR,)),
        ("is replaced", "abcd", "4", (SPECTATOR,)),  # partners
        ("resigns", "aab", "3,swap", (1,)),  # and still plays seat 1
    ],
)
@pytest.mark.parametrize("number", range(3))
def test_who_no_longer_plays_a_seat_does_not_see_its_cards(
    how: str, seats: str, variant: str, viewers: tuple[int, ...], number: int
) -> None:
    first, second, seat = twins_of_a_seat(variant, viewers, number)
    (one, moves), (two, others) = driver_of(seats, variant, first), driver_of(seats, variant, second)
    person, when = seats[seat], len(moves) // 3
    for turn, (move, other) in enumerate(zip(moves, others, strict=True)):
        if turn == when:
            for driver in (one, two):
                hand_over(driver, how, seat)
        if turn >= when and (turn % 8 == 0 or turn in (when, len(moves) - 1)):
            assert all_messages(one, person) == all_messages(two, person)
            assert replies(one, person) == replies(two, person)
        play_on(one, move)
        play_on(two, other)
    assert one.table.position != two.table.position
    assert all_messages(one, person) == all_messages(two, person)
    state = one.state(person)
    if viewers == (SPECTATOR,):
        assert (state["you"], state["viewer"]) == ([seat], None)
        assert state["position"] == one.state("x")["position"]
    else:
        assert (state["you"], state["viewer"]) == ([0, 1], 1)
