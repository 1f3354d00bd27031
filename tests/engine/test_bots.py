"""The bots: always a legal move, the same one for the same stream, and sensible moves of greedy."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.variants import EVERY
from tilery import CHANCE, OVER, Position, Refused, Stream, game
from tilery.core.game import Rules as AnyRules
from tilery.engine.bots import BOTS, bot
from tilery.engine.family import family_of
from tilery.games import GAMES
from tilery.games.azul import Rules

START = game("azul").new().settle(Stream("bots"))


def bot_game(players: tuple[str, ...], rules: AnyRules, seed: int, name: str = "azul") -> list[Position]:
    """All positions of a game between bots, each of which gets only what its seat sees."""
    position = game(name).new(rules)
    positions = [position]
    while position.actor != OVER:
        stream = Stream("bots", seed, len(positions))
        if position.actor == CHANCE:
            action = position.draw(stream)
        else:
            seat = position.actor
            action = bot(players[seat]).choose(position.seen_by(seat), stream)
            assert action in position.actions()
        position = position.play(action)
        positions.append(position)
    return positions


@pytest.mark.parametrize(
    ("name", "rules"),
    [(name, rules) for name, every in EVERY.items() for rules in every],
    ids=lambda part: part if isinstance(part, str) else part.text,
)
def test_bots_make_only_legal_moves_and_games_end_in_every_variant(name: str, rules: AnyRules) -> None:
    players = ("greedy", "random", "greedy", "random")[: rules.seats]
    last = bot_game(players, rules, 1, name)[-1]
    assert last.outcome is not None
    assert type(bot("greedy").choose(START.seen_by(0), Stream("bots"))) is int


@pytest.mark.parametrize("name", list(BOTS))
def test_a_bot_makes_the_same_move_for_the_same_stream(name: str) -> None:
    name = "tilery@2000n" if name == "tilery" else name  # with a time limit the move depends on the machine
    for position in bot_game(("greedy", "greedy"), Rules(stall_limit=10), 2)[::7]:
        if position.actor >= 0:
            seen = position.seen_by(position.actor)
            assert bot(name).choose(seen, Stream("a", 1)) == bot(name).choose(seen, Stream("a", 1))


def test_random_makes_every_legal_move_equally_often() -> None:
    position = game("azul").read(
        "azul:2 round=3 offer:2 starter=1 marker=2 bag=10/7/6/8/9 lid=6/5/7/6/5 centre=BBWWW "
        "discs=YYRW/-/-/YYRW/BYRK 0|-/K/K/KK/W|.Y.../.B.../...../...../.....|- "
        "0|-/Y/Y/RRR/-|..R../...../K..../...../.....|m"
    )
    seen = position.seen_by(1)
    stream = Stream("random", 1)
    counts = Counter(bot("random").choose(seen, stream) for _ in range(42 * 200))
    assert sorted(counts) == position.actions()
    # Chi-squared with 41 degrees of freedom: above 75 in one of a thousand tests.
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 75


def greedy_moves(text: str) -> set[str]:
    """The moves that greedy plays in a position, over many streams."""
    position = game("azul").read(text)
    seen = position.seen_by(position.actor)
    return {position.move_text(bot("greedy").choose(seen, Stream("greedy", k))) for k in range(40)}


def test_greedy_does_not_throw_tiles_to_the_floor_for_nothing() -> None:
    assert not {move for move in greedy_moves(START.text) if move.endswith("F")}


def test_greedy_completes_a_row_that_scores() -> None:
    moves = greedy_moves(
        "azul:2 round=5 offer:1 starter=1 marker=C bag=14/13/15/13/18 lid=0/0/0/0/0 centre=- "
        "discs=YYRW/BYRK/BYRK/BBKK/YKKW 20|-/-/-/-/-|BYRK./...../...../...../.....|- "
        "20|-/-/-/-/-|BYR../...../...../...../.....|-"
    )
    assert moves <= {"1W1", "5W1"}


def test_greedy_breaks_ties_by_its_stream() -> None:
    empty = "...../...../...../...../....."
    text = (
        "azul:2 round=1 offer:1 starter=1 marker=C bag=18/15/15/16/16 lid=0/0/0/0/0 centre=- "
        f"discs=BYRK/BYRK/YRKW/YRKW/YRWW 0|-/-/-/-/-|{empty}|- 0|-/-/-/-/-|{empty}|-"
    )
    assert len(greedy_moves(text)) > 1


def test_bots_have_unique_names_and_codes() -> None:
    assert [name for name, each in BOTS.items() if each.name != name] == []
    codes = [each.code for each in BOTS.values() if each.code is not None]
    assert len(set(codes)) == len(codes) == 2
    assert all(each.about for each in BOTS.values())


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(Refused, match=r"there is no bot 'genius': expected random, greedy, level-1, .* or tilery"):
        bot("genius")


def test_games_of_one_family_share_its_engine() -> None:
    known = {each.name: family_of(each) for each in GAMES.values()}
    assert known["azul"] is known["chocolatier"]
    assert known["azul"] is not known["schokoly"]
