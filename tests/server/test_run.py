"""The start of the server: rules are compiled first; and its garbage collection."""

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
from tilery.server import run


class Loop:
    """An object that only the garbage collector can free."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture
def python_as_it_was() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def freed(rounds: int) -> bool:
    """Whether a reference cycle is freed after a number of checks."""

    async def story() -> bool:
        seen = weakref.ref(Loop())
        collecting = asyncio.ensure_future(run._collect_garbage())
        await asyncio.sleep(run.GC_INTERVAL * (rounds + 0.5))
        collecting.cancel()
        return seen() is None

    gc.collect()
    gc.disable()
    return asyncio.run(story())


@pytest.mark.usefixtures("python_as_it_was")
def test_garbage_is_collected_after_many_new_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "GC_INTERVAL", 0.02)
    monkeypatch.setattr(run, "GC_MIN_NEW_OBJECTS", 0)
    assert freed(3)


@pytest.mark.usefixtures("python_as_it_was")
def test_a_full_collection_runs_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "GC_INTERVAL", 0.02)
    monkeypatch.setattr(run, "GC_MIN_NEW_OBJECTS", 1 << 40)
    assert not freed(3)
    monkeypatch.setattr(run, "FULL_GC_EVERY", 2)
    assert freed(3)


class Compiling:
    """A game that records where its rules are compiled."""

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
    monkeypatch.setattr(run, "GAMES", {"azul": game})
    monkeypatch.setattr(run, "is_compiled", lambda *_: bool(game.done))
    monkeypatch.setattr(run, "has_shared_cache", lambda _: True)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: game.done.append("elsewhere"))
    return game


def test_rules_are_compiled_once_in_a_subprocess(compiling: Compiling) -> None:
    run.compile_rules()
    run.compile_rules()
    assert compiling.done == ["elsewhere"]


def test_rules_are_compiled_in_this_process_without_a_shared_cache(
    compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "has_shared_cache", lambda _: False)
    run.compile_rules()
    assert compiling.done == ["here"]


def test_rules_are_compiled_in_this_process_if_the_subprocess_failed(
    compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    run.compile_rules()
    assert compiling.done == ["here"]


def test_the_subprocess_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    real_run = subprocess.run
    monkeypatch.setattr(run, "is_compiled", lambda *_: bool(done))
    monkeypatch.setattr(run, "has_shared_cache", lambda _: True)
    monkeypatch.setattr(subprocess, "run", lambda *words, **how: done.append(real_run(*words, **how).returncode))
    run.compile_rules()
    assert done == [0]


def test_compiled_rules_are_recognised() -> None:
    for game in GAMES.values():
        _ = game.kernel
        assert jit.is_compiled(game.kernel_source.name, game.family)
