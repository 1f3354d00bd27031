"""The bots that are allowed at tables; the check compiles nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tilery import GAMES, Refused, game
from tilery.engine.bots import bot
from tilery.engine.family import family_of
from tilery.server.bots import check_table_bot, table_bots


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("variant", ["2", "3", "4"])
def test_every_bot_of_the_list_is_allowed(name: str, variant: str) -> None:
    table, rules = game(name), game(name).variant(variant)
    menu = table_bots(table, rules)
    names = [entry["name"] for entry in menu]
    levels = family_of(table).levels(rules)
    assert names == ["random", "greedy", *(level.name for level in levels), "plain-uct", "tilery"]
    assert all(set(entry) == {"name", "about"} and entry["about"] for entry in menu)
    assert [check_table_bot(table, rules, each) for each in names] == names
    assert all(bot(each) for each in names)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("tilery@100ms", "tilery@100ms"),
        ("tilery@0.1s", "tilery@100ms"),
        ("tilery@1s", "tilery@1s"),
        ("plain-uct@200000n", "plain-uct@200000n"),
        ("uct@50n+1s", "uct@1s+50n"),
        ("pvs@4d+500n", "pvs@500n+4d"),
        ("tilery@9ws+10ms", "tilery@10ms+9ws"),
    ],
)
def test_a_short_limit_is_accepted(asked: str, name: str) -> None:
    azul = game("azul")
    assert check_table_bot(azul, azul.rules, asked) == name
    assert bot(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "cmd:true",
        "cmd:sleep 1@10ms",
        "",
        "nobody",
        "Greedy",
        "greedy ",
        "level-0",
        "level-9",
        "level-01",
        "level-1.0",
        "level--1",
        "level-\u0661",
        "level-",
        "level-1@10ms",
        "random@10ms",
        "greedy@10n",
        "uct@10n",  # a search of another game
        "nobody@10ms",
        "@10ms",
        "tilery@",
        "tilery@1.1s",
        "tilery@200001n",
        "tilery@10n+2s",
        "tilery@10ms+999999n",
        "tilery@100wms",
        "tilery@2d",
        "tilery@2d+1ws",
        "tilery@10",
        "tilery@10ms@10ms",
        "tilery@-1n",
        "tilery@0n",
        "tilery@nans",
        "cmd",
        "x" * 100_000,
    ],
)
def test_a_refusal_says_what_was_expected(name: str) -> None:
    schokoly = game("schokoly")
    with pytest.raises(Refused, match="expected") as refused:
        check_table_bot(schokoly, schokoly.rules, name)
    assert len(str(refused.value)) < 400


def test_a_refusal_lists_the_allowed_bots() -> None:
    schokoly = game("schokoly")
    for name in ("cmd:true", "level-11"):
        with pytest.raises(Refused) as refused:
            check_table_bot(schokoly, schokoly.variant("3"), name)
        for word in ("random", "greedy", "level-1 to level-10", "plain-uct", "tilery", "worlds", "1s", "200000n"):
            assert word in str(refused.value)


def test_a_name_must_be_a_string() -> None:
    azul = game("azul")
    for name in (None, 7, ["tilery"]):
        with pytest.raises(Refused, match="is a string, not"):
            check_table_bot(azul, azul.rules, name)  # type: ignore[arg-type]


def test_levels_are_those_of_the_variant() -> None:
    azul = game("azul")
    assert check_table_bot(azul, azul.variant("2"), "level-14") == "level-14"
    with pytest.raises(Refused, match="level-1 to level-12"):
        check_table_bot(azul, azul.variant("4"), "level-14")


def test_a_search_for_two_players_is_refused_at_larger_tables() -> None:
    azul = game("azul")
    assert check_table_bot(azul, azul.variant("2"), "pvs@10ms") == "pvs@10ms"
    for seats in ("3", "4"):
        with pytest.raises(Refused, match="tilery, uct or plain-uct with a limit"):
            check_table_bot(azul, azul.variant(seats), "pvs@10ms")


def test_nothing_is_compiled_to_check_a_name() -> None:
    code = """
from tilery.engine.family import family_of
from tilery.games import GAMES
from tilery.server.bots import check_table_bot, table_bots
for game in GAMES.values():
    for bot in [*table_bots(game, game.rules), {"name": "tilery@10ms"}]:
        check_table_bot(game, game.rules, bot["name"])
    signatures = [game.kernel_source.signatures, *(kernels for _, kernels in family_of(game).kernels.values())]
    functions = [function for each in signatures for function in each]
    print(len(functions) > 10, sum(len(getattr(function, "overloads", ())) for function in functions))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n") == ["True 0"] * len(GAMES) + [""]
    assert run.stderr == ""
