"""What the server does for itself: compile the rules before anybody comes, and look for garbage without a pause."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import weakref
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tilery.core import jit
from tilery.games import GAMES
from tilery.server import serving


class Loop:
    """Something that only the search for cycles can free."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture
def python_as_it_was() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def freed(rounds: int) -> bool:
    """Whether a cycle is gone after so many looks."""

    async def story() -> bool:
        seen = weakref.ref(Loop())
        tidying = asyncio.ensure_future(serving._tidy())
        await asyncio.sleep(serving.TIDY * (rounds + 0.5))
        tidying.cancel()
        return seen() is None

    gc.collect()
    gc.disable()
    return asyncio.run(story())


@pytest.mark.usefixtures("python_as_it_was")
def test_garbage_is_found_when_much_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "TIDY", 0.02)
    monkeypatch.setattr(serving, "MUCH", 0)
    assert freed(3)


@pytest.mark.usefixtures("python_as_it_was")
def test_garbage_is_found_among_everything_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "TIDY", 0.02)
    monkeypatch.setattr(serving, "MUCH", 1 << 40)
    assert not freed(3)
    monkeypatch.setattr(serving, "ALL_EVERY", 2)
    assert freed(3)


class Compiling:
    """A game that notes where its rules are compiled."""

    name = family = "azul"
    kernel_source = SimpleNamespace(name="the rules of Azul")

    def __init__(self) -> None:
        self.done: list[str] = []

    @property
    def kernel(self) -> None:
        self.done.append("here")


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> Compiling:
    game = Compiling()
    monkeypatch.setattr(serving, "GAMES", {"azul": game})
    monkeypatch.setattr(serving, "is_compiled", lambda *_: bool(game.done))
    monkeypatch.setattr(serving, "keeps_code", lambda _: True)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: game.done.append("elsewhere"))
    return game


def test_rules_are_compiled_before_the_doors_open_but_only_once(compiling: Compiling) -> None:
    serving.compile_rules()
    serving.compile_rules()
    assert compiling.done == ["elsewhere"]


def test_rules_are_compiled_here_where_nothing_is_kept(compiling: Compiling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "keeps_code", lambda _: False)
    serving.compile_rules()
    assert compiling.done == ["here"]


def test_rules_are_compiled_here_if_the_other_process_could_not(
    compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    serving.compile_rules()
    assert compiling.done == ["here"]


def test_the_other_process_can_do_what_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    run = subprocess.run
    monkeypatch.setattr(serving, "is_compiled", lambda *_: bool(done))
    monkeypatch.setattr(serving, "keeps_code", lambda _: True)
    monkeypatch.setattr(subprocess, "run", lambda *words, **how: done.append(run(*words, **how).returncode))
    serving.compile_rules()
    assert done == [0]


def test_the_mark_of_compiled_rules_is_the_one_that_is_looked_for() -> None:
    for game in GAMES.values():
        _ = game.kernel
        assert jit.is_compiled(game.kernel_source.name, game.family)
