"""deploy/Containerfile, read and replayed without a container engine.

A replay performs COPY, the RUN steps that install, WORKDIR and ENV in a folder that stands for the root of the
container. The sources are the tracked files that .dockerignore leaves, and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.conftest import ROOT

PATH = ROOT / "deploy" / "Containerfile"
Instruction = tuple[str, str]
FOLDERS = re.compile(r"(?<![\w/.}])/(?=(?:opt|data|source)\b)")  # the folders that the file itself makes
OURS = re.compile(r"TILERY_|PYTHON|VIRTUAL_ENV|PYTEST|COLUMNS")


@dataclass
class Stage:
    """What stands between one FROM and the next."""

    base: str
    instructions: list[Instruction] = field(default_factory=list)

    def last(self, name: str) -> str:
        """The arguments of the last such instruction, which is the one that counts."""
        return [rest for given, rest in self.instructions if given == name][-1]

    def command(self, name: str) -> list[str]:
        """The program and arguments of an instruction in JSON form."""
        words: list[str] = json.loads(self.last(name).partition("CMD ")[2] or self.last(name))
        return words

    def variables(self) -> dict[str, str]:
        return dict(word.split("=", 1) for word in shlex.split(self.last("ENV")))


def stages(text: str) -> dict[str, Stage]:
    """The stages of a Containerfile by name; the last one is called ""."""
    found: dict[str, Stage] = {}
    current = Stage("")
    for line in re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        name, rest = line.split(maxsplit=1)
        if name == "FROM":
            base, _, stage = rest.partition(" AS ")
            current = found[stage] = Stage(base)
        else:
            current.instructions.append((name, rest.strip()))
    return found


def copied(stage: Stage) -> list[tuple[list[str], str, str]]:
    """The COPY instructions of a stage: sources, destination, and the stage that they come from or ""."""
    result = []
    for name, rest in stage.instructions:
        if name == "COPY":
            origin = re.match(r"--from=(\w+) ", rest)
            *sources, destination = rest.removeprefix(origin[0] if origin else "").split()
            result.append((sources, destination, origin[1] if origin else ""))
    return result


def copy_tracked(source: str, folder: Path) -> None:
    """Copy a file or folder of the repository as a clean checkout has it, without what .dockerignore excludes."""
    listed = subprocess.run(["git", "ls-files", "-z", source], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    ignored = [line.removeprefix("**/") for line in (ROOT / ".dockerignore").read_text("utf-8").split()]
    names = [name for name in names if not any(f"/{each}/" in f"/{name}/" for each in ignored)]
    if not names:
        raise FileNotFoundError(f"COPY {source}: no such file in a clean checkout")
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


def copy_sources(stage: Stage, folder: Path) -> None:
    """The COPY instructions of a build stage."""
    folder.mkdir(parents=True, exist_ok=True)
    for sources, destination, origin in copied(stage):
        assert not origin
        assert destination == "./" or sources == [destination], "each file keeps its place"
        for source in sources:
            copy_tracked(source, folder)


class Replay:
    """The container as a folder, after its last instruction; `environment` and `command` start what runs in it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        build, final = (parsed := stages(PATH.read_text(encoding="utf-8")))["build"], parsed[""]
        self.stage = final
        # As the image of Python has it: not that of the tests with its packages.
        (folder / "bin").mkdir()
        (folder / "bin" / "python").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
        others = {name: value for name, value in os.environ.items() if not OURS.match(name)}
        self.environment = {**others, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder / "home")}
        source = self.inside(build.last("WORKDIR"))
        copy_sources(build, source)
        for name, rest in build.instructions:
            if name == "RUN":
                self._run(self.mapped(rest), source)
        self._second_stage(folder)

    def inside(self, path: str) -> Path:
        """The folder that stands for a path of the container."""
        return self.root / path.lstrip("/")

    def mapped(self, text: str) -> str:
        return FOLDERS.sub(f"{self.root}/", text)

    def _run(self, command: str, folder: Path) -> None:
        done = subprocess.run(
            ["sh", "-ec", command], cwd=folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"RUN {command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"

    def _second_stage(self, folder: Path) -> None:
        """Only what it copies from the first stage is left."""
        kept = folder / "kept"
        self.root.rename(kept)
        for sources, destination, origin in copied(self.stage):
            assert origin == "build"
            assert sources == [destination], "scripts of a virtual environment know their folder"
            self.inside(destination).parent.mkdir(parents=True)
            (kept / destination.lstrip("/")).rename(self.inside(destination))
        shutil.rmtree(kept)
        self.inside(json.loads(self.stage.last("VOLUME"))[0]).mkdir(0o700)
        path = self.environment["PATH"]
        variables = {name: self.mapped(value) for name, value in self.stage.variables().items()}
        self.environment |= {name: value.replace("$PATH", path) for name, value in variables.items()}
        self.environment["HOME"] = str(self.inside("data"))

    def program(self, words: list[str]) -> list[str]:
        """A command of the container, its program found on the container's PATH."""
        found = shutil.which(words[0], path=self.environment["PATH"])
        assert found, words
        return [found, *words[1:]]

    def files_outside(self, volume: str) -> set[tuple[str, int]]:
        """Every file that is not in the volume, with the time of its last change."""
        inside = self.inside(volume)
        paths = (path for path in self.root.rglob("*") if not path.is_relative_to(inside) and path.is_file())
        return {(str(path), path.stat().st_mtime_ns) for path in paths}
