"""The JavaScript side of an installed wheel, which becomes a folder in the user's cache.

A checkout has its own `node_modules` (`make setup`) and does not use this module. In a wheel `bridge/bundled_files/`
holds the engine, the primitives, the servers' settings and the lockfile. On first use they are copied, `npm ci`
installs the packages of the lockfile beside them, and the folder is renamed into place at once. Concurrent processes
wait.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

from common.errors import PrerequisiteError

PACKAGE = Path(__file__).resolve().parent
BUNDLE = PACKAGE / "bundled_files"
DIGEST = BUNDLE / "DIGEST"
"""The hash of all JavaScript and of the lockfile, written when the wheel was built."""
INSTALLED = DIGEST.is_file()
"""True if this is an installed package, not a checkout."""
CACHE_VARIABLE = "ACCORD_CACHE"
"""Environment variable with another folder than the user's usual cache."""
NPM_S = 1800.0


def sources() -> Path:
    """Return the folder of Accord's own files."""
    return BUNDLE if INSTALLED else PACKAGE.parent


def root() -> Path:
    """Return Node's working folder."""
    return cache() / f"js-{DIGEST.read_text(encoding='utf-8').strip()[:16]}" if INSTALLED else PACKAGE.parent


def cache() -> Path:
    """Return the folder for packages installed on first use."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named).expanduser().absolute()
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / usual)
    return Path(base).absolute() / "accord"


def install(node: Path, place: Path | None = None, bundle: Path = BUNDLE, package: Path = PACKAGE) -> Path:
    """Install the JavaScript side if it is missing and return its folder.

    Args:
        node: Node's binary; None for the installed package's.
        place: Folder to install into; None for the user's cache.
        bundle: Folder with the bundled files.
        package: Folder of the Python package `bridge`.

    Raises:
        PrerequisiteError: npm failed, or the folder cannot be written.

    The folder appears complete or not at all, and is installed once even if several processes ask for it.
    """
    place = root() if place is None else place
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _alone(place.with_name(f"{place.name}.lock")):
            if not place.is_dir():
                _install(node, place, bundle, package)
    except OSError as error:
        raise PrerequisiteError(
            f"the JavaScript packages cannot be installed in {place.parent} ({error.strerror or error}): make room, or "
            f"name another folder with {CACHE_VARIABLE}"
        ) from error
    return place


def _install(node: Path, place: Path, bundle: Path, package: Path) -> None:
    _say(f"accord: installing its JavaScript packages, once (about 500 MB, a minute or two), in {place}")
    for abandoned in place.parent.glob(f".{place.name}.*"):  # an installation that was killed
        shutil.rmtree(abandoned, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        staging.chmod(0o755)
        shutil.copytree(bundle, staging, dirs_exist_ok=True)
        shutil.copytree(package, staging / "bridge", dirs_exist_ok=True, ignore=_but_javascript)
        _npm_ci(node, staging)
        staging.rename(place)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _npm_ci(node: Path, folder: Path) -> None:
    """Install the packages of the lockfile. Raises PrerequisiteError with the last lines of npm's output."""
    npm = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # npm needs the user's proxies and registry; no package of it runs a script, and no key is its business.
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    command = [str(node), str(npm), "ci", "--omit=dev", "--no-progress", "--loglevel=error"]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=NPM_S,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise PrerequisiteError(f"npm ci did not end within {NPM_S:g} s: is there a network?") from None
    if done.returncode != 0:
        words = [line for line in done.stderr.splitlines() if line.strip()]
        raise PrerequisiteError(
            f"npm ci failed ({'; '.join(words[:3])[:300] or 'without a word'}): is there a network?"
        )


def _but_javascript(folder: str, names: list[str]) -> set[str]:
    """Return the entries not to copy from Python's package: everything but JavaScript and its folders."""
    wanted = {name for name in names if name.endswith(".js") or (Path(folder) / name).is_dir()}
    return set(names) - (wanted - {"__pycache__", BUNDLE.name})


@contextlib.contextmanager
def _alone(file: Path) -> Generator[None]:
    """Hold the lock of an installation; no other process installs meanwhile."""
    with file.open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
