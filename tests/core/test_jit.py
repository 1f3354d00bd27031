"""Compiled or plain, checked or not: the same results. The cache is announced, shared, and never stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fingerprint import fingerprints
from tilery.core import jit

COMPILED = "import tilery; tilery.game('azul').kernel"


def run(*arguments: str, path: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a separate Python process with these settings."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "TILERY_JIT"))}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=path,
        env={**settings, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


def test_plain_python_gives_the_same_results() -> None:
    """With the JIT off and warnings as errors: no number ever wraps."""
    assert run("-W", "error", "-m", "tests.fingerprint", TILERY_JIT="0").stdout.strip() == fingerprints()


def test_numbas_own_switch_gives_the_same_results() -> None:
    assert run("-W", "error", "-m", "tests.fingerprint", NUMBA_DISABLE_JIT="1").stdout.strip() == fingerprints()


def test_without_numba_installed_everything_works() -> None:
    code = "import sys; sys.modules['numba'] = None; from tests.fingerprint import fingerprints; print(fingerprints())"
    assert run("-W", "error", "-c", code).stdout.strip() == fingerprints()


def test_with_bounds_checks_nothing_is_read_outside() -> None:
    assert run("-m", "tests.fingerprint", NUMBA_BOUNDSCHECK="1").stdout.strip() == fingerprints()


def test_another_process_finds_the_compiled_kernels() -> None:
    code = (
        COMPILED + "; from tilery.games.azul.kernel import entries; "
        "print(sum(sum(f.stats.cache_hits.values()) for f in entries.SIGNATURES), "
        "sum(sum(f.stats.cache_misses.values()) for f in entries.SIGNATURES))"
    )
    done = run("-c", code)
    hits, misses = map(int, done.stdout.split())
    assert hits > 0
    assert misses == 0
    assert "Compiling" not in done.stderr


TINY = """
from tilery.core.jit import jit, prepare
@jit
def twice(number):
    return 2 * number
prepare("a tiny kernel", {twice: "int"})
print(twice(21))
"""


def test_the_first_compilation_is_announced_and_later_ones_are_quiet(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(TINY, encoding="utf-8")
    first = run("tiny.py", path=tmp_path, TILERY_CACHE=str(tmp_path / "cache"))
    again = run("tiny.py", path=tmp_path, TILERY_CACHE=str(tmp_path / "cache"))
    assert first.stdout == again.stdout == "42\n"
    assert first.stderr.startswith("Compiling a tiny kernel for this machine (once")
    assert "Compiled in" in first.stderr
    assert again.stderr == ""


def test_without_a_writable_cache_everything_works(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(TINY, encoding="utf-8")
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert run("tiny.py", path=tmp_path, TILERY_CACHE=str(tmp_path / "file")).stdout == "42\n"


@pytest.mark.parametrize("edited", ["games/azul/kernel/layout.py", "core/jit.py", "engine/azul/kernel/greedy.py"])
def test_editing_any_compiled_source_changes_the_name_of_the_cache(tmp_path: Path, edited: str) -> None:
    shutil.copytree(ROOT / "src" / "tilery", tmp_path / "tilery", ignore=shutil.ignore_patterns("__pycache__"))
    code = "from tilery.core.jit import cache_folder; print(cache_folder('azul'))"

    def named() -> str:
        return run("-c", code, path=tmp_path, PYTHONPATH=str(tmp_path)).stdout

    before = named()
    source = tmp_path / "tilery" / edited
    source.write_text(source.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert named() != before


def test_editing_one_game_keeps_the_cache_of_another() -> None:
    azul, schokoly = set(jit._sources("azul")), set(jit._sources("schokoly"))
    assert azul & schokoly == set(jit._sources(""))
    assert {path.parent.parent.name for path in azul - schokoly} == {"azul"}
    assert {path.parent.parent.name for path in schokoly - azul} == {"schokoly"}


def test_other_types_raise_an_error_and_are_not_compiled_silently() -> None:
    from tilery import game

    kernel = game("azul").kernel
    if jit.ENABLED:
        with pytest.raises(TypeError):
            kernel.actor(kernel.new_rows(1).astype("int32"), 0)


BITS = """
import numpy as np
from tilery.core.jit import count_ones, jit, lowest, write_eight
TABLE = np.arange(16, dtype=np.int32).reshape(2, 8)
@jit
def ask(number, out):
    write_eight(out, 1, 100, TABLE, 1)
    return 100 * count_ones(number) + lowest(number)
out = np.zeros(10, dtype=np.int32)
print([ask(number, out) for number in (1, 6, 40, 992)], out.tolist())
"""


def test_bit_counting_is_the_same_compiled_and_plain(tmp_path: Path) -> None:
    (tmp_path / "bits.py").write_text(BITS, encoding="utf-8")
    expected = "[100, 201, 203, 505] [0, 108, 109, 110, 111, 112, 113, 114, 115, 0]"
    assert run("bits.py", path=tmp_path, TILERY_JIT="0").stdout.strip() == expected
    assert run("bits.py", path=tmp_path, TILERY_CACHE=str(tmp_path / "cache")).stdout.strip() == expected


THREADS = """
from concurrent.futures import ThreadPoolExecutor
from tilery import Stream, game
from tilery.engine.bots import bot
def ask(number):
    position = game("azul").new().settle(Stream(number))
    return bot("greedy").choose(position.seen_by(0), Stream(number)) >= 0
with ThreadPoolExecutor(8) as pool:
    print(all(pool.map(ask, range(8))))
"""


def test_many_threads_may_compile_at_once() -> None:
    assert run("-c", THREADS).stdout == "True\n"


def test_an_interrupted_compilation_can_be_resumed(tmp_path: Path) -> None:
    code = TINY.replace('prepare("a tiny kernel", {twice: "int"})', "") + (
        "class Never:\n    _can_compile = True\n    __name__ = 'never'\n    __code__ = twice.__code__\n"
        "    def compile(self, _):\n        raise KeyboardInterrupt\n"
        "try:\n    prepare('a tiny kernel', {twice: 'int', Never(): 'int'})\n"
        "except KeyboardInterrupt:\n    prepare('a tiny kernel', {twice: 'int'})\n"
        "prepare('a tiny kernel', {twice: 'int'})\nprint(twice(4))\n"
    )
    (tmp_path / "tiny.py").write_text(code, encoding="utf-8")
    assert run("tiny.py", path=tmp_path, TILERY_CACHE=str(tmp_path / "cache")).stdout.endswith("8\n")


def test_a_missing_numba_is_reported_once() -> None:
    code = (
        "import sys; sys.modules['numba'] = None; import tilery; tilery.game('azul').new(); tilery.game('azul').new()"
    )
    assert run("-c", code).stderr.count("numba is not installed") == 1
    assert run("-c", "import tilery; tilery.game('azul').new()", TILERY_JIT="0").stderr == ""
