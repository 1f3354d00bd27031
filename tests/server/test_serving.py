"""What the server does for itself: compile the rules before anybody comes, and look for garbage without a pause."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
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


def test_rules_are_compiled_before_the_doors_open_but_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Asked:
        family = "azul"
        kernel_source = SimpleNamespace(name="the rules of Azul")

        @property
        def kernel(self) -> None:
            compiled.append(self.family)

    compiled: list[str] = []
    monkeypatch.setattr(serving, "GAMES", {"azul": Asked()})
    monkeypatch.setattr(serving, "ENABLED", True)
    monkeypatch.setattr(serving, "_marker", lambda name, family: tmp_path / f"{name} {family}")
    serving.compile_rules()
    assert compiled == ["azul"]
    (tmp_path / "the rules of Azul azul").touch()
    serving.compile_rules()
    assert compiled == ["azul"]


def test_the_mark_of_compiled_rules_is_the_one_that_is_looked_for() -> None:
    if not jit.ENABLED:
        pytest.skip("nothing is compiled here")
    for game in GAMES.values():
        _ = game.kernel
        assert jit._marker(game.kernel_source.name, game.family).exists()
